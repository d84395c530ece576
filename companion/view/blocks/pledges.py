"""The buttons with which players agree: one each, in their faction's colour, at opposite edges of the screen."""

from __future__ import annotations

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import commander, sign

HEIGHT_PT = 132.0
LOW_PT = 92.0  # beside a map, where words need the room
NARROW_PT = 500.0
WIDEST_PT = 270.0
APART = 0.22  # of the width: no one hand touches both by chance


def draw_pledges(sheet: Sheet, block: scr.Pledges, place: Rect) -> float:
    """The buttons side by side, as far apart as the place is wide; their height."""
    many, high = len(block.pledges), LOW_PT if place.w < NARROW_PT else HEIGHT_PT
    wide = min(WIDEST_PT, place.w * (1 - APART) / 2) if many > 1 else place.w
    step = (place.w - wide) / max(many - 1, 1)
    for i, one in enumerate(block.pledges):
        _pledge(sheet, one, Rect(place.x + i * step, place.y, wide, high))
    return high


def _pledge(sheet: Sheet, one: scr.Pledge, rect: Rect) -> None:
    """A bar in the faction's colour: its sign and the name, and below what a touch means, or a tick."""
    side = sheet.look.sides[one.faction]
    line = sheet.look.accent if one.given else side.line
    sheet.box(rect, side.fill, line, 14, 4 if one.given else 2)
    x = rect.centre[0]
    commander(sheet, one.faction, ((x, rect.y + rect.h * 0.2), 11))
    sheet.label(Rect(rect.x + 10, rect.y + rect.h * 0.36, rect.w - 20, 30), one.name, (side.text, 25, True), "centre")
    below = Rect(rect.x + 10, rect.y + rect.h * 0.68, rect.w - 20, 24)
    if one.given:
        wide = sheet.measure(one.note, 17, True)
        sign(sheet, "tick", ((x - wide / 2 - 14, below.centre[1]), 10), side.text)
    sheet.label(below, one.note, (side.text, 17, one.given), "centre")
    sheet.target(rect, one.intent)
