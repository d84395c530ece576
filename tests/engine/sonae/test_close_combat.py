"""Close Combat: charges, Closing Fire, Melee and Shock, every pool with its reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.sonae.field import Place
from engine.sonae.game import apply, options, owed
from engine.sonae.position import FATIGUED, Due, Position
from engine.sonae.steps import Advance, Closing, Done, Wheel
from tests.engine.sonae.case import at, battle, names, objections, owing, roll, rolls, told, wants

# --- charging and closing fire -----------------------------------------------------------


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


# --- melee -------------------------------------------------------------------------------


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
    assert told(rear, Due("melee", 0, ("ito-a",), ("oda-a",))) == "4 standard, +1 rear attack"
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


# --- shock -------------------------------------------------------------------------------


def shocked(hits: int) -> Position:
    return roll(rolls(locked(), 2, 1), hits)


def test_shock_dice() -> None:
    start = battle(at("ito-b", 9, 11.5, status="wavering"), at("oda-a", 9, 12.5, 180))
    assert told(start, Due("shock", 0, ("ito-b",), ("oda-a",))) == "4 standard, +1 this unit's shock, -1 wavering"


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


def test_what_is_owed_is_told_with_its_chance() -> None:
    found = owed(locked())
    assert found is not None
    assert found.text == "Ito rolls Melee for ito-a against oda-a"
    assert found.pool is not None
    assert found.pool.odds[0] == 1 - found.pool.chance
    assert owed(battle()) is None
    die = owed(owing(battle(orders=0), Due("orders", 0)))
    assert die is not None
    assert die.pool is None
    token = owed(owing(battle(orders=0), Due("token", -1)))
    assert token is not None
    assert token.text == "draw a token from the bag"


def test_a_wheel_is_no_way_out_of_combat() -> None:
    assert objections(locked_again(), Wheel("ito-a", 90, 9, 11.5))[0] == "order.locked"


def locked_again() -> Position:
    return battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180))


def test_a_victor_may_leave_it_at_the_melee() -> None:
    won = rolls(locked(), 2, 1)
    assert options(won).done
    after = apply(won, Done())
    assert (after.acting, after.unit("oda-a") is not None, after.here("ito-a").place.y) == ("", True, 11.5)
    assert objections(locked(), Done()) == ["turn.owed"]
    assert not options(locked()).done


def test_more_successes_may_give_more_orders() -> None:
    start = replace(rolls(locked(), 2, 1), readings=frozenset({"bonus-order"}))
    assert (roll(start, 3).spare, roll(start, 4).spare) == (0, 1)
    once = apply(roll(start, 4), Advance("ito-a", 9, 13))
    assert (once.bonus, once.spare) == (("ito-a",), 0)
    twice = apply(once, Advance("ito-a", 9, 14))
    assert (twice.bonus, twice.acting) == ((), "")
    assert apply(roll(start, 4), Done()).acting == ""


# --- what only bears on whom it touches ---------------------------------------------------


def test_only_who_is_in_contact_with_a_rear_attacks_it() -> None:
    """Ito's b stands behind Oda's lead, but fights Oda's a beside it."""
    units = at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180), at("ito-b", 9, 13.5, 180), at("oda-b", 10.05, 11.5, 0)
    start = battle(*units)
    rear = Due("melee", 0, ("ito-a", "ito-b"), ("oda-a", "oda-b"))
    assert told(start, rear).count("rear attack") == 1


def test_a_camp_does_not_fall_back() -> None:
    start = battle(at("ito-a", 9, 11.5), at("oda-general", 9, 12.5, 180))
    after = rolls(apply(start, Done()), 0, 0)
    assert wants(after) == [("blocked", "oda")]
    assert after.here("oda-general").place.y == 12.5
    mounted = rolls(apply(replace(start, modes=("mobile", "mobile")), Done()), 0, 0)
    assert mounted.here("oda-general").place.y == 13.5


def test_a_charge_by_a_bonus_order_counts_in_the_next_melee() -> None:
    start = battle(at("ito-a", 9, 11.5), at("oda-b", 9, 14, 180), bonus=("ito-a",), fought=("ito-a",), fighting=True)
    after = rolls(apply(apply(start, Advance("ito-a", 9, 13)), Closing("oda", True)), 0)
    assert (after.acting, after.here("ito-a").charged, after.here("oda-b").delayed) == ("", True, True)
    gone = apply(battle(at("ito-a", 9, 8, charged=True, delayed=True)), Done()).here("ito-a")
    assert (gone.charged, gone.delayed) == (False, False)


def test_ground_takes_from_the_impetus_of_shock() -> None:
    hill = battle(at("ito-a", 9, 19.5), at("oda-a", 9, 20.5, 180))
    due = Due("shock", 0, ("ito-a",), ("oda-a",))
    assert told(hill, due) == "4 standard, -1 uphill"
    assert told(hill, Due("shock", 1, ("oda-a",), ("ito-a",))) == "4 standard"
    wood = battle(at("ito-a", 25, 19.5), at("oda-a", 25, 20.5, 180))
    assert told(wood, due) == "4 standard, -1 difficult ground"
    assert told(wood, Due("melee", 0, ("ito-a",), ("oda-a",))) == "4 standard"
    assert told(replace(wood, readings=frozenset({"shock-ground"})), due) == "4 standard"


# --- by the other readings ----------------------------------------------------------------


def test_closing_fire_may_be_for_who_is_not_in_contact_yet() -> None:
    units = at("ito-a", 8.5, 11.5), at("oda-a", 9, 12.5, 180), at("ito-b", 9.55, 9.5)
    assert wants(apply(battle(*units), Advance("ito-b", 9.55, 11.5))) == [("closing", "oda")]
    busy = battle(*units, readings=frozenset({"closing-again"}))
    assert apply(busy, Advance("ito-b", 9.55, 11.5)).due == ()


def test_a_charger_that_was_hit_may_be_harmed_though_it_stood() -> None:
    start = replace(charge(), readings=frozenset({"unharmed"}))
    assert not rolls(apply(start, Closing("oda", True)), 1, 1).here("oda-a").delayed
    assert rolls(apply(start, Closing("oda", True)), 0).here("oda-a").delayed


def test_a_single_success_of_shock_may_only_shake() -> None:
    start = replace(rolls(locked(), 2, 1), readings=frozenset({"shock-first"}))
    shaken = roll(start, 1)
    assert (shaken.here("oda-a").status, shaken.here("ito-a").fatigue) == ("wavering", FATIGUED)
    assert roll(start, 2).unit("oda-a") is None
