"""Reasons as data: each code where it is true, with what it is about. Golden positions have the others."""

from __future__ import annotations

from dataclasses import replace

from engine.orders.player.reasons import Reason, reasons_of
from engine.orders.player.unfolding import endings
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from tests.engine.orders.player.positions import last_turns

RIVERS = "sengoku-rivers"


def told(position: Position, turn: Deploy | Pass) -> dict[str, Reason]:
    return {reason.code: reason for reason in reasons_of(position, turn, endings(position, turn))}


def test_an_empty_area_is_taken() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "d4": 1}, {"a3": 3}), (2, 2))
    reasons = told(position, Deploy("advance:c4", moves=(("e3", "troop", 2),)))
    assert reasons["takes"] == Reason("takes", ("c4",), 2, 1.0)


def test_own_areas_are_linked_again() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "e1": 2, "d1": 1, "c1": 1}, {"a3": 3}), (2, 2))
    apart = last_turns(RIVERS, ({"e3": 3, "d1": 2, "c1": 1}, {"a3": 3}), (2, 2))
    assert "links" not in told(position, Deploy("advance:d3", moves=(("e3", "troop", 1),)))
    assert told(apart, Deploy("advance:e1", moves=(("e3", "troop", 1),)))["links"] == Reason("links", ("c1", "d1"), 2)


def test_a_headquarters_is_threatened() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "d4": 1, "c3": 1, "d3": 5}, {"a3": 1}), (2, 2))
    reason = told(position, Deploy("advance:b3", moves=(("d3", "troop", 4),)))["threatens"]
    assert reason.areas == ("a3",)
    assert reason.chance > 0.9


def test_means_are_told() -> None:
    position = replace(last_turns(RIVERS, ({"e3": 3}, {"a3": 3}), (2, 2)), initiative=1)
    reasons = told(position, Deploy("plan:1", draw=1))
    assert reasons["draws"] == Reason("draws", amount=1)
    assert "initiative" in reasons
    placed = told(position, Deploy("reinforce:1", place=(("e3", "troop", 2),)))
    assert placed["strengthens"] == Reason("strengthens", ("e3",), 2)
    assert reasons_of(position, Pass(), endings(position, Pass())) == (Reason("waits"),)
