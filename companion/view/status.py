"""What is always visible at the table: the round, the deck, the camera's verdict, and a card for each side."""

from __future__ import annotations

from companion.language import _
from companion.scenes.screen import Intent, Side, Status
from companion.view.sheet import Rect, Sheet, line_height, wrapped
from companion.view.signs import commander, sign
from companion.view.theme import GAP_PT, Theme

SIDE_PT = 70.0
SMALL_SIDE_PT = 63.0
WIDE_PT = 400.0  # a narrower place has the sides set small
LOW_PT = 400.0
LEAST_SIDE_PT = 104.0  # a side's least width
ROUND_PT = 118.0
SMALL_LIVE_PT = 12.0
LIVE_PT = 110.0  # the least width of the camera's words beside the round


def draw_status(sheet: Sheet, status: Status, place: Rect) -> float:
    """Draw the status at the top of the place; the height it took. In a narrow or low place it is set smaller."""
    high = sheet.touch
    small = place.w < WIDE_PT or place.h < LOW_PT
    told = _top(sheet, status, Rect(place.x, place.y, place.w, high))
    across = len(status.sides) if place.w >= LEAST_SIDE_PT * len(status.sides) else 1
    wide = (place.w - GAP_PT * (across - 1)) / across
    tall = max(high, SMALL_SIDE_PT if small else SIDE_PT)
    for i, side in enumerate(status.sides):
        x, y = place.x + (i % across) * (wide + GAP_PT), place.y + high + GAP_PT + (i // across) * (tall + GAP_PT)
        (_small_side if small else _side)(sheet, side, Rect(x, y, wide, tall))
    used = high + -(-len(status.sides) // across) * (tall + GAP_PT)
    if told:
        return used
    return used + GAP_PT + _live_card(sheet, status, Rect(place.x, place.y + used + GAP_PT, place.w, 0))


def _top(sheet: Sheet, status: Status, rect: Rect) -> bool:
    """The round, the deck, the button of the menu, and the camera's words; whether there was room for those."""
    menu = Rect(rect.right - sheet.touch, rect.y, sheet.touch, rect.h)
    _menu(sheet, menu)
    room = Rect(rect.x, rect.y, menu.x - rect.x - GAP_PT, rect.h)
    words = room if room.w < ROUND_PT + LIVE_PT else room._replace(w=ROUND_PT)
    _round(sheet, status, words._replace(y=rect.y + 4, h=rect.h / 2))
    if status.clock:
        _pause(sheet, status.clock, words)
    below = Rect(words.x, rect.y + rect.h / 2, words.w, rect.h / 2 - 4)
    deck = (_("Deck {n}").format(n=status.deck), (sheet.look.quiet, 15, False))
    if not status.live or words.w < room.w:
        sheet.label(below, *deck)
        if status.live:
            beside = Rect(words.right + GAP_PT, rect.y, room.right - words.right - GAP_PT, rect.h)
            _live(sheet, status, beside, (beside, 14.0))
        return True
    lines = wrapped(sheet.measure, status.live_text, (SMALL_LIVE_PT, False), below.w - 26)
    if len(lines) <= 2 and not status.clock:
        _live(sheet, status, room, (below, SMALL_LIVE_PT))
        return True
    sheet.label(below, *deck)
    return False


def _round(sheet: Sheet, status: Status, rect: Rect) -> None:
    """The round, shorter where there is little room."""
    text = _("Round {n} of {all}").format(n=status.round, all=status.rounds)
    if sheet.measure(text, 15, True) > rect.w:
        text = _("Round {n}/{all}").format(n=status.round, all=status.rounds)
    sheet.label(rect, text, (sheet.look.text, 17, True))


def _menu(sheet: Sheet, menu: Rect) -> None:
    sheet.box(menu, sheet.look.panel, sheet.look.edge, 8)
    for shift in (-8, 0, 8):
        y = menu.centre[1] + shift
        sheet.line([(menu.centre[0] - 12, y), (menu.centre[0] + 12, y)], sheet.look.text, 2.6)
    sheet.target(menu, Intent("menu"))


def _pause(sheet: Sheet, state: str, rect: Rect) -> None:
    """Behind the round, at its lower right: two bars while the clock runs, an arrow while it stands still."""
    colour = sheet.look.text if state == "runs" else sheet.look.accent_text
    x, y = rect.right - 22, rect.y + rect.h * 0.73
    if state == "runs":
        for shift in (-5, 5):
            sheet.line([(x + shift, y - 8), (x + shift, y + 8)], colour, 4)
    else:
        sheet.polygon([(x - 7, y - 9), (x + 9, y), (x - 7, y + 9)], colour)
    sheet.target(rect, Intent("clock"))


def _live_card(sheet: Sheet, status: Status, place: Rect) -> float:
    """The camera's words on a card of their own, as high as they need; its height."""
    lines = wrapped(sheet.measure, status.live_text, (14, False), place.w - 42)
    card = place._replace(h=max(sheet.touch, len(lines) * line_height(14) + 12))
    sheet.box(card, sheet.look.panel, sheet.look.edge, 8)
    _live(sheet, status, card, (Rect(card.x + 8, card.y, card.w - 16, card.h), 14.0))
    return card.h


def _verdict(look: Theme, live: str) -> tuple[str, str]:
    """The camera's sign: its colour and what stands in its disc, "" for a tick."""
    signs = {
        "sync": (look.good, ""),
        "unsure": (look.quiet, "?"),
        "proposal": (look.accent_text, "?"),
        "behind": (look.accent_text, "!"),
        "out": (look.bad, "!"),
        "lost": (look.bad, "×"),
        "ignored": (look.dim, "–"),
    }
    return signs.get(live, (look.quiet, "…"))


def _live(sheet: Sheet, status: Status, target: Rect, words: tuple[Rect, float]) -> None:
    """A quiet tick while table and game agree; a word and a colour where they do not. A touch shows why."""
    rect, size = words
    colour, mark = _verdict(sheet.look, status.live)
    centre = (rect.x + 10, rect.centre[1])
    if mark:
        sheet.disc(centre, 9, colour)
        sheet.label(Rect(centre[0] - 8, centre[1] - 8, 16, 16), mark, (sheet.look.page, 13, True), "centre")
    else:
        sign(sheet, "tick", (centre, 9), colour)
    text = Rect(rect.x + 26, rect.y, rect.w - 26, rect.h)
    lines = wrapped(sheet.measure, status.live_text, (size, False), text.w)
    step = min(line_height(size), rect.h / len(lines))
    for i, line in enumerate(lines):
        y = rect.centre[1] + (i - len(lines) / 2) * step
        sheet.label(Rect(text.x, y, text.w, step), line, (colour, size, False))
    sheet.target(target, Intent("live"))


def _clock(sheet: Sheet, side: Side, rect: Rect, size: float) -> None:
    """A side's time at the right of a line: bold while it runs, in the colour of a warning when there is little."""
    look = sheet.look
    colour = look.bad if side.clock_low else look.text if side.clock_runs else look.quiet
    text = f"! {side.clock}" if side.clock_low else side.clock
    sheet.label(rect, text, (colour, size, side.clock_runs or side.clock_low), "right")


def _side(sheet: Sheet, side: Side, rect: Rect) -> None:
    """One faction: its name, points, commanders left and on standby, and the cards in its hand."""
    sheet.box(
        rect, sheet.look.panel, sheet.look.accent if side.to_move else sheet.look.edge, 9, 2.6 if side.to_move else 1.2
    )
    badge = Rect(rect.x + 6, rect.y + 6, 54, rect.h - 12)
    sheet.box(badge, sheet.look.sides[side.faction].fill, sheet.look.sides[side.faction].line, 8, 1.6)
    sheet.label(
        Rect(badge.x, badge.y + 2, badge.w, 36),
        str(side.points),
        (sheet.look.sides[side.faction].text, 31, True),
        "centre",
    )
    sheet.label(
        Rect(badge.x, badge.y + 38, badge.w, 16),
        _("points"),
        (sheet.look.sides[side.faction].text, 11.5, False),
        "centre",
    )
    x, wide = badge.right + 9, rect.right - badge.right - 15
    time = 62.0 if side.clock else 0.0
    sheet.label(Rect(x, rect.y + 5, wide - time, 21), side.label, (sheet.look.text, 17, True))
    _clock(sheet, side, Rect(x + wide - time, rect.y + 5, time, 21), 17)
    if side.initiative:
        _initiative(sheet, Rect(rect.right - 66, rect.y + 28, 60, 17))
    _commanders(sheet, side, (x + 7, rect.y + 36))
    text = _("Hand {n}").format(n=side.hand)
    if side.standby:
        text += "   " + _("Standby {n}").format(n=side.standby)
    sheet.label(Rect(x, rect.y + 47, wide, 18), text, (sheet.look.quiet, 13.5, False))


def _small_side(sheet: Sheet, side: Side, rect: Rect) -> None:
    """One faction where there is little room: points, name, commanders and hand under one another."""
    look = sheet.look
    colours = look.sides[side.faction]
    sheet.box(rect, look.panel, look.accent if side.to_move else look.edge, 8, 2.4 if side.to_move else 1.2)
    badge = Rect(rect.x + 5, rect.y + 5, 32, rect.h - 10)
    sheet.box(badge, colours.fill, colours.line, 7, 1.4)
    sheet.label(badge.shrunk(2), str(side.points), (colours.text, 20, True), "centre")
    x, step = badge.right + 5, (rect.h - 8) / 3
    wide = rect.right - x - 4
    flag = 13.0 if side.initiative else 0.0
    sheet.label(Rect(x, rect.y + 4, wide - flag, step), side.label, (look.text, 14.5, True))
    if side.initiative:
        sheet.polygon(_flag((rect.right - 10, rect.y + 4 + step / 2)), look.accent, look.edge, 0.8)
    for i in range(side.commanders):
        spot = (x + 5 + i * min(12.0, wide / side.commanders), rect.y + 4 + step * 1.5)
        if i < side.commanders_left:
            commander(sheet, side.faction, (spot, 5.6))
        else:
            sheet.disc(spot, 2.6, "none", look.edge, 1.2)
    text = _("Hand {n}").format(n=side.hand)
    time = 42.0 if side.clock else 0.0
    below = Rect(x, rect.y + 4 + 2 * step, wide, step)
    sheet.label(below._replace(w=wide - time), text, (look.quiet, 12.5, False))
    _clock(sheet, side, below._replace(x=x + wide - time, w=time), 14)


def _flag(at: tuple[float, float]) -> list[tuple[float, float]]:
    """A pennant for the initiative."""
    x, y = at
    return [(x - 5, y - 6), (x + 6, y - 2), (x - 3, y + 1), (x - 3, y + 7), (x - 5, y + 7)]


def _initiative(sheet: Sheet, rect: Rect) -> None:
    sheet.box(rect, sheet.look.accent, radius=8)
    sheet.label(rect.shrunk(2), _("initiative"), (sheet.look.accent_ink, 11.5, True), "centre")


def _commanders(sheet: Sheet, side: Side, start: tuple[float, float]) -> None:
    """Commanders still to deploy, drawn; those used are outlines."""
    x, y = start
    for i in range(side.commanders):
        centre = (x + i * 17, y)
        if i < side.commanders_left:
            commander(sheet, side.faction, (centre, 7.2))
        else:
            sheet.disc(centre, 3.2, "none", sheet.look.edge, 1.4)
