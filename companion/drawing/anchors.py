"""Where marks go on a drawn board, area by area, and how far the whole drawing extends. All in mm.

A practice board has words on it, so that nobody takes it for the printed one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.drawing.air_zones import TAB_MM
from companion.drawing.polygons import Point, inside, sides
from companion.drawing.stroke_font import lettering, text_width
from engine.orders.board import Area, Board

FULL_SIDE_MM = 6.53  # of the small hexes on a board whose marks have the sizes below: on smaller ones all is smaller
MARK_MM = 16.0  # from an area's centre to its points (left) and its bonus slot (right)
RAISED_MM = -4.2  # and so far above it
LOW_MM = (12.6, 10.2)  # and to the symbols low at either side
ASIDE_MM = (15.5, 9.5)  # from the centre to the name on a board turned to a side
MARGIN_MM = 1.5  # kept free around the outlines


@dataclass(frozen=True, slots=True)
class AreaMarks:
    """The places of an area's marks, in mm.

    They are its units, its name, its points or headquarters (left), its slot or printed bonus (right), and two
    low corners for small symbols: no Paradrop (left), the air zone above (right).
    """

    units_mm: Point
    name_mm: Point
    left_mm: Point
    right_mm: Point
    low_left_mm: Point
    low_right_mm: Point


def scale(board: Board) -> float:
    """Return the size of the board's hexes as a multiple of those that marks and pieces are made for."""
    return board.space_side_mm / FULL_SIDE_MM


def area_marks(board: Board, area: Area, turn: int = 0) -> AreaMarks:
    """Return the places of an area's marks, in whichever of its hexes is freest of action spaces.

    Where the board is shown turned by `turn` degrees, a quarter to either side, the name stands elsewhere:
    upright letters would lie on the pieces.
    """
    spaces = [space.at_mm for space in board.spaces if space.area == area.name and space.at_mm is not None]
    x, y = max(area.centres_mm, key=lambda centre: min((math.dist(centre, at) for at in spaces), default=0.0))
    k = scale(board)
    below = 14.6 if area.zone or area.fort else 16.2
    name = (x + ASIDE_MM[0] * k, y + ASIDE_MM[1] * k) if turn % 180 else (x, y + below * k)
    side, low, raised = MARK_MM * k, (LOW_MM[0] * k, LOW_MM[1] * k), y + RAISED_MM * k
    return AreaMarks((x, y + 0.6 * k), name, (x - side, raised), (x + side, raised), (x - low[0], y + low[1]),
                 (x + low[0], y + low[1]))  # fmt: skip


def extent(board: Board) -> tuple[float, float, float, float]:
    """Return (left, top, width, height) in mm of what is drawn: the outlines and a small margin.

    A board that has something drawn around its areas is drawn to its edges.
    """
    if board.scenery:
        return 0.0, 0.0, *board.size_mm
    xs, ys = zip(*(corner for area in board.areas for corner in drawn_outline(area)), strict=True)
    left, top = min(xs) - MARGIN_MM, min(ys) - MARGIN_MM
    return left, top, max(xs) + MARGIN_MM - left, max(ys) + MARGIN_MM - top


def drawn_outline(area: Area) -> tuple[Point, ...]:
    """Return the outline of an area as it is drawn: an aircraft section's includes its tab."""
    if area.kind != "air":
        return area.polygon_mm
    top = min(y for _, y in area.polygon_mm)
    return tuple((x, y - TAB_MM if y < top + 1.0 else y) for x, y in area.polygon_mm)


# ---- practice boards -----------------------------------------------------------------------------

PRACTICE = "Practice board"
WORD_MM = 4.2  # height of the capitals of what is written on the board


def practice_shape(board: Board, colour: str, turn: int = 0, words: str = PRACTICE) -> str:
    """Draw the plate that marks a practice board, in a free place at an edge if there is one; upright if turned."""
    (x, y), (w, h), high = practice_plate(board, turn, words)
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


def practice_plate(board: Board, turn: int = 0, words: str = PRACTICE) -> tuple[Point, Point, float]:
    """Return where the practice board's plate goes: its middle, its size, and the height of its letters, in mm."""
    lines = words.split()
    size, high = (0.0, 0.0), WORD_MM
    for high in (WORD_MM, WORD_MM * 0.75, WORD_MM * 0.55):
        across, down = max(text_width(line, high) for line in lines) + 2 * high, (1.6 * len(lines) + 1.0) * high
        size = (across, down) if turn % 180 == 0 else (down, across)
        place = next(_free_corners(board, size), None)
        if place is not None:
            return place, size, high
    left, top, width, _ = extent(board)
    return (left + width / 2, top + size[1] / 2), size, high


def _free_corners(board: Board, size: Point) -> Iterator[Point]:
    """Yield the middles of boxes of that size that lie on no area, along the top and bottom edges, corners first."""
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
    """Return whether an outline and a box with 1 mm around it overlap, going by their corners and some other points."""
    (x, y), (w, h) = middle, (size[0] / 2 + 1.0, size[1] / 2 + 1.0)
    mine = [(x + a * w, y + b * h) for a in (-1, -0.5, 0, 0.5, 1) for b in (-1, 0, 1)]
    theirs = [*outline, *(((x0 + x1) / 2, (y0 + y1) / 2) for (x0, y0), (x1, y1) in sides(outline))]
    return any(inside(outline, point) for point in mine) or any(
        abs(px - x) < w and abs(py - y) < h for px, py in theirs
    )
