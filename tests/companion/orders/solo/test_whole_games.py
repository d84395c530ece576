"""Whole games of one person against the app by touches: each mode, every screen on the way looked over."""

from __future__ import annotations

import pytest

from companion.app.app import App
from companion.core.language import use_language
from companion.games.chance import Thrown
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.scenes.table.solo_table import orders_table
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Deploy, Pass
from tests.companion.driver import Setting, same
from tests.companion.equip import equip
from tests.companion.fingers import Fingers
from tests.companion.gallery.gallery import unpainted
from tests.companion.orders.solo.playing import BareFingers, SoloDriver, request

pytestmark = pytest.mark.long

TABLES = (
    Setting((800, 480), "two", 0, "pt_BR", "sengoku-rivers"),
    Setting((800, 480), "one", 0, "en", "sengoku-fortress"),
    Setting((720, 1280), "one", 90, "en", "wwii-alpine"),
    Setting((800, 480), "one", 0, "pt_BR", "wwii-island"),
)
LOOKED_AT = "wwii-alpine"
"""The board of the game that is played on the glass, every screen looked over; the others cost less without."""


def driven(setting: Setting, seed: int) -> SoloDriver:
    """Play a game at that table, from its first turn to its end."""
    use_language(setting.language)
    app = App()
    equip(app.stage, chance=Thrown(seed))
    app.stage.change(layout=setting.layout, language=setting.language, score_at_end=False)
    side = load_board(setting.board).factions[seed % 2]
    match = app.stage.services.games.start(request(side, board=setting.board))
    assert isinstance(match, Match)
    app.show_scene("", orders_table(app.stage, match, app.home))
    fingers = Fingers(app, setting.size_px) if setting.board == LOOKED_AT else BareFingers(app)
    driver = SoloDriver(fingers, seed, side)
    try:
        driver.play()
    finally:
        use_language("en")
        match.close()
    return driver


@pytest.mark.usefixtures("_own_place")
@pytest.mark.parametrize(("seed", "setting"), list(enumerate(TABLES)), ids=str)
def test_a_whole_game_is_played_alone(seed: int, setting: Setting) -> None:
    with unpainted():
        driver = driven(setting, seed)
    match = driver.match
    assert match.position.winner is not None
    assert match.position == game.fold(match.positions[0], match.steps), "legal from its first step to its last"
    assert list(map(same, read_journal(match.path).steps)) == list(map(same, match.steps))
    turns = [n for n, step in enumerate(match.steps) if isinstance(step, Deploy | Pass)]
    own = [n for n in turns if match.positions[n].to_move_name == driver.side]
    assert driver.shown["AnnouncedPanel"] >= len(own)
    assert driver.fingers.faults == []
    assert len(driver.app_turns) <= 2 * len(own), "touches for the app's turns, its dice and its cards"
