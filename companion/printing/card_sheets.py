"""The operation cards to cut out: nine to a sheet, each with its text, or with what is not known of it."""

from __future__ import annotations

from companion.core.language import _
from companion.drawing.icons import icon_shape
from companion.printing.paper import PaperPage, Words, column, wrap
from companion.printing.sheets import FAINT, MARGIN_MM, cut_line, with_foot
from engine.orders.board import Board
from engine.orders.mode import Card
from engine.words import say

SIZE_MM = (210.0, 297.0)
CARD_MM = (63.0, 88.0)
ACROSS, DOWN = 3, 3
PAD_MM = 4.5
TEXT_MM = 3.7
SMALL_MM = 2.9


def card_sheets(board: Board) -> list[PaperPage]:
    """The whole deck of the board's mode."""
    deck = [card for card in board.mode.cards.values() for _n in range(card.copies)]
    each = ACROSS * DOWN
    return [_sheet(board, deck[start : start + each]) for start in range(0, len(deck), each)]


def _sheet(board: Board, cards: list[Card]) -> PaperPage:
    page = PaperPage(_("{title}: operation cards").format(title=_(board.mode.title)), SIZE_MM)
    for at, card in enumerate(cards):
        row, column_at = divmod(at, ACROSS)
        face = card_face(card).moved((MARGIN_MM + column_at * CARD_MM[0], MARGIN_MM + row * CARD_MM[1]))
        page = page.over(face.shapes, face.words)
    return with_foot(page)


def card_face(card: Card) -> PaperPage:
    """One card, its corner at the origin."""
    width, height = CARD_MM
    shapes = [cut_line(0, 0, width, height), icon_shape(card.action or "plan", (width - 9, 10), 4.6, "#3a3a36")]
    words = column(
        wrap(say(card.title), width - 2 * PAD_MM - 12, 5.4, bold=True),
        Words("", (PAD_MM, 10.5), 5.4, "start", bold=True),
    )
    words += _body(card)
    words.append(Words(_("or: reroll all your dice"), (width / 2, height - 10.5), SMALL_MM))
    if card.verb == "table":
        known = _("text unknown")
    else:
        known = _("practice card, not the printed one") if card.known == "practice" else ""
    words.append(Words(known, (width / 2, height - 5), SMALL_MM, colour="#7a3b12"))
    line = (
        f'<path d="M{PAD_MM:g} {height - 15.5:g}H{width - PAD_MM:g}" fill="none" stroke="{FAINT}" stroke-width="0.3"/>'
    )
    return PaperPage(card.title, CARD_MM, (*shapes, line), tuple(words))


def _body(card: Card) -> list[Words]:
    """The effect and its condition; of a card whose text nobody knows, a guess that is called one."""
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
