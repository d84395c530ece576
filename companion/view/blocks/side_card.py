"""A faction's card in the status: points, name, commanders, cards and time; whose turn it is shows from afar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.drawing.board_svg import Point
from companion.ui.screen import Intent, Side, Tell
from companion.view.kit.kept import draw_kept
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import badge, commander, lift, plate, sign

ROWS = 3
TELLS_APART_PT = 5.0
LEAST_PART = 0.8  # of their size that words may be set in

PENCIL_PT = 8.0  # a pencil may lie so far beyond the card
UNDER_PT = 17.0  # the time under the points, where the card is small


class Sizes(NamedTuple):
    """What is set larger where there is room, in points."""

    badge: float
    points: float
    name: float
    text: float
    icon: float
    time: float  # how wide the time is


LARGE = Sizes(badge=56.0, points=36.0, name=18.0, text=15.0, icon=8.0, time=56.0)
SMALL = Sizes(badge=34.0, points=23.0, name=15.0, text=13.5, icon=6.4, time=42.0)


def draw_side(sheet: Sheet, side: Side, rect: Rect, small: bool) -> None:
    """Draw one faction's card; a touch shows more of it."""
    draw_kept(sheet, (side, rect, small), lambda part: _side(part, side, rect, small))


def _side(sheet: Sheet, side: Side, rect: Rect, small: bool) -> None:
    look, sizes = sheet.look, SMALL if small else LARGE
    fill = look.chosen if side.to_move else look.panel
    plate(sheet, rect, fill, look.accent_text if side.to_move else look.edge, 3.2 if side.to_move else 1.2)
    own = Rect(rect.x + 6, rect.y + 6, sizes.badge, rect.h - 12)
    if side.clock and small:
        own = own._replace(h=own.h - UNDER_PT)
        _clock(sheet, side, Rect(rect.x + 3, own.bottom, sizes.badge + 6, UNDER_PT), sizes)
    _badge(sheet, side, own, sizes)
    sheet.about(own, "points")
    x = own.right + (8 if not small else 6)
    wide, step = rect.right - x - 6, (rect.h - 10) / ROWS
    rows = [Rect(x, rect.y + 5 + i * step, wide, step) for i in range(ROWS)]
    _name(sheet, side, rows[0], sizes)
    time = sizes.time if side.clock and not small else 0.0
    lower = rows[1], rows[2]._replace(w=wide - time)
    if side.tells:
        for tells, row in zip(side.tells, lower, strict=False):
            draw_tells(sheet, tells, row)
    else:
        _commanders(sheet, side, lower[0], sizes)
        sheet.about(lower[0], "commanders")
        held = [("hand", side.hand)]
        if side.standby or "standby" in side.by_hand:
            held.append(("standby", side.standby))
        counts(sheet, [(name, n, "pencil" if name in side.by_hand else "") for name, n in held], lower[1])
    if time:
        _clock(sheet, side, rows[2]._replace(x=rows[2].right - time, w=time), sizes)
    sheet.target(rect, Intent("side", side.faction))
    sheet.close_group(rect.shrunk(-PENCIL_PT))


def draw_tells(sheet: Sheet, tells: Sequence[Tell], row: Rect) -> None:
    """Draw icons with their words side by side, shorter or fewer in little room, and none that nobody could read."""
    size = min(15.0, row.h * 0.82)
    texts = next((texts for texts in _texts(tells) if _tells_width(sheet, texts, size) <= row.w + 1), _texts(tells)[-1])
    if _tells_width(sheet, texts, size * LEAST_PART) > row.w:
        return
    spare = max(0.0, row.w - _tells_width(sheet, texts, size)) / len(texts) if texts else 0.0
    x = row.x
    for tell, text in zip(tells, texts, strict=False):
        colour = sheet.look.bad if tell.warns else sheet.look.text
        sign(sheet, tell.sign, ((x + 8, row.centre[1]), 7.0), sheet.look.bad if tell.warns else sheet.look.quiet)
        wide = min(sheet.measure(text, size, True) + 2, row.right - x - 18)
        sheet.label(Rect(x + 18, row.y, wide, row.h), text, (colour, size, True))
        sheet.about(Rect(x, row.y, 18 + wide, row.h), tell.sign)
        x += 18 + wide + min(spare, 24.0) + TELLS_APART_PT


def _texts(tells: Sequence[Tell]) -> list[list[str]]:
    """Return what may be said, ever shorter: all in full, all in short, then fewer and fewer of them."""
    marks = ["! " if tell.warns else "" for tell in tells]
    full = [mark + tell.text for mark, tell in zip(marks, tells, strict=True)]
    short = [mark + (tell.short or tell.text) for mark, tell in zip(marks, tells, strict=True)]
    return [full, short, *(short[:n] for n in range(len(short) - 1, 0, -1))]


def _tells_width(sheet: Sheet, texts: Sequence[str], size: float) -> float:
    return sum(20 + sheet.measure(text, size, True) + TELLS_APART_PT for text in texts) - TELLS_APART_PT


def _badge(sheet: Sheet, side: Side, rect: Rect, sizes: Sizes) -> None:
    """Draw the points on the faction's own shape, with a star where the side is ahead."""
    look, colours = sheet.look, sheet.look.sides[side.faction]
    badge(sheet, side.faction, rect, 1.8)
    points = str(side.points) if side.points >= 0 else ""
    lifted = rect._replace(y=rect.y - rect.h * lift(sheet, side.faction))
    sheet.label(lifted, points, (colours.text, sizes.points, True), "centre")
    if side.ahead:
        at = (rect.x + 3, rect.y + 3)
        sheet.disc(at, sizes.icon + 1.5, look.accent, look.ink, 1.2)
        sign(sheet, "points", (at, sizes.icon - 1.2), look.accent_ink, "ahead")
    if side.initiative and sizes is SMALL:
        at = (rect.right - 2, rect.bottom - 4)
        sheet.disc(at, sizes.icon + 2.2, look.page, look.accent_text, 1.2)
        _fan(sheet, side, at, sizes._replace(icon=sizes.icon - 1.6))
    if "points" in side.by_hand:
        sign(sheet, "pencil", ((rect.x + 3, rect.bottom - 3), sizes.icon - 1), look.accent_text)


def _name(sheet: Sheet, side: Side, row: Rect, sizes: Sizes) -> None:
    """Draw a side's name with the initiative's fan at its end, and an arrow before it while the side is to move.

    Where there is little room, the fan stands at the foot of the points, and the thick rim says whose turn it is.
    """
    look, x, roomy = sheet.look, row.x, sizes is LARGE
    if side.to_move and roomy:
        y, reach = row.centre[1], sizes.name * 0.36
        sheet.polygon([(x, y - reach), (x + reach * 1.3, y), (x, y + reach)], look.accent_text)
        x += reach * 1.3 + 4
    fan = 2 * sizes.icon + 4 if side.initiative and roomy else 0.0
    room = Rect(x, row.y, row.right - x - fan, row.h)
    fits = not side.player or sheet.measure(side.label, sizes.name * 0.8, True) <= room.w
    sheet.label(room, side.label if fits else side.player, (look.text, sizes.name, True))
    if side.initiative and roomy:
        _fan(sheet, side, (row.right - sizes.icon, row.centre[1]), sizes)


def _fan(sheet: Sheet, side: Side, at: Point, sizes: Sizes) -> None:
    """Draw the sign of the initiative, with a pencil where the players set it themselves."""
    sign(sheet, "initiative", (at, sizes.icon + 0.6), sheet.look.accent_text)
    if "initiative" in side.by_hand:
        sign(sheet, "pencil", ((at[0], at[1] + 2 * sizes.icon), sizes.icon - 2), sheet.look.accent_text)


def _commanders(sheet: Sheet, side: Side, row: Rect, sizes: Sizes) -> None:
    """Draw the commanders still to deploy; those in use are outlines."""
    places = side.commanders + ("left" in side.by_hand)
    step = min(sizes.icon * 2.35, (row.w - sizes.icon) / max(places, 1))
    y = row.centre[1]
    for i in range(side.commanders):
        centre = (row.x + sizes.icon + i * step, y)
        if i < side.commanders_left:
            commander(sheet, side.faction, (centre, sizes.icon), "commanders")
        else:
            sheet.disc(centre, sizes.icon * 0.42, "none", sheet.look.edge, 1.4)
    if "left" in side.by_hand:
        at = (row.x + sizes.icon + side.commanders * step, y)
        sign(sheet, "pencil", (at, sizes.icon - 2), sheet.look.accent_text)


def counts(sheet: Sheet, things: Sequence[tuple[str, int, str]], row: Rect) -> None:
    """Draw icons with their numbers side by side: (icon, number, an icon after it or "")."""
    x, wide = row.x, row.w / len(things)
    size = min(16.0, row.h * 0.86)
    for i, (name, n, after) in enumerate(things):
        left = x + i * min(wide, 46.0 if not after else 58.0)
        sign(sheet, name, ((left + 8, row.centre[1]), 7.4), sheet.look.quiet)
        sheet.label(Rect(left + 19, row.y, 26, row.h), str(n), (sheet.look.text, size, True))
        sheet.about(Rect(left, row.y, 44, row.h), name)
        if after:
            sign(sheet, after, ((left + 46, row.centre[1]), 5.5), sheet.look.accent_text)


def _clock(sheet: Sheet, side: Side, place: Rect, sizes: Sizes) -> None:
    """Draw a side's time: bold while it runs, in the colour of a warning and with a mark when little is left."""
    look = sheet.look
    colour = look.bad if side.clock_low else look.text if side.clock_runs else look.quiet
    text = f"! {side.clock}" if side.clock_low else side.clock
    sheet.about(place, "time")
    sheet.label(place, text, (colour, sizes.text, side.clock_runs or side.clock_low), "right")
