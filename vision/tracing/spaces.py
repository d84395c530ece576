"""Action spaces: the small hexes printed on the map, found by their outline.

A place is a candidate where edges run along all six sides of a hex of a tried size, and do so less along those of the
same hex stood on a point, as a disc's edge would. All spaces of a board are equally large: the size and form that most
places show clearly is taken. Those that look alike within share a group, so that naming one can name the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.geometry import Floats, Matrix
from vision.registration.align import log_lab
from vision.tracing.sheet import Cell, HexGrid, Point, Sheet

PX_PER_MM = 2.0
SHARES = np.linspace(0.17, 0.33, 9)  # a space's side over that of a hex
FORMS = ("flat", "upright")
STEEP = 6.0
NARROW = 0.6  # how much an edge counts less for running askew
FULL = 1.4  # brings a clear outline, whose edges are evened to less than 1, to about 1
# The rival outline is looked for within so much, and its fit is taken from a place's own by so much.
NEAR_MM, RIVAL = 1.5, 0.8
# Tried sizes on either side of the best that count with it: a space with a rim shows several outlines.
NESTED = 2
# Fit from which on a place is looked at.
LEAST = 0.4
# A place is as likely a space as not at 0.6 of the board's clearest leads, within these bounds; how fast it gets surer.
LEAD, LEAD_SHARE, LEAD_SPREAD = (0.15, 0.32), 0.6, 0.035
# Correlation from which on two prints are alike, and what it helps to lie in the same place of their hexes.
ALIKE, PLACE_WORTH = 0.75, 0.15
SURE = 0.5
# Boards print spaces in the same places of their hexes: with three sure ones alike a faint one becomes fairly sure.
RANK_MM, RANK_LEAST, RANK_FROM, RANK_WORTH = 2.0, 3, 0.02, 0.6
# The side of a print, in px, once it is scaled to be compared.
PATCH = 24


@dataclass(frozen=True, slots=True)
class FoundSpace:
    """A small printed hex or disc: its middle, its side, how sure it is, its cell, and the group of those like it."""

    at_mm: Point
    side_mm: float
    confidence: float
    cell: Cell
    group: int


class Peak(NamedTuple):
    """A place (x, y) px where an outline fits, and by how much better than the same hex stood on a point."""

    lead: float
    x: float
    y: float


def spaces_of(sheet: Sheet, grid: HexGrid, on_map: Mapping[Cell, float]) -> tuple[FoundSpace, ...]:
    """Find what looks like an action space on the map's cells, the surest first.

    Discs may be among them, with little confidence.
    """
    lab = log_lab(sheet.flat(PX_PER_MM))
    here = _map_mask(lab.shape[:2], grid, on_map)
    side, peaks = _best_form(lab, here, grid.side_mm)
    sure = _confidences([peak.lead for peak in peaks])
    groups = _groups(lab, peaks, side, grid)
    found = [
        FoundSpace(_mm(peak), side, chance, grid.cell_at(_mm(peak)), group)
        for peak, chance, group in zip(peaks, sure, groups, strict=True)
    ]
    return tuple(sorted(_raise_those_in_rank(found, grid), key=lambda space: -space.confidence))


def _raise_those_in_rank(found: Sequence[FoundSpace], grid: HexGrid) -> list[FoundSpace]:
    """Raise the confidence of spaces that lie within their hex where sure ones lie in theirs.

    Boards print them alike.
    """
    places = np.array([space.at_mm for space in found]).reshape(-1, 2) - grid.centres(space.cell for space in found)
    sure = places[[space.confidence >= SURE for space in found]]
    ranked = []
    for space, place in zip(found, places, strict=True):
        alike = int((np.linalg.norm(sure - place, axis=1) < RANK_MM).sum())
        lifted = RANK_WORTH if alike >= RANK_LEAST and space.confidence > RANK_FROM else 0.0
        ranked.append(replace(space, confidence=max(space.confidence, lifted)))
    return ranked


def _best_form(lab: Floats, here: Floats, hex_side_mm: float) -> tuple[float, list[Peak]]:
    """Find the side that fits best, and the places where hexes of it fit.

    A hex fits the one way round much better than stood on a point. Spaces with a rim show more than one outline: sizes
    near the best one count with it.
    """
    gradients = _gradients(lab)
    sides = [float(share) * hex_side_mm for share in SHARES]
    flat, upright = (_fits(gradients, form, sides) for form in FORMS)
    near = np.ones((2 * round(NEAR_MM * PX_PER_MM) + 1,) * 2, np.uint8)
    found = []
    for own, other in ((flat, upright), (upright, flat)):
        leads = [fit - RIVAL * cv2.dilate(rival, near) for fit, rival in zip(own, other, strict=True)]
        worth = [
            sum(max(peak.lead, 0.0) ** 2 for peak in _peaks(fit, lead, here, side))
            for fit, lead, side in zip(own, leads, sides, strict=True)
        ]
        best = int(np.argmax(worth))
        nested = slice(max(best - NESTED, 0), best + NESTED + 1)
        both = np.max(own[nested], axis=0), np.max(leads[nested], axis=0)
        found.append((worth[best], sides[best], _peaks(*both, here, sides[best])))
    _, side, peaks = max(found, key=lambda form: form[0])
    return side, peaks


def _mm(peak: Peak) -> Point:
    return (peak.x + 0.5) / PX_PER_MM, (peak.y + 0.5) / PX_PER_MM


def _confidences(leads: Sequence[float]) -> list[float]:
    """Return how sure each place is, compared with the clearest ones of the board: prints differ in sharpness."""
    clear = float(np.quantile(leads, 0.9)) if leads else 0.0
    enough = float(np.clip(LEAD_SHARE * clear, *LEAD))
    return [float(np.clip(1 / (1 + np.exp(-(lead - enough) / LEAD_SPREAD)), 0.01, 0.99)) for lead in leads]


def _gradients(lab: Floats) -> tuple[Floats, Floats]:
    """Return two (H, W) pictures: the gradient across and down, by the strongest channel.

    Its size is evened to at most 1.
    """
    smooth = cv2.GaussianBlur(lab, (0, 0), 0.8)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    strongest = (across**2 + down**2).argmax(axis=2)[..., None]
    gx = np.take_along_axis(across, strongest, axis=2)[..., 0]
    gy = np.take_along_axis(down, strongest, axis=2)[..., 0]
    size = np.sqrt(gx * gx + gy * gy) + STEEP
    return np.asarray(gx / size, np.float32), np.asarray(gy / size, np.float32)


def _fits(gradients: tuple[Floats, Floats], form: str, sides_mm: Sequence[float]) -> list[Floats]:
    """Return for each tried side (H, W) how well an outline of that form fits with its middle at each place, 0 to 1."""
    first = 30.0 if form == "flat" else 0.0
    normals = [np.array([np.cos(turn), np.sin(turn)]) for turn in np.radians(first + 60.0 * np.arange(3))]
    length = 0.8 * float(np.median(sides_mm)) * PX_PER_MM
    straight = [_straight(gradients, normal, length) for normal in normals]
    return [_hex_fit(straight, normals, side * PX_PER_MM * 3**0.5 / 2) for side in sides_mm]


def _straight(gradients: tuple[Floats, Floats], normal: Matrix, length_px: float) -> Floats:
    """Return (H, W) how much of an edge at right angles to `normal` runs through each place, either way round."""
    gx, gy = gradients
    along, aside = np.abs(gx * normal[0] + gy * normal[1]), np.abs(gy * normal[0] - gx * normal[1])
    edge = cv2.GaussianBlur(np.maximum(along - NARROW * aside, 0), (0, 0), 0.7)
    reach = max(4, int(np.ceil(length_px / 2)) + 1)  # of doubles OpenCV takes no kernel of fewer than 50 numbers
    x, y = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    across, way = x * normal[0] + y * normal[1], -x * normal[1] + y * normal[0]
    kernel = np.clip(1 - np.abs(across), 0, 1) * np.clip(length_px / 2 + 0.5 - np.abs(way), 0, 1)
    return np.asarray(cv2.filter2D(edge, cv2.CV_32F, (kernel / kernel.sum()).astype(np.float32)), np.float32)


def _hex_fit(straight: Sequence[Floats], normals: Sequence[Matrix], apothem_px: float) -> Floats:
    """Return (H, W) the mean of a hex's six sides, held down by the weakest but one."""
    sides = [_shift_field(edge, way * apothem_px * normal) for edge, normal in zip(straight, normals, strict=True)
             for way in (1, -1)]  # fmt: skip
    ordered = np.sort(np.stack(sides), axis=0)
    return np.asarray((ordered.mean(axis=0) + ordered[1]) / 2 * FULL, np.float32)


def _shift_field(field: Floats, by_px: Matrix) -> Floats:
    """Shift a field, so that each place shows the value `by_px` further on."""
    rows, columns = field.shape
    shift = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]], np.float64)
    return np.asarray(
        cv2.warpAffine(field, shift, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), np.float32
    )


def _map_mask(shape: tuple[int, ...], grid: HexGrid, on_map: Mapping[Cell, float]) -> Floats:
    mask = np.zeros(shape, np.uint8)
    for cell, chance in on_map.items():
        if chance > 0.5:
            cv2.fillConvexPoly(mask, np.round(grid.corners(cell) * PX_PER_MM).astype(np.int32), 1)
    return mask.astype(np.float32)


def _peaks(response: Floats, lead: Floats, here: Floats, side_mm: float) -> list[Peak]:
    """Return the places where an outline fits best, no two overlapping."""
    size = 2 * round(1.2 * side_mm * PX_PER_MM) + 1
    fits = response * here
    highest = cv2.dilate(fits, np.ones((size, size), np.uint8))
    rows, columns = np.nonzero((fits == highest) & (fits > LEAST))
    found = []
    for x, y in zip(columns.tolist(), rows.tolist(), strict=True):
        if 0 < x < response.shape[1] - 1 and 0 < y < response.shape[0] - 1:
            around = response[y - 1 : y + 2, x - 1 : x + 2]
            found.append(Peak(float(lead[y, x]), x + _between(around[1]), y + _between(around[:, 1])))
    return found


def _between(three: Floats) -> float:
    """Return where the top of a parabola through three neighbours lies, from the middle one."""
    before, at, after = (float(value) for value in three)
    return float(np.clip(0.5 * (before - after) / min(before - 2 * at + after, -1e-6), -0.5, 0.5))


def _groups(lab: Floats, peaks: Sequence[Peak], side_mm: float, grid: HexGrid) -> list[int]:
    """Return a number for each place, the same where what is printed within looks alike.

    A like place in the hex helps.
    """
    patches = [_patch(lab, peak, side_mm) for peak in peaks]
    places = np.array([_mm(peak) for peak in peaks]).reshape(-1, 2)
    places = places - grid.centres(grid.cell_at(_mm(peak)) for peak in peaks)
    first: list[int] = []
    numbers = []
    for number, (patch, place) in enumerate(zip(patches, places, strict=True)):
        near = np.linalg.norm(places[first] - place, axis=1) < RANK_MM
        alike = [float((patch * patches[other]).mean()) for other in first] + PLACE_WORTH * near
        if not first or alike.max() < ALIKE:
            first.append(number)
        numbers.append(first.index(number) if number in first else int(np.argmax(alike)))
    return numbers


def _patch(lab: Floats, peak: Peak, side_mm: float) -> Matrix:
    """Return (PATCH, PATCH) the inner lightness of a place, evened to mean 0 and spread 1."""
    reach = 0.75 * side_mm * PX_PER_MM
    size = (PATCH, PATCH)
    scale = 2 * reach / PATCH
    turn = np.array([[scale, 0, peak.x - reach + scale / 2], [0, scale, peak.y - reach + scale / 2]])
    inner = cv2.warpAffine(lab[..., 0], turn, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    smooth = cv2.GaussianBlur(inner, (0, 0), 1.2)
    return np.asarray((smooth - smooth.mean()) / (smooth.std() + 2.0), np.float64)


def snap(spaces: Sequence[FoundSpace], at_mm: Point, reach_mm: float = 8.0) -> FoundSpace | None:
    """Return the found space nearest to a touch; None if none is within reach."""
    if not spaces:
        return None
    gaps = [float(np.hypot(space.at_mm[0] - at_mm[0], space.at_mm[1] - at_mm[1])) for space in spaces]
    nearest = int(np.argmin(gaps))
    return spaces[nearest] if gaps[nearest] <= reach_mm else None
