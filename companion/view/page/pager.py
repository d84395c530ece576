"""The arrows that turn the pages of a screen whose blocks don't fit on one."""

from __future__ import annotations

from companion.core.language import _
from companion.ui import screen as scr
from companion.view.kit.plates import plate
from companion.view.kit.sheet import Rect, Sheet


def draw_pager(sheet: Sheet, place_of: tuple[int, int], rect: Rect) -> None:
    """Draw two arrows with the number of the page between them; where it is narrow, one arrow that leads round."""
    number, count = place_of
    if rect.w < 3 * sheet.touch:
        _knob(sheet, rect, 1, shift=rect.h * 0.16)
        below = Rect(rect.x, rect.y + rect.h * 0.62, rect.w, rect.h * 0.32)
        sheet.label(below, f"{number + 1}/{count}", (sheet.look.quiet, 13.0, True), "centre")
        return
    _knob(sheet, Rect(rect.x, rect.y, sheet.touch, rect.h), -1)
    _knob(sheet, Rect(rect.right - sheet.touch, rect.y, sheet.touch, rect.h), 1)
    text = _("page {n} of {all}").format(n=number + 1, all=count)
    middle = Rect(rect.x + sheet.touch + 4, rect.y, rect.w - 2 * sheet.touch - 8, rect.h)
    sheet.label(middle, text, sheet.look.tones["quiet"], "centre")


def _knob(sheet: Sheet, knob: Rect, n: int, shift: float = 0.0) -> None:
    plate(sheet, knob, sheet.look.raised, sheet.look.edge)
    middle, y = knob.centre[0], knob.centre[1] - shift
    sheet.line([(middle - 5 * n, y - 9), (middle + 5 * n, y), (middle - 5 * n, y + 9)], sheet.look.text, 3)
    sheet.target(knob, scr.Intent("page", "", n), repeats=True)
    sheet.close_group(knob)
