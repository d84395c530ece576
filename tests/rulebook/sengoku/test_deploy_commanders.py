"""Deploy Commanders, Recall Commanders, the round marker: turns, passing, and what ends a round."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, play
from engine.orders.position import Position
from engine.orders.steps import Pass
from engine.words import side
from tests.tables import after, allowed, deploy, refused, rivers, rolled


def test_the_initiative_holder_begins_and_turns_alternate() -> None:
    position = rivers("e3:3", to_move="red")
    movers = []
    for _ in range(4):
        movers.append(position.to_move_name)
        position = after(position, Pass())
    assert movers == ["red", "black", "red", "black"]


def test_a_commander_goes_from_the_reserve_into_the_space() -> None:
    position = after(rivers("e3:3 e1:2"), deploy("advance:d1", "e1:1"))
    assert position.commanders_on("advance:d1") == ("red",)
    assert (position.left("red"), position.left("black")) == (4, 5)


def test_whoever_has_commanders_left_goes_on_alone() -> None:
    position = rivers("e3:3", left={"red": 3, "black": 1})
    movers = []
    for _ in range(4):
        movers.append(position.to_move_name)
        position = after(position, Pass())
    assert movers == ["red", "black", "red", "red"]


def test_passing_takes_a_commander_to_standby() -> None:
    position, events = play(rivers("e3:3"), Pass())
    assert (position.standing_by("red"), position.left("red")) == (1, 4)
    assert position.commanders == (0, 0)
    assert [event.kind for event in events] == ["passed"]


def test_passing_is_not_final() -> None:
    position = after(rivers("e3:3 e1:2"), Pass(), Pass(), deploy("advance:d1", "e1:1"))
    assert position.controller("d1") == "red"


def test_without_a_commander_there_is_neither_deployment_nor_pass() -> None:
    position = rivers("e3:3", left={"red": 0, "black": 2})
    refused(position, Pass(), "commander.left", "Red has no commanders left in the reserve")
    assert refused(position, deploy("plan:1", 1), "commander.left").citation.section == "Deploy Commanders"
    assert not legal(position).may_pass
    assert legal(position).spaces == {}


@pytest.mark.parametrize("holder", ["red", "black"])
def test_a_space_that_holds_a_commander_is_closed_to_both(holder: str) -> None:
    position = rivers("e3:3 e1:3", commanders={"advance:d1": holder})
    refused(position, deploy("advance:d1", "e1:1"), "space.occupied", f"advance:d1 is already taken by {side(holder)}")
    assert "advance:d1" not in legal(position).spaces


def test_the_other_spaces_of_the_same_area_stay_open() -> None:
    position = rivers("e3:3 d3:2", commanders={"advance:d3": "red"})
    allowed(position, deploy("shell:d3", "d4"), "space.occupied", "shell:d3 is free")


def test_a_turn_is_finished_before_the_next_begins() -> None:
    position = after(rivers("e3:3 d3:3", "a3:3 d2:1"), deploy("advance:d2", "d3:2"))
    refused(position, Pass(), "turn.owed", "Black rolls 1 die for d2")
    refused(position, deploy("plan:1", 1), "turn.owed")
    refused(position, deploy("advance:d2", "d3:9"), "turn.owed")
    assert not legal(position).may_pass
    assert after(position, rolled("black", 0)).to_move_name == "black"


def test_every_objection_is_given_not_only_the_first() -> None:
    position = rivers("e3:3 e1:2", commanders={"advance:d1": "black"})
    step = deploy("advance:d1", "e1:2 c5:1", cards="mobilise")
    refused(
        position,
        step,
        "card.enough card.held card.moment space.occupied advance.source-supply advance.last-unit",
    )


@pytest.mark.parametrize(("space", "target"), [("shell:b3", "b4"), ("bombard:a4", "a3")])
def test_a_linked_space_is_for_whoever_meets_its_criteria(space: str, target: str) -> None:
    position = rivers("e3:3 d4:1 c3:1 b3:1 e4:1 c6:1 a4:1")
    assert target in legal(position).spaces[space].targets
    assert after(position, deploy(space, target)).commanders_on(space) == ("red",)


# ==== Recall Commanders: what happens by itself after the last commander of a round ============


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


# ==== Advance the Round Marker: one space on, the initiative staying where it is ===============


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
