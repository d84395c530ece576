"""Random legal games with cards, rolls and rerolls: what always holds, what is offered, and how they mirror."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from engine.areas import members
from engine.orders.cards import deck_size, hand_size
from engine.orders.draft import Event
from engine.orders.game import Offer, apply, examine, fold, judge, legal, owed, play, replay
from engine.orders.mode import ActionKind
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Accept, Deploy, Load, Pass, Roll
from engine.orders.wire import check_position, position_from_json, position_to_json, step_from_json, step_to_json
from tests.boards.practice import BOARDS
from tests.play import ANY_BOARD, SEEDS, game, most_there, recalling, turn_starts

pytestmark = pytest.mark.chance

# --- what is conserved ------------------------------------------------------------------

INTO_PLAY = {"placed": 1, "joined": 1, "bonus": 1, "lost": -1, "surplus": -1, "recalled": -1, "spent": -1}


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
        assert check_position(position) is position
        assert deck_size(position) + sum(map(hand_size, position.hands)) + len(position.discard) == sum(
            mode.deck.values()
        )
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
def test_no_area_counts_for_both_sides(board: str, seed: int) -> None:
    for position, _step in game(board, seed):
        first, second = (score(position).areas[faction] for faction in position.board.factions)
        assert not {*first} & {*second}


@given(ANY_BOARD, SEEDS)
@settings(max_examples=40)
def test_a_game_ends_with_a_reason(board: str, seed: int) -> None:
    last = apply(*game(board, seed)[-1])
    assert last.winner_name in last.board.factions
    if last.reason == "hq_lost":
        loser = 1 - last.board.factions.index(last.winner_name or "")
        assert last.survey.control[loser] >> last.board.hq[loser] & 1 == 0
    else:
        assert (last.reason, last.round) == ("victory_points", last.board.mode.rounds)
        assert all(passed or not left for passed, left in zip(last.passed, last.commanders_left, strict=True))


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
        assert all(finding.message and str(finding.citation) for finding in ruling.findings)


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
            assert (due.wants, due.by) == ("roll", step.by)
            assert due.loose or due.dice == len(step.dice)


def position_after_accepts(position: Position) -> bool:
    """Whether passing by every window ends the turn with a commander left to the next player."""
    due = owed(position)
    while due is not None and due.wants == "accept":
        position = apply(position, Accept())
        due = owed(position)
    return due is None and position.winner is None


# ==== Rivers is fair ===========================================================================

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


# ==== In random games on every board ===========================================================

on_every_board = pytest.mark.parametrize("board", sorted(BOARDS))


def placed(position: Position, action: ActionKind) -> str:
    """Return the unit that an action mainly places or moves."""
    mode = position.board.mode
    return mode.units[mode.kinds_on[action.kind][0]].name


def fitting(position: Position, area: str, n: int) -> int:
    """So many units, or as many as an area takes where the limit binds as they are placed."""
    bound = position.board.mode.rulebook == "wwii"
    return min(n, most_there(position, area)) if bound else n


def called_back(position: Position, action: ActionKind) -> tuple[Load, ...]:
    """Return the recall of a unit for a drop that the reserve has none for; nothing for any other action."""
    if action.verb != "drop" or position.reserve(position.to_move, position.board.mode.unit_index[action.unit]):
        return ()
    return recalling(position, action.unit, 1, set())


def deployments(position: Position, space: str, offer: Offer) -> Iterator[Deploy]:
    """Each single choice that an offer lists, and the most of it."""
    action = position.board.space(space).action
    for area, kinds in offer.sources.items():
        for kind, most in kinds.items():
            yield Deploy(space, moves=((area, kind, 1),))
            yield Deploy(space, moves=((area, kind, most),))
    for target in offer.targets:
        payloads = range(1, offer.payload + 1) if action.payload else [None]
        back = called_back(position, action)
        yield from (Deploy(space, target=target, payload=n, recall=back) for n in payloads)
    if action.verb == "place" and "place-fewer" not in position.readings:
        unit = placed(position, action)
        room = min(offer.amount, position.reserve(position.to_move, position.board.mode.unit_index[unit]))
        yield from (
            Deploy(space, place=((a, unit, n),)) for a in offer.areas for n in range(1, fitting(position, a, room) + 1)
        )
    if action.verb == "draw":
        yield Deploy(space, draw=offer.draw)


def beyond(position: Position, space: str, offer: Offer) -> Iterator[Deploy]:
    """Each choice just outside an offer."""
    action = position.board.space(space).action
    areas = [area.name for area in position.board.areas]
    if offer.sources:
        unit = placed(position, action)
        yield from (Deploy(space, moves=((area, unit, 1),)) for area in areas if area not in offer.sources)
        yield from (Deploy(space, moves=((a, kind, n + 1),)) for a, k in offer.sources.items() for kind, n in k.items())
    if offer.targets:
        least = 1 if action.payload else None
        yield from (Deploy(space, target=area, payload=least) for area in areas if area not in offer.targets)
    if action.payload:
        yield from (Deploy(space, target=area, payload=n) for area in offer.targets for n in (0, offer.payload + 1))
    if action.verb == "place":
        unit = placed(position, action)
        yield from (Deploy(space, place=((area, unit, 1),)) for area in areas if area not in offer.areas)
        yield from (Deploy(space, place=((area, unit, offer.amount + 1),)) for area in offer.areas)
    if action.verb == "draw":
        yield Deploy(space, draw=offer.draw + 1)


def closed(position: Position, space: str) -> Iterator[Deploy]:
    """Every single choice at a space that is not offered."""
    areas = [area.name for area in position.board.areas]
    for unit in position.board.mode.unit_index:
        yield from (Deploy(space, moves=((area, unit, 1),)) for area in areas)
    yield from (Deploy(space, target=area, payload=n) for area in areas for n in (None, 1))
    yield Deploy(space)
    yield from (Deploy(space, draw=n) for n in (1, 2, 3))


@on_every_board
@given(SEEDS)
@settings(max_examples=2)
def test_every_option_listed_is_accepted_and_none_beside_it(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed))[::5]:
        now = legal(position)
        assert now.may_pass
        assert judge(position, Pass()).legal
        for space, offer in now.spaces.items():
            assert all(judge(position, step).legal for step in deployments(position, space, offer))
            assert not any(judge(position, step).legal for step in beyond(position, space, offer))


@on_every_board
@given(SEEDS)
@settings(max_examples=1)
def test_a_space_that_is_not_listed_is_closed_whatever_is_tried(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed))[::9]:
        for space in {space.name for space in position.board.spaces} - set(legal(position).spaces):
            assert not any(judge(position, step).legal for step in closed(position, space))
