"""Whole games of one person against the app: by touches in each mode, and by hand on a rendered table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from companion.app.app import App
from companion.core.language import use_language
from companion.demo.autoplayer import Autoplayer
from companion.games.chance import Thrown
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.perception.sync.status import TableView
from companion.scenes.orders.announced import AnnouncedPanel, AppRollPanel
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.cards import ToldHandScene
from companion.scenes.orders.proposal import ChoicePanel, ProposalPanel, ThrowPanel
from companion.scenes.table.round_end import RoundEndScene
from companion.scenes.table.solo_table import orders_table
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Roll, Step
from tests.companion.driver import Setting, same
from tests.companion.equip import equip
from tests.companion.fingers import Fingers
from tests.companion.gallery.gallery import unpainted
from tests.companion.orders.solo.playing import BareFingers, SoloDriver, SoloHand, request
from tests.companion.sample_eye import sample_eye

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


TURNS = 11
"""A round of both sides, and the first turns of the next."""


class RenderedTable:
    """A watch over a rendered table, whose pieces lie as the test's hands have laid them."""

    def __init__(self) -> None:
        self.eye = sample_eye()
        self.laid: Position | None = None
        self._last: tuple[Position, TableView] | None = None

    def glimpse(self, match: Match) -> TableView:
        """Return a settled look at what lies there."""
        lies = self.laid or match.position
        if self._last is None or self._last[0] is not lies:
            self._last = lies, TableView("settled", self.eye.look(lies).reading)
        return self._last[1]


class Sitting:
    """A person who plays on the board, and touches the screen only to confirm."""

    def __init__(self, hand: SoloHand) -> None:
        self.hand = hand
        self.table = RenderedTable()
        hand.app._watcher = self.table.glimpse
        self.player = Autoplayer(5)
        self.touches: Counter[str] = Counter()
        self.wait()

    def wait(self) -> None:
        """Until the camera has made up its mind."""
        self.hand.wait().wait(60.0).wait(60.0)

    def play(self, turns: int) -> None:
        """Play so many turns, of both sides together."""
        for _number in range(turns):
            self.turn()

    def _turns(self) -> int:
        return sum(isinstance(step, Deploy | Pass) for step in self.hand.match.steps)

    def turn(self) -> None:
        """Play a whole turn on the board, then do what the screen asks for."""
        match, panel = self.hand.match, self.hand.panel
        before = self._turns()
        whose = "app" if isinstance(panel, AnnouncedPanel) else "person"
        step = panel.step if isinstance(panel, AnnouncedPanel) else self._own_turn()
        self.table.laid = self._played(step)
        self.wait()
        while self._turns() == before or match.position.turn is not None:
            self.confirm(whose)
        assert match.position.units == self.table.laid.units, "what lies there is recorded"
        self.table.laid = None
        self.wait()
        if isinstance(self.hand.app.scene, RoundEndScene):
            self.hand.press(f"Start round {match.position.round}")

    def _own_turn(self) -> Step:
        """Choose a turn that can be seen on the map: nobody draws cards here."""
        while True:
            step = self.player.step(self.hand.table.next_position())
            if isinstance(step, Deploy) and step.draw is None:
                return step

    def _played(self, step: Step) -> Position:
        """Return the board once the turn is over: dice by chance, what the app answers as it would."""
        after = game.apply(self.hand.table.next_position(), step)
        while (owed := game.owed(after)) is not None:
            own = self.hand.table._answer(after) if owed.by == self.hand.table.opponent.side else None
            after = game.apply(after, own if own is not None else self.player.step(after))
        return after

    def confirm(self, whose: str) -> None:
        """One touch."""
        scene, panel = self.hand.app.scene, self.hand.panel
        self.touches[whose] += 1
        if isinstance(scene, ToldHandScene):
            self.hand.press("Leave them face down")
        elif isinstance(panel, ProposalPanel | ChoicePanel | ThrowPanel):
            assert self.table.laid is not None
            seen = [turn.position.units for turn in panel.turns]
            self.hand.app.touch(Intent("take", "", seen.index(self.table.laid.units)))
        elif isinstance(panel, AppRollPanel | RollPanel):  # dice that the camera can't tell: the board follows them
            self.hand.play(self.player.step(self.hand.match.position))
            self.table.laid = self.hand.match.position
        else:
            assert isinstance(panel, AnnouncedPanel), f"{whose}: {type(panel).__name__}"
            self.hand.press("Done")


def test_a_game_is_played_alone_on_a_rendered_table(alone: Callable[..., SoloHand]) -> None:
    hand = alone("red")
    sitting = Sitting(hand)
    sitting.play(TURNS)
    match = hand.match
    assert match.position.round == 2
    turns = [n for n, step in enumerate(match.steps) if isinstance(step, Deploy | Pass)]
    assert {match.positions[n].to_move_name for n in turns} == {"red", "black"}
    assert any(isinstance(step, Roll) for step in match.steps), "there was a fight"
    assert match.position == game.fold(match.positions[0], match.steps)
    assert sitting.touches.total() <= 1.2 * len(turns), "hardly more than a touch a turn"
