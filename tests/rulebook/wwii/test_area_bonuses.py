"""World War II, Area Bonuses: tokens and a printed one, for whoever controls and supplies their land area."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, new_game, owed, play
from engine.orders.mode import load_mode
from engine.orders.odds import roll_parts
from engine.orders.position import Position
from engine.orders.steps import Pass, Return
from tests.tables import after, allowed, atoll, deploy, due_in, refused, reserve, rolled, units, valley


def first(bonus: str, blue: str = "a1:4 a2:3 b1:2", yellow: str = "c3:4 c2:4 b3:2", **more: Any) -> Position:
    """Return a position with the bonus in a2, in slot 1."""
    return valley(blue, yellow, bonuses={"1": bonus}, **more)


def amount(space: str) -> int:
    return load_mode("wwii-alpine").support[space].amount


# --- Depot ------------------------------------------------------------------------------


def test_depot_adds_two_troops_to_reinforce() -> None:
    position = first("depot", "a1:1 a2:3 b1:2")
    assert legal(position).spaces["reinforce:1"].amount == amount("reinforce:1") + 2
    refused(position, deploy("reinforce:2", f"b1:2 a2:2 a1:{amount('reinforce:2') - 1}"), "reinforce.amount")
    allowed(position, deploy("reinforce:2", f"b1:2 a2:2 a1:{amount('reinforce:2') - 2}"), "reinforce.amount")


def test_a_bonus_needs_supply_of_its_area_not_control_alone() -> None:
    for bonus_in in ("3", "2"):
        position = valley("a1:1 a3:3 b1:2", "c3:4 c2:4 a2:1", bonuses={bonus_in: "depot"})
        assert legal(position).spaces["reinforce:1"].amount == amount("reinforce:1")


# --- Forward Base -----------------------------------------------------------------------


def test_forward_base_adds_a_troop_after_the_move_in_before_the_conflict() -> None:
    start = first("forward_base", "a1:4 a2:3 b2:3")
    position, events = play(start, deploy("advance:c2", "b2:2"))
    assert units(position, "c2") == "blue 3 troop, yellow 4 troop"
    assert [event.kind for event in events][:2] == ["moved", "bonus"]
    assert reserve(position, "blue", "troop") == reserve(start, "blue", "troop") - 1


def test_forward_base_adds_nothing_to_a_paradrop() -> None:
    assert units(after(first("forward_base"), deploy("paradrop:b1", "c1")), "c1") == "blue 2 troop"


def test_forward_base_adds_nothing_from_an_empty_reserve() -> None:
    full = first("forward_base", "a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4")
    assert reserve(full, "blue", "troop") == 0
    assert units(after(full, deploy("advance:c1", "b1:1")), "c1") == "blue 1 troop"


# --- Observer Post, Recon Post, Air Control Post ----------------------------------------


def test_observer_post_adds_a_die_to_barrage() -> None:
    position = after(first("observer_post"), deploy("barrage:a2", "c2"))
    assert due_in(position).dice == 3
    assert [(part.reason, part.dice) for part in roll_parts(position)] == [("action", 2), ("bonus", 1)]


def test_observer_post_adds_none_to_bomb() -> None:
    start = atoll("a1:3 a2:1 zone-red:1 zone-white:3", bonuses={"1": "observer_post"})
    assert due_in(after(start, deploy("bomb:zone-white", "c2", payload=2))).dice == 2


def test_recon_post_adds_a_card_to_plan() -> None:
    position = first("recon_post")
    due = amount("plan:2") + 1
    assert legal(position).spaces["plan:2"].draw == due
    assert after(position, deploy("plan:2", due)).hand("blue") == due


def test_air_control_post_adds_a_troop_to_paradrop() -> None:
    start = first("air_control_post")
    position = after(start, deploy("paradrop:b1", "c1"))
    assert units(position, "c1") == "blue 3 troop"
    assert reserve(position, "blue", "troop") == reserve(start, "blue", "troop") - 3


# --- Town Centre ------------------------------------------------------------------------


def test_town_centre_adds_a_die_to_its_defence() -> None:
    start = valley("a1:3 a2:4", "c3:4 c2:1 b2:2")
    position = after(start, deploy("advance:b2", "a2:3"))
    assert due_in(position).dice == 2
    assert [(part.reason, part.dice, part.name) for part in roll_parts(position)] == [
        *(("defence", 1, ""), ("bonus", 1, "town_centre")),
    ]


def test_town_centre_needs_supply_of_its_area_by_the_defender() -> None:
    start = valley("a1:3 a2:4", "c3:4 b2:2")
    assert due_in(after(start, deploy("advance:b2", "a2:3"))).dice == 1


def test_town_centre_defends_its_own_area_alone() -> None:
    start = valley("a1:3 b1:4", "c3:4 b3:1 b2:2 c2:1 c1:2")
    assert due_in(after(start, deploy("advance:c1", "b1:3"))).dice == 1


def test_town_centre_gives_the_attacker_nothing() -> None:
    start = valley("a1:3 a2:1 b2:4", "c3:4 c2:2")
    assert due_in(after(start, deploy("advance:c2", "b2:3"))).dice == 1


def test_town_centre_defends_against_a_paradrop_too() -> None:
    start = valley("a1:3 b1:1", "c3:4 c2:1 b2:2")
    assert due_in(after(start, deploy("paradrop:b1", "b2"))).dice == 2


# --- Signal Unit ------------------------------------------------------------------------

GAIN: dict[str, Any] = {"bonuses": {"3": "signal_unit"}}
"""Signal Unit lies in a3, next to a2."""


def held(blue: str = "a1:4 a2:2 a3:1", yellow: str = "c3:4 b3:4", **more: Any) -> Position:
    """Blue has Signal Unit in a3, and its commander with it."""
    given: dict[str, Any] = {"standby": {"blue": 3, "yellow": 4}, "left": {"blue": 2, "yellow": 3}}
    return valley(blue, yellow, **GAIN, **{"to_move": "yellow", **given, **more})


def counts(position: Position, faction: str = "blue") -> tuple[int, int]:
    return position.left(faction), position.standing_by(faction)


def test_signal_unit_brings_a_commander_from_standby_at_once() -> None:
    position, events = play(valley(**GAIN), deploy("advance:a3", "a2:1"))
    assert counts(position) == (5, 3)
    assert [event.kind for event in events if event.faction == 0][-1] == "commander"


def test_it_is_there_for_the_same_round() -> None:
    position = after(valley(left={"blue": 1, "yellow": 1}, **GAIN), deploy("advance:a3", "a2:1"), Pass())
    assert (position.to_move_name, counts(position)) == ("blue", (1, 3))


def test_with_nobody_on_standby_none_comes() -> None:
    start = valley(standby={"blue": 0, "yellow": 4}, left={"blue": 5, "yellow": 5}, **GAIN)
    assert counts(after(start, deploy("advance:a3", "a2:1"))) == (4, 0)


def test_a_faction_that_supplies_its_area_at_the_start_begins_with_the_commander() -> None:
    board = "wwii-alpine"
    for slot, area in zip(valley().board.slots, new_game(board, "blue", {}).board.slot_areas, strict=True):
        position = new_game(board, "blue", {slot: "signal_unit"})
        holder = position.controller(position.board.areas[area].name)
        for faction in ("blue", "yellow"):
            assert counts(position, faction) == ((6, 3) if faction == holder else (5, 4))


def test_a_reserve_at_the_recall_has_one_more_while_it_is_held() -> None:
    position = after(held(), Pass(), Pass())
    assert (position.round, counts(position), counts(position, "yellow")) == (3, (6, 3), (5, 4))


def test_when_control_is_lost_a_commander_of_the_reserve_goes_back() -> None:
    position = after(held(), deploy("advance:a3", "b3:3"), rolled("blue", 0))
    assert units(position, "a3") == "yellow 2 troop"
    assert counts(position) == (1, 4)
    assert counts(position, "yellow") == (3, 3)


def test_when_supply_is_lost_it_goes_back_too() -> None:
    position = after(held(yellow="c3:4 b3:1 b2:4"), deploy("advance:a2", "b2:3"), rolled("blue", 0))
    assert position.controller("a3") == "blue"
    assert counts(position) == (1, 4)


def test_a_shot_that_empties_the_area_takes_it_as_well() -> None:
    start = held(yellow="c3:4 c2:4")
    position = after(start, deploy("barrage:c2", "a3"), rolled("yellow", 1, 0))
    assert (position.controller("a3"), counts(position)) == (None, (1, 4))


DEPLOYED: dict[str, Any] = {
    "left": {"blue": 0, "yellow": 3},
    "commanders": {"advance:a2": "blue", "plan:1": "blue", "plan:2": "yellow"},
}


def test_with_an_empty_reserve_one_returns_from_an_action_space_of_the_owners_choice() -> None:
    start = held(**DEPLOYED)
    position = after(start, deploy("advance:a3", "b3:3"), rolled("blue", 0))
    due = due_in(position)
    assert (due.wants, due.by, sorted(due.spaces)) == ("return", "blue", ["advance:a2", "plan:1"])
    refused(position, Return("plan:2", "blue"), "return.own", "Blue has no commander on plan:2")
    refused(position, Return("plan:1", "yellow"), "return.owed", "Yellow has no commander to return")
    position = after(position, Return("advance:a2", "blue"))
    assert (counts(position), owed(position)) == ((0, 4), None)
    assert position.commanders_on("advance:a2") == ()
    assert position.commanders_on("plan:1") == ("blue",)


def test_with_one_commander_deployed_there_is_no_choice() -> None:
    start = held(left={"blue": 0, "yellow": 3}, commanders={"plan:1": "blue"})
    position = after(start, deploy("advance:a3", "b3:3"), rolled("blue", 0))
    assert (owed(position), counts(position), position.commanders_on("plan:1")) == (None, (0, 4), ())


@pytest.mark.parametrize("pips", [2])
def test_a_lost_attack_leaves_it_where_it_was(pips: int) -> None:
    position = after(held("a1:4 a2:2 a3:4"), deploy("advance:a3", "b3:3"), rolled("blue", pips))
    assert (units(position, "a3"), counts(position)) == ("blue 3 troop", (2, 3))
