"""World War II, Plan: cards are drawn, and one space turns the round marker."""

from __future__ import annotations

import pytest

from engine.orders.game import legal, play
from engine.orders.mode import load_mode
from engine.orders.position import Position
from engine.orders.steps import Pass
from tests.tables import after, deploy, refused, valley


def amount(space: str) -> int:
    return load_mode("wwii-alpine").support[space].amount


def turning() -> str:
    return next(space for space, support in load_mode("wwii-alpine").support.items() if support.initiative)


@pytest.mark.parametrize("space", ["plan:1", "plan:2"])
def test_as_many_cards_as_the_space_says(space: str) -> None:
    due = amount(space)
    assert legal(valley()).spaces[space].draw == due
    assert after(valley(), deploy(space, due)).hand("blue") == due
    refused(valley(), deploy(space, due + 1), "plan.amount", f", not {due + 1}")


def test_there_is_no_limit_to_a_hand() -> None:
    assert after(valley(hands={"blue": 20}), deploy("plan:2", amount("plan:2"))).hand("blue") == 20 + amount("plan:2")


def test_no_more_copies_are_drawn_than_the_deck_has() -> None:
    position = valley(discard="blitz blitz blitz")
    refused(position, deploy("plan:1", "blitz"), "plan.copies", "no Blitz is left to draw")


def test_one_plan_space_a_player_and_round() -> None:
    position = valley(commanders={"plan:1": "blue"})
    refused(position, deploy("plan:2", 2), "plan.one-per-round", "plan:1")
    assert "plan:2" in legal(valley(commanders={"plan:1": "yellow"})).spaces


def drawn(space: str, holder: str) -> tuple[Position, list[str]]:
    position, events = play(valley(initiative=holder, to_move="blue"), deploy(space, amount(space)))
    return position, [event.kind for event in events]


def test_the_space_with_the_symbol_turns_the_marker_to_you() -> None:
    position, kinds = drawn(turning(), "yellow")
    assert position.initiative_name == "blue"
    assert "initiative" in kinds
    assert after(position, Pass(), Pass()).to_move_name == "blue"


def test_whoever_has_the_initiative_keeps_it() -> None:
    position, kinds = drawn(turning(), "blue")
    assert position.initiative_name == "blue"
    assert "initiative" not in kinds


def test_the_other_space_leaves_the_marker_alone() -> None:
    (other,) = {"plan:1", "plan:2"} - {turning()}
    assert drawn(other, "yellow")[0].initiative_name == "yellow"


def test_the_order_of_turns_in_the_round_stays() -> None:
    position, _ = drawn(turning(), "yellow")
    assert position.to_move_name == "yellow"
