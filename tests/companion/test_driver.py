"""Games by touches alone, in each layout and both languages, every screen on the way looked over."""

from __future__ import annotations

import pytest

from tests.companion.driver import WHOLE, Driver, Setting, driven
from tests.companion.gallery.gallery import unpainted

pytestmark = pytest.mark.long

BEGUN = 25
"""Steps of a game that is not played to its end: a round is over by then."""
TABLES = (  # every size in both layouts, every turn of the screen, and all the boards among them
    (Setting((720, 1280), "one", 90, "pt_BR"), BEGUN),
    (Setting((720, 1280), "two", 0, "en"), BEGUN),
    (Setting((1280, 720), "two", 180, "en"), WHOLE),
    (Setting((800, 480), "one", 0, "en", "sengoku-fortress"), BEGUN),
    (Setting((1280, 720), "one", 0, "en", "wwii-alpine"), BEGUN),
    (Setting((800, 480), "two", 0, "pt_BR", "wwii-island"), WHOLE),
)


@pytest.mark.usefixtures("_own_place")
@pytest.mark.parametrize(("seed", "setting", "most"), [(seed, *table) for seed, table in enumerate(TABLES)], ids=str)
def test_a_game_is_played_by_touches(seed: int, setting: Setting, most: int) -> None:
    with unpainted():
        driver = driven(setting, seed, most=most)
    assert (driver.match.position.winner_name is not None) is (most == WHOLE)
    assert needed(driver, "advance") <= 5
    assert driver.fingers.faults == []


def needed(driver: Driver, kind: str) -> float:
    """Touches that a step of this kind took, at the median."""
    touches = sorted(driver.needed[kind])
    return touches[len(touches) // 2]
