"""Corners made better than a finger's touch: the plan's area borders are laid on the printed ones.

Points along every border look sideways for the nearest line of the print; the projective change that brings most of
them there (Chen and Medioni's point-to-line matching, reweighted against what is no border) is given to the corners.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Floats, Grid, Matrix, Picture, apply, board_from_image, rectify
from vision.plan import BoardPlan

STEP_MM = 2.5
REACHES_MM = (3.0, 2.0, 1.2)
SAMPLES = 25
BLUR_MM = 0.5
SCALE_MM = 0.35
ROUNDS = 8
RIDGE = 0.02
MOST_SHARE = 0.012
LEAST_POINTS = 80


def aligned(picture_bgr: Picture, corners_px: Matrix, plan: BoardPlan) -> Matrix:
    """The corners TL, TR, BR, BL (4, 2) px moved by a little, so that printed and planned borders agree best.

    Where they come no closer that way, or would have to move far, the corners stay as they were given.
    """
    corners = corners_px
    before = None
    for reach in REACHES_MM:
        points, normals, steep = _looked(picture_bgr, corners, plan)
        offsets, weights = _offsets(steep, (points, normals), reach)
        if len(points) < LEAST_POINTS or not weights.any():
            return corners_px
        spread = float(np.median(np.abs(offsets)))
        before = spread if before is None else before
        moved = _fitted(points, normals, (offsets, weights), plan)
        corners = _back(corners, moved, plan)
    points, normals, steep = _looked(picture_bgr, corners, plan)
    after = float(np.median(np.abs(_offsets(steep, (points, normals), REACHES_MM[0])[0])))
    far = float(np.abs(corners - corners_px).max()) / max(picture_bgr.shape[:2])
    return corners if before is not None and after <= before and far < MOST_SHARE else corners_px


def _looked(picture_bgr: Picture, corners: Matrix, plan: BoardPlan) -> tuple[Matrix, Matrix, tuple[Grid, Floats]]:
    """Points along the borders (N, 2) mm, their normals, and how steep the board image is, with its grid."""
    grid = Grid(plan.size_mm)
    board = rectify(picture_bgr, board_from_image(corners, plan.size_mm), grid)
    grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = np.asarray(np.log(grey + 10), np.float32)
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_MM * grid.px_per_mm), np.float32)
    steep = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    points, normals = _borders(plan)
    return (
        points,
        normals,
        (grid, np.asarray(cv2.GaussianBlur(steep, (0, 0), 2 * BLUR_MM * grid.px_per_mm), np.float32)),
    )


def _borders(plan: BoardPlan) -> tuple[Matrix, Matrix]:
    points, normals = [], []
    for area in plan.areas:
        outline = np.asarray(area.polygon_mm, np.float64)
        for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            length = float(np.hypot(*(end - start)))
            steps = np.linspace(0.15, 0.85, max(2, int(length / STEP_MM)))
            points += [start + (end - start) * step for step in steps]
            normals += [np.array([end[1] - start[1], start[0] - end[0]]) / length] * len(steps)
    return np.array(points), np.array(normals)


def _offsets(steep: tuple[Grid, Floats], where: tuple[Matrix, Matrix], reach: float) -> tuple[Matrix, Matrix]:
    """For each point, how far along its normal the strongest line within reach is, in mm; how clear it is, 0 to 1."""
    grid, image = steep
    points, normals = where
    tried = np.linspace(-reach, reach, SAMPLES)
    looked = points[:, None, :] + normals[:, None, :] * tried[None, :, None]
    px = grid.px(looked.reshape(-1, 2)).reshape(len(points), SAMPLES, 2).astype(np.float32)
    seen = cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR)
    best = seen.argmax(axis=1)
    clear = seen.max(axis=1) / (seen.mean(axis=1) + 1e-6) - 1
    inner = (best > 0) & (best < SAMPLES - 1)
    return tried[best], np.where(inner, np.clip(clear, 0, 1), 0.0)


def _terms(points: Matrix, plan: BoardPlan) -> Matrix:
    """(N, 2, 8): how each parameter of a small projective change moves each point, in mm."""
    middle = np.asarray(plan.size_mm) / 2
    x, y = ((points - middle) / middle).T
    one, none = np.ones_like(x), np.zeros_like(x)
    across = np.stack([one, x, y, none, none, none, x * x, x * y], axis=1)
    down = np.stack([none, none, none, one, x, y, x * y, y * y], axis=1)
    return np.stack([across, down], axis=1)


def _fitted(points: Matrix, normals: Matrix, seen: tuple[Matrix, Matrix], plan: BoardPlan) -> Matrix:
    """The eight parameters that bring the points to their lines."""
    offsets, clear = seen
    terms = np.einsum("nk,nkp->np", normals, _terms(points, plan))
    found = np.zeros(8)
    for _ in range(ROUNDS):
        weights = clear / (1 + ((offsets - terms @ found) / SCALE_MM) ** 2)
        left = (terms * weights[:, None]).T @ terms + RIDGE * weights.sum() * np.diag([0, 0, 0, 0, 0, 0, 1, 1])
        found = np.linalg.solve(left + 1e-9 * np.eye(8), (terms * weights[:, None]).T @ offsets)
    return np.asarray(found, np.float64)


def _back(corners: Matrix, moved: Matrix, plan: BoardPlan) -> Matrix:
    """The corners in the picture, given the change of the board's plane."""
    across, down = plan.size_mm
    board = np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float64)
    shifted = board + _terms(board, plan) @ moved
    return apply(np.asarray(np.linalg.inv(board_from_image(corners, plan.size_mm)), np.float64), shifted)
