"""What the signs on a battlefield mean, in the place below it where nothing is enlarged."""

from __future__ import annotations

from collections.abc import Sequence

from companion.ui.battlefield_picture import SIGNS
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import sign
from companion.view.layers.field_units import draw_diamond

ROW_PT = 27.0
LEAST_PT = 128.0  # a column's least width
TEXT_PT = 14.0


def draw_legend(sheet: Sheet, legend: Sequence[tuple[str, str]], place: Rect) -> None:
    """The signs with their words in columns, as many as there is room for."""
    columns = max(1, int(place.w / LEAST_PT))
    most = max(1, int(place.h / ROW_PT)) * columns
    wide = place.w / columns
    for n, (name, text) in enumerate(legend[:most]):
        row = Rect(place.x + n % columns * wide, place.y + n // columns * ROW_PT, wide, ROW_PT)
        _mark(sheet, name, (row.x + 15, row.centre[1]))
        sheet.label(row._replace(x=row.x + 32, w=row.w - 36), text, (sheet.look.quiet, TEXT_PT, False))


def _mark(sheet: Sheet, name: str, centre: tuple[float, float]) -> None:
    """One sign as it is on a base."""
    x, y = centre
    look = sheet.look
    if name in SIGNS:
        sheet.box(Rect(x - 10.5, y - 10.5, 21, 21), look.raised, look.edge, 2, 1.4)
        sign(sheet, SIGNS[name], (centre, 7.4), look.text)
    elif name == "fatigued":
        sheet.disc(centre, 8, look.ink, look.cream, 1.4)
        sign(sheet, "moon", (centre, 5.2), look.cream)
    else:
        for dx in (-5.5, 5.5) if name == "brittle" else (0.0,):
            draw_diamond(sheet, (x + dx, y), 5.5)
