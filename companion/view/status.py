"""What is always visible at the table: the round, the deck, the camera's verdict, and a card for each side."""

from __future__ import annotations

from companion.language import _
from companion.scenes.screen import Intent, Side, Status
from companion.view.sheet import Rect, Sheet
from companion.view.signs import commander, sign
from companion.view.theme import GAP_PT, TOUCH_PT, Theme

SIDE_PT = 70.0


def draw_status(sheet: Sheet, status: Status, place: Rect) -> float:
    """Draw the status at the top of the place; the height it took."""
    _top(sheet, status, Rect(place.x, place.y, place.w, TOUCH_PT))
    wide = (place.w - GAP_PT * (len(status.sides) - 1)) / len(status.sides)
    y = place.y + TOUCH_PT + GAP_PT
    for i, side in enumerate(status.sides):
        _side(sheet, side, Rect(place.x + i * (wide + GAP_PT), y, wide, SIDE_PT))
    return TOUCH_PT + GAP_PT + SIDE_PT


def _top(sheet: Sheet, status: Status, rect: Rect) -> None:
    """Round markers, the deck, the camera, and the button of the menu."""
    text = _("Round {n} of {all}").format(n=status.round, all=status.rounds)
    sheet.label(Rect(rect.x, rect.y, 106, rect.h), text, (sheet.look.text, 17, True))
    deck = _("Deck {n}").format(n=status.deck)
    sheet.label(Rect(rect.x + 112, rect.y, 68, rect.h), deck, (sheet.look.quiet, 15, False))
    menu = Rect(rect.right - TOUCH_PT - 10, rect.y, TOUCH_PT + 10, rect.h)
    _live(sheet, status, Rect(rect.x + 182, rect.y, menu.x - rect.x - 190, rect.h))
    sheet.box(menu, sheet.look.panel, sheet.look.edge, 8)
    for shift in (-7, 0, 7):
        y = menu.centre[1] + shift
        sheet.line([(menu.centre[0] - 10, y), (menu.centre[0] + 10, y)], sheet.look.text, 2.4)
    sheet.target(menu, Intent("menu"))


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


def _live(sheet: Sheet, status: Status, rect: Rect) -> None:
    """A quiet tick while table and game agree; a word and a colour where they do not. A touch shows why."""
    if not status.live:
        return
    colour, mark = _verdict(sheet.look, status.live)
    centre = (rect.x + 12, rect.centre[1])
    if mark:
        sheet.disc(centre, 9, colour)
        sheet.label(Rect(centre[0] - 8, centre[1] - 8, 16, 16), mark, (sheet.look.page, 13, True), "centre")
    else:
        sign(sheet, "tick", (centre, 9), colour)
    sheet.label(Rect(rect.x + 26, rect.y, rect.w - 26, rect.h), status.live_text, (colour, 14, False))
    sheet.target(rect, Intent("live"))


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
    sheet.label(Rect(x, rect.y + 5, wide, 21), side.label, (sheet.look.text, 17, True))
    if side.initiative:
        _initiative(sheet, Rect(rect.right - 66, rect.y + 28, 60, 17))
    _commanders(sheet, side, (x + 7, rect.y + 36))
    text = _("Hand {n}").format(n=side.hand)
    if side.standby:
        text += "   " + _("Standby {n}").format(n=side.standby)
    sheet.label(Rect(x, rect.y + 47, wide, 18), text, (sheet.look.quiet, 13.5, False))


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
