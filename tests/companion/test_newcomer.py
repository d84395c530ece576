"""A newcomer's whole game of each system, from the first start to the score: how many touches it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from companion.app.app import App
from companion.demo.sonae_player import SonaePlayer
from companion.games.chance import Thrown
from companion.scenes.home.start import WelcomeScene
from companion.scenes.orders.placing import PlaceForm
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.scenes.table.round_end import RoundEndScene
from companion.ui.screen import Intent
from engine.orders.steps import RESERVE, Deploy, Load, Pass
from tests.companion.driver import Driver
from tests.companion.equip import equip
from tests.companion.fingers import Fingers, own_place
from tests.companion.gallery.gallery import unpainted
from tests.companion.generals.fingers import DuelDriver
from tests.companion.sonae.test_whole_battle import bring_about
from tests.companion.touching import Hand

SIZE_PX = (800, 480)
GUIDED: Mapping[str, Sequence[str]] = {
    "orders": ("New game", "Next", "Flip for me", "Draw at random", "Next", "Done", "Done", "Done", "Start playing"),
    "sonae": ("Sonae", *("Next",) * 7, "Start the battle"),
    "generals": ("Generals Order", "Next", "Choose at random", "Next", "Start the game"),
}
"""What leads from home to the first turn, by the guide that lays the table."""
QUICK: Mapping[str, Sequence[str]] = {
    "orders": ("New game", "Quick start"),
    "sonae": ("Sonae", "Quick start"),
    "generals": ("Generals Order", "Quick start"),
}
MOST_STEPS = 3000


@dataclass
class Walk:
    """Touches: to the first turn by the guide and at once, of each turn, at the end of each round, to the score."""

    guided: int
    quick: int
    turns: list[int]
    rounds: list[int]
    score: int = 0


class Practised(Driver):
    """Deals units out as a player does who knows the table: by one drag, by the rest, or by the suggestion."""

    def _open(self, step: Deploy) -> None:
        """Open a move or a shot from one area by a drag; open everything else as anybody would."""
        here = self.match.board.space(step.space).area
        start, end = here, step.target
        if len(step.moves) == 1 and step.moves[0][0] != RESERVE:
            start, end = step.moves[0][0], here
        self.aimed = start is not None and end is not None and start != end and not step.cards
        if self.aimed:
            self.fingers.drag(Intent("area", start or ""), Intent("area", end or ""))
            if self.fingers.chosen_space() == step.space:
                return
            self.fingers.tap("cancel")
            self.aimed = False
        super()._open(step)

    def _aim(self, target: str) -> None:
        """Leave the aim as it is: the drag has aimed already.

        Chance is asked all the same: it is the game that anybody else would play.
        """
        if self.aimed:
            self.rng.random()
        else:
            super()._aim(target)

    def _count(self, verb: str, loads: tuple[Load, ...]) -> None:
        """Count the pieces with the fewest touches: by more and less, or area by area and then the rest."""
        now = {key: stepper.value for key, stepper in self.fingers.steppers().items() if key.startswith(f"{verb} ")}
        wanted = {f"{verb} {area}/{unit}": n for area, unit, n in loads}
        steps = sum(abs(wanted.get(key, 0) - n) for key, n in now.items())
        order = sorted(loads, key=lambda load: load[2])
        evenly = bool(order) and order[-1][2] - order[0][2] <= 1
        taps = len(order) if evenly else sum(n for _area, _unit, n in order[:-1]) + 1
        kinds = {unit for _area, unit, _n in loads}
        table = self.fingers.app.table
        places = isinstance(table, BoardTable) and isinstance(table.panel, PlaceForm)
        if not places or len(kinds) > 1 or steps <= taps + 1:
            super()._count(verb, loads)
            return
        for n, (area, _unit, many) in enumerate(order, 1):
            for _once in range(1 if evenly or n == len(order) else many):
                self.fingers.tap("area", area)
        if self.fingers.has("rest"):
            self.fingers.tap("rest")
        super()._count(verb, loads)


class Counted(Hand):
    """A hand that counts its touches; a finger that is led over the field is one."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.touches = 0
        touch = app.touch

        def counted(intent: Intent) -> None:
            self.touches += not (intent.at != (0.0, 0.0) and intent.n)
            touch(intent)

        app.touch = counted  # type: ignore[method-assign]


def first_start() -> App:
    """Return an app as it starts for the first time."""
    app = App()
    equip(app.stage, chance=Thrown(1))
    app.scene = WelcomeScene(app.stage, app.home)
    return app


def start(way: Sequence[str], folder: Path) -> tuple[Fingers, int]:
    """From the first start on a machine with this empty folder to the first turn; the touches it took."""
    own_place(folder)
    fingers = Fingers(first_start(), SIZE_PX, looks=False)
    for label in ("Start", *way):
        fingers.press(label)
    return fingers, fingers.touches


def walk_orders(folder: Path) -> Walk:
    """Play a game on the Rivers board."""
    _at_table, quick = start(QUICK["orders"], folder / "quick")
    fingers, guided = start(GUIDED["orders"], folder / "guided")
    driver, walk = Practised(fingers, 1), Walk(guided, quick, [], [])
    match, before = driver.match, fingers.touches
    while match.position.winner_name is None:
        if isinstance(fingers.app.scene, RoundEndScene):
            walk.rounds.append(1)
            fingers.tap("on")
            before = fingers.touches
        step = driver.next_step()
        if isinstance(step, Deploy | Pass) and fingers.touches > before:
            walk.turns.append(fingers.touches - before)
            before = fingers.touches
        driver.enter(step)
    walk.score = _to_score(fingers)
    return walk


def walk_generals(folder: Path) -> Walk:
    """Play a game with the practice decks."""
    _at_table, quick = start(QUICK["generals"], folder / "quick")
    fingers, guided = start(GUIDED["generals"], folder / "guided")
    driver, walk = DuelDriver(fingers, 1), Walk(guided, quick, [], [])
    before, mover = fingers.touches, driver.position.to_move
    while driver.position.winner is None:
        driver.play(1)
        if driver.position.to_move != mover:
            walk.turns.append(fingers.touches - before)
            before, mover = fingers.touches, driver.position.to_move
    walk.score = _to_score(fingers)
    return walk


def walk_sonae(folder: Path) -> Walk:
    """Play the practice battle; a turn here is an activation."""
    _at_table, quick = start(QUICK["sonae"], folder / "quick")
    fingers, guided = start(GUIDED["sonae"], folder / "guided")
    hand, walk, player = Counted(fingers.app), Walk(guided, quick, [], []), SonaePlayer(5)
    table: Any = fingers.app.table
    before, acted = 0, table.position.acting
    for _step in range(MOST_STEPS):
        step = player.step(table.position)
        if step is None:
            break
        known = len(table.match.steps)
        bring_about(hand, step)
        if len(table.match.steps) == known:  # led to a hair's breadth elsewhere, where it is not allowed
            hand.app.touch(Intent("cancel"))
            assert table.match.offer(step).legal
            table.refresh()
        if acted and table.position.acting != acted:
            walk.turns.append(hand.touches - before)
            before = hand.touches
        acted = table.position.acting
    assert table.position.winner is not None
    fingers.touches = 0
    walk.score = _to_score(fingers)
    return walk


def _to_score(fingers: Fingers) -> int:
    """From the last step to who has won, and why."""
    before = fingers.touches
    if not isinstance(fingers.app.scene, EndScene):
        fingers.tap("score")
    assert isinstance(fingers.app.scene, EndScene), type(fingers.app.scene)
    return fingers.touches - before


WALKS: Mapping[str, Callable[[Path], Walk]] = {
    "General Orders": walk_orders, "Sonae": walk_sonae, "Generals Order": walk_generals,
}  # fmt: skip


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
