"""What is printed of a board: the board itself in true size, the support board, cards and pieces to cut out.

Each card has its text, or what is not known of it, and its code in a corner, by which the camera sees what was played;
for the deck in the box there are the codes alone, to stick on. Buttons do as well for the pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core.language import _
from companion.core.outputs import make_folder, write_output
from companion.drawing import board_svg
from companion.drawing.icons import icon_shape
from companion.printing.marker_sheets import marker_shape, yes_sheet
from companion.printing.paper import (
    FAINT,
    INK,
    MARGIN_MM,
    SIZES_MM,
    PaperPage,
    Point,
    Words,
    column,
    cut_line,
    fit_words,
    page_svg,
    pages_pdf,
    room_mm,
    tiles,
    with_foot,
    wrap,
)
from companion.text.orders import action_name, faction_name, space_note, zone_names
from engine.orders.board import Board, Space
from engine.orders.mode import Card
from engine.words import count_words, say
from vision.live.printed import CARD_SIDE_MM, FIRST

UPRIGHT_MM = SIZES_MM["a4"]
ON_ITS_SIDE_MM = (UPRIGHT_MM[1], UPRIGHT_MM[0])
HEXAGON_MM = 9.0  # the side of one to stand a commander on
ROW_MM = 30.0
TOP_MM = 34.0


def support_sheet(board: Board) -> PaperPage:
    """Lay out the support board on one sheet of A4 on its side."""
    spaces = [space for space in board.spaces if space.support is not None]
    actions = list(dict.fromkeys(space.action.name for space in spaces))
    shapes = [f'<rect x="10" y="10" width="277" height="181" fill="{board_svg.COLOURS["paper"]}"/>']
    words = [Words(_("Support board"), (16, 22), 7, "start", bold=True)]
    for row, action in enumerate(actions):
        y = TOP_MM + row * ROW_MM
        words.append(Words(action_name(action), (16, y + 11), 5, "start", bold=True))
        for at, space in enumerate(space for space in spaces if space.action.name == action):
            place = (62.0 + at * 56.0, y + 9.0)
            shapes.append(_hexagon(place, action))
            words += _numbers(space, board, place)
    track_shapes, track_words = _track(board)
    title = _("{title}: support board").format(title=_(board.mode.title))
    page = PaperPage(title, ON_ITS_SIDE_MM, tuple(shapes + track_shapes))
    return with_foot(page.over([cut_line(10, 10, room_mm(ON_ITS_SIDE_MM)[0], 181)], words + track_words))


def _hexagon(at_mm: Point, action: str) -> str:
    data = board_svg.path(board_svg.hexagon(at_mm, HEXAGON_MM))
    colours = board_svg.COLOURS
    shape = f'<path d="{data}" fill="#ffffff" stroke="{colours["border"]}" stroke-width="0.7"/>'
    return shape + icon_shape(action, at_mm, HEXAGON_MM * 0.5, colours["ink"])


def _numbers(space: Space, board: Board, at_mm: Point) -> list[Words]:
    """Write what the space gives, for both sides or for each."""
    assert space.support is not None
    x, y = at_mm[0] + HEXAGON_MM + 2.5, at_mm[1] + 1.6
    if not space.support.amounts:
        return [Words(space_note(space, board, board.factions[0]), (x, y), 4.4, "start")]
    lines = [(faction_name(faction), space.amount_for(faction)) for faction in board.factions]
    return [
        Words(f"{who}: {n}", (x, y - 2.6 + i * 5.4), 4.4, "start", colour=board_svg.COLOURS[faction])
        for i, ((who, n), faction) in enumerate(zip(lines, board.factions, strict=True))
    ]


def _track(board: Board) -> tuple[list[str], list[Words]]:
    shapes, words = [], [Words(_("Round"), (196, 22), 5, "start", bold=True)]
    for number in range(1, board.mode.rounds + 1):
        x = 196.0 + (number - 1) * 22.0
        shapes.append(
            f'<rect x="{x:g}" y="27" width="19" height="19" rx="2.5" fill="#ffffff" stroke="{INK}" stroke-width="0.6"/>'
        )
        words.append(Words(str(number), (x + 9.5, 39.5), 8, bold=True))
    for at, faction in enumerate(board.factions):
        y = 62.0 + at * 62.0
        shapes.append(
            f'<rect x="196" y="{y:g}" width="85" height="52" rx="3" fill="none" stroke="{board_svg.COLOURS[faction]}" '
            'stroke-width="1.2"/>'
        )
        title = _("{faction}: standby").format(faction=faction_name(faction))
        words.append(Words(title, (200, y + 7.5), 5, "start", bold=True, colour=board_svg.COLOURS[faction]))
    return shapes, words


BLEED_MM = 1.0  # paper kept around the board's edge, so that the line to cut along is whole


def map_sheet(board: Board) -> PaperPage:
    """Draw the whole board as one sheet of its own size."""
    width, height = (side + 2 * BLEED_MM for side in board.size_mm)
    zones = zone_names(board)
    layers = [board_svg.board_shapes(board, zones), board_svg.action_shapes(board)]
    layers += [board_svg.mark_shapes(board, _("PRACTICE BOARD"), zones)]
    layers += [board_svg.start_shapes(board), board_svg.text_shapes(board)]
    edge = (
        f'<rect width="{board.size_mm[0]:g}" height="{board.size_mm[1]:g}" fill="{board_svg.COLOURS["paper"]}" '
        f'stroke="{INK}" stroke-width="0.5"/>'
    )
    page = PaperPage(_(board.mode.title), (width, height), (edge, *layers)).moved((BLEED_MM, BLEED_MM))
    if board.known != "practice":
        return page
    note = _("Practice board, invented for trying the rules: not the printed one")
    at_mm = (board.size_mm[0] / 2 + BLEED_MM, board.size_mm[1] - 1.2 + BLEED_MM)
    return page.over([], [Words(note, at_mm, 3.0, bold=True)])


# ---- the operation cards, nine to a sheet, and their codes alone --------------------------------

CARD_MM = (63.0, 88.0)
CARDS_ACROSS, CARDS_DOWN = 3, 3
PAD_MM = 4.5
TEXT_MM = 3.7
SMALL_MM = 2.9
QUIET_MM = 4.0
"""White round a marker."""
CODES_ACROSS = 8
CODE_MM = (CARD_SIDE_MM + 6.0, CARD_SIDE_MM + 9.0)
"""A code to stick on: white round its marker, and the card's name below."""


def code_sheets(board: Board) -> list[PaperPage]:
    """Lay out the codes of the whole deck, to cut out and stick on the cards or their sleeves."""
    title = _("{title}: codes for the cards").format(title=_(board.mode.title))
    how = _(
        "Stick one on the face of each card, or on its sleeve. Lay the cards you play face up in the camera's view."
    )
    page = PaperPage(title, UPRIGHT_MM, (), (Words(how, (MARGIN_MM, MARGIN_MM + 3.2), 3.2, "start"),))
    for at, card in enumerate(_deck(board)):
        row, column_at = divmod(at, CODES_ACROSS)
        tile = code_tile(board, card).moved((MARGIN_MM + column_at * CODE_MM[0], MARGIN_MM + 8 + row * CODE_MM[1]))
        page = page.over(tile.shapes, tile.words)
    return [with_foot(page)]


def code_tile(board: Board, card: Card) -> PaperPage:
    """Draw one code, its corner at the origin."""
    wide, high = CODE_MM
    name = fit_words(say(card.title), (wide / 2, high - 2.0), 2.4, wide - 2.0)
    shapes = (cut_line(0, 0, wide, high), _code(board, card, ((wide - CARD_SIDE_MM) / 2, (wide - CARD_SIDE_MM) / 2)))
    return PaperPage(card.title, CODE_MM, shapes, (name,))


def _code(board: Board, card: Card, at_mm: Point) -> str:
    """Draw a card's marker: the same for each copy, and numbered as the kinds are in the deck."""
    return marker_shape(FIRST + list(board.mode.cards).index(card.name), *at_mm, CARD_SIDE_MM)


def _deck(board: Board) -> list[Card]:
    return [card for card in board.mode.cards.values() for _n in range(card.copies)]


def card_sheets(board: Board) -> list[PaperPage]:
    """Lay out the whole deck of the board's mode."""
    deck, each = _deck(board), CARDS_ACROSS * CARDS_DOWN
    return [_sheet(board, deck[start : start + each]) for start in range(0, len(deck), each)]


def _sheet(board: Board, cards: list[Card]) -> PaperPage:
    page = PaperPage(_("{title}: operation cards").format(title=_(board.mode.title)), UPRIGHT_MM)
    for at, card in enumerate(cards):
        row, column_at = divmod(at, CARDS_ACROSS)
        face = card_face(board, card).moved((MARGIN_MM + column_at * CARD_MM[0], MARGIN_MM + row * CARD_MM[1]))
        page = page.over(face.shapes, face.words)
    return with_foot(page)


def card_face(board: Board, card: Card) -> PaperPage:
    """Draw one card, its corner at the origin."""
    width, height = CARD_MM
    shapes = [
        cut_line(0, 0, width, height),
        icon_shape(card.action or "plan", (width - 8, height - 7.5), 4.0, "#3a3a36"),
        _code(board, card, (width - CARD_SIDE_MM - QUIET_MM, QUIET_MM)),
    ]
    words = column(
        wrap(say(card.title), width - PAD_MM - CARD_SIDE_MM - 2 * QUIET_MM, 5.4, bold=True),
        Words("", (PAD_MM, 10.5), 5.4, "start", bold=True),
    )
    words += _body(card)
    words.append(Words(_("or: reroll all your dice"), (PAD_MM, height - 10.5), SMALL_MM, "start"))
    if card.verb == "table":
        known = _("text unknown")
    else:
        known = _("practice card, not the printed one") if card.known == "practice" else ""
    words.append(Words(known, (PAD_MM, height - 5), SMALL_MM, "start", colour="#7a3b12"))
    line = (
        f'<path d="M{PAD_MM:g} {height - 15.5:g}H{width - PAD_MM:g}" fill="none" stroke="{FAINT}" stroke-width="0.3"/>'
    )
    return PaperPage(card.title, CARD_MM, (*shapes, line), tuple(words))


def _body(card: Card) -> list[Words]:
    """Lay out a card's effect and condition; if nobody knows its text, a guess that is called one."""
    room = CARD_MM[0] - 2 * PAD_MM
    if card.verb == "table":
        parts = [(_("We don't know the printed text. Your card decides."), True)]
        parts += [(_("Probably: {text}").format(text=say(card.likely)), False)] if card.likely else []
    else:
        parts = [(say(card.text), True), (say(card.condition), False)]
    words: list[Words] = []
    y = 28.0
    for text, strong in parts:
        lines = wrap(text, room, TEXT_MM, strong)
        words += column(lines, Words("", (PAD_MM, y), TEXT_MM, "start", strong))
        y += len(lines) * TEXT_MM * 1.25 + 3.0
    return words


# ---- pieces, bonus tokens and the round marker, of about the size of the real ones ---------------

PIECE_MM = 12.0  # across, as a disc of the game
PITCH_MM = 14.5
TOKEN_MM = 20.0
MARKER_MM = 28.0
PIECES_ACROSS = 13


def piece_sheets(board: Board) -> list[PaperPage]:
    """Lay out one sheet with the pieces of both sides, and one with the tokens and the marker."""
    page = PaperPage(_("{title}: pieces").format(title=_(board.mode.title)), UPRIGHT_MM)
    y = MARGIN_MM + 6.0
    for faction in board.factions:
        y, shapes, words = _pieces(board, faction, y)
        page = page.over(shapes, words)
    return [with_foot(page), _tokens(board)]


def _pieces(board: Board, faction: str, y: float) -> tuple[float, list[str], list[Words]]:
    """Lay out a side's pieces in rows from `y` down; return where they end, their shapes and their words."""
    shapes: list[str] = []
    words = [Words(faction_name(faction), (MARGIN_MM, y), 5.4, "start", bold=True)]
    kinds = [(kind.name, kind.reserve) for kind in board.mode.units] + [("commander", board.mode.commanders)]
    for kind, number in kinds:
        words.append(Words(count_words(number, kind), (MARGIN_MM, y + 6.4), 4, "start"))
        places = spots(number, (MARGIN_MM + PITCH_MM / 2, y + 14.6), PITCH_MM, PIECES_ACROSS)
        shapes += [_piece(faction, kind, place) for place in places]
        y = places[-1][1] + PITCH_MM / 2 - 1.6
    return y + 9.0, shapes, words


def _piece(faction: str, kind: str, place: Point) -> str:
    if kind != "commander":
        return board_svg.unit_sign(kind, (place, PIECE_MM / 2), board_svg.COLOURS[faction])
    data = board_svg.path(board_svg.hexagon(place, PIECE_MM / 2))
    return f'<path d="{data}" fill="{board_svg.COLOURS[faction]}" stroke="{INK}" stroke-width="0.3"/>'


def _tokens(board: Board) -> PaperPage:
    page = PaperPage(_("{title}: tokens and round marker").format(title=_(board.mode.title)), UPRIGHT_MM)
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
    """Return `count` places in rows of `across`, `pitch_mm` apart, from the first one on."""
    x, y = first
    return [(x + (at % across) * pitch_mm, y + (at // across) * pitch_mm) for at in range(count)]


# ---- the files it goes to ------------------------------------------------------------------------


PARTS: Mapping[str, Callable[[Board, str], list[PaperPage]]] = {
    "board": lambda board, paper: tiles(map_sheet(board), paper),
    "support": lambda board, paper: [support_sheet(board)],
    "cards": lambda board, paper: card_sheets(board),
    "pieces": lambda board, paper: piece_sheets(board),
    "codes": lambda board, paper: code_sheets(board),
    "yes": lambda board, paper: [yes_sheet(paper)],
}


@dataclass(frozen=True, slots=True)
class Printed:
    """Sheets by part, under a name for files and a title."""

    name: str
    title: str
    parts: Mapping[str, list[PaperPage]]


def board_sheets(board: Board, parts: Sequence[str], paper: str) -> Printed:
    """Lay out the sheets of each part of a board; `paper` ("a4", "a3", "letter") is for the board and the “Yes”."""
    return Printed(board.name, _(board.mode.title), {part: PARTS[part](board, paper) for part in parts})


def write_pdf(path: Path, printed: Printed) -> None:
    """Write all sheets to one PDF. OutputError if it can't be written."""
    pages = [page for part in printed.parts.values() for page in part]
    write_output(path, pages_pdf(pages, printed.title))


def write_svgs(folder: Path, printed: Printed) -> list[Path]:
    """Write each sheet as an SVG, e.g. wwii-alpine-cards-2.svg; return their paths. OutputError if one fails."""
    make_folder(folder)
    written = []
    for part, pages in printed.parts.items():
        for number, page in enumerate(pages, start=1):
            path = folder / f"{printed.name}-{part}-{number}.svg"
            write_output(path, page_svg(page).encode())
            written.append(path)
    return written
