"""A small chart of bars, each with its name at the left and its number at the right: no scale to read."""

from __future__ import annotations

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet

ROW_PT = 26.0
HEAD_PT = 24.0
NAME = 0.36  # of the width
NUMBER = 0.24


def draw_bars(sheet: Sheet, block: scr.Bars, place: Rect) -> float:
    """The heading and the bars; their height."""
    sheet.label(Rect(place.x, place.y, place.w, HEAD_PT), block.title, (sheet.look.text, 16, True))
    for i, one in enumerate(block.bars):
        _bar(sheet, one, Rect(place.x, place.y + HEAD_PT + i * ROW_PT, place.w, ROW_PT))
    return HEAD_PT + len(block.bars) * ROW_PT


def _bar(sheet: Sheet, one: scr.Bar, row: Rect) -> None:
    look = sheet.look
    name = Rect(row.x, row.y, row.w * NAME - 6, row.h)
    sheet.label(name, one.label, (look.text, 15, False))
    whole = Rect(row.x + row.w * NAME, row.y + 6, row.w * (1 - NAME - NUMBER), row.h - 12)
    fill = look.sides[one.faction].fill if one.faction else look.steps[-2]
    line = look.sides[one.faction].line if one.faction else "none"
    sheet.box(whole, look.panel, "none", 4)
    if one.part > 0:
        sheet.box(whole._replace(w=max(whole.w * min(one.part, 1.0), 4.0)), fill, line, 4)
    number = Rect(whole.right + 6, row.y, row.right - whole.right - 6, row.h)
    sheet.label(number, one.text, (look.text, 15, True), "right")
