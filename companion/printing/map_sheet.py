"""The board itself, edge and all: the drawing with its names, points and starting units, in true size."""

from __future__ import annotations

from collections.abc import Iterator

from companion import drawing
from companion.icons import icon_shape
from companion.language import _
from companion.printing.paper import Page, Point, Words
from companion.printing.sheets import INK
from engine.orders.board import Area, Board

BLEED_MM = 1.0  # paper kept around the board's edge, so that the line to cut along is whole
START_MM = 3.1  # half a starting unit's sign
APART_MM = 6.8
FACTION = {"red": "#c8381f", "black": "#15171a", "blue": "#2563b0", "yellow": "#d9a400"}


def map_sheet(board: Board) -> Page:
    """The whole board as one sheet of its own size."""
    width, height = (side + 2 * BLEED_MM for side in board.size_mm)
    edge = (
        f'<rect x="{BLEED_MM:g}" y="{BLEED_MM:g}" width="{board.size_mm[0]:g}" height="{board.size_mm[1]:g}" '
        f'fill="{drawing.COLOURS["paper"]}" stroke="{INK}" stroke-width="0.5"/>'
    )
    shapes = [drawing.board_shapes(board), drawing.action_shapes(board), drawing.mark_shapes(board)]
    shapes += [shape for area in board.areas for shape in _starting(board, area)]
    words = [one for area in board.areas for one in _lettering(board, area)]
    drawn = Page(board.mode.title, (width, height), tuple(shapes), tuple(words)).moved((BLEED_MM, BLEED_MM))
    return Page(drawn.title, drawn.size_mm, (edge, *drawn.shapes), drawn.words).over([], _made_up(board))


def _lettering(board: Board, area: Area) -> Iterator[Words]:
    places = drawing.marks(board, area)
    yield Words(area.name, places.name_mm, 3.6, colour="#4a4d50")
    if area.vp:
        x, y = places.left_mm
        yield Words(str(area.vp), (x, y + 2.1), 6.2, bold=True)


def _starting(board: Board, area: Area) -> Iterator[str]:
    """A small sign of its colour for each unit that starts here, in rows of three around the area's middle."""
    units = [(faction, unit) for faction, unit, n in area.start for _n in range(n)]
    x, y = drawing.marks(board, area).units_mm
    rows = [units[i : i + 3] for i in range(0, len(units), 3)]
    for row, signs in enumerate(rows):
        for at, (faction, unit) in enumerate(signs):
            middle = (x + (at - (len(signs) - 1) / 2) * APART_MM, y + (row - (len(rows) - 1) / 2) * APART_MM)
            yield unit_sign(faction, unit, middle, START_MM)


def unit_sign(faction: str, unit: str, at_mm: Point, half_mm: float) -> str:
    """A unit's sign: a disc of its side's colour, with the icon of its kind where it is no troop."""
    x, y = at_mm
    disc = (
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{half_mm:g}" fill="{FACTION[faction]}" stroke="{INK}" '
        'stroke-width="0.3"/>'
    )
    return disc + ("" if unit == "troop" else icon_shape(unit, at_mm, half_mm * 0.72, "#ffffff"))


def _made_up(board: Board) -> list[Words]:
    if board.known != "practice":
        return []
    text = _("Practice board, made up for trying the rules: not the printed one")
    return [Words(text, (board.size_mm[0] / 2 + BLEED_MM, board.size_mm[1] - 1.2 + BLEED_MM), 3.4, bold=True)]
