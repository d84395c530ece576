"""The card of a long touch: what something is, beside the thing itself, which has a ring around it."""

from __future__ import annotations

from companion.ui.intents import Explanation
from companion.view.kit.plates import plate
from companion.view.kit.sheet import Rect, Sheet, paragraph
from companion.view.kit.theme import Style

WIDE_PT = 330.0
EDGE_PT = 6.0  # between the card and the edge of its pane
PAD_PT = 12.0
APART_PT = 8.0  # between the card and what it is about
LEAST_RING_PT = 22.0


def draw_explanation(sheet: Sheet, card: Explanation, about: Rect, size_pt: tuple[float, float]) -> Rect:
    """Draw the card below the thing, or above it where more room is, or else beside it; where it is."""
    wide = min(WIDE_PT, size_pt[0] - 2 * EDGE_PT)
    high = _words(sheet.scratch(), card, Rect(0, 0, wide, 0)) + 2 * PAD_PT
    ring = _ring(about, size_pt)
    rect = _place(ring, (wide, high), size_pt)
    sheet.box(ring, "none", sheet.look.ink, 8, 5.2)
    sheet.box(ring, "none", sheet.look.accent, 8, 2.8)
    sheet.close_group(ring)
    plate(sheet, rect, sheet.look.raised, sheet.look.accent_text, 2.4)
    _words(sheet, card, rect)
    sheet.close_group(rect)
    return rect


def _words(sheet: Sheet, card: Explanation, rect: Rect) -> float:
    """Write an explanation's title, its sentences and where they are written; return their height."""
    look, text = sheet.look, Rect(rect.x + PAD_PT, rect.y + PAD_PT, rect.w - 2 * PAD_PT, 0)
    parts: tuple[tuple[str, Style], ...] = (
        (card.title, (look.text, 17.0, True)),
        (card.text, (look.text, 15.0, False)),
        (card.cite, (look.quiet, 13.0, False)),
    )
    y = text.y
    for words, style in parts:
        if words:
            y += paragraph(sheet, words, style, text._replace(y=y))
    return y - text.y


def _ring(about: Rect, size_pt: tuple[float, float]) -> Rect:
    """Return the ring around the explained thing: inside the pane, and never too small to be seen."""
    x, y = about.centre
    wide, high = max(about.w, LEAST_RING_PT), max(about.h, LEAST_RING_PT)
    left, top = max(x - wide / 2, 3.0), max(y - high / 2, 3.0)
    return Rect(left, top, min(x + wide / 2, size_pt[0] - 3) - left, min(y + high / 2, size_pt[1] - 3) - top)


def _place(ring: Rect, card: tuple[float, float], size_pt: tuple[float, float]) -> Rect:
    """Return a place for a card of that size where it covers nothing of the ring, as far as the pane has room."""
    (wide, high), (most_x, most_y) = card, (size_pt[0] - EDGE_PT - card[0], size_pt[1] - EDGE_PT - card[1])
    x = min(max(ring.centre[0] - wide / 2, EDGE_PT), most_x)
    y = min(max(ring.centre[1] - high / 2, EDGE_PT), most_y)
    places = (
        (x, ring.bottom + APART_PT),
        (x, ring.y - APART_PT - high),
        (ring.right + APART_PT, y),
        (ring.x - APART_PT - wide, y),
    )
    inside = (Rect(a, b, wide, high) for a, b in places if EDGE_PT <= a <= most_x + 1 and EDGE_PT <= b <= most_y + 1)
    return next(inside, Rect(x, min(max(ring.bottom + APART_PT, EDGE_PT), most_y), wide, high))
