"""What the coach of the first game says."""

from __future__ import annotations

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, line_height, wrapped
from companion.view.kit.theme import Style

BAR_PT = 5.0
INSET_PT = 16.0
EDGE_PT = 8.0
TITLE_PT = 14.0
SIZES_PT = (16.0, 14.5, 13.0)
LARGE_PT = (20.0, 18.0, *SIZES_PT)


def draw_coach(sheet: Sheet, block: scr.Coach, place: Rect) -> float:
    """A card with a bar of the accent along its left; heading and words in their lines. The height it took.

    The letters are as large as fit into the place.
    """
    wide = place.w - INSET_PT - 10
    sizes = LARGE_PT if block.large else SIZES_PT
    size = next((one for one in sizes if _height(sheet, block.text, one, wide) <= place.h), sizes[-1])
    card = Rect(place.x, place.y, place.w, _height(sheet, block.text, size, wide))
    sheet.box(card, sheet.look.panel, sheet.look.edge, 8)
    sheet.box(Rect(card.x, card.y, BAR_PT, card.h), sheet.look.accent, radius=2.5)
    line = Rect(card.x + INSET_PT, card.y + EDGE_PT, wide, line_height(TITLE_PT))
    title: Style = (sheet.look.quiet, TITLE_PT, True)
    sheet.label(line, block.title, title)
    for words in wrapped(sheet.measure, block.text, (size, False), wide):
        line = Rect(line.x, line.bottom, wide, line_height(size))
        sheet.label(line, words, (sheet.look.text, size, False))
    return card.h


def _height(sheet: Sheet, text: str, size: float, wide: float) -> float:
    """The height of the card with its text in this size."""
    lines = len(wrapped(sheet.measure, text, (size, False), wide))
    return line_height(TITLE_PT) + lines * line_height(size) + 2 * EDGE_PT
