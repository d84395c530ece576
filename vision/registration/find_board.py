"""Finding the board's corners in a picture of the empty board.

Where the four ArUco markers 0 to 3 (DICT_4X4_50) lie round the board, their middles 25 mm outside its corners, they
say where it is. Otherwise the plan is laid on four-sided outlines, in each of four turns, and the one is taken on which
the print agrees best with the plan's borders, if it agrees clearly less anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.bases.markers import DIAGONAL, TIMES_SMALLER, Search, in_whole, is_crowded, shrink_grey
from vision.errors import BoardNotFound, CornersError
from vision.geometry import Matrix, Picture, apply, board_corners_mm, checked_corners, image_from_board
from vision.plan import BoardPlan
from vision.registration.align import FINE, ROUGH, PlanFit, agreement, lay_plan

MARKER_AWAY_MM = 25.0
MARKER_RATE, MARKER_WINDOWS_PX, MARKER_BELOW = 0.03, (3, 23, 10), 7.0
"""How OpenCV looks for markers unless it is told otherwise: the least outline as a part of the picture's longer side,
the windows of the threshold, and how much darker than its window black is.
"""
# The share of the picture that an outline takes: a smaller board would have under some 0.8 px/mm at WORK_PX.
LEAST_SHARE_OF_PICTURE = 0.08
WORK_PX = 960
# Agreement of print and borders (0.4 by chance) that a board has to reach, and from which on no more is tried.
LEAST_SHARE = 0.6
CLEAR_SHARE = 0.72
# By how much the best turn has to agree more than the next, and the place more than one a hex beside it: there hexes
# lie on hexes, and only what is not the same everywhere tells the places apart.
TURN_LEAD, HEX_LEAD = 1.2, 1.05
# Neighbours of a hex lie this far at most, the nearest one being 1.
NEIGHBOUR = 1.3
# How wide the picture's rim is that shows the table, of the shorter side; and into how many colours that is divided.
RIM, RIM_COLOURS = 0.05, 4
# Outlines whose corners all lie nearer than this are one.
APART_PX = 8.0
MOST_OUTLINES, MOST_BOXES = 8, 14


def find_corners(picture_bgr: Picture, plan: BoardPlan) -> Matrix:
    """Find the board's corners TL, TR, BR, BL (4, 2) in px; BoardNotFound if it is not seen."""
    found = by_markers(picture_bgr, plan)
    if found is None:
        found = by_outline(picture_bgr, plan)
    if found is None:
        raise BoardNotFound("the board was not found in the reference picture: give its corners (--corners)")
    return found


def by_markers(picture_bgr: Picture, plan: BoardPlan) -> Matrix | None:
    """Find the corners by the four markers round the board; None if not all four are seen."""
    seen = _markers(np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
    if not {0, 1, 2, 3} <= set(seen):
        return None
    across, down = plan.size_mm
    away = MARKER_AWAY_MM
    # OpenCV gives a marker's corners clockwise; its diagonals' crossing is its middle whatever the perspective.
    middles = np.array([[-away, -away], [across + away, -away], [across + away, down + away], [-away, down + away]])
    to_image = cv2.getPerspectiveTransform(
        middles.astype(np.float32), np.array([_crossing(seen[k]) for k in range(4)], np.float32)
    )
    return apply(np.asarray(to_image, np.float64), board_corners_mm(plan.size_mm))


def _markers(whole: Picture) -> dict[int, Matrix]:
    """Find the outlines (4, 2) of the markers in a grey picture, by their numbers."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    for times in TIMES_SMALLER:
        grey = shrink_grey(whole, times)
        longer = max(grey.shape)
        if not is_crowded(grey, Search((MARKER_RATE * longer * DIAGONAL / 4, longer), MARKER_WINDOWS_PX, MARKER_BELOW)):
            found: Any = detector.detectMarkers(grey)
            outlines, names, _ = found
            quads = [in_whole(np.asarray(one, np.float64).reshape(4, 2), times) for one in outlines]
            return {int(n): quad for n, quad in zip([] if names is None else names.ravel(), quads, strict=True)}
    return {}


def _crossing(outline: Matrix) -> Matrix:
    """Return where a marker's diagonals cross: its middle, seen in perspective."""
    a, b, c, d = np.hstack([outline, np.ones((4, 1))])
    point = np.cross(np.cross(a, c), np.cross(b, d))
    return np.asarray(point[:2] / point[2], np.float64)


def by_outline(picture_bgr: Picture, plan: BoardPlan) -> Matrix | None:
    """Find the corners by a four-sided outline in which the print agrees with the plan; None if none clearly does."""
    shrink = min(1.0, WORK_PX / max(picture_bgr.shape[:2]))
    small = np.asarray(cv2.resize(picture_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    best: PlanFit | None = None
    for turns in _guesses(small, plan):
        found = _best_turn(small, turns, plan)
        if found is not None and (best is None or found.share > best.share):
            best = found
        if best is not None and best.share > CLEAR_SHARE:
            break
    if best is None or best.share < LEAST_SHARE or not _leads(small, best, plan):
        return None
    exact = lay_plan(picture_bgr, best.corners_px / shrink, plan, FINE)
    return None if exact is None or exact.share < LEAST_SHARE else exact.seen_px


def _guesses(picture: Picture, plan: BoardPlan) -> Iterator[list[Matrix]]:
    """Yield where the board may be, likely places first: for each the corners in its four turns."""
    hulls = _hulls(picture)
    for _full, outline in _outlines(hulls):
        yield [np.roll(outline, turn, axis=0) for turn in range(4)]
    boxes = [cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64) for hull in hulls]
    for box in _distinct(boxes)[:MOST_BOXES]:
        yield [_board_around(np.roll(box, turn, axis=0), plan) for turn in range(4)]


def _outlines(hulls: Iterable[npt.NDArray[Any]]) -> list[tuple[float, Matrix]]:
    """Return the hulls' four-sided outlines (4, 2), clockwise, the fullest first, each with how full it is, 0 to 1."""
    found = [(_fullness(hull, outline), outline) for hull in hulls for outline in _four_sided(hull)]
    found.sort(key=lambda pair: -pair[0])
    full = {id(outline): share for share, outline in found}
    return [(full[id(outline)], outline) for outline in _distinct([outline for _, outline in found])[:MOST_OUTLINES]]


def find_outlines(picture_bgr: Picture) -> list[tuple[float, Matrix]]:
    """Find four-sided outlines that may be a board, without knowing its plan, the fullest first.

    Of each: how full it is, 0 to 1, and its corners (4, 2) px, which run clockwise from the one that is nearest to the
    picture's top left.
    """
    shrink = min(1.0, WORK_PX / max(picture_bgr.shape[:2]))
    small = np.asarray(cv2.resize(picture_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    found = []
    for full, outline in _outlines(_hulls(small)):
        first = int(outline.sum(axis=1).argmin())
        found.append((full, np.roll(outline, -first, axis=0) / shrink))
    return found


def _board_around(box: Matrix, plan: BoardPlan) -> Matrix:
    """Return the board's corners where its areas fill a box (4, 2): on a dark table a dark rim is not seen."""
    points = np.concatenate([np.asarray(area.polygon_mm) for area in plan.areas])
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    areas = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    to_image = np.asarray(cv2.getPerspectiveTransform(areas, box.astype(np.float32)), np.float64)
    return apply(to_image, board_corners_mm(plan.size_mm))


def _best_turn(picture: Picture, turns: list[Matrix], plan: BoardPlan) -> PlanFit | None:
    """Lay the plan the way round in which the print agrees best; None if it agrees almost as well in another."""
    fits = [lay_plan(picture, corners, plan, ROUGH) for corners in turns if _sensible(corners, picture)]
    likely = sorted((fit for fit in fits if fit is not None), key=lambda fit: -fit.share)
    if not likely or not _sensible(likely[0].corners_px, picture):
        return None
    best = lay_plan(picture, likely[0].corners_px, plan, FINE)
    others = max((fit.share for fit in likely[1:]), default=0.0)
    return best if best is not None and best.share > TURN_LEAD * others else None


def _leads(picture: Picture, best: PlanFit, plan: BoardPlan) -> bool:
    """Return whether the print agrees less with the board moved by one hex: a board is full of hexes."""
    to_image, own = image_from_board(best.corners_px, plan.size_mm), board_corners_mm(plan.size_mm)
    moved = [apply(to_image, own + step) for step in _hex_steps(plan)]
    return all(best.share > HEX_LEAD * agreement(picture, corners, plan) for corners in moved)


def _hex_steps(plan: BoardPlan) -> list[Matrix]:
    """Return the ways, in mm, from the hex nearest to the board's middle to its neighbours."""
    centres = np.array([centre for area in plan.areas for centre in area.centres_mm])
    middle = centres[np.argmin(np.linalg.norm(centres - np.asarray(plan.size_mm) / 2, axis=1))]
    ways = centres - middle
    apart = np.linalg.norm(ways, axis=1)
    nearest = np.sort(apart)[1] if len(apart) > 1 else 0.0
    return [np.asarray(way) for way, far in zip(ways, apart, strict=True) if 0 < far < NEIGHBOUR * nearest]


def _sensible(corners: Matrix, picture: Picture) -> bool:
    try:
        checked_corners(corners, (picture.shape[1], picture.shape[0]))
    except CornersError:
        return False
    return True


def _hulls(picture: Picture) -> list[npt.NDArray[Any]]:
    """Return the convex hulls of what stands out in a picture, large ones only."""
    least = LEAST_SHARE_OF_PICTURE * picture.shape[0] * picture.shape[1]
    found = []
    for mask in _masks(picture):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        found += [hull for hull in map(cv2.convexHull, contours) if cv2.contourArea(hull) > least]
    return found


def _fullness(hull: npt.NDArray[Any], outline: Matrix) -> float:
    """Return how nearly a hull fills its four-sided outline, 0 to 1."""
    inside, around = cv2.contourArea(hull), cv2.contourArea(outline.astype(np.float32))
    return min(inside, around) / max(inside, around, 1.0)


def _four_sided(hull: npt.NDArray[Any]) -> list[Matrix]:
    for share in (0.01, 0.02, 0.035, 0.05):
        sides = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True)
        if len(sides) == 4:
            outline = sides.reshape(4, 2).astype(np.float64)
            # Clockwise as seen: with y down OpenCV's oriented area is positive then.
            return [outline if cv2.contourArea(sides, oriented=True) > 0 else outline[::-1]]
    return []


def _masks(picture: Picture) -> Iterable[Picture]:
    """Yield black and white pictures in which a board may stand out."""
    smooth = cv2.bilateralFilter(picture, 7, 40, 7)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    strange = _strange(np.asarray(lab, np.uint8))
    for channel in (strange, *cv2.split(lab)):
        level, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        masks = [mask, 255 - mask]
        if channel is strange:
            masks = [np.asarray(strange > level * part, np.uint8) * 255 for part in (1.0, 0.7, 0.45)]
        for one in masks:
            yield np.asarray(cv2.morphologyEx(one, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
        edges = cv2.Canny(channel, 25, 70)
        yield np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8)


def _strange(lab: Picture) -> Picture:
    """Return (H, W) how far each pixel's colour is from those along the picture's rim, which are the table's."""
    rim = max(4, round(RIM * min(lab.shape[:2])))
    sides = (lab[:rim], lab[-rim:], lab[:, :rim], lab[:, -rim:])
    colours = np.concatenate([side.reshape(-1, 3) for side in sides])[::7].astype(np.float32)
    cv2.setRNGSeed(7)  # k-means begins by chance: the same picture should give the same board
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    none = np.zeros((len(colours), 1), np.int32)
    _, labels, middles = cv2.kmeans(colours, RIM_COLOURS, none, criteria, 2, cv2.KMEANS_PP_CENTERS)
    usual = np.bincount(np.asarray(labels).ravel(), minlength=RIM_COLOURS) > 0.12 * len(colours)
    gaps = [np.linalg.norm(lab.astype(np.float32) - middle, axis=2) for middle in middles[usual]]
    return np.asarray(np.clip(3 * np.min(gaps, axis=0), 0, 255), np.uint8)


def _distinct(outlines: list[Matrix]) -> list[Matrix]:
    kept: list[Matrix] = []
    for outline in outlines:
        if all(min(np.abs(np.roll(outline, k, axis=0) - other).max() for k in range(4)) > APART_PX for other in kept):
            kept.append(outline)
    return kept
