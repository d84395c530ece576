"""Wrapped lines of text."""

from __future__ import annotations

from companion.view.kit.sheet import Rect, Sheet, line_height, wrapped


def paragraph(sheet: Sheet, text: str, style: tuple[str, float, bool], place: Rect) -> float:
    """Wrapped lines of one style (colour, size, bold) at the top of the place; the height they took."""
    high = line_height(style[1])
    lines = wrapped(sheet.measure, text, style[1:], place.w)
    for i, line in enumerate(lines):
        sheet.label(Rect(place.x, place.y + i * high, place.w, high), line, style)
    return len(lines) * high
