"""World War II, Reinforce and Not Enough Troops?: troops from the reserve into land that one supplies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.orders.board import board_from
from engine.orders.game import legal
from engine.orders.mode import Support, load_mode
from tests.boards.practice import board_data
from tests.tables import after, deploy, refused, reserve, stand, units, valley

SHORT = valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:1", "c3:4")


def amount(space: str) -> int:
    return load_mode("wwii-alpine").support[space].amount


# --- placing ----------------------------------------------------------------------------


def test_as_many_as_the_space_says_and_no_more() -> None:
    for space in ("reinforce:1", "reinforce:2"):
        most = amount(space)
        assert legal(valley()).spaces[space].amount == most
        assert reserve(after(valley(), deploy(space, f"a2:3 b1:{most - 3}")), "blue", "troop") == 17 - most
        step = deploy(space, f"a1:1 a2:3 b1:{most - 3}")
        refused(valley(), step, "reinforce.amount", f"at most {most} units")


@pytest.mark.parametrize(
    ("area", "words"),
    [("b2", "is empty"), ("c3", "Yellow controls"), ("c1", "Blue controls c1, but its supply line")],
)
def test_only_into_land_that_one_controls_and_supplies(area: str, words: str) -> None:
    position = valley("a1:4 a2:2 c1:1")
    assert set(legal(position).spaces["reinforce:1"].areas) == {"a1", "a2"}
    refused(position, deploy("reinforce:1", f"a1:1 {area}:1"), "reinforce.area", words)


def test_no_more_than_five_troops_are_placed_into_an_area() -> None:
    start = valley("a1:4 a2:1")
    finding = refused(start, deploy("reinforce:1", "a2:5"), "reinforce.limit", "a2 would have 6 troops; the limit is 5")
    assert (finding.citation.section, finding.reading) == ("Reinforce", None)
    assert units(after(start, deploy("reinforce:1", "a1:1 a2:4")), "a2") == "blue 5 troop"
    refused(start, deploy("reinforce:1", "a1:1 a1:1"), "reinforce.limit", "a1 would have 6 troops; the limit is 5")


def test_only_areas_with_room_are_offered_and_only_what_they_take() -> None:
    offer = legal(valley("a1:5 a2:4 b1:3")).spaces["reinforce:1"]
    assert (offer.areas, offer.amount) == (("a2", "b1"), 3)
    full = legal(valley("a1:5 a2:5")).spaces["reinforce:1"]
    assert (full.areas, full.amount) == ((), 0)
    assert units(after(valley("a1:5 a2:5"), deploy("reinforce:1")), "a2") == "blue 5 troop"


def test_the_number_may_differ_between_the_factions() -> None:
    mode = load_mode("wwii-alpine")
    support = {**mode.support, "reinforce:1": Support(6, amounts={"yellow": 4})}
    board = board_from(board_data("valley"), replace(mode, support=support))
    for faction, most in (("blue", 6), ("yellow", 4)):
        position = stand(board, "a1:1 a2:1", "c3:1 c2:1", to_move=faction)
        areas = "a1:4 a2" if faction == "blue" else "c3:4 c2"
        assert legal(position).spaces["reinforce:1"].amount == most
        refused(position, deploy("reinforce:1", f"{areas}:{most - 3}"), "reinforce.amount", f"at most {most} units")


# --- not enough troops ------------------------------------------------------------------


def test_where_the_reserve_is_short_troops_are_taken_back_first() -> None:
    assert reserve(SHORT, "blue", "troop") == 1
    refused(SHORT, deploy("reinforce:1", "a1:0 a3:2"), "reserve.short", "only 1 in the reserve")
    position = after(SHORT, deploy("reinforce:1", "a3:2", recall="b2:1"))
    assert (units(position, "a3"), units(position, "b2")) == ("blue 5 troop", "blue 4 troop")


def test_from_areas_one_controls_supplied_or_not() -> None:
    cut = valley("a1:5 a2:5 b1:5 c2:5 c1:1 a3:3", "c3:4 b2:1")
    assert reserve(cut, "blue", "troop") == 1
    assert units(after(cut, deploy("reinforce:1", "a3:2", recall="c2:1")), "c2") == "blue 4 troop"
    refused(cut, deploy("reinforce:1", "a3:2", recall="c3:1"), "recall.control reserve.short", "you don't control c3")


def test_with_an_empty_reserve_troops_are_not_moved_about_to_no_end() -> None:
    full = valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4")
    refused(
        full, deploy("reinforce:1", "b2:2", recall="a1:2"), "reinforce.limit", "b2 would have 7 troops; the limit is 5"
    )
    refused(
        full,
        deploy("reinforce:1", recall="a1:2"),
        "recall.short",
        "nothing here needs troops from your reserve, so you can't recall any",
    )
    room = valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:2", "c3:4")
    assert units(after(room, deploy("reinforce:1", "a3:2", recall="c1:1 a1:1")), "a3") == "blue 5 troop"
