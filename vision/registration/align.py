"""The drawn plan laid on the printed board: corners made better than a finger's touch, and how well the print agrees.

Points along every border look sideways for the print's nearest line or step (where its local energy is greatest: the
gradient and the second derivative together, Morrone and Owens, 1987); the projective change that brings most of them
there (Chen and Medioni's point-to-line matching, reweighted against what is no border) is given to the corners. Borders
between unlike grounds may all seem shifted towards one of them: these shifts are found along with it, and dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import (
    Floats,
    Grid,
    Matrix,
    Picture,
    apply,
    board_corners_mm,
    board_from_image,
    image_from_board,
    lens_shift,
    rectify,
)
from vision.plan import BoardPlan

Point = tuple[int, int]

# Scale and margin of the board image that is searched for borders.
PX_PER_MM = 1.5
MARGIN_MM = 10.0
# From one point of a border to the next, and the samples across it.
STEP_MM = 2.5
SAMPLES = 25
ROUGH = ((6.0, 2.2, 2.0), (4.0, 1.8, 1.5), (3.0, 1.5, 1.0))  # reach, blur and scale of what counts as near, in mm
FINE = ((2.5, 1.3, 0.7), (2.0, 1.2, 0.5), (1.6, 1.2, 0.4), (1.6, 1.2, 0.35))
EVEN = 0.7  # weight of lines against steps, between 1/3 and 1 so that both give one peak
ROUNDS = 6
# Ridge terms, as parts of all weights together: what few borders tell of must not run away.
STIFF = (*([1e-3] * 6), *([3e-2] * 2))  # how much the plane's parameters are held, the last two being its tilt
LENS = 0.015  # how large a lens' first radial term usually is, of half the picture's width
LENS_STIFF = 1.0
SHIFTS = ("land", "other", "between")  # borders of land with the outside, of others with it, of unlike areas
SHIFT_STIFF = 8e-3
LEAST_CLEAR = 8.0  # points' clearness in all, below which there is nothing to go by
# The board's own edge: points along each side, blur and reach of the look, how much more it is trusted than a border.
EDGE_POINTS = 70
EDGE_BLUR_MM, EDGE_REACH_MM, EDGE_TRUST = 0.7, 2.0, 3.0
# Agreement: the blur it is measured with, what counts as on a line, and from where on as beside it.
SHARP_MM = 0.35
ON_MM, OFF_MM = 0.6, 1.5
# Corners that were given are moved by so much of the picture at most (20 px of 1280), and only where the print agrees
# along so much of the borders; 0.4 agree by chance.
MOST_SHARE = 0.016
LEAST_SHARE = 0.55


@dataclass(frozen=True, slots=True)
class PlanFit:
    """How the plan lies on a picture.

    corners_px: TL, TR, BR, BL (4, 2) of the plane that fits the print best, to measure by; seen_px: where the board's
    own corners are, as the lens bends the picture; share: part of the border's points that lie on a line of the print,
    0.4 by chance.
    """

    corners_px: Matrix
    seen_px: Matrix
    share: float


def align_corners(picture_bgr: Picture, corners_px: Matrix, plan: BoardPlan) -> Matrix:
    """Move the corners TL, TR, BR, BL (4, 2) px a little, to where printed and planned borders agree best.

    Where the print does not agree that way, or they would have to move far, the corners stay as they were given.
    """
    found = lay_plan(picture_bgr, corners_px, plan, FINE)
    if found is None or found.share < LEAST_SHARE:
        return corners_px
    far = float(np.abs(found.corners_px - corners_px).max()) / max(picture_bgr.shape[:2])
    return found.corners_px if far < MOST_SHARE else corners_px


def lay_plan(
    picture_bgr: Picture, corners_px: Matrix, plan: BoardPlan, stages: tuple[tuple[float, float, float], ...]
) -> PlanFit | None:
    """Lay the plan on the print, from corners that are nearly right; None if there is too little to go by."""
    corners = np.asarray(corners_px, np.float64)
    seen = corners
    for stage in stages:
        moved = _improve_corners(picture_bgr, corners, plan, stage)
        if moved is None:
            return None
        corners, seen = moved
    return PlanFit(corners, seen, agreement(picture_bgr, corners, plan))


def _improve_corners(
    picture_bgr: Picture, corners: Matrix, plan: BoardPlan, stage: tuple[float, float, float]
) -> tuple[Matrix, Matrix] | None:
    """Run one round: return the corners of the better plane, and the board's own corners with the lens' bend."""
    reach, blur, scale = stage
    grid, lab = _board(picture_bgr, corners, plan)
    border, edge = _border(plan), _edge(plan)
    offsets, clear = _offsets(lab, (grid, border), blur, reach)
    if clear.sum() < LEAST_CLEAR:
        return None
    beyond, sharp = _offsets(lab, (grid, edge), EDGE_BLUR_MM, EDGE_REACH_MM)
    # Twice: without the lens, for corners that the plane through them fits best (to measure by); and with it, for where
    # the board's own corners are seen, which the lens bends more than its middle.
    plain = _solve_reweighted(border, (offsets, clear), None, (plan, scale))
    both = Border(*(np.concatenate(pair) for pair in zip(border, edge, strict=True)))
    seen = np.concatenate([offsets, beyond]), np.concatenate([clear, EDGE_TRUST * sharp])
    from_image, size = board_from_image(corners, plan.size_mm), (picture_bgr.shape[1], picture_bgr.shape[0])
    bent = _solve_reweighted(both, seen, lens_shift(both.points, from_image, size, LENS), (plan, scale))
    own = board_corners_mm(plan.size_mm)
    to_image = image_from_board(corners, plan.size_mm)
    shifted = own + _terms(own, plan) @ bent[:8] + bent[8] * lens_shift(own, from_image, size, LENS)
    return apply(to_image, own + _terms(own, plan) @ plain[:8]), apply(to_image, shifted)


def agreement(picture_bgr: Picture, corners_px: Matrix, plan: BoardPlan) -> float:
    """Return the share of points on planned borders where the print is steeper than at four fifths of those beside."""
    grid, lab = _board(picture_bgr, corners_px, plan)
    steep = _steepness(lab, SHARP_MM * grid.px_per_mm)
    border = _border(plan)
    tried, seen = _sample_across((grid, steep), border, 4 * OFF_MM)
    on = seen[:, np.abs(tried) <= ON_MM].max(axis=1)
    beside = np.quantile(seen[:, np.abs(tried) > OFF_MM], 0.8, axis=1)
    return float((on > beside).mean())


def _board(picture_bgr: Picture, corners: Matrix, plan: BoardPlan) -> tuple[Grid, Floats]:
    """Return the board image in Lab with its grid, as the corners have it."""
    grid = Grid(plan.size_mm, PX_PER_MM, MARGIN_MM)
    return grid, log_lab(rectify(picture_bgr, board_from_image(corners, plan.size_mm), grid))


def log_lab(board_bgr: Picture) -> Floats:
    """Convert a board image to Lab (H, W, 3) with a logarithmic lightness, from which a shadow takes an equal amount.

    OpenCV's 8 bit Lab has L from 0 to 255. 60 log(L + 10) is as steep as L is at 50; the 10 keeps the dark from
    counting by its noise.
    """
    lab = cv2.cvtColor(board_bgr, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] = 60 * np.log(lab[..., 0] + 10)
    return np.asarray(lab, np.float32)


def _steepness(lab: Floats, blur_px: float) -> Floats:
    smooth = cv2.GaussianBlur(lab, (0, 0), blur_px)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    return _root_of_sum(across**2 + down**2)


def _energy(lab: Floats, blur_px: float) -> Floats:
    """Return (H, W) how much of a line or a step there is.

    Derivatives count times the blur, so that no scale is favoured.
    """
    smooth = cv2.GaussianBlur(lab, (0, 0), blur_px)
    # Sobel's 3x3 kernel sums to 8 for a slope of 1.
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    bent = cv2.Laplacian(smooth, cv2.CV_32F, ksize=1)
    energy = (across**2 + down**2) * blur_px**2 + EVEN * bent**2 * blur_px**4
    return _root_of_sum(energy)


def _root_of_sum(squares: npt.NDArray[Any]) -> Floats:
    """Return the (H, W) root of the three channels' sum of (H, W, 3)."""
    return np.asarray(cv2.sqrt(cv2.transform(squares, np.ones((1, 3), np.float32))), np.float32)


class Border(NamedTuple):
    """Points (N, 2) mm along lines of the plan; their normals; and which of the SHIFTS each may show (N, 3)."""

    points: Matrix
    normals: Matrix
    shifts: Matrix


@lru_cache(maxsize=8)
def _border(plan: BoardPlan) -> Border:
    """Return every border once.

    Its normal runs outwards, or from the area whose kind comes first by name to the other.
    """
    sides: dict[tuple[Point, ...], list[tuple[str, Matrix, Matrix]]] = {}
    for area in plan.areas:
        outline = np.asarray(area.polygon_mm, np.float64)
        turn = float(np.sign(cv2.contourArea(outline.astype(np.float32), oriented=True)))
        for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            normal = turn * np.array([end[1] - start[1], start[0] - end[0]]) / float(np.hypot(*(end - start)))
            name = tuple(sorted((round(float(x)), round(float(y))) for x, y in (start, end)))
            sides.setdefault(name, []).append((area.kind, np.array([start, end]), normal))
    rows = [_side(sorted(owners, key=lambda owner: owner[0])) for owners in sides.values()]
    return Border(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def _side(owners: list[tuple[str, Matrix, Matrix]]) -> tuple[Matrix, Matrix, Matrix]:
    """Return points, normals and shifts along one side that belongs to these areas."""
    kind, (start, end), normal = owners[0]
    count = max(2, int(np.hypot(*(end - start)) / STEP_MM))
    alone, unlike = len(owners) == 1, owners[-1][0] != kind
    shifts = [alone and kind == SHIFTS[0], alone and kind != SHIFTS[0], unlike]
    points = start + (end - start) * np.linspace(0.12, 0.88, count)[:, None]
    return points, np.tile(normal, (count, 1)), np.tile(np.array(shifts, np.float64), (count, 1))


@lru_cache(maxsize=8)
def _edge(plan: BoardPlan) -> Border:
    """Return the board's own four sides, normals outwards; their shift is none."""
    own = board_corners_mm(plan.size_mm)
    points, normals = [], []
    for start, end in zip(own, np.roll(own, -1, axis=0), strict=True):
        steps = np.linspace(0.03, 0.97, EDGE_POINTS)[:, None]
        along = (end - start) / float(np.hypot(*(end - start)))
        points.append(start + (end - start) * steps)
        normals.append(np.tile([along[1], -along[0]], (EDGE_POINTS, 1)))
    return Border(np.concatenate(points), np.concatenate(normals), np.zeros((4 * EDGE_POINTS, len(SHIFTS))))


def _sample_across(image: tuple[Grid, Floats], where: Border, reach: float) -> tuple[Matrix, Floats]:
    """Return how far along its normal each sample is (SAMPLES,) mm, and what each point sees there (N, SAMPLES)."""
    grid, values = image
    points, normals, _ = where
    tried = np.linspace(-reach, reach, SAMPLES)
    looked = points[:, None, :] + normals[:, None, :] * tried[None, :, None]
    px = grid.px(looked.reshape(-1, 2)).reshape(len(points), SAMPLES, 2).astype(np.float32)
    return tried, np.asarray(cv2.remap(values, px[..., 0], px[..., 1], cv2.INTER_LINEAR), np.float32)


def clearest(seen: Floats, tried: Matrix) -> tuple[Matrix, Matrix]:
    """Return how far each point's clearest line is along its normal, (N,) mm, and how clear it is, (N,) 0 to 1.

    seen: (N, S) energy at the places `tried` (S,), mm. The top is that of a parabola through three samples; one at an
    end of what was tried may lie beyond it, and counts nothing.
    """
    best = seen.argmax(axis=1)
    inner = (best > 0) & (best < len(tried) - 1)
    rows, middle = np.arange(len(seen)), np.clip(best, 1, len(tried) - 2)
    before, at, after = seen[rows, middle - 1], seen[rows, middle], seen[rows, middle + 1]
    curve = np.minimum(before - 2 * at + after, -1e-9)
    between = np.clip(0.5 * (before - after) / curve, -0.5, 0.5)
    clear = np.clip(seen.max(axis=1) / (seen.mean(axis=1) + 1e-6) - 1, 0, 1)
    return tried[middle] + between * (tried[1] - tried[0]), np.where(inner, clear, 0.0)


def _offsets(lab: Floats, where: tuple[Grid, Border], blur_mm: float, reach_mm: float) -> tuple[Matrix, Matrix]:
    """Return for each point of a border how far along its normal the print's clearest line is, and how clear it is."""
    grid, border = where
    tried, seen = _sample_across((grid, _energy(lab, blur_mm * grid.px_per_mm)), border, reach_mm)
    return clearest(seen, tried)


def _terms(points: Matrix, plan: BoardPlan) -> Matrix:
    """Return (N, 2, 8): how each parameter of a small projective change moves each point, in mm."""
    middle = np.asarray(plan.size_mm) / 2
    x, y = ((points - middle) / middle).T
    one, none = np.ones_like(x), np.zeros_like(x)
    across = np.stack([one, x, y, none, none, none, x * x, x * y], axis=1)
    down = np.stack([none, none, none, one, x, y, x * y, y * y], axis=1)
    return np.stack([across, down], axis=1)


def _solve_reweighted(
    border: Border, seen: tuple[Matrix, Matrix], bend: Matrix | None, how: tuple[BoardPlan, float]
) -> Matrix:
    """Fit the plane's eight parameters, then the lens' (if `bend` is given), that bring the points to lines."""
    offsets, clear = seen
    plan, scale = how
    lens = np.zeros((len(offsets), 0)) if bend is None else (border.normals * bend).sum(axis=1)[:, None]
    terms = np.hstack([np.einsum("nk,nkp->np", border.normals, _terms(border.points, plan)), lens, border.shifts])
    prior = np.array([*STIFF, *([LENS_STIFF] * lens.shape[1]), *([SHIFT_STIFF] * len(SHIFTS))])
    found = np.zeros(terms.shape[1])
    for _ in range(ROUNDS):  # reweighted least squares with Cauchy's weights: what is far from any line hardly pulls
        weights = clear / (1 + ((offsets - terms @ found) / scale) ** 2)
        left = (terms * weights[:, None]).T @ terms + weights.sum() * np.diag(prior)
        found = np.linalg.solve(left + 1e-9 * np.eye(len(found)), (terms * weights[:, None]).T @ offsets)
    return np.asarray(found, np.float64)
