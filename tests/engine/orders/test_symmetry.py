"""Rivers is fair: with the factions swapped and the map turned left to right it is the same game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings

from engine.areas import members
from engine.orders.game import apply, legal
from engine.orders.position import Position
from engine.orders.wire import position_from_json, position_to_json, step_from_json, step_to_json
from tests.play import SEEDS, game, turn_starts

pytestmark = pytest.mark.chance

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
