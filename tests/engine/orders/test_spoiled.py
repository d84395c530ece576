"""In random games on every board every spoiled step is refused with its reason, and nothing else is ever raised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine.orders.game import apply, judge, owed
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from tests.boards.practice import BOARDS
from tests.play import SEEDS, game

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
