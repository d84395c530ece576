"""The way back that a page gets where it has none: which pages do, and where the button stands."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.scenes.base.unsaved import LeavingScene
from companion.scenes.base.way_back import BACK, TABLE, with_way_back
from companion.ui.screen import Button, Intent, Screen, back_button, cancel_button

HOME, PAGE = cast(Any, object()), cast(Any, object())
AT_TABLE = cast(Any, SimpleNamespace(home=HOME))
NEXT = Button("Next", Intent("next"))
SCREEN = Screen("Page", actions=(NEXT,))


def test_a_page_without_a_way_of_its_own_gets_one_before_all_else() -> None:
    assert with_way_back(SCREEN, PAGE, AT_TABLE).actions == (back_button(verb=TABLE.verb), NEXT)


def test_neither_the_table_nor_home_nor_a_page_without_a_game_gets_one() -> None:
    for scene, table in ((AT_TABLE, AT_TABLE), (HOME, AT_TABLE), (PAGE, None)):
        assert with_way_back(SCREEN, scene, table) is SCREEN


def test_a_question_whether_to_leave_has_its_own_answers() -> None:
    asking = cast(Any, LeavingScene.__new__(LeavingScene))
    assert with_way_back(SCREEN, asking, AT_TABLE) is SCREEN


def test_a_page_without_buttons_gets_none() -> None:
    bare = Screen("Page")
    assert with_way_back(bare, PAGE, AT_TABLE) is bare


@pytest.mark.parametrize(
    "own", [back_button(), cancel_button(), *(Button("No", Intent(verb)) for verb in sorted(BACK))]
)
def test_a_page_that_has_one_gets_no_other(own: Button) -> None:
    screen = Screen("Page", actions=(NEXT, own))
    assert with_way_back(screen, PAGE, AT_TABLE) is screen
