"""What came of a step is told with the heading it is from."""

from __future__ import annotations

import json

import pytest

from engine.referee import reply
from engine.sonae.game import apply, examine
from engine.sonae.position import RESTING, Due, Position
from engine.sonae.steps import Advance, Agreed, Closing, Done, FallBack, Rally, Roll, Step
from engine.sonae.wire import new_from_json, position_to_json
from engine.sonae.words import changes
from tests.engine.sonae.case import at, battle, field, owing, rolls
from tests.engine.sonae.test_close_combat import charge, locked


def told(position: Position, step: Step) -> list[tuple[str, str]]:
    """Return the changes of a step as (sentence, heading)."""
    return [(change.text, change.citation.section) for change in changes(position, apply(position, step), step)]


def thrown(position: Position, sixes: int) -> list[tuple[str, str]]:
    """Return the changes that the roll owed makes with this many sixes, as (sentence, heading)."""
    from engine.sonae.turn import dice_owed

    due = position.due[0]
    dice = (6,) * sixes + (1,) * (dice_owed(position, due) - sixes)
    return told(position, Roll(dice, field().sides[due.by]))


def test_statuses() -> None:
    start = owing(battle(), Due("morale", 1, ("oda-a",)))
    assert thrown(start, 0) == [("oda-a is now wavering", "Ranged Combat")]
    assert thrown(start, 1) == []
    broken = owing(battle(at("oda-a", 9, 24, 180, status="brittle")), Due("morale", 1, ("oda-a",)))
    assert thrown(broken, 0) == [("oda-a leaves the battle", "Ranged Combat")]
    shaken = battle(at("ito-a", 9, 6, status="wavering"))
    assert thrown(apply(shaken, Rally("ito-a")), 1) == [("ito-a rallies and is now fresh", "Morale")]


def test_charges_and_closing_fire() -> None:
    one = "ito-a charged: one extra die in the first round of Melee"
    start = battle(at("ito-a", 9, 10), at("oda-a", 9, 12.5, 180))
    assert told(start, Advance("ito-a", 9, 11.5)) == [(one, "Close Combat")]
    assert told(start, Advance("ito-a", 9, 10.5)) == told(start, FallBack("ito-a", 9, 9.5)) == []
    fired = apply(charge(), Closing("oda", True))
    assert thrown(fired, 0) == [
        ("oda-a has one die fewer in the next round of Melee: it used Closing Fire", "Close Combat")
    ]
    hit = rolls(fired, 1)
    assert thrown(hit, 0) == [
        ("ito-a is now wavering", "Ranged Combat"),
        ("ito-a is driven back", "Close Combat"),
    ]


def test_melee_and_shock() -> None:
    apart = thrown(rolls(locked(), 0), 0)
    assert apart[:2] == [("ito-a is driven back", "Close Combat"), ("oda-a is driven back", "Close Combat")]
    assert apart[2] == ("First of Ito's activation ends", "Command and Control")
    shock = rolls(locked(), 2, 1)
    assert thrown(shock, 1)[:2] == [
        ("ito-a is fatigued by winning Shock with a single success: no action in its next activation", "Close Combat"),
        ("oda-a leaves the battle", "Close Combat"),
    ]
    assert thrown(shock, 3)[1] == ("ito-a gets a bonus order", "Close Combat")


def test_many_orders_tire_a_unit() -> None:
    start = owing(battle(at("ito-a", 9, 6, orders=3)), Due("strain", 0, ("ito-a",)))
    tired = "ito-a is fatigued by too many orders: no action in its next activation"
    assert thrown(start, 0) == [(tired, "Command and Control")]
    idle = battle(at("ito-a", 9, 6, fatigue=RESTING))
    (ruling,) = [finding for finding in examine(idle, Rally("ito-a")).findings if finding.rule == "order.fatigued"]
    assert ruling.reading == "fatigue"
    assert "takes no action this activation" in ruling.message


def test_commanders_and_generals_lost() -> None:
    start = battle(at("ito-a", 9, 11.5), at("oda-lead", 9, 12.5, 180))
    gone = thrown(rolls(apply(start, Done()), 2, 1), 2)
    assert ("oda-lead leaves the battle", "Close Combat") in gone
    assert ("oda-b leaves the battle", "Command and Control") in gone
    loyal = owing(battle(), Due("loyalty", 1, ("oda-b",)))
    assert thrown(loyal, 0) == [("oda-b leaves the battle", "Command and Control")]
    heir = owing(battle(readings=frozenset({"successor"})), Due("heir", 1, ("oda-a",)))
    assert thrown(heir, 1) == [("oda-a takes over from oda-lead", "Command and Control")]
    general = owing(battle(at("oda-general", 5, 24, 180, status="brittle")), Due("morale", 1, ("oda-general",)))
    assert thrown(general, 0)[-1] == ("Ito wins: the enemy Army General fell", "Battle Report")


def test_messengers_orders_and_turns() -> None:
    start = owing(battle(acting="", orders=0), Due("messenger", 0, against=("ito-two",)))
    reached = "the messenger reaches Second of Ito: add the general's Authority in its next activation"
    assert thrown(start, 1)[0] == (reached, "Command and Control")
    die = owing(battle(orders=0), Due("orders", 0))
    assert told(die, Roll((3,), "ito")) == [("First of Ito has 4 orders", "Command and Control")]
    last = battle(acting="oda-two", acted=("ito-one", "ito-two", "oda-one"), turn=1)
    assert told(last, Done())[-1] == ("turn 2 begins", "Command and Control")


@pytest.mark.parametrize("step", [Agreed({"ito-a": None}), Agreed(winner="ito")])
def test_what_is_agreed_is_not_told_again(step: Step) -> None:
    assert told(battle(), step) == []


def test_the_referee_tells_events() -> None:
    start = new_from_json({"scenario": "maru-shikaku"})
    due = Due("morale", 0, ("maru-ni-shock",))
    position = position_to_json(owing(start, due, *start.due))
    answer = reply(json.dumps({"do": "apply", "position": position, "steps": [{"roll": [1, 1, 1, 1], "by": "maru"}]}))
    assert answer["events"] == [
        {
            "event": "worse",
            "unit": "maru-ni-shock",
            "message": "Maru-ni Shock Sonae is now wavering",
            "cite": "Ranged Combat",
        }
    ]
