"""A table of words and numbers."""

from __future__ import annotations

from typing import Any

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet

ROW_PT = 25.0
CELL_PT = 6.0  # between the columns


def draw_grid(sheet: Sheet, block: scr.Grid, place: Rect) -> float:
    """Draw a table under its headings; return the height it took."""
    widths = _column_widths(sheet, block, place.w)
    for i, cells in enumerate((block.headings, *block.rows)):
        y = place.y + i * ROW_PT
        if i % 2 == 1:
            sheet.box(Rect(place.x, y, place.w, ROW_PT), sheet.look.panel, radius=4)
        x, style = place.x + CELL_PT, _cell_style(sheet, block, i)
        for column, cell in enumerate(cells):
            align: Any = "left" if column == 0 else "right"
            sheet.label(Rect(x, y, widths[column] - CELL_PT, ROW_PT), cell, style, align)
            x += widths[column]
    return ROW_PT * (len(block.rows) + 1)


def _cell_style(sheet: Sheet, block: scr.Grid, row: int) -> tuple[str, float, bool]:
    """Return how a row is written; 0 is that of the headings."""
    return (sheet.look.quiet, 13.0, True) if row == 0 else (sheet.look.text, 15.5, row == len(block.rows))


def _column_widths(sheet: Sheet, block: scr.Grid, wide: float) -> list[float]:
    """Return the columns' widths: all but the first alike, unless a cell would be cut that has room in other ones."""
    columns = len(block.headings)
    first = wide * max(0.34, 1 - 0.18 * (columns - 1))
    widths = [first - CELL_PT, *([(wide - first) / max(columns - 1, 1)] * (columns - 1))]
    needed = [CELL_PT] * columns
    for row, cells in enumerate((block.headings, *block.rows)):
        _colour, size, bold = _cell_style(sheet, block, row)
        needed = [
            max(need, sheet.measure(cell, size, bold) + CELL_PT + 1) for need, cell in zip(needed, cells, strict=True)
        ]
    spare = wide - CELL_PT - sum(needed)
    if spare < 0 or all(need <= width for need, width in zip(needed, widths, strict=True)):
        return widths
    return [need + spare / columns for need in needed]
