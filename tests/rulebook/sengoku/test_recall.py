"""Recall Commanders: what happens by itself after the last commander of a round."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import play
from engine.orders.position import Position
from engine.orders.steps import Pass
from tests.tables import after, deploy, rivers, rolled


def last_commander(**more: Any) -> Position:
    return rivers(
        "e3:3 e1:2",
        left={"red": 1, "black": 0},
        standby={"red": 3, "black": 2},
        commanders={"plan:1": "black", "advance:d2": "red", "advance:b2": "black", "sail:c1": "black"},
        **more,
    )


@pytest.mark.parametrize("step", [Pass(), deploy("advance:d1", "e1:1")])
def test_after_the_last_commander_all_return_to_their_reserves(step: Pass) -> None:
    position = after(last_commander(), step)
    assert position.commanders == (0, 0)
    assert (position.left("red"), position.left("black")) == (5, 5)


def test_those_on_standby_return_too() -> None:
    position = after(last_commander(), Pass())
    assert (position.standing_by("red"), position.standing_by("black")) == (0, 0)


def test_nothing_returns_before_both_have_deployed_all() -> None:
    position = after(rivers("e3:3", left={"red": 1, "black": 1}, standby={"red": 4, "black": 4}), Pass())
    assert (position.round, position.standing_by("red"), position.to_move_name) == (2, 5, "black")


def test_the_last_action_is_settled_first() -> None:
    position = rivers("e3:3 e1:3", "a3:3 d1:1", left={"red": 1, "black": 0}, standby={"red": 4, "black": 5})
    position = after(position, deploy("advance:d1", "e1:2"))
    assert position.round == 2
    assert after(position, rolled("black", 1)).round == 3


def test_units_and_cards_stay_where_they_are() -> None:
    start = last_commander(hands={"red": "ambush", "black": 2}, discard="mobilise")
    position = after(start, Pass())
    assert (position.units, position.hands, position.discard) == (start.units, start.hands, start.discard)


def test_the_new_round_is_told() -> None:
    _, events = play(last_commander(), Pass())
    assert [(event.kind, event.units) for event in events] == [("passed", 0), ("round", 3)]
