"""What a ruler tells, in sentences with their headings."""

from __future__ import annotations

from engine.sonae.ruler import ruler
from tests.sonae.case import at, battle


def test_command_and_the_general() -> None:
    near = ruler(battle(), "ito-a")
    assert (near.in_command, near.general_near, near.apart) == (True, True, None)
    assert [(fact.name, fact.holds, fact.citation.section) for fact in near.facts] == [
        ("in_command", True, "Command and Control"),
        ("general_near", True, "Command and Control"),
    ]
    far = ruler(battle(at("ito-a", 20, 15)), "ito-a")
    assert (far.in_command, far.general_near) == (False, False)
    assert far.facts[0].text == "ito-a is outside the Command Radius of its commander, 5 Movements: one order only"


def test_two_units() -> None:
    told = ruler(battle(at("ito-a", 9, 10), at("oda-a", 9, 12.5, 90)), "ito-a", "oda-a")
    assert told.apart is not None
    assert (told.apart.distance, told.apart.in_range, told.apart.in_contact) == (1.5, True, False)
    assert (told.apart.quarter, told.apart.seen_from) == ("front", "right")
    assert [fact.text for fact in told.facts[2:]] == [
        "ito-a and oda-a are 1.5 Movements apart, 2 or less are in range",
        "oda-a is in the front quarter of ito-a",
        "ito-a is in the right flank quarter of oda-a",
    ]
    met = ruler(battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180)), "ito-a", "oda-a")
    assert (met.facts[2].name, met.facts[2].text) == ("in_contact", "ito-a and oda-a are in contact")
