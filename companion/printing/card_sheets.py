"""The operation cards to cut out: nine to a sheet, each with its text, or with what is not known of it.

Each has its code in a corner, by which the camera sees what was played; for the deck in the box there are the codes
alone, to stick on.
"""

from __future__ import annotations

from companion.core.language import _
from companion.drawing.icons import icon_shape
from companion.printing.marker_sheets import marker_shape
from companion.printing.paper import PaperPage, Point, Words, column, fit_words, wrap
from companion.printing.sheets import FAINT, MARGIN_MM, cut_line, with_foot
from engine.orders.board import Board
from engine.orders.mode import Card
from engine.words import say
from vision.live.face_up import FIRST, SIDE_MM

SIZE_MM = (210.0, 297.0)
CARD_MM = (63.0, 88.0)
ACROSS, DOWN = 3, 3
PAD_MM = 4.5
TEXT_MM = 3.7
SMALL_MM = 2.9
QUIET_MM = 4.0
"""White round a marker."""
CODES_ACROSS = 8
CODE_MM = (SIDE_MM + 6.0, SIDE_MM + 9.0)
"""A code to stick on: white round its marker, and the card's name below."""


def code_sheets(board: Board) -> list[PaperPage]:
    """Lay out the codes of the whole deck, to cut out and stick on the cards or their sleeves."""
    title = _("{title}: codes for the cards").format(title=_(board.mode.title))
    how = _(
        "Stick one on the face of each card, or on its sleeve. Lay the cards you play face up in the camera's view."
    )
    page = PaperPage(title, SIZE_MM, (), (Words(how, (MARGIN_MM, MARGIN_MM + 3.2), 3.2, "start"),))
    for at, card in enumerate(_deck(board)):
        row, column_at = divmod(at, CODES_ACROSS)
        tile = code_tile(board, card).moved((MARGIN_MM + column_at * CODE_MM[0], MARGIN_MM + 8 + row * CODE_MM[1]))
        page = page.over(tile.shapes, tile.words)
    return [with_foot(page)]


def code_tile(board: Board, card: Card) -> PaperPage:
    """Draw one code, its corner at the origin."""
    wide, high = CODE_MM
    name = fit_words(say(card.title), (wide / 2, high - 2.0), 2.4, wide - 2.0)
    shapes = (cut_line(0, 0, wide, high), _code(board, card, ((wide - SIDE_MM) / 2, (wide - SIDE_MM) / 2)))
    return PaperPage(card.title, CODE_MM, shapes, (name,))


def _code(board: Board, card: Card, at_mm: Point) -> str:
    """Draw a card's marker: the same for each copy, and numbered as the kinds are in the deck."""
    return marker_shape(FIRST + list(board.mode.cards).index(card.name), *at_mm, SIDE_MM)


def _deck(board: Board) -> list[Card]:
    return [card for card in board.mode.cards.values() for _n in range(card.copies)]


def card_sheets(board: Board) -> list[PaperPage]:
    """Lay out the whole deck of the board's mode."""
    deck, each = _deck(board), ACROSS * DOWN
    return [_sheet(board, deck[start : start + each]) for start in range(0, len(deck), each)]


def _sheet(board: Board, cards: list[Card]) -> PaperPage:
    page = PaperPage(_("{title}: operation cards").format(title=_(board.mode.title)), SIZE_MM)
    for at, card in enumerate(cards):
        row, column_at = divmod(at, ACROSS)
        face = card_face(board, card).moved((MARGIN_MM + column_at * CARD_MM[0], MARGIN_MM + row * CARD_MM[1]))
        page = page.over(face.shapes, face.words)
    return with_foot(page)


def card_face(board: Board, card: Card) -> PaperPage:
    """Draw one card, its corner at the origin."""
    width, height = CARD_MM
    shapes = [
        cut_line(0, 0, width, height),
        icon_shape(card.action or "plan", (width - 8, height - 7.5), 4.0, "#3a3a36"),
        _code(board, card, (width - SIDE_MM - QUIET_MM, QUIET_MM)),
    ]
    words = column(
        wrap(say(card.title), width - PAD_MM - SIDE_MM - 2 * QUIET_MM, 5.4, bold=True),
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
