"""How long the beginning of a turn is left alone, and what tells that a turn is half done: by numbers."""

from __future__ import annotations

from dataclasses import replace
from math import e

import pytest

from companion.perception.adapters import Difference
from companion.perception.sync.turn_progress import (
    CAME,
    MORE_S,
    PAUSE_S,
    PLAUSIBLE,
    THINKING_S,
    has_come,
    may_be_half_done,
    pause_s,
    sharpen,
)
from engine.orders.inference.infer import Explanation
from engine.orders.steps import Deploy, Pass, Step
from tests.companion.perception.seeing import reading_of
from tests.tables import rivers

START = rivers("e3:3 d3:4 d5:2", "a3:3 b3:2")
ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 1),))


def test_odds_are_doubled() -> None:
    """As logarithms: nine to one becomes eighty-one to one."""
    assert sharpen(0.9) == pytest.approx(81 / 82)
    assert sharpen(0.5) == 0.5
    assert sharpen(0.1) == pytest.approx(1 - sharpen(0.9))


@pytest.mark.parametrize(
    ("step", "fuller", "seconds"),
    [
        (ADVANCE, PLAUSIBLE - 0.01, 0.0),
        (ADVANCE, PLAUSIBLE, PAUSE_S),
        (ADVANCE, PLAUSIBLE * e, PAUSE_S + MORE_S),
        (Deploy("reinforce:1"), 0.0, THINKING_S),
        (Deploy("reinforce:1", place=(("d3", "troop", 1),)), 0.0, 0.0),
        (Deploy("shell:d3", target="b3"), 0.0, 0.0),
        (Pass(), 1.0, 0.0),
    ],
)
def test_a_turn_that_may_be_a_beginning_waits(step: Step, fuller: float, seconds: float) -> None:
    assert pause_s(Explanation((step,), START, "", 1.0), fuller, START) == pytest.approx(seconds)


def test_a_commander_of_the_side_to_move_comes_where_the_picture_has_changed() -> None:
    seen = replace(reading_of(START), leaders={"advance:c4": {"red": CAME}}, confidence={"c4": 0.9})
    assert has_come(START, seen)
    for spoiled in (
        replace(seen, leaders={"advance:c4": {"red": CAME - 0.01}}),
        replace(seen, leaders={"advance:c4": {"black": 1.0}}),
        replace(seen, leaders={}),
        replace(seen, confidence={"c4": 1.0}),
        replace(seen, confidence={}),
    ):
        assert not has_come(START, spoiled)


def piece(place: str, faction: str, unit: str, seen: int, expected: int = 0) -> Difference:
    return Difference(place, "differs", {faction: {unit: expected}}, {faction: {unit: seen}}, 0.9)


COME = piece("advance:c4", "red", "commander", 1)
MORE, FEWER = piece("c4", "red", "troop", 1), piece("d5", "red", "troop", 1, 2)


@pytest.mark.parametrize(
    ("differences", "half_done"),
    [
        ((), False),
        ((MORE,), True),
        ((FEWER,), True),
        ((COME,), True),
        ((COME, MORE, FEWER), True),
        ((COME, piece("advance:d5", "red", "commander", 1)), False),
        ((piece("advance:c4", "red", "commander", 0, 1), MORE), False),
        ((MORE, piece("b3", "black", "troop", 3, 2)), False),
        ((MORE, piece("b3", "black", "troop", 1, 2)), True),
        ((replace(MORE, state="hidden"),), False),
    ],
)
def test_half_a_turn_is_the_movers_own(differences: tuple[Difference, ...], half_done: bool) -> None:
    assert may_be_half_done(START, differences) is half_done
