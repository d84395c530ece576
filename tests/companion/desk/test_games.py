"""Games by the buttons beside the board alone: on all four boards, the glass is never touched."""

from __future__ import annotations

import pytest

from tests.companion.desk.presses import pressed
from tests.companion.driver import WHOLE
from tests.companion.gallery.gallery import unpainted

pytestmark = pytest.mark.long

BEGUN = 25
"""Steps of a game that is not played to its end: a round is over by then."""
TABLES = (
    ("sengoku-rivers", "one", BEGUN),
    ("sengoku-fortress", "one", WHOLE),
    ("wwii-alpine", "two", WHOLE),
    ("wwii-island", "one", BEGUN),
)
FAR = 20  # clicks of the knob at once that nobody wants to make


@pytest.mark.usefixtures("_own_place")
@pytest.mark.parametrize(("board", "layout", "most"), TABLES)
def test_a_game_is_played_by_the_desk(board: str, layout: str, most: int) -> None:
    with unpainted():
        driver = pressed(board, layout, seed=1, most=most)
    assert (driver.match.position.winner_name is not None) is (most == WHOLE)
    assert driver.fingers.longest <= FAR
    assert driver.fingers.clicks <= 25 * len(driver.told)
