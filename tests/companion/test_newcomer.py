"""How many touches lie between a newcomer and the first turn, and between a step and the next."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from tests.companion.gallery.gallery import unpainted
from tests.companion.newcomer import GUIDED, QUICK, WALKS, start

WHOLE = (("General Orders", 5, 16), ("Sonae", 12, 45), ("Generals Order", 8, 20))
"""Games, with the touches that a turn usually takes, and those that the longest may take."""

pytestmark = pytest.mark.usefixtures("_own_place")


@pytest.mark.parametrize("system", list(QUICK))
def test_the_first_turn_is_three_touches_from_the_first_start(system: str, tmp_path: Path) -> None:
    with unpainted():
        fingers, touches = start(QUICK[system], tmp_path)
    assert touches == 3
    assert fingers.app.table is not None
    assert fingers.app.scene is fingers.app.table


@pytest.mark.parametrize(("system", "most"), [("orders", 10), ("sonae", 10), ("generals", 6)])
def test_the_guide_lays_the_table_in_few(system: str, most: int, tmp_path: Path) -> None:
    with unpainted():
        fingers, touches = start(GUIDED[system], tmp_path)
    assert touches <= most
    assert fingers.app.scene is fingers.app.table


@pytest.mark.long
@pytest.mark.parametrize(("name", "usual", "most"), WHOLE)
def test_a_whole_game_takes_few_touches_a_turn(name: str, usual: int, most: int, tmp_path: Path) -> None:
    with unpainted():
        walk = WALKS[name](tmp_path)
    assert median(walk.turns) <= usual
    assert max(walk.turns) <= most
    assert max(walk.rounds, default=1) == 1
    assert walk.score == 0, "the end shows itself"
