"""World War II, Advance, Paradrop and Land Conflicts: troops on their way, and what meets on land."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.orders.game import legal, owed
from engine.orders.odds import roll_parts
from engine.orders.position import Position
from engine.rulebook import load_book
from engine.ruling import citing
from tests.boards import practice
from tests.tables import after, allowed, atoll, deploy, due_in, refused, reserve, rolled, stand, units, valley


def sources(position: Position, space: str) -> dict[str, dict[str, int]]:
    return {area: dict(kinds) for area, kinds in legal(position).spaces[space].sources.items()}


# --- deployment criteria ----------------------------------------------------------------


def test_a_neighbour_in_supply_with_two_troops_is_needed() -> None:
    assert "advance:b2" in legal(valley("a1:2 a2:2")).spaces
    assert "advance:b2" not in legal(valley("a1:2 a2:1")).spaces
    assert "advance:b2" not in legal(valley("a1:2 b1:1 c1:2")).spaces


# --- move in ----------------------------------------------------------------------------


def test_from_every_area_next_to_it_that_one_supplies() -> None:
    assert sources(valley("a1:3 a2:3 b1:2"), "advance:b2") == {"a2": {"troop": 2}, "b1": {"troop": 1}}
    position = after(valley("a1:3 a2:3 b1:2"), deploy("advance:b2", "a2:2 b1:1"))
    assert [units(position, area) for area in ("b2", "a2", "b1")] == ["blue 3 troop", "blue 1 troop", "blue 1 troop"]


def test_supply_over_another_area_brings_nothing_across() -> None:
    position = valley("a1:3 b1:2 c1:1")
    assert "advance:c2" not in legal(position).spaces
    refused(position, deploy("advance:c2", "b1:1"), "advance.reach", "b1 is not next to c2")


def test_not_from_an_area_that_is_cut_off() -> None:
    step = deploy("advance:c2", "c1:1")
    refused(valley("a1:3 c1:3"), step, "advance.source-supply", "Blue controls c1, but its supply line")
    assert "as the action starts" in load_book("wwii")["advance"].differs


# ==== Paradrop: two troops from the reserve into nearly any land area. Alpine only =============

# --- deployment criteria ----------------------------------------------------------------


def test_the_space_is_of_ones_own_colour_whatever_one_edition_leaves_out() -> None:
    position = valley("a1:3 a2:1 b2:1 b3:2", "c3:3")
    finding = refused(
        position, deploy("paradrop:b3", "a3"), "paradrop.faction", "paradrop:b3 belongs to Yellow, not Blue"
    )
    assert "we follow the English one" in finding.message
    with citing("pt"):
        assert str(finding.citation) == "Descer de Paraquedas"
    assert "paradrop:b3" not in legal(position).spaces


def test_the_linked_area_must_be_supplied() -> None:
    position = valley("a1:3 a2:2", "c3:3 b1:2")
    refused(position, deploy("paradrop:b1", "c1"), "paradrop.supply", "Yellow controls b1")
    refused(valley("a1:3"), deploy("paradrop:b1", "c1"), "paradrop.supply", "b1 is empty")
    assert "paradrop:b1" not in legal(position).spaces


# --- the target -------------------------------------------------------------------------


def test_any_land_but_the_enemy_headquarters_and_areas_with_the_symbol() -> None:
    offer = legal(valley()).spaces["paradrop:b1"]
    assert set(offer.targets) == {"a1", "a3", "b1", "b2", "b3", "c1"}
    refused(
        valley(),
        deploy("paradrop:b1", "c3"),
        "paradrop.headquarters",
        "c3 is the enemy headquarters, where no drop is allowed",
    )
    refused(valley(), deploy("paradrop:b1", "c2"), "paradrop.no-drop", "c2 has the symbol")
    refused(valley(), deploy("paradrop:b1"), "paradrop.target", "drop from b1")
    refused(valley(), deploy("paradrop:b1", "z9"), "area.known", "z9")


def test_far_from_any_area_of_ones_own() -> None:
    position = after(valley("a1:3 b1:1", "c3:4"), deploy("paradrop:b1", "b3"))
    assert units(position, "b3") == "blue 2 troop"
    assert owed(position) is None


def test_a_commander_in_the_targets_advance_space_does_not_matter() -> None:
    for holder in ("blue", "yellow"):
        position = valley("a1:3 b1:1", commanders={"advance:c1": holder})
        allowed(position, deploy("paradrop:b1", "c1"), "paradrop.no-drop", "c1")


# --- drop troops ------------------------------------------------------------------------


def test_two_troops_come_from_the_reserve() -> None:
    start = valley()
    position = after(start, deploy("paradrop:b1", "c1"))
    assert units(position, "c1") == "blue 2 troop"
    assert reserve(position, "blue", "troop") == reserve(start, "blue", "troop") - 2


def test_onto_ones_own_troops_as_far_as_five() -> None:
    position = after(valley("a1:4 b1:4"), deploy("paradrop:b1", "b1"))
    assert units(position, "b1") == "blue 5 troop"


def test_where_the_reserve_is_short_troops_are_taken_back_first() -> None:
    short = valley("a1:5 a2:5 b1:5 b2:5 a3:4", "c3:4")
    assert reserve(short, "blue", "troop") == 1
    position = after(short, deploy("paradrop:b1", "c1", recall="a3:1"))
    assert (units(position, "c1"), units(position, "a3")) == ("blue 2 troop", "blue 3 troop")
    refused(
        short,
        deploy("paradrop:b1", "c1", recall="a3:2"),
        "recall.more",
        "2 troops recalled, too many: the reserve lacks only 1",
    )


# --- resolve the conflict ---------------------------------------------------------------


@pytest.mark.parametrize(("pips", "left"), [(0, ""), (1, "yellow 1 troop"), (2, "yellow 2 troop")])
def test_an_area_of_the_opponent_is_fought_for(pips: int, left: str) -> None:
    position = after(valley(), deploy("paradrop:b1", "b3"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "yellow", "b3", 1)
    assert units(after(position, rolled("yellow", pips)), "b3") == left


@pytest.mark.parametrize(
    ("blue", "there"), [("a1:4 a2:2 b1:2", "blue 4 troop"), ("a1:5 a2:5 b1:5 c1:5 b2:2", "blue 3 troop")]
)
def test_a_card_that_lets_troops_join_adds_its_own_as_the_reserve_has_them(blue: str, there: str) -> None:
    board = practice.valley()
    joins = replace(board.mode.cards["ground_assault"], name="omen", action="paradrop", amount=2)
    omens = replace(board, mode=replace(board.mode, cards={**board.mode.cards, "omen": joins}))
    position = stand(omens, blue, "c3:4", hands={"blue": "omen"})
    assert units(after(position, deploy("paradrop:b1", "b3", cards="omen")), "b3") == there


# ==== Land Conflicts: the defence roll, attrition, five at most ================================


def attack(attackers: int = 4, defenders: int = 2) -> Position:
    """Blue has moved from b1 and a2 into c1's neighbour b2's side of the valley: c2 is yellow's."""
    start = valley(f"a1:3 a2:1 b2:{attackers + 1}", f"c3:4 c2:{defenders}")
    return after(start, deploy("advance:c2", f"b2:{attackers}"))


# --- defence ----------------------------------------------------------------------------


@pytest.mark.parametrize(("pips", "left"), [(0, "blue 2 troop"), (1, "blue 1 troop"), (2, "")])
def test_as_many_attackers_go_as_there_are_pips_and_then_one_each(pips: int, left: str) -> None:
    assert units(after(attack(), rolled("yellow", pips)), "c2") == left


# --- the air zone above -----------------------------------------------------------------


def over(zones: str, yellow: str = "d2:4 c2:2", target: str = "c2") -> Position:
    """Blue attacks c2, which lies under zone-white."""
    start = atoll("a1:3 a2:1 b2:4 zone-red:1", f"{yellow} {zones}")
    return after(start, deploy(f"advance:{target}", "b2:3"))


def test_two_dice_beneath_a_zone_that_the_defender_controls_and_supplies() -> None:
    position = over("zone-green:1 zone-white:1")
    assert due_in(position).dice == 2
    assert [(part.reason, part.dice) for part in roll_parts(position)] == [("defence", 1), ("zone", 1)]


def test_one_die_where_the_defender_does_not_supply_the_zone() -> None:
    assert due_in(over("zone-white:1")).dice == 1


def test_one_die_beneath_a_zone_that_nobody_or_the_attacker_holds() -> None:
    assert due_in(over("zone-green:1")).dice == 1
    start = atoll("a1:3 a2:1 b2:4 zone-red:1 zone-white:1", "d2:4 c2:2 zone-green:1")
    assert due_in(after(start, deploy("advance:c2", "b2:3"))).dice == 1


def test_another_zone_does_not_count() -> None:
    start = atoll("a1:3 b1:2 c1:4 zone-red:1", "d2:4 d1:2 zone-white:2")
    position = after(start, deploy("advance:d1", "c1:3"))
    assert due_in(position).dice == 1


def test_the_attackers_supply_of_the_zone_gives_the_defender_nothing() -> None:
    start = atoll("a1:3 a2:1 b2:4 zone-red:1 zone-white:2", "d2:4 c2:2 zone-green:2")
    assert [part.reason for part in roll_parts(after(start, deploy("advance:c2", "b2:3")))] == ["defence"]


# --- attrition --------------------------------------------------------------------------


def test_no_more_than_five_attackers_stay() -> None:
    start = stand(valley().board, "a1:3 b1:1 b2:5 c1:5", "c3:4 c2:1")
    start = after(start, deploy("advance:c2", "b2:4 c1:4"))
    position = after(start, rolled("yellow", 0))
    assert units(position, "c2") == "blue 5 troop"
    assert reserve(position, "blue", "troop") == reserve(start, "blue", "troop") + 3


def test_five_in_an_area_taken_without_a_fight() -> None:
    position = after(valley("a1:3 a2:5 b1:5"), deploy("advance:b2", "a2:4 b1:4"))
    assert units(position, "b2") == "blue 5 troop"
