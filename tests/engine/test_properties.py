"""Random legal games with cards, rolls and rerolls, on Rivers and on two made-up boards: what always holds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.areas import members
from engine.errors import Illegal
from engine.orders.board import Board, load_board
from engine.orders.cards import deck_size, size
from engine.orders.draft import Event
from engine.orders.game import Offer, apply, examine, fold, judge, legal, owed, play, replay
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Remove, Reroll, Roll, Step
from engine.orders.wire import checked, position_from_json, position_to_json, step_from_json, step_to_json
from tests.boards.practice import castle, strip
from tests.play import moments, next_step, opening

Game = list[tuple[Position, Step]]
BOARDS: dict[str, Callable[[], Board]] = {
    "rivers": partial(load_board, "sengoku-rivers"),
    "castle": castle,
    "strip": strip,
}
SEEDS = st.integers(0, 2**32)
ANY_BOARD = st.sampled_from(sorted(BOARDS))


def game(board: str, seed: int) -> Game:
    rng = Random(seed)
    return list(moments(rng, opening(rng, BOARDS[board]())))


def turn_starts(played: Game) -> list[Position]:
    return [position for position, _ in played if position.turn is None]


# --- what is conserved ------------------------------------------------------------------

INTO_PLAY = {"placed": 1, "joined": 1, "bonus": 1, "lost": -1, "surplus": -1, "recalled": -1}


def on_board(position: Position, faction: int, kind: int) -> int:
    return sum(position.units[faction][kind])


def told_change(events: tuple[Event, ...]) -> Counter[tuple[int, int]]:
    change = Counter[tuple[int, int]]()
    for event in events:
        change[event.faction, event.unit] += INTO_PLAY.get(event.kind, 0) * event.units
    return change


@given(ANY_BOARD, SEEDS)
@settings(max_examples=45)
def test_units_go_between_board_and_reserve_only_as_it_is_told(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        then, events = play(position, step)
        change = told_change(events)
        for faction in (0, 1):
            for kind in position.board.mode.units:
                moved = on_board(then, faction, kind.index) - on_board(position, faction, kind.index)
                assert moved == change[faction, kind.index]
                assert then.reserve(faction, kind.index) + on_board(then, faction, kind.index) == kind.reserve
                assert then.reserve(faction, kind.index) >= 0


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_what_the_box_holds_is_never_exceeded(board: str, seed: int) -> None:
    played = game(board, seed)
    for position in [*(position for position, _ in played), apply(*played[-1])]:
        mode = position.board.mode
        assert checked(position) is position
        assert deck_size(position) + sum(map(size, position.hands)) + len(position.discard) == sum(mode.deck.values())
        for faction in (0, 1):
            used = position.commanders[faction].bit_count() + position.standby[faction]
            assert used + position.commanders_left[faction] == mode.commanders


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_limits_hold_at_the_end_of_every_turn(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed)):
        mode = position.board.mode
        for area in position.board.areas:
            for units in position.units_in(area.name).values():
                assert sum(units.values()) <= mode.caps[area.kind]


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_between_turns_an_area_is_one_sides_and_headquarters_are_held(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed)):
        first, second = position.survey.control
        assert first & second == 0
        assert first >> position.board.hq[0] & 1
        assert second >> position.board.hq[1] & 1


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_a_game_ends_with_a_reason(board: str, seed: int) -> None:
    last = apply(*game(board, seed)[-1])
    assert last.winner_name in last.board.factions
    if last.reason == "hq_lost":
        loser = 1 - last.board.factions.index(last.winner_name or "")
        assert last.survey.control[loser] >> last.board.hq[loser] & 1 == 0
    else:
        assert (last.reason, last.round, last.commanders_left) == ("victory_points", last.board.mode.rounds, (0, 0))


# --- judging, applying, replaying -------------------------------------------------------


@given(ANY_BOARD, SEEDS)
@settings(max_examples=25)
def test_a_replay_through_json_is_the_game(board: str, seed: int) -> None:
    played = game(board, seed)
    start, last = played[0][0], apply(*played[-1])
    lines = [json.dumps(step_to_json(step)) for _, step in played]
    steps = [step_from_json(json.loads(line)) for line in lines]
    assert steps == [step for _, step in played]
    assert fold(start, steps) == last
    done = replay(start, steps)
    assert (done.position, done.done, done.failed) == (last, len(steps), None)


@given(ANY_BOARD, SEEDS, st.data())
@settings(max_examples=25)
def test_a_replay_ends_before_the_first_step_that_is_refused(board: str, seed: int, data: st.DataObject) -> None:
    played = game(board, seed)
    at = data.draw(st.integers(0, len(played) - 1))
    steps: list[Step] = [step for _, step in played[:at]]
    done = replay(played[0][0], [*steps, Deploy("no:space"), *steps])
    assert (done.position, done.done) == (played[at][0], at)
    assert done.failed is not None
    assert not done.failed.legal


@given(SEEDS)
@settings(max_examples=20)
def test_a_position_goes_through_json_at_every_step(seed: int) -> None:
    for position, _ in game("rivers", seed):
        again = position_from_json(json.loads(json.dumps(position_to_json(position))))
        assert again == position
        assert hash(again) == hash(position)


@given(ANY_BOARD, SEEDS)
@settings(max_examples=15)
def test_a_legal_step_holds_on_every_criterion_looked_at(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        ruling = examine(position, step)
        assert ruling.legal
        assert ruling.findings
        assert all(finding.message and finding.citation.section for finding in ruling.findings)


@given(ANY_BOARD, SEEDS)
@settings(max_examples=20)
def test_what_is_owed_is_what_the_next_step_gives(board: str, seed: int) -> None:
    for position, step in game(board, seed):
        due = owed(position)
        if position.turn is None:
            assert due is None
        else:
            assert due is not None
            assert due.text
            assert legal(position).may_pass == (due.wants == "accept" and position_after_accepts(position))
        if isinstance(step, Roll):
            assert due is not None
            assert (due.wants, due.by, due.dice) == ("roll", step.by, len(step.dice))


def position_after_accepts(position: Position) -> bool:
    """Whether passing by every window ends the turn with a commander left to the next player."""
    due = owed(position)
    while due is not None and due.wants == "accept":
        position = apply(position, Accept())
        due = owed(position)
    return due is None and position.winner is None


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


# --- symmetry ---------------------------------------------------------------------------

COLUMNS = str.maketrans("abde", "edba")
SWAPPED = {"red": "black", "black": "red", "sun": "moon", "moon": "sun"}


def mirrored(value: Any) -> Any:
    """JSON with the factions swapped and the map's columns turned left to right."""
    if isinstance(value, dict):
        return {mirrored(key): mirrored(part) for key, part in value.items()}
    if isinstance(value, list):
        return [mirrored(part) for part in value]
    if isinstance(value, str):
        return SWAPPED.get(value) or re.sub(r"\b[a-e](?=\d\b)", lambda m: m[0].translate(COLUMNS), value)
    return value


def mirrored_position(position: Position) -> Position:
    return position_from_json(mirrored(position_to_json(position)))


@given(SEEDS)
@settings(max_examples=15)
def test_rivers_is_fair_a_mirrored_game_is_the_same_game(seed: int) -> None:
    played = game("rivers", seed)
    position = mirrored_position(played[0][0])
    for here, step in played:
        assert position == mirrored_position(here)
        position = apply(position, step_from_json(mirrored(step_to_json(step))))
    assert position == mirrored_position(apply(*played[-1]))


@given(SEEDS)
@settings(max_examples=15)
def test_legal_choices_mirror(seed: int) -> None:
    for position in turn_starts(game("rivers", seed))[::4]:
        there = legal(mirrored_position(position)).spaces
        assert set(there) == {mirrored(space) for space in legal(position).spaces}
        for space, offer in legal(position).spaces.items():
            twin = there[mirrored(space)]
            assert {mirrored(area): kinds for area, kinds in offer.sources.items()} == twin.sources
            assert sorted(mirrored(list(offer.targets))) == list(twin.targets)
            assert sorted(mirrored(list(offer.areas))) == list(twin.areas)
            assert (offer.amount, offer.draw, offer.dice) == (twin.amount, twin.draw, twin.dice)


@given(SEEDS)
@settings(max_examples=15)
def test_supply_mirrors(seed: int) -> None:
    for position in turn_starts(game("rivers", seed))[::4]:
        mine, theirs = position.survey.supply
        there = mirrored_position(position).survey.supply
        assert tuple(names(position, theirs)) == tuple(sorted(mirrored(names(position, there[0]))))
        assert tuple(names(position, mine)) == tuple(sorted(mirrored(names(position, there[1]))))


def names(position: Position, areas: int) -> list[str]:
    return list(position.board.names(members(areas)))
