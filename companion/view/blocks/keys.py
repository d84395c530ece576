"""The keyboard on the screen, and the line that is typed."""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.board_svg import Point
from companion.ui import screen as scr
from companion.view.kit.plates import plate
from companion.view.kit.sheet import Rect, Sheet

KEY_PT = 56.0  # a key's least height, the space to the next one included
LINE_PT = 46.0
LETTER_PT = 21.0
TYPED_PT = 22.0

SHIFT: tuple[Point, ...] = ((0, -9), (10, 2), (4.5, 2), (4.5, 9), (-4.5, 9), (-4.5, 2), (-10, 2))
ERASE: tuple[Point, ...] = ((-14, 0), (-6, -9), (13, -9), (13, 9), (-6, 9))


def text_line(sheet: Sheet, block: scr.TextLine, place: Rect) -> float:
    """Draw what is typed with a mark at its end; return the height it took.

    Of a text that is too long, its end is shown.
    """
    box = Rect(place.x, place.y, place.w, LINE_PT)
    plate(sheet, box, sheet.look.panel, sheet.look.accent_text, 1.8)
    inner = Rect(box.x + 14, box.y, box.w - 28, box.h)
    if not block.text:
        _caret(sheet, inner.x, box)
        hint = Rect(inner.x + 10, inner.y, inner.w - 10, inner.h)
        sheet.label(hint, block.hint, (sheet.look.quiet, 17.0, False))
        return LINE_PT
    text = block.text
    while sheet.measure(text, TYPED_PT, False) > inner.w - 6:
        text = text[1:]
    sheet.label(inner, text, (sheet.look.text, TYPED_PT, False))
    _caret(sheet, inner.x + sheet.measure(text, TYPED_PT, False) + 3, box)
    return LINE_PT


def _caret(sheet: Sheet, x: float, box: Rect) -> None:
    sheet.line([(x, box.y + 10), (x, box.bottom - 10)], sheet.look.accent_text, 2.4)


def keys(sheet: Sheet, block: scr.Keys, place: Rect) -> float:
    """Draw the rows of keys, each in the middle; return the height they took.

    They are the narrow rows where the keys of the wide ones would get too small.
    """
    rows = block.wide if place.w / _span(block.wide) >= sheet.touch else block.narrow
    unit, high = place.w / _span(rows), max(sheet.touch, KEY_PT)
    for number, row in enumerate(rows):
        x = place.x + (place.w - unit * sum(key.span for key in row)) / 2
        for key in row:
            _key(sheet, key, Rect(x, place.y + number * high, unit * key.span, high))
            x += unit * key.span
    return high * len(rows)


def _span(rows: Sequence[Sequence[scr.Key]]) -> float:
    """Return the width of the widest row, in letters."""
    return max(sum(key.span for key in row) for row in rows)


def _key(sheet: Sheet, key: scr.Key, place: Rect) -> None:
    """Draw a key, which takes the touches of the gap around it too."""
    fill, line, ink = sheet.look.buttons[key.look]
    cap = place.shrunk(2.5)
    plate(sheet, cap, fill, line)
    if key.sign:
        outline = {"shift": SHIFT, "erase": ERASE}[key.sign]
        sheet.polygon([(cap.centre[0] + x, cap.centre[1] + y) for x, y in outline], "none", ink, 2.0)
        if key.sign == "erase":
            x, y = cap.centre[0] + 3, cap.centre[1]
            sheet.line([(x - 4, y - 4), (x + 4, y + 4)], ink, 2.0)
            sheet.line([(x - 4, y + 4), (x + 4, y - 4)], ink, 2.0)
    sheet.label(cap, key.label, (ink, LETTER_PT if len(key.label) == 1 else 16.0, False), "centre")
    sheet.target(place, key.intent, repeats=True)
    sheet.close_group(place)
