"""A frame in the margin around everything, with a few words: what is shown is not the game itself."""

from __future__ import annotations

from companion.view.kit.sheet import Rect, Sheet, paragraph

LINE_PT = 4.0  # of the 8 that lie around everything; what is drawn inside may reach 4 beyond its place
TEXT_PT = 15.0
PAD_PT = 3.0


def draw_edges(sheet: Sheet, whole: Rect) -> None:
    """The frame along the edges of the screen; it takes no room from what is inside."""
    sheet.box(whole.shrunk(LINE_PT / 2), "none", sheet.look.accent, 3, LINE_PT)
    sheet.close_group(whole)


def draw_words(sheet: Sheet, text: str, place: Rect) -> float:
    """The words in a strip at the top of the place; its height."""
    inner = Rect(place.x + 10, place.y + PAD_PT, place.w - 20, 0)
    style = (sheet.look.accent_ink, TEXT_PT, True)
    high = paragraph(sheet.scratch(), text, style, inner) + 2 * PAD_PT
    sheet.box(Rect(place.x, place.y, place.w, high), sheet.look.accent, radius=5)
    paragraph(sheet, text, style, inner)
    return high
