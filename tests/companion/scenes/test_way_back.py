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
OWN = (back_button(), cancel_button(), *(Button("No", Intent(verb)) for verb in sorted(BACK)))


def test_a_page_without_a_way_of_its_own_gets_one_before_all_else() -> None:
    assert with_way_back(SCREEN, PAGE, AT_TABLE).actions == (back_button(verb=TABLE.verb), NEXT)


@pytest.mark.parametrize(
    ("screen", "scene", "table"),
    [
        (SCREEN, AT_TABLE, AT_TABLE),
        (SCREEN, HOME, AT_TABLE),
        (SCREEN, PAGE, None),
        (SCREEN, LeavingScene.__new__(LeavingScene), AT_TABLE),  # it asks whether to leave, with its own answers
        (Screen("Page"), PAGE, AT_TABLE),
        *((Screen("Page", actions=(NEXT, own)), PAGE, AT_TABLE) for own in OWN),
    ],
)
def test_neither_the_table_nor_home_nor_a_page_that_has_its_own_or_no_game_gets_one(
    screen: Screen, scene: Any, table: Any
) -> None:
    assert with_way_back(screen, scene, table) is screen
