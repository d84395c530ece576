"""The board as a thin slab: bowed, with its folds a little lifted; where its points are, and its triangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from training.traced.meshes import Mesh, sheet, solid
from vision.simulation.camera import SimulatedCamera
from vision.simulation.table import bow

Floats = npt.NDArray[np.float64]

STEP_MM = 4.0


@dataclass(frozen=True, slots=True)
class Slab:
    """A board of `size_mm`, `thick_mm` thick; `bow_mm` as in `vision.simulation.table.bow`, `fold_mm` its fold.

    `fold_at` is where the fold lies, as a share of the board's height. Heights count from the flat board's top.
    """

    size_mm: tuple[float, float]
    thick_mm: float = 2.0
    bow_mm: float = 0.0
    fold_mm: float = 0.0
    fold_at: float = 0.5

    def height(self, points_mm: npt.ArrayLike) -> Floats:
        """(...,) height of the board's top at (..., 2) board points, mm."""
        points = np.asarray(points_mm, float)
        away = np.abs(points[..., 1] / self.size_mm[1] - self.fold_at)
        ridge = self.fold_mm * np.maximum(0.0, 1 - away / 0.3) ** 2
        return bow(points, self.size_mm, self.bow_mm) + ridge

    @property
    def table_mm(self) -> float:
        """The height of the table it lies on."""
        return min(0.0, self.bow_mm) - self.thick_mm

    def top(self) -> Mesh:
        """Build the printed top; uv is the board point in mm."""
        width, height = self.size_mm
        xs = np.linspace(0, width, round(width / STEP_MM / 6) + 2)
        ys = np.linspace(0, height, round(height / STEP_MM) + 1)
        heights = self.height(np.stack(np.meshgrid(xs, ys), axis=-1))
        return sheet(xs, ys, heights)

    def edge(self, patch_mm: tuple[float, float]) -> Mesh:
        """Build the sides, of one colour: the patch with this middle."""
        width, height = self.size_mm
        steps = np.linspace(0, 1, 40)[:-1, None]
        corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]])
        round_it = np.concatenate([a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)])
        tops = self.height(round_it)
        count = len(round_it)
        upper = np.column_stack([round_it, tops])
        lower = np.column_stack([round_it, tops - self.thick_mm])
        ids = np.arange(count)
        after = np.roll(ids, -1)
        halves = ((count + ids, count + after, after), (count + ids, after, ids))
        faces = np.concatenate([np.stack(half, axis=1) for half in halves])
        mesh = solid(np.concatenate([upper, lower]), faces)
        return Mesh(mesh.points, mesh.normals, np.tile(np.asarray(patch_mm, float), (len(mesh.points), 1)))


@dataclass(frozen=True, slots=True)
class View:
    """A slab seen by a camera, as truth is written down."""

    camera: SimulatedCamera
    slab: Slab

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """(..., 2) pixels of (..., 2) points on the board."""
        points = np.asarray(points_mm, float)
        return self.camera.px(np.concatenate([points, self.slab.height(points)[..., None]], axis=-1))
