"""World War II, Barrage: two dice at an area up to three areas away."""

from __future__ import annotations

from engine.orders.board import Board, board_from
from engine.orders.game import legal
from tests.boards.practice import board_data
from tests.tables import after, allowed, atoll, deploy, due_in, refused, reserve, rolled, stand, units, valley


def long_valley() -> Board:
    """Return the valley with another Barrage space of blue in a1, four areas away from c3."""
    data = board_data("valley")
    data["spaces"]["barrage:a1"] = [22.0, 82.0]
    data["space_faction"]["barrage:a1"] = "blue"
    return board_from(data)


LONG = stand(long_valley(), "a1:4 a2:2", "c3:4 b3:2 c2:2 b1:1")


# --- deployment criteria ----------------------------------------------------------------


def test_the_linked_area_must_be_supplied() -> None:
    position = valley("a1:3", "c3:3 a2:2")
    refused(position, deploy("barrage:a2", "c3"), "barrage.supply", "Yellow controls a2")
    assert "barrage:a2" not in legal(position).spaces


def test_a_linked_area_that_is_cut_off_does_not_shoot() -> None:
    position = atoll("a1:1 b1:1 c2:3 zone-red:1", "d2:4 d1:2 b2:2")
    assert "barrage:a2" not in legal(position).spaces


def test_the_space_is_of_ones_own_colour() -> None:
    position = valley("a1:3 b1:1 c1:1 c2:1", "c3:3")
    finding = refused(position, deploy("barrage:c2", "c3"), "barrage.faction", "barrage:c2 belongs to Yellow, not Blue")
    assert finding.citation.section == "Barrage"
    assert not finding.differs
    assert "barrage:c2" not in legal(position).spaces


# --- the target -------------------------------------------------------------------------


def test_up_to_three_areas_away() -> None:
    assert set(legal(LONG).spaces["barrage:a1"].targets) == {"b1", "b3", "c2"}
    allowed(LONG, deploy("barrage:a1", "b3"), "barrage.range", "b3 is within 3 areas of a1")
    refused(LONG, deploy("barrage:a1", "c3"), "barrage.range", "c3 is more than 3 areas away from a1")


def test_own_areas_and_empty_ones_are_no_target() -> None:
    refused(valley(), deploy("barrage:a2", "b2"), "barrage.enemy", "b2 has no enemy units")
    refused(valley(), deploy("barrage:a2", "b1"), "barrage.enemy", "b1 has no enemy units")


def test_the_enemy_headquarters_is_a_target_like_any_other() -> None:
    assert "c3" in legal(valley()).spaces["barrage:a2"].targets


# --- bombard the target area ------------------------------------------------------------


def test_two_dice_are_rolled_and_as_many_troops_go() -> None:
    start = valley(yellow="c3:4 c2:5")
    position = after(start, deploy("barrage:a2", "c2"))
    due = due_in(position)
    assert (due.by, due.dice) == ("blue", 2)
    position = after(position, rolled("blue", 2, 1))
    assert units(position, "c2") == "yellow 2 troop"
    assert reserve(position, "yellow", "troop") == reserve(start, "yellow", "troop") + 3


def test_the_number_of_troops_in_the_linked_area_does_not_matter() -> None:
    position = after(valley("a1:4 a2:5"), deploy("barrage:a2", "c2"))
    assert due_in(position).dice == 2
    assert units(position, "a2") == "blue 5 troop"
