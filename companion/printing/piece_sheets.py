"""Pieces, bonus tokens and the round marker to cut out, of about the size of the real ones. Buttons do as well."""

from __future__ import annotations

from companion.core.language import _
from companion.drawing import board_svg
from companion.drawing.icons import icon_shape
from companion.printing.paper import PaperPage, Point, Words, column, wrap
from companion.printing.sheets import INK, MARGIN_MM, with_foot
from companion.text.orders import faction_name
from engine.orders.board import Board
from engine.words import count_words, say

SIZE_MM = (210.0, 297.0)
PIECE_MM = 12.0  # across, as a disc of the game
PITCH_MM = 14.5
TOKEN_MM = 20.0
MARKER_MM = 28.0
ACROSS = 13


def piece_sheets(board: Board) -> list[PaperPage]:
    """Lay out one sheet with the pieces of both sides, and one with the tokens and the marker."""
    page = PaperPage(_("{title}: pieces").format(title=_(board.mode.title)), SIZE_MM)
    y = MARGIN_MM + 6.0
    for faction in board.factions:
        y, shapes, words = _pieces(board, faction, y)
        page = page.over(shapes, words)
    return [with_foot(page), _tokens(board)]


def _pieces(board: Board, faction: str, y: float) -> tuple[float, list[str], list[Words]]:
    """Lay out a side's pieces in rows from `y` down, and return where they end."""
    shapes: list[str] = []
    words = [Words(faction_name(faction), (MARGIN_MM, y), 5.4, "start", bold=True)]
    kinds = [(kind.name, kind.reserve) for kind in board.mode.units] + [("commander", board.mode.commanders)]
    for kind, number in kinds:
        words.append(Words(count_words(number, kind), (MARGIN_MM, y + 6.4), 4, "start"))
        places = spots(number, (MARGIN_MM + PITCH_MM / 2, y + 14.6), PITCH_MM, ACROSS)
        shapes += [_piece(faction, kind, place) for place in places]
        y = places[-1][1] + PITCH_MM / 2 - 1.6
    return y + 9.0, shapes, words


def _piece(faction: str, kind: str, place: Point) -> str:
    if kind != "commander":
        return board_svg.unit_sign(kind, (place, PIECE_MM / 2), board_svg.COLOURS[faction])
    data = board_svg.path(board_svg.hexagon(place, PIECE_MM / 2))
    return f'<path d="{data}" fill="{board_svg.COLOURS[faction]}" stroke="{INK}" stroke-width="0.3"/>'


def _tokens(board: Board) -> PaperPage:
    page = PaperPage(_("{title}: tokens and round marker").format(title=_(board.mode.title)), SIZE_MM)
    words = [Words(_("Area bonus tokens"), (MARGIN_MM, MARGIN_MM + 8), 4.4, "start", bold=True)]
    shapes = []
    printed = {bonus for _area, bonus in board.printed}
    tokens = [bonus for bonus in board.mode.bonuses.values() if bonus.name not in printed]
    for bonus, (x, y) in zip(tokens, spots(len(tokens), (MARGIN_MM + 22, 36), 44.0, 4), strict=True):
        shapes.append(_disc(x, y, TOKEN_MM / 2, "#ffffff"))
        shapes.append(icon_shape(bonus.name, (x, y), TOKEN_MM * 0.3, board_svg.COLOURS["ink"]))
        lines = [say(bonus.title), *wrap(say(bonus.text), 40, 2.9)]
        words += column(lines, Words("", (x, y + TOKEN_MM / 2 + 4.5), 2.9))
    note = _("The round marker: glue the two faces back to back")
    words.append(Words(note, (MARGIN_MM, 140), 4.4, "start", bold=True))
    for at, faction in enumerate(board.factions):
        x, y = MARGIN_MM + 24 + at * 44.0, 162.0
        shapes.append(_disc(x, y, MARKER_MM / 2, board_svg.COLOURS[faction]))
        words.append(Words(faction_name(faction), (x, y + MARKER_MM / 2 + 6), 4))
    return with_foot(page.over(shapes, words))


def _disc(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="0.3"/>'


def spots(count: int, first: Point, pitch_mm: float, across: int) -> list[Point]:
    """Return places in rows of `across`, from the first one on."""
    x, y = first
    return [(x + (at % across) * pitch_mm, y + (at // across) * pitch_mm) for at in range(count)]
