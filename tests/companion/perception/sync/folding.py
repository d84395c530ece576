"""A state of the monitor that events are folded into, with games, views and weighed turns to choose from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.perception.game_record import GameRecord
from companion.perception.sync.advance import advance
from companion.perception.sync.state import Clock, Event, GameChanged, Glimpse, SyncState, TurnsWeighed
from companion.perception.sync.status import TableView
from engine.orders import game
from engine.orders.game import new_game
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Roll, Step
from engine.orders.turn import commanders_before_homecoming, ready
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import ADVANCE, ONE_BLACK, TWO, moved
from tests.companion.sample_games import BOARD, BONUSES
from vision.reading.count import Combo

ATTACK = Deploy("advance:c5", moves=(("d5", "troop", 2),))
SETTING = Agreed(areas=(("c5", ONE_BLACK),))
START = game.apply(new_game(BOARD, "red", BONUSES), SETTING)
FULL = ready(game.apply(START, ADVANCE), Pass())
FEWER = ready(game.apply(START, moved(1)), Pass())
REPLY = Deploy("advance:b2", moves=(("a1", "troop", 1),))
REPLIED = ready(game.apply(FULL, REPLY), Pass())
FOUGHT = ready(game.fold(START, (ATTACK, Roll((0,), "black"))), Pass())


def record(*steps: Step) -> GameRecord:
    """Return the game from the beginning with these steps."""
    positions = [new_game(BOARD, "red", BONUSES)]
    for step in (SETTING, *steps):
        positions.append(game.apply(positions[-1], step))
    return GameRecord((SETTING, *steps), tuple(positions), ready(positions[-1], Pass()))


def odd(position: Position, area: str, units: Combo) -> Position:
    return game.apply(position, Agreed(areas=((area, units),)))


VIEWS = {
    "as recorded": TableView("settled", reading_of(START)),
    "a turn": TableView("settled", reading_of(FULL)),
    "a beginning": TableView("settled", reading_of(FEWER)),
    "a fight": TableView("settled", reading_of(game.apply(START, ATTACK))),
    "a fight decided": TableView("settled", reading_of(FOUGHT)),
    "a commander": TableView(
        "settled", reading_of(replace(START, commanders=commanders_before_homecoming(START, Deploy("advance:c4"))))
    ),
    "a piece too many": TableView("settled", reading_of(odd(START, "b3", (("black", "troop", 3),)))),
    "an area in doubt": TableView("settled", reading_of(START, {"e1": ((TWO, 0.6), ((), 0.4))})),
    "an area covered": TableView("settled", reading_of(START, covered=("a1", "e3"))),
    "a reply": TableView("settled", reading_of(REPLIED)),
    "no camera": TableView("lost", fault="unplugged"),
    "no picture yet": TableView("waiting"),
}


def turn(likelihood: float, position: Position, *steps: Step) -> Explanation:
    return Explanation(steps, position, "", likelihood)


WEIGHED = {
    "nothing done": Inference((turn(0.99, START),), ()),
    "nothing fits": Inference((turn(0.02, START),), (), none=0.98),
    "no turn at all": Inference((), (), none=1.0),
    "a turn": Inference((turn(0.95, FULL, ADVANCE), turn(0.05, START)), ()),
    "a beginning": Inference((turn(0.9, FEWER, moved(1)), turn(0.1, START)), (), fuller=2.0),
    "one of two": Inference((turn(0.5, FULL, ADVANCE), turn(0.45, FEWER, moved(1))), ()),
    "a reply": Inference((turn(0.95, REPLIED, REPLY),), ()),
    "a fight": Inference((turn(0.9, FOUGHT, ATTACK, Roll((0,), "black")),), (), none=0.1),
}


@dataclass(frozen=True)
class Fold:
    """A state, and how late it is."""

    state: SyncState
    inference: Inference
    now_s: float = 100.0

    @property
    def sign(self) -> str:
        return self.state.status.sign

    def take(self, *events: Event) -> Fold:
        state = self.state
        for event in events:
            state = advance(state, event)
        return replace(self, state=state)

    def again(self, **changes: Any) -> Fold:
        """Take the same glimpse again as the monitor does, or one with these changes, weighed as before."""
        view = self.state.view
        return self.take(Glimpse(replace(view, **changes) if view else view)).weigh().wait()

    def weigh(self) -> Fold:
        """Have what is asked answered, and what a dispute then asks anew."""
        asked, fold, inference = None, self, self.inference
        while fold.state.turn.request not in (None, asked):
            asked = fold.state.turn.request
            assert asked is not None
            fold = fold.take(TurnsWeighed(asked, inference))
        return fold

    def wait(self, seconds: float = 0.25) -> Fold:
        return replace(self, now_s=self.now_s + seconds).take(Clock(self.now_s + seconds))

    def look(self, view: str, weighed: str = "nothing done") -> Fold:
        """Take another glimpse, weighed so."""
        return replace(self.take(Glimpse(VIEWS[view])), inference=WEIGHED[weighed]).again()

    def play(self, *steps: Step, weighed: str = "nothing fits") -> Fold:
        """Let the game have come to these steps, and look again."""
        return replace(self, inference=WEIGHED[weighed]).take(GameChanged(record(*steps))).again()


WATCHED = Fold(SyncState(), WEIGHED["nothing done"]).take(GameChanged(record()))
