"""The row of actions along the lower edge: what takes back, what leaves, Ask and what confirms each have one place.

Beside or above it are the arrows that turn the pages of a screen whose blocks don't fit on one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.language import _
from companion.ui import screen as scr
from companion.view.blocks.buttons import breaks, button_height, draw_button, draw_rows, even_columns, fitting_columns
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import plate
from companion.view.kit.theme import GAP_PT

EDGE_PT = 8.0
SLACK_PT = 0.1
NARROW = 4.0  # a panel so many touches wide or less is half of a table's
FIRST, CONFIRM, CONFIRM_WIDE = 1.05, 1.2, 1.7  # how many touches wide their places are
BEGINNING = ("undo", "leave", "ask")
"""What begins the lowest row, in this order."""

Some = Sequence[scr.Button]


@dataclass(frozen=True, slots=True)
class Bar:
    """Actions for a panel of that width (points), which says how wide the places are that never change.

    beyond: how far there is nothing at the right of the bar; what confirms fills it. lead: how far something else
    stands at the beginning of its rows above.
    """

    actions: Sequence[scr.Button]
    panel_w: float
    beyond: float = 0.0
    lead: float = 0.0

    @property
    def first(self) -> tuple[scr.Button, ...]:
        """The buttons at the beginning of the lowest row."""
        return tuple(action for spot in BEGINNING for action in self.actions if action.spot == spot)

    @property
    def last(self) -> tuple[scr.Button, ...]:
        """The confirming buttons, at the end of the lowest row."""
        return tuple(action for action in self.actions if action.spot == "confirm")

    @property
    def others(self) -> tuple[scr.Button, ...]:
        """All other buttons, which go between the first and the last ones, or above where there is no room."""
        return tuple(action for action in self.actions if not action.spot)

    @property
    def has_places(self) -> bool:
        """Whether its buttons have places that never change; otherwise they share the rows evenly."""
        return any(action.spot in ("undo", "ask", "confirm") for action in self.actions)

    def confirm_w(self, sheet: Sheet) -> float:
        """Return the width in points of the place of the confirming button."""
        return (CONFIRM if self.panel_w < NARROW * sheet.touch else CONFIRM_WIDE) * sheet.touch


def bar_height(sheet: Sheet, bar: Bar, wide: float) -> float:
    """Return the height of the actions along the lower edge, with the gap above them."""
    return draw_bar(sheet.scratch(), bar, Rect(0, 0, wide, 0)) + EDGE_PT if bar.actions else 0.0


def draw_bar(sheet: Sheet, bar: Bar, place: Rect) -> float:
    """Draw the actions from the top of the place and return the height they took."""
    if not bar.has_places:
        across = even_columns(sheet, bar.actions, place.w)
        at = (len(bar.others) // across) * across  # what leaves begins their last row
        return draw_rows(sheet, (*bar.others[:at], *bar.first, *bar.others[at:]), place, across, fills=True)
    (first, others), confirm_w = _begun(sheet, bar, place.w), bar.confirm_w(sheet)
    kept = place.w - len(bar.last) * (confirm_w + GAP_PT)
    first_w = min(FIRST * sheet.touch, (kept + GAP_PT) / max(len(first), 1) - GAP_PT)
    left = place.x + len(first) * (first_w + GAP_PT)
    room = place.x + kept - left
    above, beside = _divided(sheet, others, room)
    y = place.y
    if above:
        rest = Rect(place.x + bar.lead, y, place.w - bar.lead, place.h)
        y += draw_rows(sheet, above, rest, even_columns(sheet, above, rest.w), fills=True) + sheet.gap
    wide = (room - GAP_PT * (len(beside) - 1)) / max(len(beside), 1)
    if bar.last and all(_is_small(sheet, button, confirm_w) for button in beside):
        wide = min(wide, confirm_w)  # nothing is larger than what confirms
    high = max(sheet.touch, *(button_height(sheet, button, wide) for button in beside), 0.0)
    high = max(high, *(button_height(sheet, button, first_w) for button in first), 0.0)
    for n, button in enumerate(first):
        draw_button(sheet, button, Rect(place.x + n * (first_w + GAP_PT), y, first_w, high))
    for n, button in enumerate(beside):
        draw_button(sheet, button, Rect(left + n * (wide + GAP_PT), y, wide, high))
    for button in bar.last:
        draw_button(
            sheet, button, Rect(place.right - confirm_w, y + high - sheet.touch, confirm_w + bar.beyond, sheet.touch)
        )
    return y + high - place.y


def _begun(sheet: Sheet, bar: Bar, wide: float) -> tuple[Some, Some]:
    """Return what begins the lowest row as far as it has room there, and all other buttons but what confirms."""
    room = wide + GAP_PT - len(bar.last) * (bar.confirm_w(sheet) + GAP_PT)
    most = max(1, int((room + SLACK_PT) // (sheet.touch + GAP_PT)))
    return bar.first[:most], (*bar.first[most:], *bar.others)


def _is_small(sheet: Sheet, button: scr.Button, wide: float) -> bool:
    """Return whether a button has room in a touch's height at that width, no word broken."""
    return button_height(sheet, button, wide) <= sheet.touch and not breaks(sheet, button, wide)


def keeps_places(sheet: Sheet, bar: Bar, wide: float) -> bool:
    """Return whether the bar's lowest row has places that never change, so that other buttons have no room in it."""
    first, others = _begun(sheet, bar, wide)
    kept = len(first) * (FIRST * sheet.touch + GAP_PT) + len(bar.last) * (bar.confirm_w(sheet) + GAP_PT)
    return bar.has_places and bool(_divided(sheet, others, wide - kept)[0])


def _divided(sheet: Sheet, others: Some, room: float) -> tuple[Some, Some]:
    """Divide the other actions into those that go into rows above and the last ones that fit into the lowest row."""
    for n in range(len(others)):
        beside = others[n:]
        fits = fitting_columns(sheet, beside, (len(beside), room)) == len(beside) and room >= sheet.touch
        if fits and not (len(beside) == 1 and breaks(sheet, beside[0], room)):
            return others[:n], beside
    return others, ()


# ---- pages ---------------------------------------------------------------------------------------


def draw_pager(sheet: Sheet, place_of: tuple[int, int], rect: Rect) -> None:
    """Draw two arrows with the page's number between them, or in a narrow place one, which leads round."""
    number, count = place_of
    if rect.w < 3 * sheet.touch:
        _page_knob(sheet, rect, 1, shift=rect.h * 0.16)
        below = Rect(rect.x, rect.y + rect.h * 0.62, rect.w, rect.h * 0.32)
        sheet.label(below, f"{number + 1}/{count}", (sheet.look.quiet, 13.0, True), "centre")
        return
    _page_knob(sheet, Rect(rect.x, rect.y, sheet.touch, rect.h), -1)
    _page_knob(sheet, Rect(rect.right - sheet.touch, rect.y, sheet.touch, rect.h), 1)
    text = _("page {n} of {all}").format(n=number + 1, all=count)
    middle = Rect(rect.x + sheet.touch + 4, rect.y, rect.w - 2 * sheet.touch - 8, rect.h)
    sheet.label(middle, text, sheet.look.tones["quiet"], "centre")


def _page_knob(sheet: Sheet, knob: Rect, n: int, shift: float = 0.0) -> None:
    plate(sheet, knob, sheet.look.raised, sheet.look.edge)
    middle, y = knob.centre[0], knob.centre[1] - shift
    sheet.line([(middle - 5 * n, y - 9), (middle + 5 * n, y), (middle - 5 * n, y + 9)], sheet.look.text, 3)
    sheet.target(knob, scr.Intent("page", "", n), repeats=True)
    sheet.close_group(knob)
