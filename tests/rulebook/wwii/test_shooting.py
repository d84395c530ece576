"""World War II, Barrage and Bomb: dice at land up to three areas away, or beneath a zone."""

from __future__ import annotations

import pytest

from engine.orders.board import Board, board_from
from engine.orders.game import examine, legal
from engine.orders.odds import roll_parts
from engine.orders.steps import Accept, Play
from engine.ruling import citing
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


# ==== Bomb: aircraft are spent, a die for each, at land beneath their zone. Island only ========

OVER = "a1:3 b1:2 zone-red:2 zone-white:3"
FOE = "d2:4 c2:4 c1:2"


def test_the_linked_zone_must_be_supplied_whatever_one_edition_writes() -> None:
    position = atoll("a1:3 zone-red:1 zone-green:3", "d2:4 d1:2 zone-white:1")
    step = deploy("bomb:zone-green", "d1", payload=1)
    finding = refused(position, step, "bomb.supply", "Blue controls the green zone, but its supply line")
    assert "linked zone; we follow the English one" in finding.message
    with citing("pt"):
        assert str(finding.citation) == "Bombardear"
    assert "bomb:zone-green" not in legal(position).spaces


def test_the_land_beneath_need_not_be_supplied() -> None:
    position = atoll("a1:3 zone-red:1 zone-white:3", FOE)
    assert "c2" in legal(position).spaces["bomb:zone-white"].targets


def test_the_target_lies_beneath_the_linked_zone() -> None:
    position = atoll(OVER, FOE + " d1:1")
    assert set(legal(position).spaces["bomb:zone-white"].targets) == {"c1", "c2"}
    refused(position, deploy("bomb:zone-white", "d1", payload=1), "bomb.beneath", "d1 is not under the white zone")
    refused(
        position,
        deploy("bomb:zone-white", payload=1),
        "bomb.target",
        "choose a target for the shot from the white zone",
    )


@pytest.mark.parametrize("target", ["b1", "b2"])
def test_own_land_and_empty_land_are_no_target(target: str) -> None:
    refused(
        atoll(OVER, FOE), deploy("bomb:zone-white", target, payload=1), "bomb.enemy", f"{target} has no enemy units"
    )


@pytest.mark.parametrize("payload", [1, 2])
def test_the_payload_leaves_for_the_reserve_and_each_aircraft_rolls_a_die(payload: int) -> None:
    start = atoll(OVER, FOE)
    position = after(start, deploy("bomb:zone-white", "c2", payload=payload))
    due = due_in(position)
    assert (due.by, due.dice, due.area) == ("blue", payload, "c2")
    assert units(position, "zone-white") == f"blue {3 - payload} aircraft"
    assert reserve(position, "blue", "aircraft") == reserve(start, "blue", "aircraft") + payload


def test_as_many_troops_go_as_there_are_pips() -> None:
    position = after(atoll(OVER, FOE), deploy("bomb:zone-white", "c2", payload=2), rolled("blue", 2, 1))
    assert units(position, "c2") == "yellow 1 troop"


def test_one_or_more_aircraft_are_spent() -> None:
    for payload in (0, None):
        refused(
            atoll(OVER, FOE),
            deploy("bomb:zone-white", "c2", payload=payload),
            "bomb.payload",
            "spend at least 1 and at most 2 aircraft from the white zone, not 0",
        )


def test_the_last_aircraft_of_a_zone_stays() -> None:
    step = deploy("bomb:zone-white", "c2", payload=3)
    refused(atoll(OVER, FOE), step, "bomb.last-unit", "the white zone has only 3 aircraft, and one must stay")
    spent = [finding.message for finding in examine(atoll(OVER, FOE), step).findings if finding.rule == "bomb.payload"]
    assert spent == ["spending 3 of 3 aircraft from the white zone"], "so many are there, however few may be spent"


def test_the_most_that_may_be_spent_is_offered() -> None:
    assert legal(atoll(OVER, FOE)).spaces["bomb:zone-white"].payload == 2


def test_a_card_for_one_more_shot_rolls_for_the_same_aircraft_again() -> None:
    words = {"title": "", "text": "", "condition": "", "by": "mover", "copies": 3}
    airstrike = {**words, "action": "bomb", "moment": "again", "verb": "again", "amount": 0}
    board = board_from({**board_data("atoll"), "cards": {"airstrike": airstrike}})
    position = after(
        stand(board, OVER, FOE, hands={"blue": "airstrike airstrike"}),
        deploy("bomb:zone-white", "c2", payload=2),
        rolled("blue", 1, 1),
        Accept(),
        Play("airstrike", "blue", target="c1"),
    )
    assert due_in(position).dice == 2
    assert [(part.reason, part.dice) for part in roll_parts(position)] == [("payload", 2)]
    assert units(position, "zone-white") == "blue 1 aircraft"
