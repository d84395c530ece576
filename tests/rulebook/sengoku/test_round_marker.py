"""Advance the Round Marker: one space on, the initiative staying where it is."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.position import Position
from engine.orders.steps import Pass
from tests.tables import after, deploy, rivers


def end_of(number: int, **more: Any) -> Position:
    last: dict[str, Any] = {"left": {"red": 0, "black": 1}, "standby": {"red": 5, "black": 4}}
    return rivers("e3:3", "a3:3", to_move="black", round=number, **{**last, **more})


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_marker_moves_one_space(number: int) -> None:
    assert after(end_of(number), Pass()).round == number + 1


@pytest.mark.parametrize("initiative", ["red", "black"])
def test_the_initiative_holder_stays_and_begins_the_next_round(initiative: str) -> None:
    position = after(end_of(2, initiative=initiative), Pass())
    assert (position.initiative_name, position.to_move_name) == (initiative, initiative)


def test_initiative_taken_with_the_last_commander_begins_the_next_round() -> None:
    position = after(end_of(2), deploy("plan:1", 1))
    assert (position.round, position.initiative_name, position.to_move_name) == (3, "black", "black")


def test_after_the_fourth_round_there_is_no_next() -> None:
    position = after(end_of(4), Pass())
    assert (position.round, position.reason) == (4, "victory_points")
