"""Whole games by the buttons beside the board alone: on all four boards, the glass is never touched."""

from __future__ import annotations

import pytest

from tests.companion.desk.presses import pressed
from tests.companion.gallery.gallery import unpainted

pytestmark = pytest.mark.long

TABLES = (
    ("sengoku-rivers", "one"),
    ("sengoku-fortress", "one"),
    ("wwii-alpine", "two"),
    ("wwii-island", "one"),
)
FAR = 20  # clicks of the knob at once that nobody wants to make


@pytest.mark.usefixtures("_own_place")
@pytest.mark.parametrize(("board", "layout"), TABLES)
def test_a_whole_game_is_played_by_the_desk(board: str, layout: str) -> None:
    with unpainted():
        driver = pressed(board, layout, seed=1)
    assert driver.fingers.longest <= FAR
    assert driver.fingers.clicks <= 25 * len(driver.told)
