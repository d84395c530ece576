"""The row of actions: what takes back, what leaves, Ask and what confirms each have one place, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from companion.scenes.base.halves import ask_button, undo_button
from companion.ui.screen import Button, Intent, back_button, confirm_button
from companion.view.blocks.bar import Bar, draw_bar
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet

PANEL_PT, HALF_PT = 445.0, 220.0
PASS = Button("Pass", Intent("pass"))


def lowest_row(actions: Sequence[Button], wide: float) -> list[str]:
    """Return the verbs of a bar's lowest row from left to right."""
    sheet = Sheet(Lettering(1.0))
    draw_bar(sheet, Bar(actions, wide), Rect(0, 0, wide, 200))
    bottom = max(target.rect.bottom for target in sheet.targets)
    row = sorted((target.rect.x, target.intent.verb) for target in sheet.targets if target.rect.bottom > bottom - 1)
    return [verb for _x, verb in row]


@pytest.mark.parametrize(
    "actions", list(permutations((undo_button(), back_button(), ask_button(), confirm_button("Go"))))
)
def test_each_has_its_place_in_whatever_order_they_come(actions: Sequence[Button]) -> None:
    assert lowest_row(actions, PANEL_PT) == ["undo", "back", "dispute", "confirm"]


def test_ask_is_the_second_with_other_buttons_after_it() -> None:
    assert lowest_row((undo_button(), PASS, ask_button()), PANEL_PT) == ["undo", "dispute", "pass"]
    assert lowest_row((undo_button(), PASS, ask_button()), HALF_PT) == ["undo", "dispute", "pass"]


def test_what_has_no_room_at_the_beginning_goes_above() -> None:
    assert lowest_row((undo_button(), back_button(), ask_button(), confirm_button("Go")), HALF_PT) == [
        "undo",
        "back",
        "confirm",
    ]


def test_what_leaves_begins_the_last_of_several_rows() -> None:
    many = [Button(f"A longer name {n}", Intent("b", str(n))) for n in range(4)]
    assert lowest_row((back_button(), *many), PANEL_PT)[0] == "back"
