"""The banner: one sentence above all else, which a touch puts away."""

from __future__ import annotations

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, paragraph


def draw_banner_over(sheet: Sheet, screen: scr.Screen, place: Rect, least: float = 0.0) -> None:
    """Draw the banner over what is at the top of the place, so that nothing moves."""
    if screen.banner:
        sheet.over = sheet.over or sheet.scratch()
        draw_banner(sheet.over, screen, place, least)


def uncut_height(sheet: Sheet, screen: scr.Screen, place: Rect) -> float:
    """Return the least height of a banner at the top of the place that covers things whole and cuts none in two."""
    bottom = place.y + draw_banner(sheet.scratch(), screen, place)
    beneath = [*(target.rect for target in sheet.targets), *(label.rect for label in sheet.labels)]
    while cut := [rect.bottom for rect in beneath if rect.y < bottom < rect.bottom]:
        bottom = max(cut)
    return bottom - place.y + 1  # the lines around cards, too


def draw_banner(sheet: Sheet, screen: scr.Screen, place: Rect, least: float = 0.0) -> float:
    """Draw the banner, one sentence at the top of the place, in as many lines as it takes; return its height.

    A touch puts it away.
    """
    colour, ink = sheet.look.banner(screen.banner_tone)
    style = (ink, 15.5, True)
    text = Rect(place.x + 12, place.y, place.w - 52, 0)
    used = paragraph(sheet.scratch(), screen.banner, style, text)
    high = max(sheet.touch, used + 14, least)
    bar = Rect(place.x, place.y, place.w, high)
    sheet.box(bar, colour)
    paragraph(sheet, screen.banner, style, text._replace(y=place.y + (high - used) / 2))
    x, y = bar.right - 22, bar.centre[1]
    sheet.line([(x - 7, y - 7), (x + 7, y + 7)], ink, 2.6)
    sheet.line([(x - 7, y + 7), (x + 7, y - 7)], ink, 2.6)
    sheet.target(bar, scr.Intent("hush"))
    sheet.close_group(bar)
    return high
