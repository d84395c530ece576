"""What is wrong with a picture before anybody relies on it: as kinds, places and numbers, without words.

Measured on the picture alone, so that it can be said live: light, sharpness, glare, what of the board is cut off, how
small and how steeply it is seen. `start_faults` says what of a starting position does not look as printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import SMALLEST_PX, shrink_to_work
from vision.geometry import Floats, Grid, Mask, Matrix, Picture, board_from_image, camera_of, rectify
from vision.plan import BoardPlan
from vision.reading.count import SURE
from vision.reading.read import Reading

FaultKind = Literal[
    "dark",
    "bright",
    "blurred",
    "shaken",
    "cut-off",
    "glare",
    "few-pixels",
    "small",
    "steep",
    "moved",
    "covered",
    "unseen",
    "faint",
    "missing",
    "extra",
    "unsure",
    "shine",
    "same",
]

CORNERS = ("top left", "top right", "bottom right", "bottom left")

DARKEST = 60.0  # the board's brightest twentieth, of 255
FLATTEST = 20.0  # between its darkest and its brightest twentieth
BURNT = 250  # a pixel with every channel this bright shows nothing
MOST_BURNT = 0.25  # of the board, before the whole picture is too bright
GLARE_SHARE = 0.12  # of an area
GLARE_SPOT_MM = 4.0  # a patch has to be as wide as this in every direction
# The most blur that is passed, as a Gaussian's sigma: on the board, or in the picture where that is more.
BLUR_MM = 0.72
BLUR_PX = 1.3
EDGE_PX = (1.0, 2.0)  # the two blurs whose edges are compared
EDGE_SHARE = 0.3  # the steepest of them, which are steps of the print and not its shading
LEAST_EDGES = 120  # pixels on edges, below which nothing is said
MOST_BLUR_PX = 5.0
LEAST_EVEN = 0.55  # edges of the direction with the fewest, over that with the most
LEAST_EVEN_AROUND = 0.4  # of a whole picture, in which other things lie
SHINE_SHARE = 0.02  # of a quarter of the picture
CUT_PX = 1.5
LEAST_PX_PER_MM = 0.8  # a piece is then 10 px wide
MOST_TILT_DEG = 50.0
SAME_SHARE = 0.8  # of the areas where pieces should stand


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a picture.

    places: area names, or corners as in CORNERS (of the board; of the picture for shine), or none for the whole
    picture.

    value, limit: what was measured and what it may be, in the unit of the kind: brightness 0 to 255 (dark), share of
    the board (bright), of the worst area (glare) or quarter (shine), blur in mm of the board (blurred), evenness of
    edges (shaken), px per mm (small), degrees (steep), share of the printed points found again (moved); pieces too many
    or too few; areas without pieces (same, unseen).

    side: whose pieces are not seen (unseen), or hardly (faint).
    """

    kind: FaultKind
    places: tuple[str, ...] = ()
    value: float = 0.0
    limit: float = 0.0
    side: str = ""


def faults_of(picture_bgr: Picture, plan: BoardPlan, corners_px: npt.ArrayLike | None = None) -> tuple[Fault, ...]:
    """Return what is wrong with a picture (H, W, 3) BGR of the board, the gravest first; nothing if it will do.

    corners_px: the board's TL, TR, BR, BL in it; without them only light and sharpness of the whole are judged.
    """
    height, width = picture_bgr.shape[:2]
    if min(height, width) < SMALLEST_PX[1] or max(height, width) < SMALLEST_PX[0]:
        return (Fault("few-pixels", value=float(max(height, width)), limit=float(SMALLEST_PX[0])),)
    picture, scale = shrink_to_work(picture_bgr)
    if corners_px is None:
        light = _light_faults(picture)
        return light or _blur_faults(picture, None, min(picture.shape[:2]) / max(plan.size_mm))
    corners = np.asarray(corners_px, np.float64) * scale
    placed = _cut_off(corners, picture) + _view_faults(corners, picture, plan)
    board = rectify(picture, board_from_image(corners, plan.size_mm), Grid(plan.size_mm, margin_mm=0.0))
    light = _light_faults(board)
    if light:
        return placed + light
    sharp = _shake_faults(board) or _blur_faults(picture, corners, _px_per_mm(corners, plan))
    return placed + sharp + _glare_faults(board, plan)


def reasons_not_found(picture_bgr: Picture, plan: BoardPlan) -> tuple[Fault, ...]:
    """Return why a board may not be found in a picture (H, W, 3) BGR: tiny, dark, bright, blurred, shaken, glaring."""
    found = faults_of(picture_bgr, plan)
    if found:
        return found
    picture, _ = shrink_to_work(picture_bgr)
    return _shake_faults(picture, LEAST_EVEN_AROUND) or _shine_faults(
        picture, min(picture.shape[:2]) / max(plan.size_mm)
    )


def _shine_faults(picture: Picture, px_per_mm: float) -> tuple[Fault, ...]:
    """Find the quarters of a picture in which patches as wide as a piece's half show nothing but light."""
    burnt = _overexposed(picture, px_per_mm)
    down, across = (side // 2 for side in burnt.shape)
    quarters = burnt[:down, :across], burnt[:down, across:], burnt[down:, across:], burnt[down:, :across]
    shares = [float(quarter.mean()) for quarter in quarters]
    places = tuple(name for name, share in zip(CORNERS, shares, strict=True) if share > SHINE_SHARE)
    return (Fault("shine", places, max(shares), SHINE_SHARE),) if places else ()


def _light_faults(picture: Picture) -> tuple[Fault, ...]:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    dark, bright = (float(value) for value in np.percentile(grey, (5, 95)))
    burnt = float((picture.min(axis=2) >= BURNT).mean())
    if burnt > MOST_BURNT:
        return (Fault("bright", value=burnt, limit=MOST_BURNT),)
    if bright < DARKEST or bright - dark < FLATTEST:
        return (Fault("dark", value=min(bright, bright - dark), limit=DARKEST),)
    return ()


def _blur_faults(picture: Picture, corners: Matrix | None, px_per_mm: float) -> tuple[Fault, ...]:
    mask = np.full(picture.shape[:2], corners is None, np.uint8)
    if corners is not None:
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    found = blur_px(picture, mask > 0)
    limit = max(BLUR_MM, BLUR_PX / px_per_mm)
    if found is None or found / px_per_mm <= limit:
        return ()
    return (Fault("blurred", value=found / px_per_mm, limit=limit),)


def blur_px(picture_bgr: Picture, mask: Mask) -> float | None:
    """Measure how blurred the edges under the mask (H, W) are, as a Gaussian's sigma in px; None with too few edges.

    Each edge is blurred twice more, by known amounts; how much its steepness falls tells how blurred it was before
    (Zhuo and Sim, Defocus map estimation from a single image, 2011). Noise hardly steepens what was blurred on purpose.
    """
    (fine, _, _), (coarse, _, _) = (_steepness(picture_bgr, sigma) for sigma in EDGE_PX)
    crests = (coarse >= cv2.dilate(coarse, np.ones((5, 5), np.uint8))) & mask
    if int(crests.sum()) < LEAST_EDGES:
        return None
    crests &= coarse > np.quantile(coarse[crests], 1 - EDGE_SHARE)
    one, two = EDGE_PX
    ratio = np.maximum(fine[crests] / np.maximum(coarse[crests], 1e-9), 1.0 + 1e-3)
    blur = np.sqrt(np.clip((two**2 - ratio * one**2) / (ratio - 1), 0, MOST_BLUR_PX**2))
    return float(np.median(blur))


def _steepness(picture_bgr: Picture, sigma: float) -> tuple[Floats, Floats, Floats]:
    """Return how steep a picture is when blurred by sigma px, squared; across; and down.

    Each (H, W), of the picture's logarithm.
    """
    grey = np.log(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) + 16)
    smooth = cv2.GaussianBlur(grey, (0, 0), sigma)
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), np.float32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1), np.float32)
    return across * across + down * down, across, down


def _shake_faults(picture: Picture, limit: float = LEAST_EVEN) -> tuple[Fault, ...]:
    """Detect a camera that was shaken: its edges run along its way and none across.

    The board has as many of the one as of the other.
    """
    _, across, down = _steepness(picture, EDGE_PX[0])
    between = float((across * down).mean())
    least, most = np.linalg.eigvalsh([[float((across**2).mean()), between], [between, float((down**2).mean())]])
    even = float(least / max(most, 1e-9))
    return (Fault("shaken", value=even, limit=limit),) if even < limit else ()


def _cut_off(corners: Matrix, picture: Picture) -> tuple[Fault, ...]:
    height, width = picture.shape[:2]
    far = np.array([width, height]) - 1 - CUT_PX
    places = tuple(name for name, at in zip(CORNERS, corners, strict=True) if (at < CUT_PX).any() or (at > far).any())
    return (Fault("cut-off", places, float(len(places))),) if places else ()


def _px_per_mm(corners: Matrix, plan: BoardPlan) -> float:
    """Return the scale, px per mm, along the side that is seen smallest."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = plan.size_mm
    return float((sides / np.array([across, down, across, down])).min())


def _view_faults(corners: Matrix, picture: Picture, plan: BoardPlan) -> tuple[Fault, ...]:
    """Say whether the board is seen from too far away, or too steeply from the side."""
    found: tuple[Fault, ...] = ()
    scale = _px_per_mm(corners, plan)
    if scale < LEAST_PX_PER_MM:
        found += (Fault("small", value=scale, limit=LEAST_PX_PER_MM),)
    tilt = tilt_deg(corners, (picture.shape[1], picture.shape[0]), plan)
    if tilt > MOST_TILT_DEG:
        found += (Fault("steep", value=tilt, limit=MOST_TILT_DEG),)
    return found


def tilt_deg(corners_px: npt.ArrayLike, picture_size: tuple[int, int], plan: BoardPlan) -> float:
    """Return by how many degrees the camera's view of the board's middle leans from straight down."""
    camera = camera_of(board_from_image(corners_px, plan.size_mm), picture_size)
    x, y, height = camera.centre_mm
    return float(np.degrees(np.arctan2(np.hypot(x - plan.size_mm[0] / 2, y - plan.size_mm[1] / 2), height)))


def _glare_faults(board: Picture, plan: BoardPlan) -> tuple[Fault, ...]:
    """Find areas in which a patch as wide as a piece's half shows nothing but light; `board` is the board image."""
    grid = Grid(plan.size_mm, margin_mm=0.0)
    burnt = _overexposed(board, grid.px_per_mm)
    if not burnt.any():
        return ()
    shares = {area.name: _share(burnt, grid.px(area.polygon_mm)) for area in plan.areas}
    places = tuple(name for name, share in shares.items() if share > GLARE_SHARE)
    return (Fault("glare", places, max(shares.values()), GLARE_SHARE),) if places else ()


def _overexposed(picture: Picture, px_per_mm: float) -> Picture:
    """Return (H, W), 1 where a picture shows nothing but light, in patches as wide as GLARE_SPOT_MM at least."""
    burnt = (picture.min(axis=2) >= BURNT).astype(np.uint8)
    wide = max(1, round(GLARE_SPOT_MM * px_per_mm))
    patch = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    return np.asarray(cv2.morphologyEx(burnt, cv2.MORPH_OPEN, patch), np.uint8)


def _share(marked: Picture, outline_px: Matrix) -> float:
    area = np.zeros_like(marked)
    cv2.fillPoly(area, [np.round(outline_px).astype(np.int32)], 1)
    return float((marked & area).sum()) / max(int(area.sum()), 1)


def start_faults(plan: BoardPlan, seen: Reading, faint: Sequence[str] = ()) -> tuple[Fault, ...]:
    """Return where a reading of the starting position is not as printed: covered, too few, too many, or hard to tell.

    Where no area can be read, the board has moved. Where hardly any piece is seen, the two photos show the same: pieces
    were there before, or are not there yet. Where hardly any of one side is, the eye cannot tell its pieces from what
    they stand on. faint: the sides that it could overlook (`vision.reading.start.Start.faint`).
    """
    names = [area.name for area in plan.areas]
    if len(seen.unreadable) == len(names):
        return (Fault("moved", value=seen.quality),)
    if bare := _areas_without(plan, seen, plan.factions):
        return (Fault("same", bare, float(len(bare))),)
    without = {faction: _areas_without(plan, seen, (faction,)) for faction in plan.factions}
    unseen = tuple(Fault("unseen", bare, float(len(bare)), side=side) for side, bare in without.items() if bare)
    unseen += tuple(Fault("faint", side=side) for side in faint if not without[side])
    blind = {name for fault in unseen for name in fault.places}
    gaps = {name: _gap(plan, seen, name) for name in names if name not in seen.unreadable}
    doubted = {name for name, (_, sure) in gaps.items() if not sure}
    kinds: Mapping[FaultKind, list[str]] = {
        "covered": [name for name in names if name in seen.unreadable],
        "missing": [name for name, (gap, _) in gaps.items() if gap < 0 and name not in doubted | blind],
        "extra": [name for name, (gap, _) in gaps.items() if gap > 0 and name not in doubted],
        "unsure": [name for name, (gap, _) in gaps.items() if gap and name in doubted - blind],
    }
    return unseen + tuple(
        Fault(kind, tuple(places), float(sum(abs(gaps[name][0]) for name in places if name in gaps)))
        for kind, places in kinds.items()
        if places
    )


def _areas_without(plan: BoardPlan, seen: Reading, factions: Sequence[str]) -> tuple[str, ...]:
    """Return the areas where these factions' pieces should stand and none are seen, if these are most; else none."""
    full = sorted({area for area, faction, _, _ in plan.start if faction in factions and area not in seen.unreadable})
    bare = tuple(area for area in full if not any(any(seen.units.get(area, {}).get(f, {}).values()) for f in factions))
    return bare if len(bare) >= SAME_SHARE * len(full) else ()


def _gap(plan: BoardPlan, seen: Reading, name: str) -> tuple[int, bool]:
    """Count the pieces more (or fewer, negative) than printed in an area, and say whether the eye is sure of it.

    0 where all is right. Pieces of the wrong faction or kind are missing ones: the right ones are not there.
    """
    printed = {(faction, unit): n for area, faction, unit, n in plan.start if area == name}
    found = {(f, unit): n for f, units in seen.units.get(name, {}).items() for unit, n in units.items() if n}
    fewer = sum(max(0, n - found.get(key, 0)) for key, n in printed.items())
    more = sum(max(0, n - printed.get(key, 0)) for key, n in found.items())
    sure = seen.confidence.get(name, 0.0) >= SURE or fewer + more > 1
    return (-fewer if fewer else more), sure
