"""The part of an outline that lies inside a box, side by side of it (Sutherland and Hodgman)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.board_svg import Point


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
