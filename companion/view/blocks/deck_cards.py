"""Cards of a deck on the page: cost and title at the top, then points or words, at the foot how many there are."""

from __future__ import annotations

from companion.ui.table_pictures import CardBacks, DeckCard, DeckCards
from companion.view.kit.sheet import Rect, Sheet, paragraph
from companion.view.kit.signs import plate, sign
from companion.view.kit.wrapping import line_height

LEAST_PT = 136.0  # a card is never narrower
GAP_PT = 5.0
EDGE_PT = 7.0
COST_PT = 10.5  # half the disc of the cost
HEAD_PT = 29.0
TITLE_PT, KIND_PT, TEXT_PT, POINTS_PT = 13.0, 11.5, 12.0, 18.0
LARGE = 1.5
BACK_PT = (120.0, 168.0)  # a card that lies face down: how wide and high
BACKS = 8  # of so many it can be seen how many there are
SHOWS = 0.45  # how much of each is seen beside the next one, at least


def card_columns(width: float, large: bool = False) -> int:
    """Return how many cards fit side by side in a place so many points wide, at least one."""
    return max(1, int((width + GAP_PT) // (LEAST_PT * _scale(large) + GAP_PT)))


def _scale(large: bool) -> float:
    return LARGE if large else 1.0


def draw_deck_cards(sheet: Sheet, block: DeckCards, place: Rect) -> float:
    """Draw rows of cards, all of a row as high as its highest; return the height they took."""
    across, k = card_columns(place.w, block.large), _scale(block.large)
    wide, y = (place.w - GAP_PT * (across - 1)) / across, place.y
    for i in range(0, len(block.cards), across):
        row = block.cards[i : i + across]
        high = max(_body(sheet.scratch(), card, Rect(0, 0, wide, 0), k) for card in row) + EDGE_PT * k
        for n, card in enumerate(row):
            _card(sheet, card, Rect(place.x + n * (wide + GAP_PT), y, wide, high), k)
        y += high + GAP_PT
    return max(0.0, y - GAP_PT - place.y)


def _card(sheet: Sheet, card: DeckCard, rect: Rect, k: float) -> None:
    """Draw a card: the paper, the disc of its cost, and what is written on it."""
    look = sheet.look
    plate(sheet, rect, look.cream, look.ink, 1.4)
    if card.cost is not None:
        radius = COST_PT * k
        centre = (rect.x + EDGE_PT * k + radius - 2, rect.y + HEAD_PT * k / 2 + 1)
        sheet.disc(centre, radius, look.ink)
        sheet.label(Rect.around(centre, radius), str(card.cost), (look.cream, TITLE_PT * k, True), "centre")
    _body(sheet, card, rect, k)


def _body(sheet: Sheet, card: DeckCard, rect: Rect, k: float) -> float:
    """Write what is on a card: title, kind, points or words; return where it ends below the upper edge."""
    ink, edge = sheet.look.ink, EDGE_PT * k
    left = rect.x + edge + (2 * COST_PT * k + 1 if card.cost is not None else 0.0)
    sheet.label(Rect(left, rect.y, rect.right - left - 5, HEAD_PT * k), card.title, (ink, TITLE_PT * k, True))
    y, inner = rect.y + HEAD_PT * k, rect.w - 2 * edge
    copies = f"×{card.copies}" if card.copies else ""
    line = Rect(rect.x + edge, y, inner - (24 * k if copies else 0), line_height(KIND_PT * k))
    sheet.label(line, card.kind, (ink, KIND_PT * k, False))
    sheet.label(Rect(line.right, y, 24 * k, line.h), copies, (ink, TITLE_PT * k, True), "right")
    y += line.h + 2 * k
    if card.points is not None:
        y += _points(sheet, card.points, Rect(rect.x + edge, y, inner, line_height(POINTS_PT * k)))
    if card.text:
        y += paragraph(sheet, card.text, (ink, TEXT_PT * k, False), Rect(rect.x + edge, y, inner, 0))
    return y - rect.y


def _points(sheet: Sheet, points: tuple[int, int], place: Rect) -> float:
    """Draw military and intelligence points, each with its sign; return the height of their line."""
    half = place.w / 2
    for i, (name, n) in enumerate(zip(("military", "intelligence"), points, strict=True)):
        x = place.x + i * half
        sign(sheet, name, ((x + 8, place.centre[1]), 7.0), sheet.look.ink)
        sheet.label(Rect(x + 20, place.y, half - 20, place.h), str(n), (sheet.look.ink, POINTS_PT, True))
    return place.h


def draw_card_backs(sheet: Sheet, block: CardBacks, place: Rect) -> float:
    """Draw cards face down, each partly over the one before it; return the height they took."""
    look, (wide, high) = sheet.look, BACK_PT
    count = min(block.count, BACKS)
    if not count:
        return 0.0
    step = min(wide + GAP_PT, (place.w - wide) / max(count - 1, 1))
    step = max(step, wide * SHOWS)
    left = place.x + max(0.0, (place.w - wide - step * (count - 1)) / 2)
    for n in range(count):
        card = Rect(left + n * step, place.y, wide, high)
        plate(sheet, card, look.raised, look.cream, 1.6)
        sheet.box(card.shrunk(7), look.panel, look.edge, 4, 1.2)
        sign(sheet, "deck", (card.centre, 20.0), look.edge, "hand")
    return high
