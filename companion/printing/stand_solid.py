"""The stand for the camera as a solid to be printed in plastic: an STL file, in mm, all parts lying on the bed.

Every part is made of boxes on a grid of all their edges, so its surface is closed: each edge has two triangles.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from math import cos, radians

from companion.printing.stand import FOOT_MM, PLATE_MM, WIDE_MM, WINDOW_MM, Stand

Vertex = tuple[float, float, float]
Triangle = tuple[Vertex, Vertex, Vertex]
Span = tuple[float, float]
Box = tuple[Span, Span, Span]
"""From and to in x, y and z."""
Solid = Sequence[tuple[bool, Box]]
"""Boxes that are filled or emptied, one after the other."""

WALL_MM = 2.4
PLAY_MM = 0.2
"""Between a plug and what it goes into."""
PLUG_MM = 15.0
SEAT_MM = 8.0
"""How far down in its own tube a plug begins."""
PLUG_WALL_MM = 2.0
NOTCH_MM = (4.0, 4.0)
"""For a rubber band at the plate's edges: into it, and along it."""
NOTCH_FROM_LENS_MM = 16.0
BED_GAP_MM = 5.0
"""Between the parts."""
TITLE = b"Gunbai: a stand for the camera"


def stand_stl(stand: Stand) -> bytes:
    """Return all parts of the stand as a binary STL file: the tube's pieces standing, foot and plate flat."""
    triangles = [*stand_triangles(stand)]
    body = b"".join(struct.pack("<12fH", *_normal(found), *(value for at in found for value in at), 0)
                    for found in triangles)  # fmt: skip
    return TITLE.ljust(80, b" ") + struct.pack("<I", len(triangles)) + body


def stand_triangles(stand: Stand) -> Iterator[Triangle]:
    """Yield the triangles of all parts, each seen from outside with its corners anticlockwise."""
    width, depth = FOOT_MM
    half = WIDE_MM / 2
    yield from _moved(_surface(foot_solid()), (width / 2, depth - half))
    begins, _ends = stand.plate_mm
    yield from _moved(_surface(plate_solid(stand), _leaning(stand)), (width + BED_GAP_MM + half, -begins))
    for number in range(stand.pieces):
        at = half + number * (WIDE_MM + BED_GAP_MM), depth + BED_GAP_MM + half
        top = number == stand.pieces - 1
        shape = _sloping(stand) if top else None
        yield from _moved(_surface(tube_solid(stand.piece_mm, plug=not top), shape), at)


# ---- the parts -----------------------------------------------------------------------------------


def _square(half: float, z: Span) -> Box:
    return ((-half, half), (-half, half), z)


def _plug(bottom: float, top: float) -> Solid:
    """Return a square ring that goes into a tube."""
    outer = WIDE_MM / 2 - WALL_MM - PLAY_MM
    return [(True, _square(outer, (bottom, top))), (False, _square(outer - PLUG_WALL_MM, (bottom, top)))]


def tube_solid(long_mm: float, *, plug: bool) -> Solid:
    """Return a piece of the tube, with a plug for the next one where there is one."""
    half, inner = WIDE_MM / 2, WIDE_MM / 2 - WALL_MM
    tube: Solid = [(True, _square(half, (0.0, long_mm))), (False, _square(inner, (0.0, long_mm)))]
    if not plug:
        return tube
    seat: Solid = [
        (True, _square(inner, (long_mm - SEAT_MM, long_mm))),
        (False, _square(inner - PLAY_MM - PLUG_WALL_MM, (long_mm - SEAT_MM, long_mm))),
    ]
    return [*tube, *seat, *_plug(long_mm, long_mm + PLUG_MM)]


def foot_solid() -> Solid:
    """Return the foot: a plate with a plug for the tube at the middle of its front edge."""
    width, depth = FOOT_MM
    half = WIDE_MM / 2
    plate: Box = ((-width / 2, width / 2), (half - depth, half), (0.0, PLATE_MM))
    return [(True, plate), *_plug(PLATE_MM, PLATE_MM + PLUG_MM)]


def plate_solid(stand: Stand) -> Solid:
    """Return the plate for the camera, its upper side on the bed: a window, notches for rubber bands, and a plug."""
    begins, ends = stand.plate_mm
    half, pane, z = WIDE_MM / 2, WINDOW_MM / 2, (0.0, PLATE_MM)
    middle = stand.window_mm
    into, along = NOTCH_MM
    cuts: list[Box] = [((-pane, pane), (middle - pane, middle + pane), z)]
    for side, at in product((-1, 1), (middle - NOTCH_FROM_LENS_MM, middle + NOTCH_FROM_LENS_MM)):
        across = (-half, into - half) if side < 0 else (half - into, half)
        cuts.append((across, (at - along / 2, at + along / 2), z))
    stretch = 1 / cos(radians(stand.tilt_deg))
    plug: Solid = [
        (filled, (x, (y[0] * stretch, y[1] * stretch), tall))
        for filled, (x, y, tall) in _plug(PLATE_MM, PLATE_MM + PLUG_MM)
    ]
    return [(True, ((-half, half), (begins, ends), z)), *((False, cut) for cut in cuts), *plug]


def _leaning(stand: Stand) -> Callable[[Vertex], Vertex]:
    """Lean the plug of the plate, so that it points straight down once the plate slopes."""
    return lambda at: (at[0], at[1] - max(0.0, at[2] - PLATE_MM) * stand.slope, at[2])


def _sloping(stand: Stand) -> Callable[[Vertex], Vertex]:
    """Let the upper end of a tube rise towards the board, as the plate does that lies on it."""
    return lambda at: (at[0], at[1], at[2] + at[1] * stand.slope if at[2] > 0 else 0.0)


# ---- surfaces ------------------------------------------------------------------------------------


def _surface(solid: Solid, shape: Callable[[Vertex], Vertex] | None = None) -> Iterator[Triangle]:
    """Yield the triangles around a solid, its corners moved by `shape`."""
    lines = [sorted({value for _filled, box in solid for value in box[axis]}) for axis in range(3)]
    spans = [list(pairwise(line)) for line in lines]
    cells = {cell for cell in product(*(range(len(line)) for line in spans)) if _is_filled(solid, spans, cell)}
    for cell in sorted(cells):
        for axis, step in product(range(3), (-1, 1)):
            beside = tuple(place + step * (n == axis) for n, place in enumerate(cell))
            if beside not in cells:
                for triangle in _face(spans, cell, axis, step):
                    a, b, c = map(shape, triangle) if shape else triangle
                    yield a, b, c


def _is_filled(solid: Solid, spans: Sequence[Sequence[Span]], cell: Sequence[int]) -> bool:
    """Return whether the last box around the middle of a cell fills it."""
    middle = [sum(spans[axis][place]) / 2 for axis, place in enumerate(cell)]
    around = (
        filled
        for filled, box in reversed(solid)
        if all(low < value < high for value, (low, high) in zip(middle, box, strict=True))
    )
    return next(around, False)


def _face(spans: Sequence[Sequence[Span]], cell: Sequence[int], axis: int, step: int) -> Iterator[Triangle]:
    """Yield the two triangles of a cell's side, seen from outside."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    low, high = ([span[cell[n]][end] for n, span in enumerate(spans)] for end in (0, 1))
    corners: list[Vertex] = []
    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
        at = [low[n] for n in range(3)]
        at[axis] = (high if step > 0 else low)[axis]
        at[first], at[second] = (low, high)[a][first], (low, high)[b][second]
        corners.append((at[0], at[1], at[2]))
    if step < 0:
        corners.reverse()
    one, two, three, four = corners
    yield one, two, three
    yield one, three, four


def _moved(triangles: Iterator[Triangle], by: tuple[float, float]) -> Iterator[Triangle]:
    """Move triangles along the bed."""
    for a, b, c in triangles:
        (ax, ay, az), (bx, by_, bz), (cx, cy, cz) = a, b, c
        yield (ax + by[0], ay + by[1], az), (bx + by[0], by_ + by[1], bz), (cx + by[0], cy + by[1], cz)


def _normal(triangle: Triangle) -> Vertex:
    """Return the direction of length 1 that points out of a triangle."""
    a, b, c = triangle
    u, v = ([end - start for start, end in zip(a, other, strict=True)] for other in (b, c))
    across = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = sum(value**2 for value in across) ** 0.5
    return across[0] / length, across[1] / length, across[2] / length
