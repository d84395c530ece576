"""Solids as triangles, with numpy alone: lathes, lofts, rounded prisms, balls on a string, a board as a thin slab.

Points are (x, y, height) in mm, faces counted so that the outside is where the right-hand rule points, were x, y and
height right-handed (on a board they are not: `mirror` makes them so). `uv_mm` says where on a flat patch of colour a
corner lies. Every triangle has corners of its own, so that normals may break at edges. The slab is bowed, with its
folds a little lifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
import numpy.typing as npt

from vision.simulation.camera import SimulatedCamera
from vision.simulation.table import bow

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Profile = Sequence[tuple[float, float]]
CREASE_DEG = 38.0


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles: (3F, 3) corners, their (3F, 3) unit normals and (3F, 2) places on a patch, three in a row a face."""

    points: Floats
    normals: Floats
    uv_mm: Floats


def join(meshes: Sequence[Mesh]) -> Mesh:
    """Join all the triangles into one mesh, an empty one for none."""
    nothing = Mesh(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 2)))
    parts = [nothing, *meshes]
    return Mesh(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("points", "normals", "uv_mm")))


def solid(vertices: Floats, faces: Ints, crease_deg: float = CREASE_DEG) -> Mesh:
    """Build a mesh of shared (V, 3) vertices and (F, 3) faces, smooth where faces meet at less than `crease_deg`."""
    corners = vertices[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(across, axis=1)
    kept = size > 1e-9
    corners, across, faces, size = corners[kept], across[kept], faces[kept], size[kept]
    points = corners.reshape(-1, 3)
    normals = _crease_normals(faces, across, across / size[:, None], np.cos(np.radians(crease_deg)))
    return Mesh(points, normals, skew(points))


def skew(points: Floats) -> Floats:
    """Return places (N, 2) on a flat patch for points (N, 3), such that sides get some of the patch too."""
    return np.asarray(points[:, :2] + points[:, 2:] * np.array([0.35, 0.6]), np.float64)


def _crease_normals(faces: Ints, across: Floats, units: Floats, least: float) -> Floats:
    """Return the normals (3F, 3): the sum over the faces round a corner's vertex that turn away little enough."""
    order = np.argsort(faces.ravel(), kind="stable")
    starts = np.flatnonzero(np.diff(faces.ravel()[order], prepend=-1))
    normals = np.zeros((faces.size, 3))
    for corners in np.split(order, starts[1:]):
        round_it = corners // 3
        near = (units[round_it] @ units[round_it].T) >= least
        normals[corners] = near @ across[round_it]
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float64)


def loft(rings: Floats, crease_deg: float = CREASE_DEG) -> Mesh:
    """Build a closed body from (R, N, 3) rings, counter-clockwise, rising.

    Both ends are closed by a fan about their middle.
    """
    count, sides = rings.shape[:2]
    ids = np.arange(count * sides).reshape(count, sides)
    low, high = ids[:-1], ids[1:]
    after_low, after_high = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    bands = [np.stack([low, after_low, after_high], axis=-1), np.stack([low, after_high, high], axis=-1)]
    bottom, top = count * sides, count * sides + 1
    first, last = ids[0], ids[-1]
    caps = [
        np.stack([np.full(sides, bottom), np.roll(first, -1), first], axis=-1),
        np.stack([np.full(sides, top), last, np.roll(last, -1)], axis=-1),
    ]
    faces = np.concatenate([part.reshape(-1, 3) for part in bands + caps])
    vertices = np.concatenate([rings.reshape(-1, 3), rings[0].mean(axis=0)[None], rings[-1].mean(axis=0)[None]])
    return solid(vertices, faces, crease_deg)


def circle(radius_mm: float, sides: int, turn_rad: float = 0.0) -> Floats:
    """Return the points (sides, 2) of a circle or regular polygon, counter-clockwise."""
    turns = turn_rad + 2 * pi * np.arange(sides) / sides
    return np.stack([radius_mm * np.cos(turns), radius_mm * np.sin(turns)], axis=1)


def lathe(profile: Profile, sides: int = 40) -> Mesh:
    """Turn a body on a lathe from (radius, height) pairs, from the foot up."""
    unit = circle(1.0, sides)
    rings = [np.column_stack([unit * max(radius, 1e-3), np.full(sides, height)]) for radius, height in profile]
    return loft(np.array(rings))


def rounding(height_mm: float, edge_mm: float, steps: int = 4) -> list[tuple[float, float]]:
    """Return (inset, height) pairs in mm up a body's side whose upper and lower edges are rounded off by `edge_mm`."""
    edge = min(edge_mm, height_mm * 0.45)
    turns = np.linspace(0, pi / 2, steps)
    low = [(edge * (1 - sin(t)), edge * (1 - cos(t))) for t in turns]
    return low + [(inset, height_mm - up) for inset, up in reversed(low)]


def disc(radius_mm: float, height_mm: float, edge_mm: float, sides: int = 44) -> Mesh:
    """Build a round disc with rounded edges."""
    return lathe([(radius_mm - inset, height) for inset, height in rounding(height_mm, edge_mm)], sides)


def prism(outline: Floats, height_mm: float, edge_mm: float) -> Mesh:
    """Raise the convex counter-clockwise (N, 2) outline to a height, its edges rounded off."""
    middle = outline.mean(axis=0)
    reach = float(np.linalg.norm(outline - middle, axis=1).min())
    rings = []
    for inset, height in rounding(height_mm, min(edge_mm, reach * 0.4), 3):
        ring = middle + (outline - middle) * (1 - inset / reach)
        rings.append(np.column_stack([ring, np.full(len(outline), height)]))
    return loft(np.array(rings))


def box(size_mm: tuple[float, float, float], edge_mm: float) -> Mesh:
    """Build a box standing on its base, the middle of its base at the origin."""
    x, y = size_mm[0] / 2, size_mm[1] / 2
    return prism(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]), size_mm[2], edge_mm)


def capsule(one: Sequence[float], two: Sequence[float], sides: int = 20) -> Mesh:
    """Build the hull of two balls (x, y, height, radius), a bead of a chain."""
    start, end = np.array(one[:3], float), np.array(two[:3], float)
    along = end - start
    reach = float(np.linalg.norm(along))
    along = along / reach if reach > 1e-6 else np.array([0.0, 0.0, 1.0])
    side = np.cross(along, [0.0, 0.0, 1.0] if abs(along[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    lift = np.cross(along, side)
    unit = circle(1.0, sides)
    turns = np.linspace(-pi / 2, 0, 7)
    steps = [(start, one[3] * cos(t), one[3] * sin(t)) for t in turns]
    steps += [(end, two[3] * cos(t), -two[3] * sin(t)) for t in turns[::-1]]
    rings = [at + along * on + (unit[:, :1] * side + unit[:, 1:] * lift) * max(out, 1e-3) for at, out, on in steps]
    return loft(np.array(rings), 180.0)


def move(mesh: Mesh, at_mm: Sequence[float], turn_rad: float = 0.0) -> Mesh:
    """Turn the mesh about the upright through its origin, then put it at (x, y, height)."""
    turn = np.array([[cos(turn_rad), sin(turn_rad), 0], [-sin(turn_rad), cos(turn_rad), 0], [0, 0, 1.0]])
    return Mesh(mesh.points @ turn + np.asarray(at_mm, float), mesh.normals @ turn, mesh.uv_mm)


def turn(mesh: Mesh, matrix: Floats) -> Mesh:
    """Rotate the mesh by a (3, 3) rotation: points to rows times `matrix`."""
    return Mesh(mesh.points @ matrix, mesh.normals @ matrix, mesh.uv_mm)


def on_patch(mesh: Mesh, middle_mm: Sequence[float]) -> Mesh:
    """Shift the mesh's places on the sheet of patches to the patch with this middle."""
    return Mesh(mesh.points, mesh.normals, mesh.uv_mm + np.asarray(middle_mm, float))


def mirror(mesh: Mesh) -> Mesh:
    """Mirror the mesh into a right-handed world (x, -y, height), the outside still outside."""
    flip = np.array([1.0, -1.0, 1.0])
    order = np.arange(len(mesh.points)).reshape(-1, 3)[:, ::-1].ravel()
    return Mesh(mesh.points[order] * flip, mesh.normals[order] * flip, mesh.uv_mm[order])


def sheet(xs: Floats, ys: Floats, heights: Floats) -> Mesh:
    """Build a surface over the grid of xs and ys with (len(ys), len(xs)) heights, seen from above; uv is (x, y)."""
    rows, columns = heights.shape
    grid_x, grid_y = np.meshgrid(xs, ys)
    vertices = np.stack([grid_x, grid_y, heights], axis=-1).reshape(-1, 3)
    plain = solid(vertices, squares(rows, columns), 60.0)
    return Mesh(plain.points, plain.normals, plain.points[:, :2].copy())


def squares(rows: int, columns: int) -> Ints:
    """Return the triangles (F, 3) of a grid of vertices counted row by row, two a square, with x before y."""
    ids = np.arange(rows * columns).reshape(rows, columns)
    one, two, three, four = ids[:-1, :-1], ids[:-1, 1:], ids[1:, 1:], ids[1:, :-1]
    return np.concatenate([np.stack(part, axis=-1).reshape(-1, 3) for part in ((one, two, three), (one, three, four))])


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
        """Return the height of the board's top at board points (..., 2), in mm (...,)."""
        points = np.asarray(points_mm, float)
        away = np.abs(points[..., 1] / self.size_mm[1] - self.fold_at)
        ridge = self.fold_mm * np.maximum(0.0, 1 - away / 0.3) ** 2
        return bow(points, self.size_mm, self.bow_mm) + ridge

    @property
    def table_mm(self) -> float:
        """The height of the table that the board lies on."""
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
        """Return the pixels (..., 2) of points (..., 2) on the board."""
        points = np.asarray(points_mm, float)
        return self.camera.px(np.concatenate([points, self.slab.height(points)[..., None]], axis=-1))
