"""A grid settled on the print, and the photo's bend found by it: printed hexes are regular, so they are a ruler.

Points along the grid's sides look sideways for the nearest line; shift, scale, turn (and stretch, where it is plain) of
the grid and the bend of the sheet are solved for together, reweighted against sides that are not printed. The four
corners hold the bend: it may bring them away by about as much as fingers do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.geometry import Floats, Matrix, board_corners_mm, board_from_image, camera_of, lens_shift
from vision.registration.align import clearest, log_lab
from vision.tracing.search import directions, even_energy, line_energy
from vision.tracing.sheet import TERMS, Cell, HexGrid, Sheet, terms_at

PX_PER_MM = 1.5
MARGIN_MM = 8.0
# Lines are summed over so much of their length, and compared with what is usual within so much round them.
ALONG_MM, AROUND_MM = 6.0, 16.0
# Samples across a side, and points along it.
SAMPLES, POINTS = 33, 9
STAGES = ((5.0, 1.6, 2.0), (2.6, 1.1, 0.9), (1.7, 0.9, 0.45))  # reach, blur, near, in mm
ROUNDS = 6
CORNER_MM = 0.8  # how far fingers miss
AFFINE_MM, TILT_MM, LENS, BOW_MM, OTHER_MM = 9.0, 2.0, 0.04, 2.0, 0.12  # how large each part of a bend usually is
# Standard deviation of where a point's line is seen, and of where a piece of the board's edge is.
NOISE_MM, RIM_NOISE_MM = 1.0, 0.5
# Hexes are taken for regular, the sheet's bend being measured by them, unless they come out stretched by this much
# when they are free to (by STRETCH, one standard deviation). HELD is as good as not at all.
STRETCH, PLAIN_STRETCH = 0.03, 0.012
HELD = 1e-6
# As in `cells`: how far beyond the board a whole cell may reach.
SLACK_MM = 2.5
# Agreement: what counts as on a line, and from where on as beside it; the blur that it is measured with.
ON_MM, OFF_MM, SHARP_MM = 0.5, 2.0, 0.7


class Rim(NamedTuple):
    """Points (N, 2) mm on the board's sides, outward normals (N, 2), and how far outwards the edge is seen (N,) mm."""

    points: Matrix
    normals: Matrix
    offsets: Matrix


class Sides(NamedTuple):
    """Points (N, 2) mm along sides, unit normals (N, 2), the number of each point's direction, and of its side."""

    points: Matrix
    normals: Matrix
    ways: np.ndarray
    sides: np.ndarray


@dataclass(frozen=True, slots=True)
class GridFit:
    """A grid on the print, the sheet straightened by it, and which share of its sides is printed (0.3 by chance)."""

    sheet: Sheet
    grid: HexGrid
    share: float


def settle(sheet: Sheet, grid: HexGrid, stages: Iterable[tuple[float, float, float]] = STAGES) -> GridFit:
    """Fit the grid, nearly right as it is, and the sheet's bend to the print."""
    for stage in stages:
        loose = _fit_once(sheet, grid, stage, STRETCH)
        shifted = loose if _is_stretched(loose[1]) else _fit_once(sheet, grid, stage, HELD)
        sheet, grid = shifted
    return GridFit(sheet, grid, share_on_print(sheet, grid))


def settle_with_rim(sheet: Sheet, grid: HexGrid, rim: Rim) -> tuple[Sheet, HexGrid]:
    """Fit grid and bend again, now with the board's own edges, which are straight too."""
    return _fit_once(sheet, grid, STAGES[-1], HELD, rim)


def _is_stretched(grid: HexGrid) -> bool:
    """Return whether the printed hexes are plainly no regular ones."""
    regular = np.linalg.norm(grid.steps, axis=1)
    wanted = np.sqrt(3) / 2 if grid.flat else 2 / np.sqrt(3)
    aspect = abs(float(regular[0] / regular[1] / wanted) - 1)
    skew = abs(float(grid.steps[0] @ grid.steps[1] / regular.prod()))
    return max(aspect, skew) > PLAIN_STRETCH


def sides_of(grid: HexGrid, cells: Iterable[Cell]) -> Sides:
    """Return points along the sides of these cells, each side once."""
    seen: dict[tuple[int, ...], tuple[Matrix, int]] = {}
    for cell in cells:
        corners = grid.corners(cell)
        for number in range(6):
            ends = corners[[number, (number + 1) % 6]]
            key = tuple(np.round(ends.mean(axis=0) * 4).astype(int).tolist())
            seen.setdefault(key, (ends, number % 3))
    return _points(grid, list(seen.values()))


def _points(grid: HexGrid, sides: list[tuple[Matrix, int]]) -> Sides:
    parts = np.linspace(0.14, 0.86, POINTS)[:, None]
    points = [ends[0] + (ends[1] - ends[0]) * parts for ends, _ in sides]
    ways = np.repeat([way for _, way in sides], POINTS)
    along = np.array([ends[1] - ends[0] for ends, _ in sides])
    turned = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    return Sides(np.concatenate(points), np.repeat(turned, POINTS, axis=0), ways, np.repeat(range(len(sides)), POINTS))


def _energies(sheet: Sheet, grid: HexGrid, blur_mm: float) -> list[Floats]:
    lab = log_lab(sheet.flat(PX_PER_MM, MARGIN_MM))
    across, down = grid.steps
    turn_rad = float(np.arctan2(across[1] - down[0], across[0] + down[1]))
    return energies_along(lab, directions(grid.flat, turn_rad), blur_mm)


def energies_along(lab: Floats, normals: Iterable[Matrix], blur_mm: float) -> list[Floats]:
    """Return, for each normal, how much of a line at right angles to it the print shows: (H, W), 0 to 1."""
    return [
        even_energy(line_energy(lab, normal, blur_mm * PX_PER_MM, ALONG_MM * PX_PER_MM), AROUND_MM * PX_PER_MM)
        for normal in normals
    ]


def sample_across(energies: list[Floats], where: Sides, tried: Matrix) -> Floats:
    """Return the energy of each point's own direction at these distances along its normal, (N, len(tried))."""
    places = where.points[:, None, :] + where.normals[:, None, :] * tried[None, :, None]
    px = ((places + MARGIN_MM) * PX_PER_MM - 0.5).astype(np.float32)
    found = np.zeros(px.shape[:2], np.float32)
    for way, energy in enumerate(energies):
        mine = where.ways == way
        if mine.any():
            found[mine] = cv2.remap(energy, px[mine, :, 0], px[mine, :, 1], cv2.INTER_LINEAR)
    return found


def offsets_of(seen: Floats, tried: Matrix) -> tuple[Matrix, Matrix]:
    """Return how far each point's clearest line is along its normal, in mm, and how clear it is, 0 to 1."""
    offsets, clear = clearest(seen, tried)
    return offsets, clear * seen.max(axis=1)


def _cells(sheet: Sheet, grid: HexGrid) -> list[Cell]:
    return [cell for cell in grid.cells(sheet.size_mm) if grid.inside(cell, sheet.size_mm, SLACK_MM)]


def _fit_once(
    sheet: Sheet, grid: HexGrid, stage: tuple[float, float, float], stretch: float, rim: Rim | None = None
) -> tuple[Sheet, HexGrid]:
    """Run one round: fit grid and bend to the offsets that the print shows."""
    reach, blur, near = stage
    where = sides_of(grid, _cells(sheet, grid))
    tried = np.linspace(-reach, reach, SAMPLES)
    offsets, clear = offsets_of(sample_across(_energies(sheet, grid, blur), where, tried), tried)
    terms = terms_at(where.points, sheet.size_mm)
    bend = np.hstack([where.normals[:, :1] * terms, where.normals[:, 1:] * terms])
    moves = np.einsum("nk,nkp->np", where.normals, _moves(where.points, sheet))
    rows = np.hstack([bend, moves])
    if rim is not None:
        held = terms_at(rim.points, sheet.size_mm)
        edges = np.hstack([rim.normals[:, :1] * held, rim.normals[:, 1:] * held, np.zeros((len(held), moves.shape[1]))])
        rows, offsets = np.vstack([rows, edges]), np.concatenate([offsets, rim.offsets])
        clear = np.concatenate([clear, np.full(len(held), (NOISE_MM / RIM_NOISE_MM) ** 2)])
    found = solve_reweighted((rows, offsets, clear), _priors(sheet, stretch), near)
    bent = replace(sheet, bend=sheet.bend + found[: 2 * TERMS].reshape(2, TERMS).T)
    return bent, _change_grid(grid, sheet, found[2 * TERMS :])


def _moves(points: Matrix, sheet: Sheet) -> Matrix:
    """Return (N, 2, 6): how a grid's shift, scale, turn, stretch and skew move places.

    The latter four are about the middle.
    """
    x, y = (points - np.asarray(sheet.size_mm) / 2).T
    one, none = np.ones_like(x), np.zeros_like(x)
    return np.stack([np.stack([one, none, x, -y, x, y], axis=1), np.stack([none, one, y, x, -y, x], axis=1)], axis=1)


def _change_grid(grid: HexGrid, sheet: Sheet, found: Matrix) -> HexGrid:
    dx, dy, scale, turn, stretch, skew = found
    change = np.array([[1 + scale + stretch, -turn + skew], [turn + skew, 1 + scale - stretch]])
    middle = np.asarray(sheet.size_mm) / 2
    x, y = middle + change @ (np.array(grid.origin_mm) - middle) + np.array([dx, dy])
    (ax, ay), (bx, by) = grid.steps @ change.T
    return HexGrid((float(x), float(y)), (float(ax), float(ay)), (float(bx), float(by)), grid.flat)


def _priors(sheet: Sheet, stretch: float) -> tuple[Matrix, Matrix]:
    """Return rows and wanted values that hold the bend, the four corners and the stretch, each over its usual size."""
    corners = terms_at(board_corners_mm(sheet.size_mm), sheet.size_mm)
    none = np.zeros_like(corners)
    at_corners = np.vstack([np.hstack([corners, none]), np.hstack([none, corners])]) / CORNER_MM
    stiff = np.linalg.cholesky(np.linalg.inv(_usual_bends(sheet))).T  # so that stiff.T @ stiff is the precision
    bend = sheet.bend.T.ravel()
    rows = np.zeros((len(at_corners) + len(stiff) + 2, 2 * TERMS + 6))
    rows[: len(at_corners), : 2 * TERMS] = at_corners
    rows[len(at_corners) : -2, : 2 * TERMS] = stiff
    rows[-2, -2] = rows[-1, -1] = 1 / stretch
    wanted = -np.concatenate([at_corners @ bend, stiff @ bend, np.zeros(2)])
    return rows, wanted


def _usual_bends(sheet: Sheet) -> Matrix:
    """Return the (20, 20) covariance of a bend's terms.

    Crooked corners, the lens, a bowed board, and a little of anything.
    """
    xs, ys = np.meshgrid(*(np.linspace(0, side, 9) for side in sheet.size_mm))
    places = np.stack([xs.ravel(), ys.ravel()], axis=1)
    x, y = ((places - np.asarray(sheet.size_mm) / 2) / (np.asarray(sheet.size_mm) / 2)).T
    back = board_from_image(sheet.corners_px, sheet.size_mm)
    size = (sheet.picture_bgr.shape[1], sheet.picture_bgr.shape[0])
    up = camera_of(back, size).up(places)
    fields = [np.stack([x * x, x * y], axis=1) * TILT_MM, np.stack([x * y, y * y], axis=1) * TILT_MM]
    fields += [up * height[:, None] * BOW_MM for height in (x * x, y * y, x * y)]
    fields.append(lens_shift(places, back, size, LENS) * LENS)
    both = [np.linalg.lstsq(terms_at(places, sheet.size_mm), field, rcond=None)[0].T.ravel() for field in fields]
    usual = np.diag(np.array(([AFFINE_MM] * 3 + [OTHER_MM] * (TERMS - 3)) * 2) ** 2)
    return np.asarray(usual + np.einsum("ki,kj->ij", both, both), np.float64)


def solve_reweighted(seen: tuple[Matrix, Matrix, Matrix], prior: tuple[Matrix, Matrix], near: float) -> Matrix:
    """Solve for parameters (P,) by least squares, reweighted so that outliers drop out.

    seen: rows (N, P), offsets (N,) and how clear they are; prior: rows and values.
    """
    rows, offsets, clear = seen
    held, wanted = prior
    found = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):  # least squares reweighted as Cauchy has it: sides that are not printed drop out
        weights = clear / (1 + ((offsets - rows @ found) / near) ** 2) / NOISE_MM**2
        left = (rows * weights[:, None]).T @ rows + held.T @ held
        right = (rows * weights[:, None]).T @ offsets + held.T @ wanted
        found = np.asarray(np.linalg.solve(left + 1e-9 * np.eye(len(found)), right), np.float64)
    return found


def share_on_print(sheet: Sheet, grid: HexGrid) -> float:
    """Return the share of points along the grid's sides that lie on a line of the print."""
    where = sides_of(grid, _cells(sheet, grid))
    return share_on_lines(_energies(sheet, grid, SHARP_MM), where) if len(where.points) else 0.0


def share_on_lines(energies: list[Floats], where: Sides) -> float:
    """Return the share of points at which the print shows more of a line than in nine tenths of the places beside."""
    tried = np.linspace(-6.0, 6.0, 49)
    seen = sample_across(energies, where, tried)
    on = seen[:, np.abs(tried) <= ON_MM].max(axis=1)
    beside = np.quantile(seen[:, np.abs(tried) > OFF_MM], 0.9, axis=1)
    return float((on > beside).mean())
