"""Ranged Combat and Morale: exchanges of fire with all their dice, what hits come to, and rallies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.sonae.game import apply
from engine.sonae.pools import pool_of
from engine.sonae.position import Due, Position
from engine.sonae.steps import Advance, Closing, FallBack, Fire, Rally, Wheel
from tests.engine.sonae.case import at, battle, objections, owing, roll, rolls, told, wants, without


def test_fire_is_exchanged_within_two_movements() -> None:
    far = battle(at("ito-a", 9, 10), at("oda-a", 9, 13.2, 180))
    assert objections(far, Fire("ito-a", "oda-a")) == ["fire.range"]
    near = battle(at("ito-a", 9, 10), at("oda-a", 9, 13, 180))
    after = apply(near, Fire("ito-a", "oda-a"))
    assert wants(after) == [("fire", "ito"), ("reply", "oda")]
    assert told(after) == "4 standard"


def test_dice_for_firing_close_range_and_hills() -> None:
    where = battle(at("ito-b", 11, 10), at("oda-gun", 11, 12, 180))
    assert told(where, Due("fire", 0, ("ito-b",), ("oda-gun",))) == "4 standard, -1 this unit's firing, +1 close range"
    assert told(where, Due("reply", 1, ("oda-gun",), ("ito-b",))) == "4 standard, +1 this unit's firing, +1 close range"
    hill = battle(at("ito-a", 9, 19), at("oda-a", 9, 22, 180))
    assert told(hill, Due("fire", 0, ("ito-a",), ("oda-a",))) == "4 standard, -1 uphill"
    assert told(hill, Due("reply", 1, ("oda-a",), ("ito-a",))) == "4 standard"


def test_half_the_dice_from_the_flank_one_from_the_rear() -> None:
    flank = battle(at("ito-a", 9, 10, 90), at("oda-gun", 9, 12.5, 180))
    assert told(flank, Due("fire", 0, ("ito-a",), ("oda-gun",))) == "4 standard, -2 halved from the flank"
    rear = battle(at("ito-a", 9, 10, 180), at("oda-gun", 9, 12.5, 0))
    assert told(rear, Due("fire", 0, ("ito-a",), ("oda-gun",))) == "4 standard, -3 only one die from the rear"
    odd = Due("reply", 1, ("oda-gun",), ("ito-a",))
    assert pool_of(battle(at("ito-a", 9, 10), at("oda-gun", 9, 12.5, 90)), odd).dice == 2


def test_each_side_that_was_hit_tests_with_less_for_more_hits() -> None:
    start = apply(battle(at("ito-a", 9, 10), at("oda-a", 9, 13, 180)), Fire("ito-a", "oda-a"))
    after = rolls(start, 3, 1)
    assert wants(after) == [("morale", "oda"), ("morale", "ito")]
    assert told(after) == "4 standard, -2 hits beyond the first"
    assert told(after, after.due[1]) == "4 standard, +1 Army General nearby" or after.due[1].less == 0
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
    after = roll(owing(start, Due("morale", 0, ("ito-a",)), due), 1)
    assert after.here("oda-gun").status == "wavering"


def test_units_in_melee_neither_fire_nor_are_fired_at() -> None:
    locked = battle(at("ito-a", 9, 12), at("oda-a", 9, 13, 180), at("ito-b", 11, 12))
    assert objections(locked, Fire("ito-a", "oda-a")) == ["order.locked", "fire.melee"]
    assert objections(locked, Fire("ito-b", "oda-a")) == ["fire.melee"]


def test_a_unit_that_breaks_owes_nothing_more() -> None:
    start = battle(at("ito-a", 9, 10), at("oda-a", 9, 13, 180, status="brittle"))
    after = rolls(apply(start, Fire("ito-a", "oda-a")), 1, 0, 0)
    assert after.unit("oda-a") is None
    assert after.due == ()


def test_fire_needs_a_target_in_the_battle() -> None:
    assert objections(battle(), Fire("ito-a", "ito-b")) == ["fire.target"]


# --- by the other readings ----------------------------------------------------------------


def test_the_one_that_stands_in_the_flank_may_be_who_loses_dice() -> None:
    flank = battle(at("ito-a", 9, 10, 90), at("oda-gun", 9, 12.5, 180), readings=frozenset({"flank-fire"}))
    assert told(flank, Due("fire", 0, ("ito-a",), ("oda-gun",))) == "4 standard"
    assert told(flank, Due("reply", 1, ("oda-gun",), ("ito-a",))) == (
        "4 standard, +1 this unit's firing, -3 halved from the flank"
    )


def test_half_may_be_rounded_up() -> None:
    odd = battle(at("ito-a", 9, 10), at("oda-gun", 9, 12.5, 90), readings=frozenset({"half"}))
    assert pool_of(odd, Due("reply", 1, ("oda-gun",), ("ito-a",))).dice == 3


def pot_shot(*readings: str) -> Position:
    """Ito's a comes into range of Oda's a, and of Oda's b, which is in melee."""
    units = at("ito-a", 9, 8), at("oda-a", 9, 12.5, 180), at("oda-b", 10.5, 12.5, 180), at("ito-b", 10.5, 11.5)
    return apply(battle(*units, readings=frozenset(readings)), Advance("ito-a", 9, 9.6))


def test_opportunity_fire_is_a_shot_that_nobody_answers() -> None:
    assert pot_shot().due == ()
    start = pot_shot("opportunity-fire")
    assert wants(start) == [("opportunity", "oda")]
    assert start.due[0].units == ("oda-a",)
    assert apply(start, Closing("oda", False)).due == ()
    shot = apply(start, Closing("oda", True))
    assert (wants(shot), told(shot)) == ([("opportunity-fire", "oda")], "4 standard")
    hit = roll(shot, 2)
    assert wants(hit) == [("morale", "ito")]
    assert told(hit) == "4 standard, -1 hits beyond the first"
    assert roll(shot, 0).due == ()


def test_who_was_in_range_before_is_not_shot_at() -> None:
    near = battle(at("ito-a", 9, 9.6), at("oda-a", 9, 12.5, 180), readings=frozenset({"opportunity-fire"}))
    assert apply(near, Advance("ito-a", 9, 10)).due == ()


def test_a_zone_of_control_stops_who_goes_along_a_front() -> None:
    zone = frozenset({"zone-of-control"})
    units = at("ito-a", 8, 10, 90), at("oda-a", 9, 12, 180), at("ito-lead", 8, 7)
    assert objections(battle(*units), Advance("ito-a", 10, 10)) == []
    held = battle(*units, readings=zone)
    assert objections(held, Advance("ito-a", 10, 10)) == ["move.zone"]
    assert objections(held, Wheel("ito-a", 0, 8, 10.5)) == ["move.zone"]
    assert objections(held, Wheel("ito-a", 0, 8, 10)) == []
    assert objections(held, FallBack("ito-a", 7, 10)) == []
    charge = battle(at("ito-a", 9, 10), at("oda-a", 9, 12, 180), readings=zone)
    assert objections(charge, Advance("ito-a", 9, 11)) == []
    comes = battle(at("ito-a", 9, 8.5), at("oda-a", 9, 12, 180), readings=zone)
    assert objections(comes, Advance("ito-a", 9, 10)) == []
    assert objections(comes, Advance("ito-a", 9, 10.4)) == ["move.zone"]


# ==== Morale: tests and the Rally Order ========================================================


def test_resilience_and_the_generals_nearness() -> None:
    start = battle(at("ito-lead", 7, 6), at("ito-b", 20, 15))
    assert told(start, Due("morale", 0, ("ito-lead",))) == (
        "4 standard, +1 this unit's resilience, +1 Army General nearby"
    )
    assert told(start, Due("morale", 0, ("ito-b",))) == "4 standard"
    gone = without(start, "ito-general")
    assert told(gone, Due("morale", 0, ("ito-lead",))) == "4 standard, +1 this unit's resilience"


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


def test_the_loss_of_a_friend_may_shake_who_is_near() -> None:
    units = at("oda-a", 9, 24, 180, status="brittle"), at("oda-b", 11.5, 24, 180)
    broken = owing(battle(*units, readings=frozenset({"nearby"})), Due("morale", 1, ("oda-a",)))
    after = roll(broken, 0)
    assert [(due.kind, due.units) for due in after.due] == [("morale", ("oda-lead",)), ("morale", ("oda-b",))]
    assert roll(replace(broken, readings=frozenset()), 0).due == ()
    last = without(broken, "oda-general", "oda-lead", "oda-b", "oda-second", "oda-gun")
    assert roll(last, 0).reason == "army"
