"""What the coach of the first game says."""

from __future__ import annotations

from companion.scenes import screen as scr
from companion.view.sheet import Rect, Sheet, line_height, wrapped
from companion.view.theme import Style

BAR_PT = 5.0
INSET_PT = 16.0
TITLE_PT = 14.0
TEXT_PT = 16.0
LARGE_PT = 20.0


def draw_coach(sheet: Sheet, block: scr.Coach, place: Rect) -> float:
    """A card with a bar of the accent along its left; heading and words in their lines. The height it took."""
    size = LARGE_PT if block.large else TEXT_PT
    inner = Rect(place.x + INSET_PT, place.y + 8, place.w - INSET_PT - 10, 0)
    lines = wrapped(sheet.measure, block.text, (size, False), inner.w)
    card = Rect(place.x, place.y, place.w, line_height(TITLE_PT) + len(lines) * line_height(size) + 16)
    sheet.box(card, sheet.look.panel, sheet.look.edge, 8)
    sheet.box(Rect(card.x, card.y, BAR_PT, card.h), sheet.look.accent, radius=2.5)
    style: Style = (sheet.look.quiet, TITLE_PT, True)
    sheet.label(Rect(inner.x, inner.y, inner.w, line_height(TITLE_PT)), block.title, style)
    y = inner.y + line_height(TITLE_PT)
    for number, line in enumerate(lines):
        place_of = Rect(inner.x, y + number * line_height(size), inner.w, line_height(size))
        sheet.label(place_of, line, (sheet.look.text, size, False))
    return card.h
