"""Where on a table laid out flat there may be markers, whose size there is known, and each laid onto its picture.

Several searches over a picture with its light evened out. A quadrilateral of a marker's size whose bits did not all
come out is compared with every pattern as a whole: a blurred marker still looks like itself more than like any other.

A marker whose number is known is fitted by its whole pattern, not only its four corners: Gauss-Newton on the pattern's
own slopes, with brightness and contrast free (inverse compositional alignment: Baker and Matthews 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np

from vision.bases.markers import (
    CELLS,
    CORNERS,
    TIMES_SMALLER,
    UNITS,
    FoundMarkers,
    Grey,
    Points,
    Search,
    detect_markers,
    in_whole,
    is_crowded,
    marker_cells,
    shrink_grey,
)
from vision.geometry import NO_MAP, Floats

PER_CELL = 8
"""Samples along a cell of the pattern."""
MARGIN_CELLS = 0.5
"""How much of the white around a marker belongs to its pattern."""
ROUNDS = 12
STILL = 1e-3
"""A change, in cells and radians, from which on the pattern has come to rest."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternFit:
    """A pattern laid onto a picture.

    warp (2, 3): from the marker's cells (x right, y down, from its middle) to the picture's pixels. like: correlation
    of pattern and picture, 1 for the same. spread (3, 3): covariance of shift (cells) and turn (radians).
    """

    warp: Points
    like: float
    spread: Points

    @property
    def middle(self) -> Points:
        """(2,) px of the marker's middle."""
        return self.warp[:, 2]

    @property
    def corners(self) -> Points:
        """(4, 2) px: top left first, clockwise."""
        half = CELLS / 2
        cells = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        return np.asarray(cells @ self.warp[:, :2].T + self.warp[:, 2], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A marker as it looks blurred: where its samples lie (cells), and how a sample's light answers to what changes.

    answers: (changes + 2, samples) from light to contrast, brightness and the changes, each as a part of the contrast.
    """

    at: Points
    light: Points
    design: Points
    answers: Points
    inner: Points


def warp_of(corners_px: Points) -> Points:
    """Return the affine warp (2, 3) that best puts a marker's corners at pixels (4, 2).

    Corners are counted from top left, clockwise.
    """
    half = CELLS / 2
    cells = np.array([(-half, -half, 1.0), (half, -half, 1.0), (half, half, 1.0), (-half, half, 1.0)])
    found, *_rest = np.linalg.lstsq(cells, np.asarray(corners_px, np.float64), rcond=None)
    return np.asarray(found.T, np.float64)


def without_shear(warp: Points, cell_px: float) -> Points:
    """Return the warp (2, 3) reduced to a turn and a shift, with square cells `cell_px` wide."""
    angle = np.arctan2(warp[1, 0] - warp[0, 1], warp[0, 0] + warp[1, 1])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([turn * cell_px, warp[:, 2]])


@lru_cache(maxsize=512)
def pattern(number: int, blur_cells: float, rigid: bool) -> Pattern:
    """Return a marker's pattern, blurred by `blur_cells` (one standard deviation, in cells)."""
    side = CELLS + 2 * MARGIN_CELLS
    samples = round(side * PER_CELL)
    cells = np.pad(np.array(marker_cells(number), np.float64), 1)  # 1 is black
    fine = np.kron(cells, np.ones((PER_CELL, PER_CELL)))
    soft = cv2.GaussianBlur(1 - fine, (0, 0), max(0.3, blur_cells * PER_CELL))
    cut = round((1 - MARGIN_CELLS) * PER_CELL)
    light = np.asarray(soft[cut : cut + samples, cut : cut + samples], np.float64).ravel()
    across, down = np.gradient(soft, axis=1), np.gradient(soft, axis=0)
    slope_x, slope_y = (shift[cut : cut + samples, cut : cut + samples].ravel() * PER_CELL for shift in (across, down))
    line = (np.arange(samples) + 0.5) / PER_CELL - side / 2
    x, y = (axis.ravel() for axis in np.meshgrid(line, line))
    turns = [x * slope_y - y * slope_x] if rigid else [x * slope_x, y * slope_x, x * slope_y, y * slope_y]
    design = np.stack([light, np.ones(x.size), slope_x, slope_y, *turns], axis=1)
    inner = np.linalg.inv(design.T @ design)
    return Pattern(np.stack([x, y], axis=1), light, design, inner @ design.T, inner)


def fit_pattern(picture: Floats, number: int, start: Points, blur_px: float, rigid: bool = True) -> PatternFit | None:
    """Fit a marker to a (H, W) float32 picture, from a warp (2, 3) on; None if no marker shows or the fit runs away."""
    cell_px = float(np.sqrt(abs(np.linalg.det(start[:, :2]))))
    known = pattern(number, round(blur_px / cell_px, 2), rigid)
    warp = start.copy()
    for _ in range(ROUNDS):
        seen = _sample(picture, warp, known.at)
        found = known.answers @ seen
        if found[0] < 1e-3:
            return None
        change = found[2:] / found[0]
        warp = _compose_inverse(warp, change, rigid)
        if not np.isfinite(warp).all() or np.abs(warp[:, 2] - start[:, 2]).max() > 1.5 * cell_px:
            return None
        if np.abs(change).max() < STILL:
            break
    return _rate_fit(picture, warp, known)


def _sample(picture: Floats, warp: Points, at: Points) -> Points:
    where = (at @ warp[:, :2].T + warp[:, 2]).astype(np.float32)
    seen = cv2.remap(picture, where[None], NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], np.float64)


def _compose_inverse(warp: Points, change: Points, rigid: bool) -> Points:
    """Return the warp that undoes a change of the pattern."""
    if rigid:
        turn = np.array([[1.0, -change[2]], [change[2], 1.0]]) / np.hypot(1.0, change[2])
    else:
        turn = np.eye(2) + np.array([[change[2], change[3]], [change[4], change[5]]])
    back = np.linalg.inv(turn)
    return np.column_stack([warp[:, :2] @ back, warp[:, 2] - warp[:, :2] @ back @ change[:2]])


def _rate_fit(picture: Floats, warp: Points, known: Pattern) -> PatternFit:
    seen = _sample(picture, warp, known.at)
    like = float(np.corrcoef(seen, known.light)[0, 1]) if seen.std() > 0 else 0.0
    found = known.answers @ seen
    rest = seen - known.design @ found
    noise = float(rest @ rest) / max(1, len(seen) - len(found)) / max(1e-9, found[0] ** 2)
    return PatternFit(warp, like, known.inner[2:5, 2:5] * noise)


@dataclass(frozen=True, slots=True)
class Pass:
    """A search: the threshold's windows (first, last, step) in cells, and how much darker than its window black is."""

    windows: tuple[float, float, float]
    below: float


PASSES = (Pass((1.4, 4.3, 1.45), 10.0), Pass((3.0, 3.0, 1.0), 15.0), Pass((4.0, 4.0, 1.0), 45.0))
CORNER_PASSES = (Pass((1.5, 1.5, 1.0), 10.0), Pass((4.0, 4.0, 1.0), 10.0), Pass((9.0, 9.0, 1.0), 20.0))
# The level that paper is brought to, and how bright it is taken for at least: below that there is only noise.
WHITE = 220.0
DARKEST = 8.0
BAND = 64
"""Rows that are evened out at a time."""
TIMES_USUAL = 2.0
"""How much more than a photo of a board a marked table may be crowded: noise is enhanced where it is dark."""
SIZES = (0.75, 1.3)
"""How long a marker's sides may come out, as parts of what they are."""
CORNER_CELLS = 140.0
"""How many cells of a usual corner marker a frame is long."""
CORNER_SIZES = (0.35, 4.0)
"""How long a corner marker's sides may come out, as parts of a usual one's."""
ALIKE, LIKELIEST = 0.55, 3
"""How well the cells of a quadrilateral have to fit a marker (correlation), and how many markers it may be."""
PAPERS = (1.0, CELLS / (CELLS + 1), CELLS / (CELLS + 2))
"""How large a marker is in the outline that was found: that is its own, or that of the paper it is printed on."""
LIKE_ALONE, AHEAD = 0.88, 0.04
"""How well a pattern has to fit the picture where not every bit came out (correlation), and how much better than any
other marker."""
Candidates = list[tuple[int, Points]]


@dataclass(frozen=True, slots=True, eq=False)
class MarkerCandidates:
    """Numbers and corners (4, 2) of what may be markers; one may come more than once.

    sure: every bit came out. likely: quadrilaterals of a marker's size, each with the markers that it looks like.
    """

    sure: Candidates
    likely: list[Candidates]

    def in_whole(self, times: int) -> MarkerCandidates:
        """Return these candidates in pixels of a picture `times` as large."""
        return MarkerCandidates(_in_whole(self.sure, times), [_in_whole(several, times) for several in self.likely])


def _in_whole(several: Candidates, times: int) -> Candidates:
    return [(number, in_whole(quad, times)) for number, quad in several]


NOTHING = MarkerCandidates([], [])


def base_candidates(picture: Floats, cell_px: float) -> MarkerCandidates:
    """Find what may be bases' markers in a flat picture (H, W) with cells of `cell_px`; nothing if too crowded."""
    return _run_passes(even_out_light(picture, cell_px), cell_px, (UNITS, PASSES, SIZES)) or NOTHING


def corner_candidates(whole: Grey) -> MarkerCandidates:
    """Find what may be the table's corner markers in a frame (H, W); nothing if it is too crowded."""
    for times in TIMES_SMALLER:
        grey = shrink_grey(whole, times)
        cell_px = max(grey.shape) / CORNER_CELLS
        seen = _run_passes(even_out_light(grey, cell_px), cell_px, (CORNERS, CORNER_PASSES, CORNER_SIZES))
        if seen is not None:
            return seen.in_whole(times)
    return NOTHING


def likeliest(
    likely: list[Candidates], fit: Callable[[int, Points], PatternFit | None]
) -> Iterator[tuple[int, PatternFit]]:
    """Yield, for each quadrilateral, the marker that fits it well and clearly better than any other; else nothing."""
    for several in likely:
        laid = [(number, fit(number, quad)) for number, quad in several]
        fits = sorted(
            ((pattern_fit.like, n, pattern_fit) for n, pattern_fit in laid if pattern_fit is not None),
            key=lambda fit: -fit[0],
        )
        others = [fit for fit in fits if fit[1] != fits[0][1]]
        if fits and fits[0][0] >= LIKE_ALONE and (not others or fits[0][0] - others[0][0] >= AHEAD):
            yield fits[0][1], fits[0][2]


def _run_passes(
    grey: Grey, cell_px: float, what: tuple[Sequence[int], Sequence[Pass], tuple[float, float]]
) -> MarkerCandidates | None:
    """Combine what several searches find; None where the picture is too full for all of them."""
    numbers, passes, sizes = what
    searches = [_search(stage, cell_px, sizes) for stage in passes]
    searches = [search for search in searches if not is_crowded(grey, search, TIMES_USUAL)]
    if not searches:
        return None
    seen: Candidates = []
    others: list[Points] = []
    for search in searches:
        found = detect_markers(grey, search)
        seen += [(number, quad) for number, quad in found.markers if number in numbers]
        others += _of_size(found, cell_px, sizes)
    found_at = [quad.mean(axis=0) for _number, quad in seen]
    left = [q for q in others if all(np.abs(q.mean(axis=0) - at).max() >= 2 * cell_px for at in found_at)]
    looks = [_markers_like(grey, quad, numbers) for quad in left]
    return MarkerCandidates(seen, [likely for likely in looks if likely])


def even_out_light(picture: Floats | Grey, cell_px: float) -> Grey:
    """Return the picture (H, W) uint8 with what is white made equally bright everywhere."""
    rows, columns = picture.shape
    part = 8
    size = (max(1, columns // part), max(1, rows // part))
    small = cv2.resize(picture.astype(np.float32, copy=False), size, interpolation=cv2.INTER_AREA)
    reach = max(1, round(5 * cell_px / part))
    bright = cv2.dilate(small, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    soft = cv2.resize(cv2.GaussianBlur(bright, (0, 0), float(reach)), (columns, rows), interpolation=cv2.INTER_LINEAR)
    even = np.empty(picture.shape, np.uint8)
    for top in range(0, rows, BAND):  # all at once would take five times the memory
        band = slice(top, top + BAND)
        even[band] = np.clip(picture[band] * (WHITE / np.maximum(soft[band], DARKEST)), 0, 255)
    return even


def _search(stage: Pass, cell_px: float, sizes: tuple[float, float]) -> Search:
    first, last, step = (max(3, round(cells * cell_px)) | 1 for cells in stage.windows)
    side = CELLS * cell_px
    return Search((sizes[0] * side, sizes[1] * side), (first, last, step), stage.below, subpixel=True)


def _of_size(found: FoundMarkers, cell_px: float, sizes: tuple[float, float]) -> list[Points]:
    """Keep the quadrilaterals that are as large as a marker or its paper, every side of them."""
    least, most = sizes[0], sizes[1] / PAPERS[-1]
    sides = [np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1) / (CELLS * cell_px) for quad in found.others]
    return [q for q, s in zip(found.others, sides, strict=True) if least < s.min() and s.max() < most]


def _markers_like(grey: Grey, outline: Points, numbers: Sequence[int]) -> Candidates:
    """Return the markers that a quadrilateral's cells look like, the likeliest first.

    Each comes with the quadrilateral's corners in the marker's own order.
    """
    middle = outline.mean(axis=0)
    found: list[tuple[float, int, Points]] = []
    for part in PAPERS:
        quad = middle + (outline - middle) * part
        found += [(like, n, np.roll(quad, turns, axis=0)) for like, n, turns in _best_matches(grey, quad, numbers)]
    found.sort(key=lambda row: -row[0])
    return [(number, quad) for _like, number, quad in found[:LIKELIEST]]


def _best_matches(grey: Grey, quad: Points, numbers: Sequence[int]) -> list[tuple[float, int, int]]:
    """Return how well the likeliest markers fit, each with its number and quarter turns."""
    cells = np.array([(0.0, 0.0), (CELLS, 0.0), (CELLS, CELLS), (0.0, CELLS)], np.float32) * 4 - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), cells)
    flat = cv2.warpPerspective(grey, warp, (CELLS * 4, CELLS * 4), flags=cv2.INTER_LINEAR)
    light = cv2.resize(flat, (CELLS, CELLS), interpolation=cv2.INTER_AREA).astype(np.float64).ravel()
    spread = light.std()
    if spread < 1.0:
        return []
    alike = _patterns() @ ((light - light.mean()) / spread)
    best = np.argsort(-alike)[:LIKELIEST]
    return [(float(alike[n]), *divmod(int(n), 4)) for n in best if alike[n] >= ALIKE and n // 4 in numbers]


@cache
def _patterns() -> Points:
    """Return (numbers * 4, cells) every marker in quarter turns, scaled so that a product is a correlation."""
    every = range(len(UNITS) + len(CORNERS))
    rows = [np.rot90(1.0 - np.array(marker_cells(n), np.float64), k).ravel() for n in every for k in range(4)]
    light = np.stack(rows)
    light -= light.mean(axis=1, keepdims=True)
    return np.asarray(light / (light.std(axis=1, keepdims=True) * light.shape[1]), np.float64)
