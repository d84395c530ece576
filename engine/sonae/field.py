"""Places, bases and quarters on the table, and how it measures (Movement): plain geometry, no rules.

Lengths are in Movements (base widths), x to the right and y towards the far edge; a facing is an angle in degrees
clockwise from the far edge, so that 0 looks along +y and 90 along +x.

A table measures freely, from edge to edge and middle to middle, or in the cells of a square or hex grid. There a cell
is one Movement wide (Movement: "could be easily translated to a square or hex grid"); a base stands in the middle of a
cell and faces one of its sides. Square cells lie in rows and columns; hexes in columns that go up the table, every
other column half a cell higher. A place that is reported is taken for the cell that it lies in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, floor, hypot, inf, radians, sin, sqrt
from typing import Literal

Quarter = Literal["front", "right", "rear", "left"]
Point = tuple[float, float]
NEAR = 0.05
"""How exactly a table is measured, in Movements: smaller differences don't count, and bases so close touch."""
STRIDE = 0.1
"""The steps, in Movements, in which a base's way is checked for obstacles."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a base stands: its middle, the way it faces, and its depth; every base is one Movement wide."""

    x: float
    y: float
    facing_deg: float
    depth: float = 1.0

    @property
    def at(self) -> Point:
        """The middle of the base."""
        return self.x, self.y

    @property
    def ahead(self) -> Point:
        """The direction in which the base faces, one Movement long.

        >>> Place(0, 0, 90).ahead
        (1.0, 0.0)
        """
        return _ahead(self.facing_deg)

    def corners(self) -> tuple[Point, ...]:
        """Return the four corners, front left first, clockwise."""
        ahead_x, ahead_y = self.ahead
        long_x, long_y = ahead_x * self.depth / 2, ahead_y * self.depth / 2
        wide_x, wide_y = ahead_y / 2, -ahead_x / 2
        x, y = self.x, self.y
        return (
            (x + long_x - wide_x, y + long_y - wide_y),
            (x + long_x + wide_x, y + long_y + wide_y),
            (x - long_x + wide_x, y - long_y + wide_y),
            (x - long_x - wide_x, y - long_y - wide_y),
        )

    def point_at(self, right: float, forward: float) -> Point:
        """Return the point of the table this far to the right and ahead of the base's middle."""
        ahead_x, ahead_y = self.ahead
        return self.x + right * ahead_y + forward * ahead_x, self.y - right * ahead_x + forward * ahead_y

    def offset_of(self, point: Point) -> Point:
        """Return how far a point of the table lies to the right and ahead of the base's middle."""
        ahead_x, ahead_y = self.ahead
        across, along = point[0] - self.x, point[1] - self.y
        return across * ahead_y - along * ahead_x, across * ahead_x + along * ahead_y

    def moved(self, right: float, forward: float) -> Place:
        """Return the base moved this far to its right and ahead, its facing kept."""
        x, y = self.point_at(right, forward)
        return Place(x, y, self.facing_deg, self.depth)

    def quarter(self, point: Point) -> Quarter:
        """Return the quarter that a point lies in.

        The borders between quarters run out from the corners at 45 degrees, and belong to the front or rear.

        >>> [Place(0, 0, 0).quarter(point) for point in ((1, 3), (3, 1), (1, -3), (-3, 1))]
        ['front', 'right', 'rear', 'left']
        """
        right, forward = self.offset_of(point)
        aside, along = abs(right) - 0.5, abs(forward) - self.depth / 2
        if along >= aside - NEAR:
            return "front" if forward >= 0 else "rear"
        return "right" if right > 0 else "left"


@lru_cache(maxsize=1024)
def _ahead(facing_deg: float) -> Point:
    angle = radians(facing_deg)
    return round(sin(angle), 12) + 0.0, round(cos(angle), 12) + 0.0  # never -0.0


def gap(base: Place, other: Place) -> float:
    """Return the distance between two bases, edge to edge; 0 if they touch or overlap."""
    if overlaps(base, other):
        return 0.0
    return min(_from_edges(base.corners(), other), _from_edges(other.corners(), base))


def _from_edges(points: Sequence[Point], base: Place) -> float:
    """Return the distance from a base to the nearest of some points outside it."""
    found, (ahead_x, ahead_y), half = inf, base.ahead, base.depth / 2
    for x, y in points:
        across, along = x - base.x, y - base.y
        right = abs(across * ahead_y - along * ahead_x) - 0.5
        forward = abs(across * ahead_x + along * ahead_y) - half
        found = min(found, hypot(right if right > 0 else 0.0, forward if forward > 0 else 0.0))
    return found


def overlaps(base: Place, other: Place, within: float = 0.0) -> bool:
    """Return whether two bases overlap by more than `within`: no line along one of their sides parts them."""
    x, y = other.x - base.x, other.y - base.y
    if hypot(x, y) > (hypot(1, base.depth) + hypot(1, other.depth)) / 2:
        return False
    (ax, ay), (bx, by) = base.ahead, other.ahead
    same, aside = abs(ax * bx + ay * by), abs(ax * by - ay * bx)  # how much the sides of one run along the other's
    deep, far = base.depth / 2, other.depth / 2
    least = within + 1e-9
    return (
        deep + far * same + 0.5 * aside - abs(x * ax + y * ay) > least
        and 0.5 + far * aside + 0.5 * same - abs(x * ay - y * ax) > least
        and far + deep * same + 0.5 * aside - abs(x * bx + y * by) > least
        and 0.5 + deep * aside + 0.5 * same - abs(x * by - y * bx) > least
    )


def touches(base: Place, other: Place, within: float = NEAR) -> bool:
    """Return whether two bases are in contact: `within` Movements of one another or less."""
    if hypot(base.x - other.x, base.y - other.y) > 1 + max(base.depth, other.depth):
        return False
    return gap(base, other) <= within


def way(start: Place, end: Place) -> Iterator[Place]:
    """Yield the base at every stride of the straight way to `end`, which is included; `start` is not."""
    length = distance(start.at, end.at)
    strides = max(1, round(length / STRIDE))
    for n in range(1, strides + 1):
        part = n / strides
        x, y = start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part
        yield Place(x, y, end.facing_deg, end.depth)


def distance(point: Point, other: Point) -> float:
    """Return the distance between two points."""
    return hypot(point[0] - other[0], point[1] - other[1])


def facing(deg: float) -> float:
    """Normalise a facing to the range from 0 to less than 360 degrees.

    >>> [facing(deg) for deg in (360, -90, 725.5, -1e-15)]
    [0.0, 270.0, 5.5, 0.0]
    """
    return float(deg) % 360.0 % 360.0


def angle_between(one_deg: float, other_deg: float) -> float:
    """Return the angle between two facings, 0 to 180 degrees.

    >>> angle_between(350, 20)
    30.0
    """
    return abs((one_deg - other_deg + 180.0) % 360.0 - 180.0)


@lru_cache(maxsize=1024)
def bounding_box(outline: tuple[Point, ...]) -> tuple[float, float, float, float]:
    """Return the bounding box of an outline: least x, least y, most x, most y."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def is_crossed(base: Place, outline: Sequence[Point]) -> bool:
    """Return whether an outline runs through a base by more than NEAR.

    >>> [is_crossed(Place(x, 0, 0), [(0, -9), (9, -9), (9, 9), (0, 9)]) for x in (0.3, -0.47, 3.0)]
    [True, False, False]
    """
    points = [base.offset_of(point) for point in outline]
    half = 0.5 - NEAR, base.depth / 2 - NEAR
    return any(_cuts(start, end, half) for start, end in zip(points, [*points[1:], points[0]], strict=True))


def _cuts(start: Point, end: Point, half: Point) -> bool:
    """Return whether a line runs through the box that reaches `half` to either side of the origin."""
    near, far = 0.0, 1.0
    for begin, stop, most in zip(start, end, half, strict=True):
        if begin == stop:
            if abs(begin) >= most:
                return False
            continue
        enters, leaves = sorted(((-most - begin) / (stop - begin), (most - begin) / (stop - begin)))
        near, far = max(near, enters), min(far, leaves)
    return near < far


def in_polygon(point: Point, outline: Sequence[Point]) -> bool:
    """Return whether a point lies in an outline (even-odd rule).

    >>> in_polygon((0.5, 0.5), [(0, 0), (1, 0), (1, 1), (0, 1)])
    True
    """
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


# --- how a table measures ---------------------------------------------------------------

GRIDS = ("free", "square", "hex")
COLUMN = sqrt(3) / 2
"""From one column of hexes to the next, in Movements."""
SIDES_DEG = {"square": 90.0, "hex": 60.0}
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Measure:
    """How a table measures: freely, or in the cells of a grid.

    corners: on a square grid a step over a corner is one cell, else two; contact: bases no further apart than this, in
    Movements, are in contact.
    """

    grid: str = "free"
    corners: bool = True
    contact: float = NEAR

    def snapped(self, place: Place) -> Place:
        """Return the place snapped to the grid: in the middle of its cell, facing the nearest side.

        Without a grid it stays as it is.

        >>> Measure("square").snapped(Place(3.2, 0.9, 100))
        Place(x=3.5, y=0.5, facing_deg=90.0, depth=1.0)
        """
        if self.grid == "free":
            return place
        x, y = middle(self.grid, self.cell(place.at))
        side = SIDES_DEG[self.grid]
        return replace(place, x=x, y=y, facing_deg=facing(floor(place.facing_deg / side + 0.5) * side))

    def cell(self, point: Point) -> Cell:
        """Return the cell that a point lies in, as column and row; only on a grid."""
        if self.grid == "square":
            return floor(point[0]), floor(point[1])
        column = floor(point[0] / COLUMN)
        near = [(x, floor(point[1] - x % 2 / 2) + up) for x in range(column - 1, column + 2) for up in (-1, 0, 1)]
        return min(near, key=lambda cell: distance(point, middle("hex", cell)))

    def distance(self, point: Point, other: Point) -> float:
        """Return the distance from middle to middle: in Movements, or cells."""
        if self.grid == "free":
            return distance(point, other)
        return float(_cells_apart(self, self.cell(point), self.cell(other)))

    def gap(self, base: Place, other: Place) -> float:
        """Return the gap from edge to edge: in Movements, or the cells between."""
        if self.grid == "free":
            return gap(base, other)
        return max(0.0, self.distance(base.at, other.at) - 1.0)

    def is_near(self, base: Place, other: Place, most: float) -> bool:
        """Return whether two bases are `most` Movements (or cells) apart or less, give or take NEAR."""
        if distance(base.at, other.at) > most + 1.5 + base.depth + other.depth:
            return False
        return self.gap(base, other) <= most + NEAR

    def overlaps(self, base: Place, other: Place, within: float = 0.0) -> bool:
        """Return whether two bases overlap by more than `within`, or on a grid are in the same cell."""
        if self.grid == "free":
            return overlaps(base, other, within)
        return self.cell(base.at) == self.cell(other.at)

    def touches(self, base: Place, other: Place) -> bool:
        """Return whether two bases are in contact.

        On a grid their cells share a side, and one of them faces the other.
        """
        if self.grid == "free":
            return touches(base, other, self.contact)
        side = distance(base.at, other.at) <= 1.0 + NEAR and not self.overlaps(base, other)
        return side and "front" in (base.quarter(other.at), other.quarter(base.at))

    def way(self, start: Place, end: Place) -> Iterator[Place]:
        """Yield the base at every stride of the straight way to `end`, or on a grid in every cell under it.

        `end` is included, `start` is not.
        """
        if self.grid == "free":
            yield from way(start, end)
            return
        passed = dict.fromkeys(self.snapped(place) for place in way(start, end))
        yield from (place for place in passed if place.at != start.at or start.at == end.at)


def middle(grid: str, cell: Cell) -> Point:
    """Return the middle of a cell, in Movements.

    >>> middle("square", (2, 0)), middle("hex", (0, 1))
    ((2.5, 0.5), (0.5, 1.5))
    """
    column, row = cell
    if grid == "square":
        return column + 0.5, row + 0.5
    return 0.5 + column * COLUMN, row + 0.5 + column % 2 / 2


def cells(grid: str, size: Point) -> Iterator[Cell]:
    """Yield every cell whose middle lies on a table of this size, column by column."""
    columns = int(size[0] / (1.0 if grid == "square" else COLUMN)) + 1
    for cell in ((column, row) for column in range(columns) for row in range(int(size[1]) + 1)):
        x, y = middle(grid, cell)
        if x < size[0] and y < size[1]:
            yield cell


@lru_cache(maxsize=4096)
def _cells_apart(measure: Measure, cell: Cell, other: Cell) -> int:
    """Count the steps from one cell to another."""
    across, along = abs(cell[0] - other[0]), abs(cell[1] - other[1])
    if measure.grid == "square":
        return max(across, along) if measure.corners else across + along
    rise = abs((2 * cell[1] + cell[0] % 2) - (2 * other[1] + other[0] % 2))
    return across + max(0, rise - across) // 2
