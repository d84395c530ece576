"""Events folded into a state: the table of docs/vision.md holds, and in any order nothing is said that must not be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from companion.perception.adapters import GameRecord, compare
from companion.perception.area_questions import standing_in
from companion.perception.dice import DiceWatch, shows_its_dice
from companion.perception.sync.monitor import advance
from companion.perception.sync.state import (
    AreaCounted,
    CameraIgnored,
    CardsTaken,
    Clock,
    Event,
    GameChanged,
    Glimpse,
    SyncState,
    TurnLaid,
    TurnsRefused,
    TurnsWeighed,
)
from companion.perception.sync.status import State, TableView
from companion.perception.sync.turn_progress import clashes
from engine.orders import game
from engine.orders.game import new_game
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Roll, Step
from engine.orders.turn import commanders_before_homecoming, ready
from tests.companion.perception.seeing import dice_look, reading_of
from tests.companion.perception.sync.table import ADVANCE, ONE_BLACK, ONE_RED, TWO, moved
from tests.companion.sample_games import BOARD, BONUSES
from vision.dice.reader import DiceReading
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


DOCS = Path(__file__).parents[4] / "docs" / "vision.md"
MATCHES = WATCHED.look("as recorded")
ROWS = {
    "off": WATCHED.take(Glimpse(None)).wait(),
    "ignored": WATCHED.take(CameraIgnored(True)).look("as recorded"),
    "lost": WATCHED.look("no camera"),
    "waiting": WATCHED.look("no picture yet"),
    "hand": MATCHES.again(state="hand"),
    "moving": MATCHES.again(state="moving"),
    "turn": MATCHES.play(ATTACK),
    "sync": MATCHES,
    "unsure": WATCHED.look("an area covered"),
    "playing": WATCHED.look("a beginning", "a beginning"),
    "dice": WATCHED.look("a fight", "a fight"),
    "proposal": WATCHED.look("a turn", "a turn"),
    "behind": MATCHES.play(ADVANCE),
    "out": WATCHED.look("a piece too many", "nothing fits").wait(60.0),
}


def has_played(fold: Fold) -> bool:
    return fold.sign == "behind"


def next_step(fold: Fold) -> Fold:
    """Let the game go on by touch, or with the turn that is offered."""
    if fold.sign == "turn":
        return fold.play(ATTACK, Roll((0,), "black"))
    if has_played(fold):
        return fold.play(ADVANCE, REPLY)
    return fold.play(ADVANCE, weighed="nothing done" if fold.sign == "proposal" else "nothing fits")


COLUMNS: dict[str, Callable[[Fold], Fold]] = {
    "as recorded": lambda fold: fold.look("a turn" if has_played(fold) else "as recorded"),
    "a turn done": lambda fold: fold.look("a reply", "a reply") if has_played(fold) else fold.look("a turn", "a turn"),
    "nothing fits": lambda fold: fold.look("a piece too many", "nothing fits"),
    "hands": lambda fold: (
        fold.again(state="hand") if fold.state.reading else fold.look("as recorded").again(state="hand")
    ),
    "camera lost": lambda fold: fold.look("no camera"),
    "step": next_step,
    "count": lambda fold: fold.take(AreaCounted("b3", standing_in(START, "b3"))).again(),
    "refusal": lambda fold: fold.take(TurnsRefused()).again(),
    "clock": lambda fold: fold.wait(60.0),
}


def test_each_row_is_what_the_screen_says() -> None:
    assert {sign: fold.sign for sign, fold in ROWS.items()} == {sign: sign for sign in ROWS}


def table_of_the_docs() -> dict[str, list[str]]:
    """Return {what the screen says: what it says next}."""
    lines = DOCS.read_text(encoding="utf-8").partition("| now |")[2].splitlines()
    cells = ([cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines)
    return {first: rest for first, *rest in cells if first in ROWS}


@pytest.mark.parametrize("sign", ROWS)
def test_what_the_screen_says_next_is_as_the_docs_have_it(sign: str) -> None:
    found = [event(ROWS[sign]).sign for event in COLUMNS.values()]
    assert table_of_the_docs()[sign] == found, f"| {sign} | {' | '.join(found)} |"


GAMES = [WATCHED.state.game or record(), record(ADVANCE), record(ATTACK)]
BLANK = DiceWatch().see(DiceReading(())).see(dice_look(0))
COUNTS = [(), ONE_BLACK, ONE_RED, TWO, standing_in(START, "b3"), standing_in(FULL, "c4")]
HANDS: tuple[State | None, ...] = (None, None, None, "hand")
GLIMPSES = [
    Glimpse(view and replace(view, state=state or view.state), dice)
    for view in (*VIEWS.values(), *[VIEWS["a fight"], VIEWS["a commander"]] * 3, None)
    for state in HANDS
    for dice in (DiceWatch(), BLANK)
]
EVENTS: some.SearchStrategy[Event] = (
    some.sampled_from(GLIMPSES)
    | some.sampled_from(GLIMPSES)
    | some.sampled_from([GameChanged(game) for game in GAMES])
    | some.builds(AreaCounted, some.sampled_from(["b3", "c4", "c5", "e1"]), some.sampled_from(COUNTS))
    | some.sampled_from([TurnsRefused(), TurnLaid(), CardsTaken(), CameraIgnored(True), CameraIgnored(False)])
)
HAPPENINGS = some.lists(
    some.tuples(EVENTS, some.sampled_from(list(WEIGHED)), some.sampled_from([0.25, 2.0, 60.0])), min_size=4, max_size=14
)


def weighed(fold: Fold, name: str) -> Inference:
    """Return the turns that are weighed; of a game that has moved on, whether nothing was done."""
    asked, found = fold.state.turn.request, WEIGHED[name]
    if asked is None or asked.position == START:
        return found
    return replace(
        found, explanations=tuple(Explanation((), asked.position, "", 0.9) for _idle in found.explanations[:1])
    )


def folded(happenings: list[tuple[Event, str, float]]) -> list[tuple[Fold, Fold]]:
    """Return the folds before and after each of these events, the turns weighed and the clock on."""
    folds = [WATCHED]
    for event, name, seconds in happenings:
        taken = folds[-1].take(event)
        taken = taken.take(Glimpse(taken.state.view, taken.state.dice))
        folds.append(replace(taken, inference=weighed(taken, name)).weigh().wait(seconds))
    return list(pairwise(folds))


def is_worked_out(fold: Fold) -> bool:
    """Return whether what the screen says is about what the camera shows now."""
    view = fold.state.view
    return view is not None and view.state == "settled" and fold.state.turn.inference is not None


@settings(max_examples=150)
@given(HAPPENINGS)
def test_it_never_says_what_must_not_be_said(happenings: list[tuple[Event, str, float]]) -> None:
    for _before, fold in folded(happenings):
        state, status, reading = fold.state, fold.state.status, fold.state.refined_reading
        if not is_worked_out(fold) or reading is None or state.turn.start is None:
            continue
        if status.sign == "sync" and status.question is None:
            sure = [area for area in compare(state.turn.start, reading) if area.state == "differs"]
            assert not sure, "the board matches, though a sure area differs"
        if status.sign == "proposal" and not state.turn.refused_turns and clashes(state.turn.start, reading):
            assert shows_its_dice(status.explanations[0], state.dice.offer), "a turn is offered before its dice"
        offered = {explanation.steps for explanation in status.explanations}
        assert not offered & state.turn.refused_turns, "a turn is offered that was refused"


@settings(max_examples=40)
@given(HAPPENINGS)
def test_it_always_comes_back_to_the_board(happenings: list[tuple[Event, str, float]]) -> None:
    fold = folded(happenings)[-1][1]
    for lost in (fold, fold.take(TurnsRefused()), fold.look("no camera"), fold.take(Glimpse(None)).wait()):
        watching = lost.take(CameraIgnored(False), GameChanged(GAMES[0])).look("as recorded")
        assert watching.sign == "sync"
        assert watching.look("a turn", "a turn").sign == "proposal"


def test_events_change_no_state_that_was() -> None:
    before = WATCHED.look("as recorded")
    was = before.state.status
    before.look("a turn", "a turn")
    assert before.state.status is was
    assert before.sign == "sync"
