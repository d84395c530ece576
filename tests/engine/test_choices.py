"""In random games every option listed is accepted, every other refused, and every spoiled step with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Illegal
from engine.orders.game import Offer, apply, examine, judge, legal, owed
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Remove, Reroll, Roll, Step
from engine.orders.wire import checked
from tests.boards.practice import BOARDS
from tests.play import ANY_BOARD, SEEDS, game, next_step, opening, turn_starts

# --- every option listed is accepted, every other refused -------------------------------


def deployments(position: Position, space: str, offer: Offer) -> Iterator[Deploy]:
    """Each single choice that an offer lists, and the most of it."""
    unit = "ship" if offer.action in ("sail", "embark") else "troop"
    for area, kinds in offer.sources.items():
        for kind, most in kinds.items():
            yield Deploy(space, moves=((area, kind, 1),))
            yield Deploy(space, moves=((area, kind, most),))
    yield from (Deploy(space, target=target) for target in offer.targets)
    index = position.board.mode.unit_index[unit]
    room = min(offer.amount, position.reserve(position.to_move, index))
    if "place-fewer" not in position.readings:
        yield from (Deploy(space, place=((area, unit, n),)) for area in offer.areas for n in range(1, room + 1))
    if offer.action == "plan":
        yield Deploy(space, draw=offer.draw)


def beyond(position: Position, space: str, offer: Offer) -> Iterator[Deploy]:
    """Each choice just outside an offer."""
    areas = [area.name for area in position.board.areas]
    unit = "ship" if offer.action in ("sail", "embark") else "troop"
    if offer.sources:
        yield from (Deploy(space, moves=((area, unit, 1),)) for area in areas if area not in offer.sources)
        yield from (Deploy(space, moves=((a, kind, n + 1),)) for a, k in offer.sources.items() for kind, n in k.items())
    if offer.targets:
        yield from (Deploy(space, target=area) for area in areas if area not in offer.targets)
    if offer.action in ("reinforce", "embark"):
        yield from (Deploy(space, place=((area, unit, 1),)) for area in areas if area not in offer.areas)
        yield from (Deploy(space, place=((area, unit, offer.amount + 1),)) for area in offer.areas)
    if offer.action == "plan":
        yield Deploy(space, draw=offer.draw + 1)


def closed(position: Position, space: str) -> Iterator[Deploy]:
    """Every single choice at a space that is not offered."""
    areas = [area.name for area in position.board.areas]
    for unit in position.board.mode.unit_index:
        yield from (Deploy(space, moves=((area, unit, 1),)) for area in areas)
    yield from (Deploy(space, target=area) for area in areas)
    yield Deploy(space)
    yield from (Deploy(space, draw=n) for n in (1, 2, 3))


@given(ANY_BOARD, SEEDS)
@settings(max_examples=24)
def test_every_option_listed_is_accepted_and_none_beside_it(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed))[::5]:
        now = legal(position)
        assert now.may_pass
        assert judge(position, Pass()).legal
        for space, offer in now.spaces.items():
            assert all(judge(position, step).legal for step in deployments(position, space, offer))
            assert not any(judge(position, step).legal for step in beyond(position, space, offer))


@given(ANY_BOARD, SEEDS)
@settings(max_examples=16)
def test_a_space_that_is_not_listed_is_closed_whatever_is_tried(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed))[::9]:
        for space in {space.name for space in position.board.spaces} - set(legal(position).spaces):
            assert not any(judge(position, step).legal for step in closed(position, space))


# --- spoiled steps ----------------------------------------------------------------------


def spoiled(position: Position, step: Step) -> Iterator[tuple[str, Step]]:
    """A legal step with one thing made wrong, and a rule's id or its beginning that must object."""
    due = owed(position)
    if isinstance(step, Roll):
        other = next(faction for faction in position.board.factions if faction != step.by)
        yield "roll.dice", Roll((*step.dice, 1), step.by)
        yield "roll.dice", Roll(step.dice[1:], step.by)
        yield "roll.face", Roll((7, *step.dice[1:]), step.by)
        yield "roll.by", Roll(step.dice, other)
        yield "turn.owed", Pass()
    elif isinstance(step, Remove):
        (unit, n), *others = step.units
        yield "remove.number", Remove(((unit, n + 1), *others), step.by, step.area)
        yield "remove.owed", Remove(step.units, "green", step.area)
        yield "turn.owed", Deploy("plan:1", draw=1)
    elif isinstance(step, Reroll):
        yield "card.known", Reroll("bribery", step.by)
        yield "faction.known", Reroll(step.card, "green")
    elif isinstance(step, Play):
        yield "card.known", Play("bribery", step.by)
        yield "card.form", Play(step.card, step.by, step.place, "a1" if step.target is None else step.target, 9)
    elif due is None:
        yield "roll.owed", Roll((1,), position.to_move_name)
        yield "remove.owed", Remove((("troop", 1),), position.to_move_name)
        yield "reroll.owed", Reroll("ambush", position.to_move_name)
        yield "accept.window", Accept()
        yield from spoiled_deployments(position, step)


def spoiled_deployments(position: Position, step: Step) -> Iterator[tuple[str, Step]]:
    if not isinstance(step, Deploy):
        return
    action, _, _ = step.space.partition(":")
    yield "space.known", Deploy(f"{action}:z9", step.moves, step.place, step.recall, step.target, step.draw)
    yield "card.known", with_field(step, cards=("bribery",))
    if step.moves:
        (area, unit, n), *others = step.moves
        yield "area.known", with_field(step, moves=(("z9", unit, n), *others))
        yield f"{action}.kind", with_field(step, moves=((area, "elephant", n), *others))
        yield f"{action}.last-unit", with_field(step, moves=whole(position, area))
        yield f"{action}.enough", with_field(step, moves=((area, unit, n + 30), *others))
        yield f"{action}.units", with_field(step, moves=())
        yield "deploy.form", with_field(step, target=area)
    if step.target is not None:
        yield f"{action}.target", with_field(step, target=None)
        yield "area.known", with_field(step, target="z9")
        yield "deploy.form", with_field(step, draw=1)
    if step.place:
        (area, unit, n), *others = step.place
        yield f"{action}.amount", with_field(step, place=((area, unit, n + 30), *others))
        yield f"{action}.kind", with_field(step, place=((area, "elephant", n), *others))
        yield "area.known", with_field(step, place=(("z9", unit, n), *others))


def whole(position: Position, area: str) -> tuple[Load, ...]:
    return tuple((area, unit, n) for unit, n in position.units_in(area)[position.to_move_name].items())


def with_field(step: Deploy, **changes: Any) -> Deploy:
    fields = {name: getattr(step, name) for name in ("space", "moves", "place", "recall", "target", "draw", "cards")}
    return Deploy(**{**fields, **changes})


@given(ANY_BOARD, SEEDS)
@settings(max_examples=30)
def test_every_spoiled_step_is_refused_with_its_reason(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        for rule, wrong in spoiled(position, step):
            ruling = judge(position, wrong)
            rules = [finding.rule for finding in ruling.objections]
            assert rule in rules, (rule, wrong, rules)
            assert all(finding.message and finding.citation.section for finding in ruling.objections)


@given(ANY_BOARD, SEEDS)
@settings(max_examples=30)
def test_a_space_just_taken_is_closed(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        if isinstance(step, Deploy) and not step.cards:
            then = apply(position, step)
            if then.turn is None and then.winner is None and then.round == position.round:
                again = with_field(step, cards=())
                assert not judge(then, again).legal


# --- whatever is tried ------------------------------------------------------------------

NAMES = ["a1", "a3", "b1", "b2", "c1", "c4", "d3", "e3", "e4", "z9", "reserve"]
UNITS = ["troop", "ship", "siege", "elephant"]
CARDS = [
    *("ambush", "commandeer", "counterattack", "ground_assault", "mobilise"),
    *("river_assault", "ship_strike", "shore_strike", "bribery"),
]
SPACES = [
    *("advance:b2", "advance:c4", "advance:d1", "sail:b1", "sail:c3", "bombard:b1", "bombard:d4"),
    *("shell:d3", "shell:a2", "siege:a2", "reinforce:1", "embark:1", "plan:1", "fly:c4", "x"),
]
WHO = st.sampled_from(["red", "black", "green"])
LOADS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(UNITS), st.integers(1, 7)), max_size=3).map(tuple)
CARD = st.sampled_from(CARDS)
NONE_OR_AREA = st.none() | st.sampled_from(NAMES)
ANY_STEP: st.SearchStrategy[Step] = st.one_of(
    st.builds(
        Deploy,
        st.sampled_from(SPACES),
        LOADS,
        LOADS,
        LOADS,
        NONE_OR_AREA,
        st.none() | st.integers(0, 4) | st.lists(CARD, max_size=3).map(tuple),
        st.lists(CARD, max_size=3).map(tuple),
    ),
    st.just(Pass()),
    st.builds(Play, CARD, WHO, LOADS, NONE_OR_AREA, st.none() | st.integers(0, 4), LOADS),
    st.builds(Roll, st.lists(st.integers(0, 4), max_size=5).map(tuple), WHO),
    st.builds(Reroll, CARD, WHO),
    st.builds(
        Remove,
        st.lists(st.tuples(st.sampled_from(UNITS), st.integers(0, 4)), max_size=3).map(tuple),
        WHO,
        NONE_OR_AREA,
    ),
    st.builds(Accept, st.none() | WHO),
)


def somewhere(board: str, seed: int) -> Position:
    """A position somewhere in a random game, inside or between turns."""
    rng = Random(seed)
    position = opening(rng, BOARDS[board]())
    for _ in range(rng.randrange(40)):
        then = apply(position, next_step(rng, position))
        if then.winner is not None:
            break
        position = then
    return position


@given(ANY_BOARD, SEEDS, st.lists(ANY_STEP, min_size=1, max_size=12))
@settings(max_examples=150)
def test_judging_never_raises_and_applying_raises_only_what_it_objects_to(
    board: str, seed: int, steps: list[Step]
) -> None:
    position = somewhere(board, seed)
    for step in steps:
        before = hash(position)
        ruling = judge(position, step)
        assert ruling.objections == tuple(f for f in examine(position, step).findings if not f.holds)
        assert hash(position) == before
        if ruling.legal:
            checked(apply(position, step))
        else:
            with pytest.raises(Illegal) as caught:
                apply(position, step)
            assert caught.value.ruling == ruling
