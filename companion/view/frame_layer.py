"""A frame around everything, with a few words in its upper edge: what is shown is not the game itself."""

from __future__ import annotations

from companion.view.sheet import Rect, Sheet

TAB_PT = 25.0
EDGE_PT = 5.0
TEXT_PT = 15.0


def draw_frame(sheet: Sheet, text: str, whole: Rect) -> Rect:
    """Draw the frame along the edges of `whole`; the place that is left inside."""
    fill, ink = sheet.look.accent, sheet.look.accent_ink
    for edge in (
        Rect(whole.x, whole.y, whole.w, TAB_PT),
        Rect(whole.x, whole.bottom - EDGE_PT, whole.w, EDGE_PT),
        Rect(whole.x, whole.y, EDGE_PT, whole.h),
        Rect(whole.right - EDGE_PT, whole.y, EDGE_PT, whole.h),
    ):
        sheet.box(edge, fill, radius=0)
    sheet.close_group(whole)
    sheet.label(Rect(whole.x + 12, whole.y, whole.w - 24, TAB_PT), text, (ink, TEXT_PT, True), "centre")
    return Rect(whole.x + EDGE_PT, whole.y + TAB_PT, whole.w - 2 * EDGE_PT, whole.h - TAB_PT - EDGE_PT)
