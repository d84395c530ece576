"""Cards of a deck on the page: cost and title at the top, then points or words, at the foot how many there are."""

from __future__ import annotations

from companion.ui.deck_cards import DeckCard, DeckCards
from companion.view.kit.sheet import Rect, Sheet, line_height, paragraph
from companion.view.kit.signs import sign

LEAST_PT = 136.0  # a card is never narrower
GAP_PT = 5.0
EDGE_PT = 7.0
COST_PT = 10.5  # half the disc of the cost
HEAD_PT = 29.0
TITLE_PT, KIND_PT, TEXT_PT, POINTS_PT = 13.0, 11.5, 12.0, 18.0


def card_columns(width: float) -> int:
    """How many cards stand side by side."""
    return max(1, int((width + GAP_PT) // (LEAST_PT + GAP_PT)))


def draw_deck_cards(sheet: Sheet, block: DeckCards, place: Rect) -> float:
    """Rows of cards, all of a row as high as its highest; the height they took."""
    across = card_columns(place.w)
    wide, y = (place.w - GAP_PT * (across - 1)) / across, place.y
    for i in range(0, len(block.cards), across):
        row = block.cards[i : i + across]
        high = max(_height(sheet, one, wide) for one in row)
        for n, one in enumerate(row):
            _card(sheet, one, Rect(place.x + n * (wide + GAP_PT), y, wide, high))
        y += high + GAP_PT
    return max(0.0, y - GAP_PT - place.y)


def _height(sheet: Sheet, card: DeckCard, wide: float) -> float:
    return _body(sheet.scratch(), card, Rect(0, 0, wide, 0)) + EDGE_PT


def _card(sheet: Sheet, card: DeckCard, rect: Rect) -> None:
    """The paper, the disc of its cost, and what is written on it."""
    look = sheet.look
    sheet.box(rect, look.cream, look.ink, 7, 1.4)
    centre = (rect.x + EDGE_PT + COST_PT - 2, rect.y + HEAD_PT / 2 + 1)
    sheet.disc(centre, COST_PT, look.ink)
    number = Rect(centre[0] - COST_PT, centre[1] - COST_PT, 2 * COST_PT, 2 * COST_PT)
    sheet.label(number, str(card.cost), (look.cream, TITLE_PT, True), "centre")
    _body(sheet, card, rect)


def _body(sheet: Sheet, card: DeckCard, rect: Rect) -> float:
    """All that is written: title, kind, points or words; where it ends below the upper edge."""
    ink = sheet.look.ink
    left = rect.x + EDGE_PT + 2 * COST_PT + 1
    sheet.label(Rect(left, rect.y, rect.right - left - 5, HEAD_PT), card.title, (ink, TITLE_PT, True))
    y, inner = rect.y + HEAD_PT, rect.w - 2 * EDGE_PT
    copies = f"×{card.copies}" if card.copies else ""
    line = Rect(rect.x + EDGE_PT, y, inner - 24, line_height(KIND_PT))
    sheet.label(line, card.kind, (ink, KIND_PT, False))
    sheet.label(Rect(line.right, y, 24, line.h), copies, (ink, TITLE_PT, True), "right")
    y += line.h + 2
    if card.points is not None:
        y += _points(sheet, card.points, Rect(rect.x + EDGE_PT, y, inner, line_height(POINTS_PT)))
    if card.text:
        y += paragraph(sheet, card.text, (ink, TEXT_PT, False), Rect(rect.x + EDGE_PT, y, inner, 0))
    return y - rect.y


def _points(sheet: Sheet, points: tuple[int, int], place: Rect) -> float:
    """Military and intelligence points, each with its sign; the height of their line."""
    half = place.w / 2
    for i, (name, n) in enumerate(zip(("military", "intelligence"), points, strict=True)):
        x = place.x + i * half
        sign(sheet, name, ((x + 8, place.centre[1]), 7.0), sheet.look.ink)
        sheet.label(Rect(x + 20, place.y, half - 20, place.h), str(n), (sheet.look.ink, POINTS_PT, True))
    return place.h
