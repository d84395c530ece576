"""The board's own edges: found in a straightened photo, and the sheet's mm laid on them.

Fingers miss corners by a millimetre or two. Along each of the four sides the step between what is inside and what is
outside is summed over the whole side, so that it is found even where a dark board lies on a dark table; a side without
a clear step stays where it was touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from vision.geometry import Camera, Floats, Matrix, board_corners_mm, board_from_image, camera_of
from vision.registration.align import log_lab
from vision.tracing.fit import Rim
from vision.tracing.sheet import HexGrid, Sheet, terms_at

PX_PER_MM = 2.0
MARGIN_MM = 14.0
# How far outwards and inwards an edge is looked for, in what steps, and at how many places along it.
REACH_MM, STEP_MM = 6.0, 0.1
SAMPLES = 64
# The colours that are compared lie from NEAR to FAR on both sides of a place: the edge itself is blurred.
NEAR_MM, FAR_MM = 0.5, 3.5
# By how much an edge may be turned against the corners that were touched: 0.7 degrees either way.
SLOPES = np.linspace(-0.012, 0.012, 13)
# How far fingers miss (standard deviation), and from which clearness on an edge is believed.
TAP_MM = 2.2
CLEAR = 0.9
# A clear side is cut into pieces that follow its bow, each no further than about so much from the straight line.
PIECES, PIECE_MM = 7, 1.0
# The thickness of a mounted board: its side face, seen by a camera beyond it, is not part of the map.
THICK_MM = 2.0
# How strongly corners are held where they were touched, and where an edge is seen.
HELD_MM, TRUST_MM = 4.0, 0.5


@dataclass(frozen=True, slots=True)
class Edge:
    """Places (2, 2) mm that a side of the board goes through, how far outwards it lies there, and how clear it is."""

    points: Matrix
    normal: Matrix
    offsets: Matrix
    clear: float


def on_rim(sheet: Sheet, grid: HexGrid) -> tuple[Sheet, HexGrid]:
    """Shift, turn and scale sheet and grid so that their mm count from the board's edges, as far as these are seen."""
    change = _similarity(sheet, edges_of(sheet))
    x, y = change[:, :2] @ np.array(grid.origin_mm) + change[:, 2]
    (ax, ay), (bx, by) = grid.steps @ change[:, :2].T
    moved = HexGrid((float(x), float(y)), (float(ax), float(ay)), (float(bx), float(by)), grid.flat)
    return _transform_sheet(sheet, change), moved


def rim_of(sheet: Sheet) -> Rim:
    """Return where the board's edges run, piece by piece, along the sides that are clearly seen: a lens bends them."""
    lab = log_lab(sheet.flat(PX_PER_MM, MARGIN_MM))
    clear = [edge for edge in _raw_edges(sheet, lab) if edge.clear > CLEAR]
    pieces = [piece for edge in clear for piece in _pieces(lab, edge)]
    facing = [_without_face(piece, _camera(sheet)) for piece in pieces]
    return Rim(
        np.array([piece.points.mean(axis=0) for piece in facing]).reshape(-1, 2),
        np.array([piece.normal for piece in facing]).reshape(-1, 2),
        np.array([piece.offsets.mean() for piece in facing]),
    )


def _pieces(lab: Floats, edge: Edge) -> list[Edge]:
    """Cut a side into pieces, each with its own offset near that of the whole."""
    knots = np.linspace(0, 1, PIECES + 1)
    found = []
    for first, last in pairwise(knots):
        parts = np.array([first, last])
        ends = edge.points[0] + (edge.points[1] - edge.points[0]) * parts[:, None]
        usual = float(np.interp(parts.mean(), [0.0, 1.0], edge.offsets))
        moved = ends + edge.normal * usual
        piece = _edge(lab, moved[0], moved[1], PIECE_MM)
        found.append(replace(edge, points=ends, offsets=piece.offsets + usual))
    return found


def edges_of(sheet: Sheet) -> list[Edge]:
    """Find the board's four edges: top, right, bottom, left."""
    lab = log_lab(sheet.flat(PX_PER_MM, MARGIN_MM))
    return [_without_face(edge, _camera(sheet)) for edge in _raw_edges(sheet, lab)]


def _raw_edges(sheet: Sheet, lab: Floats) -> list[Edge]:
    own = board_corners_mm(sheet.size_mm)
    return [_edge(lab, start, end, TAP_MM) for start, end in zip(own, np.roll(own, -1, axis=0), strict=True)]


def _camera(sheet: Sheet) -> Camera:
    size_px = (sheet.picture_bgr.shape[1], sheet.picture_bgr.shape[0])
    return camera_of(board_from_image(sheet.corners_px, sheet.size_mm), size_px)


def _without_face(edge: Edge, camera: Camera) -> Edge:
    """Correct an edge for the board's own thickness, which is seen along with it if the camera stands beyond it."""
    leaning = np.maximum(-camera.up(edge.points) @ edge.normal, 0.0)
    return replace(edge, offsets=edge.offsets - THICK_MM * leaning)


def _edge(lab: Floats, start: Matrix, end: Matrix, near_mm: float) -> Edge:
    """Find the clearest step beside the line between two places, not much farther from it than `near_mm`."""
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    normal = np.array([along[1], -along[0]])
    parts = np.linspace(0.04, 0.96, SAMPLES)
    tried = np.arange(-REACH_MM - FAR_MM, REACH_MM + FAR_MM + STEP_MM / 2, STEP_MM)
    points = start + (end - start) * parts[:, None]
    places = points[:, None, :] + normal * tried[None, :, None]
    px = ((places + MARGIN_MM) * PX_PER_MM - 0.5).astype(np.float32)
    profile = cv2.remap(lab, px[..., 0], px[..., 1], cv2.INTER_LINEAR)
    return _best(_steps(np.asarray(profile, np.float32)), (parts - 0.5) * length, (points, normal), near_mm)


def _steps(profile: Floats) -> Floats:
    """Return (SAMPLES, offsets) how unlike the colours on both sides of each place are, 0 to 1."""
    sums = np.concatenate([np.zeros_like(profile[:, :1]), np.cumsum(profile, axis=1)], axis=1)
    near, far = round(NEAR_MM / STEP_MM), round(FAR_MM / STEP_MM)
    middle = np.arange(far, profile.shape[1] - far)
    inner = sums[:, middle - near] - sums[:, middle - far]
    outer = sums[:, middle + far] - sums[:, middle + near]
    gap = np.linalg.norm(inner - outer, axis=2) / (far - near)
    return np.asarray(gap / (gap + np.median(gap) + 4.0), np.float32)


def _best(steps: Floats, along: Matrix, line: tuple[Matrix, Matrix], near_mm: float) -> Edge:
    offsets = np.linspace(-REACH_MM, REACH_MM, steps.shape[1])
    held = np.exp(-(offsets**2) / (2 * near_mm**2))
    best, at = 0.0, (0.0, 0.0)
    for slope in SLOPES:
        rows = np.clip(np.round(slope * along / STEP_MM), -len(offsets), len(offsets)).astype(int)
        places = np.clip(np.arange(steps.shape[1]) + rows[:, None], 0, steps.shape[1] - 1)  # ends are drawn out
        mean = np.mean(np.take_along_axis(steps, places, axis=1), axis=0)
        score = (mean - np.median(mean)) * held * (1 - 10 * abs(slope))
        if score.max() > best:
            best, at = float(score.max()), (float(offsets[score.argmax()]), float(slope))
    usual = float(np.median(np.abs(steps.mean(axis=0) - np.median(steps.mean(axis=0))))) + 0.01
    points, normal = line
    ends = along[[0, -1]]
    return Edge(points[[0, -1]], normal, at[0] + at[1] * ends, best / usual)


def _similarity(sheet: Sheet, edges: list[Edge]) -> Matrix:
    """Return (2, 3): the shift, turn and scale that bring the edges that were seen to the board's sides."""
    middle = np.asarray(sheet.size_mm) / 2
    rows, wanted = [], []
    for edge in edges:
        size = TRUST_MM if edge.clear > CLEAR else np.inf
        for point, offset in zip(edge.points, edge.offsets, strict=True):
            x, y = point + edge.normal * offset - middle
            move = np.array([[1, 0, x, -y], [0, 1, y, x]])
            rows += [edge.normal @ move / size, edge.normal @ move / HELD_MM]
            wanted += [-offset / size, 0.0]
    dx, dy, scale, turn = np.linalg.lstsq(np.array(rows), np.array(wanted), rcond=None)[0]
    linear = np.array([[1 + scale, -turn], [turn, 1 + scale]])
    return np.column_stack([linear, middle + np.array([dx, dy]) - linear @ middle])


def _transform_sheet(sheet: Sheet, change: Matrix) -> Sheet:
    """Return the sheet whose mm are the old ones after a change.

    Its bend is fitted anew, which for cubics is exact.
    """
    xs, ys = np.meshgrid(*(np.linspace(0, side, 7) for side in sheet.size_mm))
    new = np.stack([xs.ravel(), ys.ravel()], axis=1)
    old = (new - change[:, 2]) @ np.linalg.inv(change[:, :2]).T
    bend = np.linalg.lstsq(terms_at(new, sheet.size_mm), sheet.rough(old) - new, rcond=None)[0]
    return replace(sheet, bend=np.asarray(bend, np.float64))
