"""In random games on every board every spoiled step is refused with its reason, and nothing else is ever raised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Illegal
from engine.orders.game import apply, examine, judge, owed
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.wire import check_position
from tests.boards.practice import BOARDS
from tests.play import SEEDS, game, next_step, opening

pytestmark = pytest.mark.chance

on_every_board = pytest.mark.parametrize("board", sorted(BOARDS))
Wrong = Iterator[tuple[str, Step]]
"""Steps with one thing made wrong, each with the rules of which one must object, in a row."""
NUMBER_OF_DICE = "roll.dice roll.both roll.zone"


def spoiled(position: Position, step: Step) -> Wrong:
    """Yield copies of a legal step, each with one part made wrong."""
    if isinstance(step, Roll):
        yield from spoiled_rolls(position, step)
    elif isinstance(step, Remove):
        (unit, n), *others = step.units
        yield "remove.number", Remove(((unit, n + 1), *others), step.by, step.area)
        yield "remove.owed", Remove(step.units, "green", step.area)
        yield "turn.owed", Deploy("plan:1", draw=1)
    elif isinstance(step, Return):
        yield "return.own", Return("plan:9", step.by)
        yield "return.owed", Return(step.space, "green")
        yield "turn.owed", Pass()
    elif isinstance(step, Reroll):
        yield "card.known", Reroll("bribery", step.by)
        yield "faction.known", Reroll(step.card, "green")
    elif isinstance(step, Play):
        yield "card.known", Play("bribery", step.by)
        yield "card.form", replace(step, target="a1" if step.target is None else step.target, units=9)
    elif owed(position) is None:
        yield from spoiled_turns(position, step)


def spoiled_rolls(position: Position, step: Roll) -> Wrong:
    due = owed(position)
    assert due is not None
    other = next(faction for faction in position.board.factions if faction != step.by)
    if due.loose:
        yield NUMBER_OF_DICE, Roll((1,) * 13, step.by)
    else:
        yield NUMBER_OF_DICE, Roll((*step.dice, 1), step.by)
        yield NUMBER_OF_DICE, Roll(step.dice[1:], step.by)
    yield "roll.face", Roll((7, *step.dice[1:]), step.by)
    yield "roll.by", Roll(step.dice, other)
    yield "turn.owed", Pass()


def spoiled_turns(position: Position, step: Step) -> Wrong:
    who = position.to_move_name
    yield "roll.owed", Roll((1,), who)
    yield "remove.owed", Remove((("troop", 1),), who)
    yield "return.owed", Return("plan:1", who)
    yield "reroll.owed", Reroll("ambush", who)
    yield "accept.window", Accept()
    if isinstance(step, Deploy):
        yield from spoiled_deployments(position, step)


def spoiled_deployments(position: Position, step: Deploy) -> Wrong:
    action, _, _ = step.space.partition(":")
    yield "space.known", replace(step, space=f"{action}:z9")
    yield "card.known", replace(step, cards=("bribery",))
    if step.moves:
        (area, unit, n), *others = step.moves
        yield "area.known", replace(step, moves=(("z9", unit, n), *others))
        yield f"{action}.kind", replace(step, moves=((area, "elephant", n), *others))
        yield f"{action}.last-unit", replace(step, moves=whole(position, area))
        yield f"{action}.enough", replace(step, moves=((area, unit, n + 30), *others))
        yield f"{action}.units", replace(step, moves=())
        yield "deploy.form", replace(step, target=area)
    if step.target is not None:
        yield f"{action}.target", replace(step, target=None)
        yield "area.known", replace(step, target="z9")
        yield "deploy.form", replace(step, draw=1)
    if step.payload is not None:
        yield from ((f"{action}.payload", replace(step, payload=n)) for n in (None, 0, 30))
    if step.place:
        (area, unit, n), *others = step.place
        yield f"{action}.amount", replace(step, place=((area, unit, n + 30), *others))
        yield f"{action}.kind", replace(step, place=((area, "elephant", n), *others))
        yield "area.known", replace(step, place=(("z9", unit, n), *others))
        yield "deploy.form", replace(step, payload=1)


def whole(position: Position, area: str) -> tuple[Load, ...]:
    return tuple((area, unit, n) for unit, n in position.units_in(area)[position.to_move_name].items())


@on_every_board
@given(SEEDS)
@settings(max_examples=2)
def test_every_spoiled_step_is_refused_with_its_reason(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        for expected, wrong in spoiled(position, step):
            ruling = judge(position, wrong)
            rules = [finding.rule for finding in ruling.objections]
            assert set(expected.split()) & set(rules), (expected, wrong, rules)
            assert all(finding.message and str(finding.citation) for finding in ruling.objections)


@on_every_board
@given(SEEDS)
@settings(max_examples=1)
def test_a_space_just_taken_is_closed(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        if isinstance(step, Deploy) and not step.cards:
            then = apply(position, step)
            if then.turn is None and then.winner is None and then.round == position.round:
                assert not judge(then, step).legal


# --- whatever is tried ------------------------------------------------------------------

NAMES = ["a1", "a3", "b1", "b2", "c1", "c4", "d3", "e3", "e4", "zone-red", "zone-white", "z9", "reserve"]
UNITS = ["troop", "ship", "siege", "aircraft", "elephant"]
CARDS = [
    *("ambush", "commandeer", "counterattack", "ground_assault", "mobilise", "river_assault", "ship_strike"),
    *("shore_strike", "siege_strike", "blitz", "mobilize", "counter_attack", "anti_air", "wingman", "bribery"),
]
SPACES = [
    *("advance:b2", "advance:c4", "advance:d1", "sail:b1", "sail:c3", "bombard:b1", "bombard:d4"),
    *("shell:d3", "shell:a2", "siege:a2", "reinforce:1", "embark:1", "plan:1", "fly:c4", "x"),
    *("paradrop:b1", "barrage:a2", "fly:zone-white", "bomb:zone-white", "bomb:zone-red", "take_off:1"),
]
LOADS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(UNITS), st.integers(1, 7)), max_size=3).map(tuple)
CARD = st.sampled_from(CARDS)
NONE_OR_AREA = st.none() | st.sampled_from(NAMES)
SMALL = st.none() | st.integers(0, 4)


def any_step(who: st.SearchStrategy[str]) -> st.SearchStrategy[Step]:
    """Return a strategy for steps of every kind, with names that boards have and names that none has."""
    lost = st.lists(st.tuples(st.sampled_from(UNITS), st.integers(0, 4)), max_size=3).map(tuple)
    drawn = SMALL | st.lists(CARD, max_size=3).map(tuple)
    cards = st.lists(CARD, max_size=3).map(tuple)
    space = st.sampled_from(SPACES)
    return st.one_of(
        st.builds(Deploy, space, LOADS, LOADS, LOADS, NONE_OR_AREA, drawn, cards, SMALL),
        st.just(Pass()),
        st.builds(Play, CARD, who, LOADS, NONE_OR_AREA, SMALL, LOADS, LOADS),
        st.builds(Roll, st.lists(st.integers(0, 4), max_size=5).map(tuple), who),
        st.builds(Reroll, CARD, who),
        st.builds(Remove, lost, who, NONE_OR_AREA),
        st.builds(Return, space, who),
        st.builds(Accept, st.none() | who),
    )


def somewhere(board: str, seed: int) -> Position:
    """Return a position from somewhere in a random game, inside or between turns."""
    rng = Random(seed)
    position = opening(rng, BOARDS[board]())
    for _ in range(rng.randrange(40)):
        then = apply(position, next_step(rng, position))
        if then.winner is not None:
            break
        position = then
    return position


@on_every_board
@given(SEEDS, st.data())
@settings(max_examples=8)
def test_judging_never_raises_and_applying_raises_only_what_it_objects_to(
    board: str, seed: int, data: st.DataObject
) -> None:
    position = somewhere(board, seed)
    who = st.sampled_from([*position.board.factions, "green"])
    for step in data.draw(st.lists(any_step(who), min_size=1, max_size=12)):
        before = hash(position)
        ruling = judge(position, step)
        assert ruling.objections == tuple(f for f in examine(position, step).findings if not f.holds)
        assert hash(position) == before
        if ruling.legal:
            check_position(apply(position, step))
        else:
            with pytest.raises(Illegal) as caught:
                apply(position, step)
            assert caught.value.ruling == ruling
