"""What a roll may come to, with exact chances, and what came of a step, with the heading it is from."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from engine.referee import reply
from engine.sonae.game import apply, examine, new_game
from engine.sonae.position import RESTING, Due, Position
from engine.sonae.prospects import charge_chance, prospects
from engine.sonae.steps import Advance, Agreed, Closing, Done, FallBack, Fire, Rally, Roll, Settle, Step
from engine.sonae.wire import new_from_json, position_to_json
from engine.sonae.words import changes
from tests.engine.sonae.case import at, battle, field, owing, roll, rolls
from tests.engine.sonae.test_close_combat import charge, locked

NONE_OF_FOUR = Fraction(5, 6) ** 4


def chances(position: Position) -> dict[str, Fraction]:
    return {prospect.kind: prospect.chance for prospect in prospects(position)}


def texts(position: Position) -> list[str]:
    return [prospect.text for prospect in prospects(position)]


def binomial(dice: int) -> list[Fraction]:
    """Return the chance of each number of sixes, counted by the binomial formula."""
    from math import comb

    return [comb(dice, n) * Fraction(1, 6) ** n * Fraction(5, 6) ** (dice - n) for n in range(dice + 1)]


def test_nothing_comes_of_what_is_no_pool() -> None:
    assert prospects(battle()) == ()
    assert prospects(owing(battle(orders=0), Due("orders", 0))) == ()
    assert prospects(owing(battle(orders=0), Due("token", -1))) == ()


def test_morale() -> None:
    start = owing(battle(at("ito-b", 20, 15)), Due("morale", 0, ("ito-b",)))
    assert chances(start) == {"passes": 1 - NONE_OF_FOUR, "fails": NONE_OF_FOUR}
    assert texts(start) == ["ito-b holds firm", "ito-b drops one status"]
    brittle = owing(battle(at("ito-b", 20, 15, status="brittle")), Due("blocked", 0, ("ito-b",)))
    assert texts(brittle)[1] == "ito-b breaks and leaves the battle"
    assert texts(apply(battle(at("ito-a", 9, 6, status="brittle")), Rally("ito-a")))[0] == "ito-a rallies"
    assert texts(owing(battle(), Due("strain", 0, ("ito-a",))))[1] == "ito-a is fatigued"


def test_fire() -> None:
    start = apply(battle(at("ito-a", 9, 10), at("oda-a", 9, 13, 180)), Fire("ito-a", "oda-a"))
    expected = sum(
        (chance * Fraction(5, 6) ** (4 - (hits - 1)) for hits, chance in enumerate(binomial(4)) if hits), Fraction(0)
    )
    assert chances(start) == {"hit": 1 - NONE_OF_FOUR, "fails": expected}
    assert texts(apply(charge(), Closing("oda", True)))[0] == "ito-a is hit and tests its Morale"


def test_melee() -> None:
    start, ours, theirs = locked(), binomial(5), binomial(4)
    wins = sum((a * b for n, a in enumerate(ours) for m, b in enumerate(theirs) if n > m), Fraction(0))
    loses = sum((a * b for n, a in enumerate(ours) for m, b in enumerate(theirs) if n < m), Fraction(0))
    first, second, tied, apart = prospects(start)
    assert (first.chance, second.chance, apart.chance) == (wins, loses, ours[0] * theirs[0])
    assert first.chance + second.chance + tied.chance + apart.chance == 1
    assert first.text == "ito-a wins and goes on to Shock"
    assert second.text == "oda-a wins and goes on to Shock"
    heard = prospects(roll(start, 2))
    assert [prospect.chance for prospect in heard] == [sum(theirs[:2]), sum(theirs[3:]), theirs[2], 0]
    assert [prospect.kind for prospect in heard] == ["wins", "wins", "locked", "apart"]


def test_who_is_flanked_only_drives_back() -> None:
    start = apply(battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 90)), Done())
    assert [prospect.kind for prospect in prospects(start)] == ["wins", "drives-back", "locked", "apart"]


def test_shock() -> None:
    start, odds = rolls(locked(), 2, 1), binomial(4)
    assert chances(start) == {"shock-0": odds[0], "shock-1": odds[1], "shock-2": odds[2], "shock-3": sum(odds[3:])}
    assert texts(start)[1] == "one success: oda-a is destroyed, ito-a is fatigued"
    softer = replace(start, readings=frozenset({"shock-first"}))
    assert texts(softer)[1] == "one success: oda-a drops one status, ito-a is fatigued"


def test_messengers() -> None:
    plain = apply(new_game(field()), Settle("ito", "encamped", "ito-two"))
    assert chances(plain)["arrives"] == 1 - Fraction(5, 6) ** 5
    near = replace(new_game(field()), units=battle(at("oda-gun", 26, 8.5, 180)).units)
    opposed = apply(near, Settle("ito", "encamped", "ito-two"))
    arrives = sum((a * b for n, a in enumerate(binomial(5)) for m, b in enumerate(binomial(4)) if n > m), Fraction(0))
    assert chances(opposed) == {"arrives": arrives, "lost": 1 - arrives}
    assert chances(roll(opposed, 1))["arrives"] == NONE_OF_FOUR


@pytest.mark.parametrize("kind", ["nerve", "closing-morale", "retreat", "heir", "regent", "loyalty"])
def test_every_test_has_both_ends(kind: str) -> None:
    start = owing(battle(), Due(kind, 0, ("ito-a",), ("oda-a",)))  # type: ignore[arg-type]
    assert sum(chances(start).values()) == 1
    assert all("{" not in text for text in texts(start))


def test_a_charge_alone_promises_nothing() -> None:
    assert prospects(apply(battle(at("ito-a", 9, 10), at("oda-a", 9, 12.5, 180)), Advance("ito-a", 9, 11.5))) == ()


def test_the_referee_tells_them() -> None:
    start = new_from_json({"scenario": "maru-shikaku"})
    position = position_to_json(owing(start, Due("morale", 0, ("maru-ni-shock",))))
    pending = reply(json.dumps({"do": "apply", "position": position, "steps": []}))["pending"]
    told = [
        (outcome["outcome"], outcome["chance"], outcome["message"], outcome["cite"]) for outcome in pending["outcomes"]
    ]
    assert told == [
        ("passes", float(1 - NONE_OF_FOUR), "Maru-ni Shock Sonae holds firm", "Morale"),
        ("fails", float(NONE_OF_FOUR), "Maru-ni Shock Sonae drops one status", "Morale"),
    ]


def test_a_charge_has_the_odds_of_its_melee_when_it_is_declared() -> None:
    start = battle(at("ito-a", 9, 10), at("oda-a", 9, 12.5, 180), at("oda-b", 20, 20))
    declared, fought = charge_chance(start, Advance("ito-a", 9, 11.5)), locked()
    assert declared == (("oda-a",), prospects(fought)[0].chance)
    assert charge_chance(start, Advance("ito-a", 9, 10.5)) == ((), Fraction(0))


# ==== What came of a step is told with the heading it is from ==================================


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
