"""Outlines of areas as plain geometry: sides, insets, several joined to one. In any unit; y runs down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

Point = tuple[float, float]
Side = tuple[Point, Point]

SAME_MM = 0.5  # corners nearer than this are one corner


def path(points: Sequence[Point], closed: bool = True) -> str:
    """Return SVG path data through the points."""
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + ("Z" if closed else "")


def hexagon(centre: Point, side: float) -> tuple[Point, ...]:
    """Return the six corners of a hexagon with a flat top, clockwise from the right one."""
    x, y = centre
    return tuple((x + side * math.cos(a * math.pi / 3), y + side * math.sin(a * math.pi / 3)) for a in range(6))


def sides(polygon: Sequence[Point]) -> list[Side]:
    """Return the sides of an outline, in its order."""
    return list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))


def inset(polygon: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Return the polygon with every side moved inwards by `by`, in its own units, its corners in the same order."""
    return offset(polygon, by * orientation(polygon))


def offset(polygon: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Return the polygon with its sides moved to the right by `by`: inwards if its corners run clockwise as seen."""
    count = len(polygon)
    return tuple(_moved_corner(polygon[i - 1], polygon[i], polygon[(i + 1) % count], by) for i in range(count))


def orientation(polygon: Sequence[Point]) -> float:
    """Return 1.0 where the corners run clockwise as seen, else -1.0."""
    return math.copysign(1.0, sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in sides(polygon)))


def _moved_corner(before: Point, corner: Point, after: Point, by: float) -> Point:
    # Along the sum of both normals, as far as keeps the distance to either side; 1 + cos is 0 where the outline turns
    # back on itself.
    (ax, ay), (bx, by_) = normal(before, corner), normal(corner, after)
    scale = by / max(1.0 + ax * bx + ay * by_, 0.2)  # a very sharp corner is not thrown far away
    return corner[0] + (ax + bx) * scale, corner[1] + (ay + by_) * scale


def normal(start: Point, end: Point) -> Point:
    """Return the unit normal of a side, which points inwards where the corners run clockwise on the screen."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    return -dy / length, dx / length


def outward_normal(polygon: Sequence[Point], side: Side) -> Point:
    """Return the unit normal of one of an outline's sides, pointing out of the outline."""
    x, y = normal(*side)
    turn = orientation(polygon)
    return -x * turn, -y * turn


def shared_side(one: Sequence[Point], other: Sequence[Point]) -> Side | None:
    """Return the side that two outlines share, as it runs in `one`; None if they share none."""
    return next((side for side in sides(one) if is_shared_by(side, [other])), None)


def is_shared_by(side: Side, outlines: Iterable[Sequence[Point]]) -> bool:
    """Return whether the side belongs to one of the outlines too."""
    start, end = side
    for outline in outlines:
        for number, corner in enumerate(outline):
            # asked so often that most corners are told apart by x alone
            if abs(corner[0] - start[0]) < SAME_MM and math.dist(corner, start) < SAME_MM:
                beside = outline[number - 1], outline[(number + 1) % len(outline)]
                if any(math.dist(point, end) < SAME_MM for point in beside):
                    return True
    return False


def outer_sides(outlines: Sequence[Sequence[Point]]) -> list[Side]:
    """Return the sides of several outlines that no two of them share, outline by outline."""
    own = ((side, outline) for outline in outlines for side in sides(outline))
    return [side for side, outline in own if not is_shared_by(side, (o for o in outlines if o is not outline))]


def outer_edges(outlines: Sequence[Sequence[Point]]) -> list[tuple[Point, ...]]:
    """Return the outer edges of adjoining outlines as closed rings, which run the same way round as the outlines."""
    left, rings = outer_sides(outlines), []
    while left:
        start, end = left.pop(0)
        ring = [start]
        while math.dist(start, end) >= SAME_MM:
            following = next((side for side in left if math.dist(side[0], end) < SAME_MM), None)
            if following is None:
                break
            left.remove(following)
            ring.append(following[0])
            end = following[1]
        rings.append(tuple(ring))
    return rings


def inside(polygon: Sequence[Point], place: Point) -> bool:
    """Return whether a place lies inside an outline: an odd number of sides then lies to its right."""
    (x, y), crossed = place, False
    for (x0, y0), (x1, y1) in sides(polygon):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            crossed = not crossed
    return crossed


def distance_to_side(point: Point, side: Side) -> float:
    """Return the distance of a point from a side, its ends included."""
    (x, y), ((x0, y0), (x1, y1)) = point, side
    dx, dy = x1 - x0, y1 - y0
    t = min(max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy or 1.0), 0.0), 1.0)
    return math.hypot(x - x0 - t * dx, y - y0 - t * dy)


def clearance(place: Point, outlines: Iterable[Sequence[Point]], most: float = math.inf) -> float:
    """Return the distance from a place to the nearest of the outlines, at most `most`; 0 inside one of them."""
    nearest = most
    for outline in outlines:
        if _distance_to_box(place, outline) >= nearest:
            continue
        if inside(outline, place):
            return 0.0
        nearest = min(nearest, *(distance_to_side(place, side) for side in sides(outline)))
    return nearest


def _distance_to_box(place: Point, outline: Sequence[Point]) -> float:
    """Return the distance of a place from the upright box around an outline; 0 inside it."""
    left, top, right, bottom = _box(tuple(outline))
    return math.hypot(max(left - place[0], 0.0, place[0] - right), max(top - place[1], 0.0, place[1] - bottom))


@lru_cache(maxsize=256)
def _box(outline: tuple[Point, ...]) -> tuple[float, float, float, float]:
    xs, ys = zip(*outline, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def clipped_to(outline: Sequence[Point], box: tuple[float, float, float, float]) -> list[Point]:
    """Return the part of an outline inside a box (its least x and y, its most x and y); empty where none is.

    >>> clipped_to([(-1, 0), (1, 0), (1, 1), (-1, 1)], (0, 0, 2, 2))
    [(0.0, 0.0), (1, 0), (1, 1), (0.0, 1.0)]
    """
    left, low, right, high = box
    points = list(outline)
    for side in ((0, left, 1), (0, right, -1), (1, low, 1), (1, high, -1)):
        axis, edge, keeps = side
        kept: list[Point] = []
        for before, point in zip([*points[-1:], *points[:-1]], points, strict=True):
            was, now = ((at[axis] - edge) * keeps for at in (before, point))
            if (was < 0) != (now < 0):
                part = was / (was - now)
                kept.append((before[0] + part * (point[0] - before[0]), before[1] + part * (point[1] - before[1])))
            if now >= 0:
                kept.append(point)
        points = kept
    return points
