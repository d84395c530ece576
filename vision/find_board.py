"""Finding the board's corners in a picture of the empty board.

Where the four ArUco markers 0 to 3 (DICT_4X4_50) lie round the board, their middles 25 mm outside its corners, they
say where it is. Otherwise four-sided outlines are tried, in each of four turns, and the one is taken in
which the plan's area borders fall best on lines of the picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import BoardNotFound, CornersError
from vision.geometry import Floats, Grid, Mask, Matrix, Picture, apply, board_from_image, checked_corners, rectify
from vision.plan import BoardPlan

MARKER_AWAY_MM = 25.0
LEAST_SHARE = 0.08
WORK_PX = 900
GRID_PX_PER_MM = 1.0
SHIFT_PX = 5
LEAST_LINES = 1.35
LEAST_LEAD = 1.12
NUDGE_PX = (6.0, 3.0, 1.5, 0.7)


def find_corners(picture_bgr: Picture, plan: BoardPlan) -> Matrix:
    """The board's corners TL, TR, BR, BL (4, 2) in px; BoardNotFound where it is not seen."""
    found = by_markers(picture_bgr, plan)
    if found is None:
        found = by_outline(picture_bgr, plan)
    if found is None:
        raise BoardNotFound("the board was not found in the reference picture: give its corners")
    return found


def by_markers(picture_bgr: Picture, plan: BoardPlan) -> Matrix | None:
    """The corners by the four markers round the board; None where not all four are seen."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    found: Any = detector.detectMarkers(picture_bgr)
    outlines, names, _ = found
    seen = {} if names is None else {int(n): o.reshape(4, 2) for n, o in zip(names.ravel(), outlines, strict=True)}
    if not {0, 1, 2, 3} <= set(seen):
        return None
    across, down = plan.size_mm
    away = MARKER_AWAY_MM
    middles = np.array([[-away, -away], [across + away, -away], [across + away, down + away], [-away, down + away]])
    image_from_board = cv2.getPerspectiveTransform(
        middles.astype(np.float32), np.array([_crossing(seen[k]) for k in range(4)], np.float32)
    )
    corners = np.array([[0.0, 0.0], [across, 0.0], [across, down], [0.0, down]])
    return apply(np.asarray(image_from_board, np.float64), corners)


def _crossing(outline: Floats) -> Matrix:
    """Where a marker's diagonals cross: its middle, seen in perspective."""
    a, b, c, d = np.hstack([outline.astype(np.float64), np.ones((4, 1))])
    point = np.cross(np.cross(a, c), np.cross(b, d))
    return np.asarray(point[:2] / point[2], np.float64)


def by_outline(picture_bgr: Picture, plan: BoardPlan) -> Matrix | None:
    """The corners by the board's outline and the lines of its print; None where no outline fits them clearly."""
    shrink = min(1.0, WORK_PX / max(picture_bgr.shape[:2]))
    small = np.asarray(cv2.resize(picture_bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    scored = []
    for outline in _outlines(small):
        for turn in range(4):
            corners = np.roll(outline, turn, axis=0)
            if _sensible(corners, small):
                scored.append((fit_of(small, corners, plan), corners))
    scored.sort(key=lambda pair: -pair[0])
    if not scored or scored[0][0] < LEAST_LINES:
        return None
    fit, corners = _nudged(small, scored[0][1], plan)
    rivals = [other for other, tried in scored[1:] if _turned(corners, tried)]
    return corners / shrink if fit > LEAST_LEAD * max(rivals, default=0.0) else None


def _turned(corners: Matrix, tried: Matrix) -> bool:
    """Whether the other corners name the board's sides otherwise."""
    return int(np.argmin(np.linalg.norm(tried - corners[0], axis=1))) != 0


def _sensible(corners: Matrix, picture: Picture) -> bool:
    try:
        checked_corners(corners, (picture.shape[1], picture.shape[0]))
    except CornersError:
        return False
    return True


def _outlines(picture: Picture) -> list[Matrix]:
    """Four-sided outlines in a picture, large ones only, each running clockwise."""
    least = LEAST_SHARE * picture.shape[0] * picture.shape[1]
    found: list[Matrix] = []
    for mask in _masks(picture):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            if cv2.contourArea(hull) > least:
                found += _four_sided(hull)
    return _distinct(found)


def _four_sided(hull: npt.NDArray[Any]) -> list[Matrix]:
    for share in (0.01, 0.02, 0.035, 0.05):
        sides = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True)
        if len(sides) == 4:
            outline = sides.reshape(4, 2).astype(np.float64)
            return [outline if cv2.contourArea(sides, oriented=True) > 0 else outline[::-1]]
    return []


def _masks(picture: Picture) -> Iterable[Picture]:
    """Black and white pictures in which a board may stand out."""
    smooth = cv2.bilateralFilter(picture, 7, 40, 7)
    for channel in cv2.split(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)):
        _, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        for one in (mask, 255 - mask):
            yield np.asarray(cv2.morphologyEx(one, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
        edges = cv2.Canny(channel, 25, 70)
        yield np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8)


def _distinct(outlines: list[Matrix]) -> list[Matrix]:
    kept: list[Matrix] = []
    for outline in outlines:
        if all(min(np.abs(np.roll(outline, k, axis=0) - other).max() for k in range(4)) > 4 for other in kept):
            kept.append(outline)
    return kept[:60]


def fit_of(picture: Picture, corners: Matrix, plan: BoardPlan) -> float:
    """How much more the plan's borders fall on the picture's lines than borders shifted a little would: 1 is chance."""
    grid = Grid(plan.size_mm, GRID_PX_PER_MM, 12.0)
    board = rectify(picture, board_from_image(corners, plan.size_mm), grid)
    grey = cv2.GaussianBlur(cv2.cvtColor(board, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    steep = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    steep = np.minimum(steep, 4 * float(np.median(steep)) + 8)
    lines = _border(grid, plan)
    steps = (-SHIFT_PX, 0, SHIFT_PX)
    around = [np.roll(lines, (dy, dx), (0, 1)) for dx in steps for dy in steps if dx or dy]
    usual = float(np.mean([steep[other].mean() for other in around]))
    return float(steep[lines].mean()) / max(usual, 1e-3)


def _border(grid: Grid, plan: BoardPlan) -> Mask:
    canvas = np.zeros(grid.shape, np.uint8)
    for area in plan.areas:
        cv2.polylines(canvas, [np.round(grid.px(area.polygon_mm)).astype(np.int32)], True, 1, 2)
    return canvas > 0


def _nudged(picture: Picture, corners: Matrix, plan: BoardPlan) -> tuple[float, Matrix]:
    """The corners moved a little, one by one, to where the borders fit best."""
    best = fit_of(picture, corners, plan)
    for step in NUDGE_PX:
        for index in [0, 1, 2, 3] * 2:
            for dx, dy in ((step, 0), (-step, 0), (0, step), (0, -step)):
                tried = corners.copy()
                tried[index] += (dx, dy)
                fit = fit_of(picture, tried, plan)
                if fit > best:
                    best, corners = fit, tried
    return best, corners
