"""The ruler: what the rules ask of a unit and of two, as one value with its sentences and citations."""

from __future__ import annotations

import pytest

from engine.sonae.ranges import Ruler, measure_unit
from tests.engine.sonae.case import at, battle


def told(laid: Ruler) -> dict[str, tuple[bool, str, str]]:
    return {fact.name: (fact.holds, fact.text, str(fact.citation)) for fact in laid.facts}


def test_a_unit_alone() -> None:
    laid = measure_unit(battle(at("ito-a", 9, 6)), "ito-a")
    assert laid.apart is None
    assert laid.is_in_command
    assert list(told(laid)) == ["in_command", "general_near"]
    assert told(laid)["in_command"][2] == "Command and Control"


def test_a_general_is_not_near_itself() -> None:
    laid = measure_unit(battle(), "ito-general")
    assert list(told(laid)) == ["in_command"]
    assert not laid.is_general_near


def test_far_from_its_commander_and_the_general() -> None:
    laid = measure_unit(battle(at("ito-a", 29, 29)), "ito-a")
    assert (laid.is_in_command, laid.is_general_near) == (False, False)
    assert "one order only" in told(laid)["in_command"][1]
    assert "outside the Army General" in told(laid)["general_near"][1]


@pytest.mark.parametrize(
    ("x", "y", "quarter", "in_range"),
    [(9, 8.5, "front", True), (12.5, 6, "right", False), (9, 4, "rear", True), (6, 6, "left", True)],
)
def test_two_units(x: float, y: float, quarter: str, in_range: bool) -> None:
    laid = measure_unit(battle(at("ito-a", 9, 6), at("oda-a", x, y, 180)), "ito-a", "oda-a")
    assert laid.apart is not None
    assert (laid.apart.quarter, laid.apart.is_in_range, laid.apart.is_in_contact) == (quarter, in_range, False)
    facts = told(laid)
    assert facts["in_range"][2] == "Ranged Combat"
    assert facts["quarter"][2] == "Movement"
    assert facts["quarter"][0] == (quarter == "front")


def test_in_contact() -> None:
    laid = measure_unit(battle(at("ito-a", 9, 6), at("oda-a", 9, 7, 180)), "ito-a", "oda-a")
    assert laid.apart is not None
    assert laid.apart.is_in_contact
    assert told(laid)["in_contact"][1:] == ("ito-a and oda-a are in contact", "Close Combat")
