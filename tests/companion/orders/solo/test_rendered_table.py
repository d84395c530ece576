"""One person against the app on a rendered table, by the real eye: hands move the pieces, and a touch confirms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from companion.demo.autoplayer import Autoplayer
from companion.games.match import Match
from companion.perception.sync.status import TableView
from companion.scenes.orders.announced import AnnouncedPanel, AppRollPanel
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.cards import ToldHandScene
from companion.scenes.orders.proposal import ChoicePanel, ProposalPanel, ThrowPanel
from companion.scenes.table.round_end import RoundEndScene
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Roll, Step
from tests.companion.orders.solo.playing import SoloHand
from tests.companion.sample_eye import sample_eye

pytestmark = pytest.mark.long


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
