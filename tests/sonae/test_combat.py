"""Ranged Combat, Close Combat and Morale: every pool with its reasons, and what each roll comes to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.sonae.field import Place
from engine.sonae.game import apply, owed
from engine.sonae.pools import pool_of
from engine.sonae.position import FATIGUED, Due, Position
from engine.sonae.steps import Advance, Closing, Done, FallBack, Fire, Rally, Wheel
from tests.sonae.case import at, battle, names, objections, owing, roll, rolls, wants, without


def told(position: Position, due: Due | None = None) -> str:
    """The dice that are owed with their reasons."""
    return pool_of(position, due or position.due[0]).told()


# --- ranged combat ------------------------------------------------------------------------


def test_fire_is_exchanged_within_two_movements() -> None:
    far = battle(at("ito-a", 9, 10), at("oda-a", 9, 13.2, 180))
    assert objections(far, Fire("ito-a", "oda-a")) == ["fire.range"]
    near = battle(at("ito-a", 9, 10), at("oda-a", 9, 13, 180))
    after = apply(near, Fire("ito-a", "oda-a"))
    assert wants(after) == [("fire", "ito"), ("reply", "oda")]
    assert told(after) == "4 standard"


def test_dice_for_firing_close_range_and_hills() -> None:
    where = battle(at("ito-b", 11, 10), at("oda-gun", 11, 12, 180))
    assert told(where, Due("fire", 0, ("ito-b",), ("oda-gun",))) == "4 standard, -1 firing of this unit, +1 close range"
    assert (
        told(where, Due("reply", 1, ("oda-gun",), ("ito-b",))) == "4 standard, +1 firing of this unit, +1 close range"
    )
    hill = battle(at("ito-a", 9, 19), at("oda-a", 9, 22, 180))
    assert told(hill, Due("fire", 0, ("ito-a",), ("oda-a",))) == "4 standard, -1 up a hill"
    assert told(hill, Due("reply", 1, ("oda-a",), ("ito-a",))) == "4 standard"


def test_half_the_dice_from_the_flank_one_from_the_rear() -> None:
    flank = battle(at("ito-a", 9, 10, 90), at("oda-gun", 9, 12.5, 180))
    assert told(flank, Due("fire", 0, ("ito-a",), ("oda-gun",))) == "4 standard, -2 half, from the flank"
    rear = battle(at("ito-a", 9, 10, 180), at("oda-gun", 9, 12.5, 0))
    assert told(rear, Due("fire", 0, ("ito-a",), ("oda-gun",))) == "4 standard, -3 one only, from the rear"
    odd = Due("reply", 1, ("oda-gun",), ("ito-a",))
    assert pool_of(battle(at("ito-a", 9, 10), at("oda-gun", 9, 12.5, 90)), odd).dice == 2


def test_each_side_that_was_hit_tests_with_less_for_more_hits() -> None:
    start = apply(battle(at("ito-a", 9, 10), at("oda-a", 9, 13, 180)), Fire("ito-a", "oda-a"))
    after = rolls(start, 3, 1)
    assert wants(after) == [("morale", "oda"), ("morale", "ito")]
    assert told(after) == "4 standard, -2 hits past the first"
    assert told(after, after.due[1]) == "4 standard, +1 the Army General is near" or after.due[1].less == 0
    assert wants(rolls(start, 1, 0)) == [("morale", "oda")]
    assert rolls(start, 0, 0).due == ()


@pytest.mark.parametrize(("before", "after"), [("fresh", "wavering"), ("wavering", "brittle"), ("brittle", None)])
def test_a_failed_test_is_a_status_worse(before: str, after: str | None) -> None:
    start = owing(battle(at("oda-b", 11, 24, status=before)), Due("morale", 1, ("oda-b",)))
    failed = roll(start, 0).unit("oda-b")
    assert (failed.status if failed else None) == after
    assert roll(start, 1).here("oda-b").status == before


def test_a_pool_may_lose_all_its_dice() -> None:
    start = battle(at("ito-b", 11, 10), at("oda-gun", 11, 13, 180), at("ito-a", 5, 6))
    due = Due("morale", 1, ("oda-gun",), less=5)
    assert pool_of(start, due).dice == 0
    assert pool_of(start, due).chance == 0
    after = apply(owing(start, Due("morale", 0, ("ito-a",)), due), _six(start))
    assert after.here("oda-gun").status == "wavering"


def _six(position: Position):  # type: ignore[no-untyped-def]
    from engine.sonae.steps import Roll

    dice = pool_of(position, Due("morale", 0, ("ito-a",))).dice
    return Roll((6,) * dice, "ito")


def test_units_in_melee_neither_fire_nor_are_fired_at() -> None:
    locked = battle(at("ito-a", 9, 12), at("oda-a", 9, 13, 180), at("ito-b", 11, 12))
    assert objections(locked, Fire("ito-a", "oda-a")) == ["order.locked", "fire.melee"]
    assert objections(locked, Fire("ito-b", "oda-a")) == ["fire.melee"]


def test_a_unit_that_breaks_owes_nothing_more() -> None:
    start = battle(at("ito-a", 9, 10), at("oda-a", 9, 13, 180, status="brittle"))
    after = rolls(apply(start, Fire("ito-a", "oda-a")), 1, 0, 0)
    assert after.unit("oda-a") is None
    assert after.due == ()


# --- charging and closing fire ------------------------------------------------------------


def charge(status: str = "fresh", facing_deg: float = 180.0) -> Position:
    start = battle(at("ito-a", 9, 10, status=status), at("oda-a", 9, 12.5, facing_deg), at("oda-b", 20, 20))
    return apply(start, Advance("ito-a", 9, 11.5))


def test_a_charge_gives_the_defender_the_choice_of_closing_fire() -> None:
    after = charge()
    assert wants(after) == [("closing", "oda")]
    assert after.here("ito-a").charged
    assert objections(after, Closing("ito", True)) == ["turn.who"]
    assert wants(apply(after, Closing("oda", True))) == [("closing-fire", "oda")]
    assert apply(after, Closing("oda", False)).due == ()


@pytest.mark.parametrize("facing_deg", [0.0, 90.0, 270.0])
def test_there_is_none_to_the_flank_or_rear(facing_deg: float) -> None:
    assert charge(facing_deg=facing_deg).due == ()


def test_closing_fire_in_vain_costs_a_die() -> None:
    fired = roll(apply(charge(), Closing("oda", True)), 0)
    assert fired.here("oda-a").delayed
    passed = rolls(apply(charge(), Closing("oda", True)), 1, 1)
    assert passed.here("oda-a").delayed
    assert passed.here("ito-a").place == Place(9, 11.5, 0)


def test_closing_fire_that_tells_stops_the_charge_one_movement_short() -> None:
    stopped = rolls(apply(charge(), Closing("oda", True)), 2, 0)
    one = stopped.here("ito-a")
    assert (one.place, one.status, one.charged) == (Place(9, 10.5, 0), "wavering", False)
    assert not stopped.here("oda-a").delayed
    assert stopped.due == ()


def test_with_no_room_it_pulls_up_as_far_as_it_can() -> None:
    behind = battle(at("ito-a", 9, 11.5, charged=True), at("oda-a", 9, 12.5, 180), at("ito-b", 9, 9.9))
    stopped = roll(owing(behind, Due("closing-morale", 0, ("ito-a",), ("oda-a",))), 0)
    assert stopped.here("ito-a").place.y == pytest.approx(10.9)


def test_a_brittle_charger_that_is_stopped_breaks() -> None:
    start = owing(
        battle(at("ito-a", 9, 11.5, status="brittle", charged=True), at("oda-a", 9, 12.5, 180)),
        Due("closing-morale", 0, ("ito-a",), ("oda-a",)),
    )
    assert roll(start, 0).unit("ito-a") is None


def test_a_wavering_unit_needs_nerve_and_a_brittle_one_does_not_charge() -> None:
    wavering = charge("wavering")
    assert wants(wavering) == [("nerve", "ito")]
    assert wants(roll(wavering, 1)) == [("closing", "oda")]
    stays = roll(wavering, 0)
    assert (stays.here("ito-a").place, stays.here("ito-a").status, stays.due) == (Place(9, 10, 0), "wavering", ())
    brittle = battle(at("ito-a", 9, 10, status="brittle"), at("oda-a", 9, 12.5, 180))
    assert objections(brittle, Advance("ito-a", 9, 11.5)) == ["charge.brittle"]


def test_a_charge_on_two_lets_both_fire_and_a_stopped_one_is_fired_at_no_more() -> None:
    start = battle(at("ito-a", 9, 10), at("oda-a", 8.45, 12.5, 180), at("oda-b", 9.55, 12.5, 180))
    after = apply(start, Advance("ito-a", 9, 11.5))
    assert wants(after) == [("closing", "oda"), ("closing", "oda")]
    assert rolls(apply(after, Closing("oda", True)), 1, 0).due == ()


# --- melee --------------------------------------------------------------------------------


def locked(**changes: Any) -> Position:
    """Ito's a and Oda's a in contact, and the orders done."""
    one = at("ito-a", 9, 11.5, **{"charged": True, **changes})
    return apply(battle(one, at("oda-a", 9, 12.5, 180)), Done())


def test_melees_are_fought_at_the_end_of_the_activation_by_both() -> None:
    assert wants(locked()) == [("melee", "ito"), ("melee", "oda")]
    assert told(locked()) == "4 standard, +1 charge"
    assert told(locked(status="brittle", charged=False)) == "4 standard, -2 brittle"


def test_an_attack_on_the_rear_has_a_die_more_and_closing_fire_one_less() -> None:
    rear = battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 0, delayed=True))
    assert told(rear, Due("melee", 0, ("ito-a",), ("oda-a",))) == "4 standard, +1 attack on the rear"
    assert told(rear, Due("melee", 1, ("oda-a",), ("ito-a",))) == "4 standard, -1 Closing Fire"


def test_all_units_of_a_melee_roll_together() -> None:
    two = battle(at("ito-a", 9, 11.5), at("ito-b", 10, 12.5, 270), at("oda-a", 9, 12.5, 180))
    after = apply(two, Done())
    assert after.due[0].units == ("ito-a", "ito-b")
    assert told(after) == "4 standard, ito-a, +4 standard, ito-b"
    assert after.due[0].against == ("oda-a",)


def test_without_a_hit_both_fall_back() -> None:
    after = rolls(locked(), 0, 0)
    assert (after.here("ito-a").place.y, after.here("oda-a").place.y) == (10.5, 13.5)
    assert not after.here("ito-a").charged
    assert after.acting == ""


def test_where_that_is_blocked_it_is_a_test() -> None:
    behind = battle(at("ito-a", 9, 11.5), at("ito-b", 9, 10.2), at("oda-a", 9, 12.5, 180))
    after = rolls(apply(behind, Done()), 0, 0)
    assert wants(after) == [("blocked", "ito")]
    assert roll(after, 0).here("ito-a").status == "wavering"


def test_as_many_hits_lock_them_until_one_of_them_acts_again() -> None:
    after = rolls(locked(), 2, 2)
    assert after.acting == ""
    assert after.here("ito-a").place.y == 11.5
    again = apply(replace(after, due=(), acting="oda-one", orders=3), Done())
    assert wants(again) == [("melee", "oda"), ("melee", "ito")]


def test_more_hits_lead_to_shock() -> None:
    assert wants(rolls(locked(), 2, 1)) == [("shock", "ito")]
    assert wants(rolls(locked(), 0, 1)) == [("shock", "oda")]


def test_a_unit_attacked_in_its_flank_only_drives_them_back() -> None:
    start = apply(battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 90)), Done())
    after = rolls(start, 0, 1)
    assert wants(after) == [("token", "")]
    assert after.here("ito-a").place.y == 10.5
    assert wants(rolls(start, 1, 0)) == [("shock", "ito")]


def test_each_melee_of_the_division_is_fought_and_no_other() -> None:
    start = battle(
        at("ito-a", 9, 11.5),
        at("oda-a", 9, 12.5, 180),
        at("ito-b", 15, 11.5),
        at("oda-b", 15, 12.5, 180),
        at("ito-gun", 28, 11.5),
        at("oda-gun", 28, 12.5, 180),
    )
    after = rolls(apply(start, Done()), 1, 1)
    assert after.due[0].units == ("ito-b",)
    assert rolls(after, 1, 1).acting == ""


# --- shock --------------------------------------------------------------------------------


def shocked(hits: int) -> Position:
    return roll(rolls(locked(), 2, 1), hits)


def test_shock_dice() -> None:
    start = battle(at("ito-b", 9, 11.5, status="wavering"), at("oda-a", 9, 12.5, 180))
    assert told(start, Due("shock", 0, ("ito-b",), ("oda-a",))) == "4 standard, +1 shock of this unit, -1 wavering"


def test_no_success_leaves_them_locked() -> None:
    assert shocked(0).unit("oda-a") is not None
    assert shocked(0).acting == ""


def test_one_success_destroys_and_tires() -> None:
    after = shocked(1)
    assert after.unit("oda-a") is None
    assert after.here("ito-a").fatigue == FATIGUED


def test_two_destroy() -> None:
    after = shocked(2)
    assert (after.unit("oda-a"), after.here("ito-a").fatigue, after.acting) == (None, 0, "")


def test_three_give_an_order_at_once() -> None:
    after = shocked(3)
    assert after.bonus == ("ito-a",)
    assert objections(after, Advance("ito-b", 11, 7)) == ["order.unit"]
    used = apply(after, Advance("ito-a", 9, 13))
    assert (used.bonus, used.here("ito-a").place.y, used.acting) == ((), 13, "")
    assert apply(after, Done()).acting == ""


def test_shock_destroys_all_that_were_beaten_and_may_end_the_battle() -> None:
    start = battle(at("ito-a", 9, 11.5), at("oda-lead", 9, 12.5, 180), at("oda-general", 10, 12.5, 180))
    after = rolls(apply(start, Done()), 2, 1, 2)
    assert (after.winner_name, after.reason) == ("ito", "general")
    two = battle(at("ito-a", 9, 11.5), at("oda-lead", 8.5, 12.5, 180), at("oda-a", 9.5, 12.5, 180))
    after = rolls(apply(two, Done()), 2, 1, 2)
    assert "oda-b" not in names(after.units)
    assert after.winner is None


# --- morale and rally ---------------------------------------------------------------------


def test_resilience_and_the_generals_nearness() -> None:
    start = battle(at("ito-lead", 7, 6), at("ito-b", 20, 15))
    assert told(start, Due("morale", 0, ("ito-lead",))) == (
        "4 standard, +1 resilience of this unit, +1 the Army General is near"
    )
    assert told(start, Due("morale", 0, ("ito-b",))) == "4 standard"
    gone = without(start, "ito-general")
    assert told(gone, Due("morale", 0, ("ito-lead",))) == "4 standard, +1 resilience of this unit"


def test_a_rally_makes_it_a_status_better() -> None:
    start = battle(at("ito-a", 9, 6, status="brittle"))
    after = apply(start, Rally("ito-a"))
    assert wants(after) == [("rally", "ito")]
    assert roll(after, 1).here("ito-a").status == "wavering"
    assert roll(after, 0).here("ito-a").status == "brittle"


def test_it_rallies_out_of_range_in_command_and_if_need_be() -> None:
    assert objections(battle(), Rally("ito-a")) == ["rally.status"]
    near = battle(at("ito-a", 9, 10, status="wavering"), at("oda-a", 9, 13, 180))
    assert objections(near, Rally("ito-a")) == ["rally.range"]
    far = battle(at("ito-a", 13, 6, status="wavering"))
    assert objections(far, Rally("ito-a")) == ["rally.command"]


def test_a_retreat_from_combat_is_tested() -> None:
    start = battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180))
    after = roll(apply(start, FallBack("ito-a", 9, 10.5)), 0)
    assert after.here("ito-a").status == "wavering"


def test_what_is_owed_is_told_with_its_chance() -> None:
    found = owed(locked())
    assert found is not None
    assert found.text == "Ito rolls the melee of ito-a against oda-a"
    assert found.pool is not None
    assert found.pool.odds[0] == 1 - found.pool.chance
    assert owed(battle()) is None
    die = owed(owing(battle(orders=0), Due("orders", 0)))
    assert die is not None
    assert die.pool is None
    token = owed(owing(battle(orders=0), Due("token", -1)))
    assert token is not None
    assert token.text == "a token is drawn from the bag"


def test_a_wheel_is_no_way_out_of_combat() -> None:
    assert objections(locked_again(), Wheel("ito-a", 90, 9, 11.5))[0] == "order.locked"


def locked_again() -> Position:
    return battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180))
