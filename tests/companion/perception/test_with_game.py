"""A reading weighed with what the game says stood there, as `gunbai read --game` and `gunbai score --game` do."""

from __future__ import annotations

import pytest

from companion.core.errors import AdapterError
from companion.perception.adapters import with_game
from engine.orders.game import new_game
from engine.orders.position import Position
from vision.reading.count import CountBelief
from vision.reading.read import Reading


def start() -> Position:
    return new_game("sengoku-rivers", "red", {})


def doubtful(position: Position, area: str, least: float) -> Reading:
    """Return a reading of the position that is unsure of one area: one troop fewer is likelier by a little."""
    faction, kinds = next(iter(position.units_in(area).items()))
    unit, n = next(iter(kinds.items()))
    fewer, same = ((faction, unit, n - 1),), ((faction, unit, n),)
    counts = {name.name: CountBelief((((), 1.0),)) for name in position.board.areas}
    counts[area] = CountBelief(((fewer, 1 - least), (same, least)))
    sure = {name: count.confidence for name, count in counts.items()}
    return Reading({area: {faction: {unit: n - 1}}}, {}, sure, (), 1.0, counts)


def test_doubt_is_settled_by_the_game() -> None:
    told = with_game(doubtful(start(), "b3", 0.4), start())
    assert told.units["b3"] == start().units_in("b3")
    assert told.confidence["b3"] > 0.8


def test_clear_sight_stands_against_the_game() -> None:
    told = with_game(doubtful(start(), "b3", 0.001), start())
    assert told.units["b3"] != start().units_in("b3")


def test_a_reading_of_another_board_is_refused() -> None:
    with pytest.raises(AdapterError, match="not the table's board"):
        with_game(Reading({}, {}, {"z9": 1.0}, (), 1.0), start())
