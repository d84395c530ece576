"""Morale: tests and the Rally Order."""

from __future__ import annotations

from dataclasses import replace

from engine.sonae.game import apply
from engine.sonae.position import Due
from engine.sonae.steps import FallBack, Rally
from tests.engine.sonae.case import at, battle, objections, owing, roll, told, wants, without


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
