"""The row of actions: what takes back, what leaves, Ask and what confirms each have one place, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from companion.scenes.base.panels import ask_button, undo_button
from companion.ui.screen import Button, Intent, back_button, confirm_button
from companion.view.blocks.bar import CONFIRM, CONFIRM_WIDE, EDGE_PT, NARROW, Bar, bar_height, draw_bar, keeps_places
from companion.view.blocks.buttons import draw_button
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import sign

PANEL_PT, HALF_PT = 445.0, 220.0
PASS = Button("Pass", Intent("pass"))


def boxes(bar: Bar, wide: float) -> dict[str, Rect]:
    """Return where each verb of a bar is."""
    sheet = Sheet(Lettering(1.0))
    draw_bar(sheet, bar, Rect(0, 0, wide, 200))
    return {target.intent.verb: target.rect for target in sheet.targets}


def lowest_row(actions: Sequence[Button], wide: float) -> list[str]:
    """Return the verbs of a bar's lowest row from left to right."""
    found = boxes(Bar(actions, wide), wide)
    bottom = max(box.bottom for box in found.values())
    return sorted((verb for verb, box in found.items() if box.bottom > bottom - 1), key=lambda verb: found[verb].x)


@pytest.mark.parametrize(
    "actions", list(permutations((undo_button(), back_button(), ask_button(), confirm_button("Go"))))
)
def test_each_has_its_place_in_whatever_order_they_come(actions: Sequence[Button]) -> None:
    assert lowest_row(actions, PANEL_PT) == ["undo", "back", "dispute", "confirm"]


def test_ask_is_the_second_with_other_buttons_after_it() -> None:
    assert lowest_row((undo_button(), PASS, ask_button()), PANEL_PT) == ["undo", "dispute", "pass"]
    assert lowest_row((undo_button(), PASS, ask_button()), HALF_PT) == ["undo", "dispute", "pass"]


def test_what_has_no_room_at_the_beginning_goes_above() -> None:
    actions = undo_button(), back_button(), ask_button(), confirm_button("Go")
    assert lowest_row(actions, HALF_PT) == ["undo", "back", "confirm"]


def test_what_leaves_begins_the_last_of_several_rows() -> None:
    many = [Button(f"A longer name {n}", Intent("b", str(n))) for n in range(4)]
    assert lowest_row((back_button(), *many), PANEL_PT)[0] == "back"


def test_a_bar_without_actions_takes_no_room_and_one_with_them_its_gap_too() -> None:
    sheet = Sheet(Lettering(1.0))
    assert bar_height(sheet, Bar((), PANEL_PT), PANEL_PT) == 0.0
    row = boxes(Bar((back_button(), confirm_button("Go")), PANEL_PT), PANEL_PT)
    high = bar_height(sheet, Bar((back_button(), confirm_button("Go")), PANEL_PT), PANEL_PT)
    assert high == max(box.bottom for box in row.values()) + EDGE_PT


@pytest.mark.parametrize(("touches", "wide"), [(NARROW - 0.01, CONFIRM), (NARROW, CONFIRM_WIDE)])
def test_what_confirms_is_narrower_in_half_a_table(touches: float, wide: float) -> None:
    sheet = Sheet(Lettering(1.0))
    assert Bar((), touches * sheet.touch).confirm_w(sheet) == wide * sheet.touch


def test_what_confirms_ends_the_row_and_reaches_beyond_it_where_nothing_is() -> None:
    for beyond in (0.0, 30.0):
        bar = Bar((undo_button(), PASS, confirm_button("Go")), PANEL_PT, beyond)
        found = boxes(bar, PANEL_PT)
        assert found["confirm"].right == pytest.approx(PANEL_PT + beyond)
        assert found["confirm"].w == pytest.approx(bar.confirm_w(Sheet(Lettering(1.0))) + beyond)
        assert found["undo"].x == 0.0
        assert found["undo"].right < found["pass"].x < found["pass"].right < found["confirm"].x


def test_rows_above_begin_where_something_else_ends() -> None:
    many = [Button(f"A longer name {n}", Intent(f"b{n}")) for n in range(5)]
    found = boxes(Bar((undo_button(), *many, confirm_button("Go")), HALF_PT, lead=40.0), HALF_PT)
    above = [box for box in found.values() if box.bottom < found["confirm"].y]
    assert above
    assert min(box.x for box in above) == 40.0
    assert found["undo"].x == 0.0


@pytest.mark.parametrize(
    ("actions", "kept"),
    [
        ((undo_button(), PASS, confirm_button("Go")), False),
        ((undo_button(), *(Button(f"A much longer name {n}", Intent("b", str(n))) for n in range(9))), True),
        ((back_button(), *(Button(f"A longer name {n}", Intent("b", str(n))) for n in range(5))), False),
    ],
)
def test_a_row_keeps_its_places_where_others_had_to_go_above(actions: Sequence[Button], kept: bool) -> None:
    assert keeps_places(Sheet(Lettering(1.0)), Bar(actions, HALF_PT), HALF_PT) is kept


@pytest.mark.parametrize("wide", [60.0, 200.0])
def test_a_sign_without_words_stands_in_the_middle_of_its_button(wide: float) -> None:
    sheet, rect = Sheet(Lettering(1.0)), Rect(0, 0, wide, 66)
    draw_button(sheet, Button("", Intent("nudge"), sign="arrow-up"), rect)
    sign(expected := Sheet(Lettering(1.0)), "arrow-up", (rect.centre, 10), sheet.look.icon)
    assert expected.shapes[-1] in sheet.shapes
