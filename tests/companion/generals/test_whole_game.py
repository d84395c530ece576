"""Whole card games by touches alone, every screen on the way looked over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.app import App
from companion.core.language import use_language
from companion.games.journal import read_game
from engine.generals import game
from tests.companion.driver import Setting
from tests.companion.fingers import Fingers
from tests.companion.gallery.gallery import unpainted
from tests.companion.generals.fingers import DuelDriver

pytestmark = pytest.mark.long

TABLES = (
    (Setting((800, 480), "one", 0, "en"), 1000),
    (Setting((800, 480), "two", 0, "pt_BR"), 1000),
    (Setting((720, 1280), "one", 0, "pt_BR"), 20),
    (Setting((720, 1280), "two", 0, "en"), 20),
)
"""Tables, and how many steps are played at most."""


@pytest.mark.usefixtures("_own_place")
@pytest.mark.parametrize(("seed", "table"), list(enumerate(TABLES)), ids=str)
def test_a_whole_game_is_played_by_touches(seed: int, table: tuple[Setting, int]) -> None:
    setting, most = table
    use_language(setting.language)
    app = App()
    app.stage.apply(replace(app.stage.settings, layout=setting.layout, language=setting.language))
    try:
        with unpainted():
            driver = DuelDriver(Fingers(app, setting.size_px), seed)
            driver.begin()
            match = driver.match
            driver.play(most)
    finally:
        use_language("en")
    match.close()
    assert match.position.winner is not None or len(driver.told) == most
    assert match.position == game.fold(match.positions[0], driver.told)
    assert list(read_game(match.path).steps) == driver.told
    assert driver.fingers.faults == []
