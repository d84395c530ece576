"""The words on the drawing of a practice board, so that nobody takes it for the printed one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.drawing.anchors import drawn_outline, extent
from companion.drawing.polygons import Point, inside, sides
from companion.drawing.stroke_font import lettering, wide
from engine.orders.board import Board

PRACTICE = "Practice board"
WORD_MM = 4.2  # height of the capitals of what is written on the board


def practice_shape(board: Board, colour: str, turn: int = 0, words: str = PRACTICE) -> str:
    """Draw the words on a plate in a free corner of the drawing, upright where the board is shown turned.

    The letters are small where no corner is free.
    """
    (x, y), (w, h), high = plate_of(board, turn, words)
    if turn % 180:
        w, h = h, w
    lines = words.split()
    letters = "".join(
        lettering(line, (x, y + (i - (len(lines) - 1) / 2) * 1.6 * high), high, colour, 1.0)
        for i, line in enumerate(lines)
    )
    return (
        f'<g transform="rotate({-turn} {x:.2f} {y:.2f})"><rect x="{x - w / 2:.2f}" y="{y - h / 2:.2f}" '
        f'width="{w:.2f}" height="{h:.2f}" rx="{high * 0.5:.2f}" fill="#fdf6df" stroke="{colour}" '
        f'stroke-width="0.6"/>{letters}</g>'
    )


def plate_of(board: Board, turn: int = 0, words: str = PRACTICE) -> tuple[Point, Point, float]:
    """Return the middle of the plate, its size on the board, and the height of its letters, all in mm."""
    lines = words.split()
    size, high = (0.0, 0.0), WORD_MM
    for high in (WORD_MM, WORD_MM * 0.75, WORD_MM * 0.55):
        across, down = max(wide(line, high) for line in lines) + 2 * high, (1.6 * len(lines) + 1.0) * high
        size = (across, down) if turn % 180 == 0 else (down, across)
        place = next(_free_corners(board, size), None)
        if place is not None:
            return place, size, high
    left, top, width, _ = extent(board)
    return (left + width / 2, top + size[1] / 2), size, high


def _free_corners(board: Board, size: Point) -> Iterator[Point]:
    """Yield the middles of boxes of that size that lie on no area, along the drawing's edges, corners first."""
    left, top, width, height = extent(board)
    outlines = [drawn_outline(area) for area in board.areas]
    near = (left + 1.5 + size[0] / 2, top + 1.5 + size[1] / 2)
    far = (left + width - 1.5 - size[0] / 2, top + height - 1.5 - size[1] / 2)
    steps = [i / 24 for i in range(25)]
    ways = [(x, y) for t in steps for y in (near[1], far[1]) for x in (near[0] + t * (far[0] - near[0]),)]
    for middle in sorted(ways, key=lambda at: min(abs(at[0] - near[0]), abs(at[0] - far[0]))):
        if not any(_overlaps(outline, middle, size) for outline in outlines):
            yield middle


def _overlaps(outline: Sequence[Point], middle: Point, size: Point) -> bool:
    """Return whether an outline and a box have any of their corners or the middles of their sides in each other."""
    (x, y), (w, h) = middle, (size[0] / 2 + 1.0, size[1] / 2 + 1.0)
    mine = [(x + a * w, y + b * h) for a in (-1, -0.5, 0, 0.5, 1) for b in (-1, 0, 1)]
    theirs = [*outline, *(((x0 + x1) / 2, (y0 + y1) / 2) for (x0, y0), (x1, y1) in sides(outline))]
    return any(inside(outline, point) for point in mine) or any(
        abs(px - x) < w and abs(py - y) < h for px, py in theirs
    )
