"""A turn of the log on a card: its faction's commander and its number at the left, the steps in sentences beside."""

from __future__ import annotations

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, paragraph
from companion.view.kit.signs import commander

EDGE_PT = 9.0
LEFT_PT = 44.0


def draw_turn(sheet: Sheet, block: scr.LogTurn, place: Rect) -> float:
    """The card as high as its sentences need, and never too low to touch; its height."""
    used = _lines(sheet.scratch(), block, place)
    high = max(sheet.touch, used + 2 * EDGE_PT)
    card = place._replace(h=high)
    sheet.box(card, sheet.look.panel, sheet.look.edge, 8)
    commander(sheet, block.faction, ((card.x + 24, card.y + 24), 11))
    number = Rect(card.x + 6, card.y + 38, 36, 20)
    sheet.label(number, str(block.number), (sheet.look.quiet, 13, True), "centre")
    _lines(sheet, block, card._replace(y=card.y + (high - used) / 2 - EDGE_PT))
    sheet.target(card, block.intent)
    return high


def _lines(sheet: Sheet, block: scr.LogTurn, card: Rect) -> float:
    """The sentences, each with its marks under it; the height they took."""
    left = Rect(card.x + LEFT_PT, card.y + EDGE_PT, card.w - LEFT_PT - 8, 0)
    y = left.y
    for line in block.lines:
        y += paragraph(sheet, line.text, (sheet.look.text, 15.5, False), left._replace(y=y))
        for mark in line.marks:
            y += paragraph(sheet, mark, (sheet.look.accent_text, 13.5, True), left._replace(y=y))
        y += 2
    return y - 2 - left.y if block.lines else 0.0
