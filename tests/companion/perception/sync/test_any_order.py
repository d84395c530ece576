"""Whatever happens in whatever order, the screen never says what must not be said, and comes back to the board."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as some

from companion.perception.adapters import compare
from companion.perception.area_questions import standing_in
from companion.perception.dice import DiceWatch, shows_its_dice
from companion.perception.sync.state import (
    AreaCounted,
    CameraIgnored,
    CardsTaken,
    Event,
    GameChanged,
    Glimpse,
    TurnLaid,
    TurnsRefused,
)
from companion.perception.sync.status import State
from companion.perception.sync.turn_progress import clashes
from engine.orders.inference.infer import Explanation, Inference
from tests.companion.perception.dice_looks import look
from tests.companion.perception.sync.folding import ATTACK, FULL, START, VIEWS, WATCHED, WEIGHED, Fold, record
from tests.companion.perception.sync.table import ADVANCE, ONE_BLACK, ONE_RED, TWO
from vision.dice.reader import DiceReading

GAMES = [WATCHED.state.game or record(), record(ADVANCE), record(ATTACK)]
BLANK = DiceWatch().see(DiceReading(())).see(look(0))
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
