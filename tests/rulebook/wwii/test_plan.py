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


def drawn(space: str, holder: str) -> tuple[Position, list[str]]:
    position, events = play(valley(initiative=holder, to_move="blue"), deploy(space, amount(space)))
    return position, [event.kind for event in events]


def test_the_space_with_the_symbol_turns_the_marker_to_you() -> None:
    position, kinds = drawn(turning(), "yellow")
    assert position.initiative_name == "blue"
    assert "initiative" in kinds
    assert after(position, Pass(), Pass()).to_move_name == "blue"
