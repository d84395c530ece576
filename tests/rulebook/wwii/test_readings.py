"""World War II, the named readings: what the book leaves open, with the default and, where there is one, the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.orders.game import legal, play
from engine.orders.mode import load_mode
from engine.orders.position import Position
from engine.orders.steps import Agreed, Pass, Play, Return
from engine.orders.supply import supply
from tests.tables import after, allowed, atoll, deploy, due_in, loads, refused, reserve, rolled, units, valley

WITH_ANOTHER_ANSWER = {
    *("bonus-moment", "place-fewer", "empty-drop", "blitz-reserve"),
    *("forward-base-gain", "bomb-last-aircraft", "barrage-path", "own-target", "signal-after-pass", "defence-adds"),
    *("hq-zone-lost", "last-round-initiative", "empty-deck", "short-reserve"),
    *("recall-more", "recall-entered", "join-late"),
}
WITHOUT = {"both-hqs", "cap-every-action", "signal-vacates"}


@pytest.mark.parametrize("mode", ["wwii-alpine", "wwii-island"])
def test_these_are_the_readings(mode: str) -> None:
    readings = load_mode(mode).readings
    assert set(readings) == WITH_ANOTHER_ANSWER | WITHOUT
    assert {name for name, reading in readings.items() if reading.other} == WITH_ANOTHER_ANSWER
    assert all(reading.default and reading.question for reading in readings.values())


# --- cap-every-action -------------------------------------------------------------------


def test_the_limit_binds_for_depot_and_mobilize_too() -> None:
    start = valley("a1:4 a2:3 b1:5", hands={"blue": "mobilize"}, bonuses={"1": "depot"})
    filled = after(start, deploy("reinforce:2", "a1:1"))
    finding = refused(
        filled,
        Play("mobilize", "blue", place=loads("a1:2", "troop")),
        "limit.added",
        "a1 would have 7 troops; the limit is 5, even with Depot or Mobilize",
    )
    assert finding.reading == "cap-every-action"
    finding = refused(
        start,
        deploy("reinforce:2", "a1:2 a2:2"),
        "limit.added",
        "a1 would have 6 troops; the limit is 5, even with Depot or Mobilize",
    )
    assert finding.reading == "cap-every-action"
    assert after(filled, Play("mobilize", "blue", place=loads("a2:2", "troop"))).to_move_name == "yellow"


def test_what_goes_beyond_depots_two_breaks_what_is_printed() -> None:
    start = valley("a1:4 a2:3 b1:5", bonuses={"1": "depot"})
    assert (
        refused(
            start, deploy("reinforce:2", "a1:4"), "reinforce.limit", "a1 would have 8 troops; the limit is 5"
        ).reading
        is None
    )


# --- forward-base-gain ------------------------------------------------------------------


def test_forward_base_does_not_work_in_the_advance_that_wins_its_token() -> None:
    start, step = valley(bonuses={"3": "forward_base"}), deploy("advance:a3", "a2:1")
    assert units(after(start, step), "a3") == "blue 1 troop"
    assert allowed(start, step, "bonus.gain").reading == "forward-base-gain"


def test_or_it_does_where_nobody_holds_the_area() -> None:
    start = valley(bonuses={"3": "forward_base"}, readings="forward-base-gain")
    assert units(after(start, deploy("advance:a3", "a2:1")), "a3") == "blue 2 troop"
    fought = valley(yellow="c3:4 b3:1 a3:2", bonuses={"3": "forward_base"}, readings="forward-base-gain")
    assert units(after(fought, deploy("advance:a3", "a2:1")), "a3") == "blue 1 troop, yellow 2 troop"


# --- bomb-last-aircraft -----------------------------------------------------------------

ONE = "a1:3 zone-red:1 zone-white:1"


def test_a_bomb_needs_two_aircraft() -> None:
    finding = refused(atoll(ONE), deploy("bomb:zone-white", "c2", payload=1), "bomb.armed")
    assert finding.reading == "bomb-last-aircraft"
    assert "bomb:zone-white" not in legal(atoll(ONE)).spaces


def test_or_the_last_one_may_be_spent() -> None:
    start = atoll(ONE, readings="bomb-last-aircraft")
    assert legal(start).spaces["bomb:zone-white"].payload == 1
    position = after(start, deploy("bomb:zone-white", "c2", payload=1), rolled("blue", 1))
    assert (units(position, "zone-white"), units(position, "c2")) == ("", "yellow 1 troop")


# --- barrage-path -----------------------------------------------------------------------

WALLED = {"blue": "a1:3 a2:2", "yellow": "c3:4 c2:2 a3:1 b2:2"}


def test_a_barrage_reaches_three_areas_through_anything() -> None:
    assert set(legal(valley(**WALLED)).spaces["barrage:a2"].targets) == {"a3", "b2", "c2", "c3"}


def test_or_over_areas_that_the_opponent_does_not_hold() -> None:
    start = valley(**WALLED, readings="barrage-path")
    assert set(legal(start).spaces["barrage:a2"].targets) == {"a3", "b2"}
    finding = refused(start, deploy("barrage:a2", "c3"), "barrage.range", "c3 is more than 3 areas away from a2")
    assert finding.reading == "barrage-path"
    around = valley("a1:3 a2:2", "c3:4 c2:2 b3:1", readings="barrage-path")
    assert set(legal(around).spaces["barrage:a2"].targets) == {"b3", "c2"}


# --- own-target -------------------------------------------------------------------------


def test_barrage_and_bomb_target_the_opponent_and_paradrop_ones_own_too() -> None:
    assert set(legal(valley()).spaces["barrage:a2"].targets) == {"b3", "c2", "c3"}
    assert {"a1", "b1"} <= set(legal(valley()).spaces["paradrop:b1"].targets)
    finding = refused(valley(), deploy("barrage:a2", "b2"), "barrage.enemy", "b2 has no enemy units")
    assert finding.reading == "own-target"


def test_or_any_area_is_shot_at_and_nobody_drops_onto_ones_own() -> None:
    start = valley(readings="own-target")
    assert {"b2", "c2", "a1"} <= set(legal(start).spaces["barrage:a2"].targets)
    assert after(start, deploy("barrage:a2", "b2"), rolled("blue", 1, 1)).units == start.units
    assert not {"a1", "b1"} & set(legal(start).spaces["paradrop:b1"].targets)
    finding = refused(start, deploy("paradrop:b1", "a1"), "paradrop.own", "you control a1 yourself")
    assert finding.reading == "own-target"
    bombed = atoll("a1:3 b1:2 zone-red:1 zone-white:2", readings="own-target")
    assert {"b1", "b2"} <= set(legal(bombed).spaces["bomb:zone-white"].targets)


# --- signal-vacates, signal-after-pass --------------------------------------------------


def lost(**more: Any) -> Position:
    """Blue's Signal Unit in a3 is attacked; blue has nobody in the reserve and two commanders on spaces."""
    held: dict[str, Any] = {
        "standby": {"blue": 3, "yellow": 4},
        "left": {"blue": 0, "yellow": 3},
        "commanders": {"plan:1": "blue", "advance:a2": "blue"},
        "bonuses": {"3": "signal_unit"},
        "to_move": "yellow",
    }
    return valley("a1:4 a2:2 a3:1", "c3:4 b3:4", **{**held, **more})


def test_a_commander_returned_from_a_space_frees_it() -> None:
    position = after(lost(), deploy("advance:a3", "b3:3"), rolled("blue", 0), Return("plan:1", "blue"))
    assert position.commanders_on("plan:1") == ()
    assert "plan:1" in legal(position).spaces
    finding = refused(
        after(lost(), deploy("advance:a3", "b3:3"), rolled("blue", 0)),
        Return("plan:2", "blue"),
        "return.own",
        "Blue has no commander on plan:2",
    )
    assert finding.reading == "signal-vacates"


def gained(readings: str = "") -> Position:
    """Yellow has passed; blue attacks c2, plays a card, and it gives yellow c1, where Signal Unit lies."""
    hands = {"blue": "artillery_strike"}
    given: dict[str, Any] = {"passed": "yellow", "hands": hands, "bonuses": {"4": "signal_unit"}, "readings": readings}
    start = valley("a1:3 b2:5 b1:1", "c3:4 c2:2", **given)
    steps = (deploy("advance:c2", "b2:3"), Play("artillery_strike", "blue"))
    return after(start, *steps, Agreed(areas=(("c1", (("yellow", "troop", 2),)),)), rolled("yellow", 2))


def test_a_commander_gained_after_a_final_pass_gives_no_turn() -> None:
    position = gained()
    assert (position.left("yellow"), position.passed) == (6, (False, True))


def test_or_it_takes_the_pass_back() -> None:
    position = gained("signal-after-pass")
    assert (position.left("yellow"), position.passed) == (6, (False, False))


# --- defence-adds -----------------------------------------------------------------------


def both(readings: str = "") -> Position:
    """Blue attacks b2: Town Centre, beneath a zone that yellow supplies."""
    start = atoll("a1:3 b1:4 zone-red:1", "d2:4 c2:2 b2:2 zone-green:1 zone-white:1", readings=readings)
    return after(start, deploy("advance:b2", "b1:3"))


def test_the_dice_of_the_air_zone_and_of_town_centre_add_up() -> None:
    assert due_in(both()).dice == 3
    refused(both(), rolled("yellow", 1, 1), "roll.both", "roll 3 dice, not 2")


def test_or_only_the_larger_of_the_two_adds_dice() -> None:
    assert due_in(both("defence-adds")).dice == 2
    allowed(both("defence-adds"), rolled("yellow", 1, 1), "roll.both", "2 dice")


# --- hq-zone-lost -----------------------------------------------------------------------

BEYOND = {"blue": "a1:3 zone-white:3", "yellow": "d2:4 c2:2 zone-green:2 zone-red:1"}


def test_without_the_zone_of_the_headquarters_no_zone_is_in_supply() -> None:
    assert supply(atoll(**BEYOND))["blue"] == ("a1",)
    assert "bomb:zone-white" not in legal(atoll(**BEYOND)).spaces
    assert "zone-red" in legal(atoll(**BEYOND)).spaces["take_off:1"].areas
    for step in (deploy("bomb:zone-white", "c2", payload=1), deploy("take_off:1", "zone-white:1")):
        finding = refused(
            atoll(**BEYOND),
            step,
            "supply.home-zone",
            "Blue controls the white zone, but its supply line breaks at the red zone",
        )
        assert finding.reading == "hq-zone-lost"


def test_or_a_zone_next_to_it_is() -> None:
    position = atoll(**BEYOND, readings="hq-zone-lost")
    assert supply(position)["blue"] == ("a1", "zone-white")
    assert set(legal(position).spaces["take_off:1"].areas) == {"zone-red", "zone-white"}


# --- last-round-initiative --------------------------------------------------------------


def last(readings: str = "") -> Position:
    return valley("a1:3", "c3:3", round=4, initiative="yellow", to_move="blue", readings=readings)


def test_initiative_taken_in_the_last_round_still_decides_a_tie() -> None:
    assert allowed(last(), deploy("plan:1", 1), "plan.taken").reading == "last-round-initiative"
    position = after(last(), deploy("plan:1", 1), Pass(), Pass())
    assert (position.winner_name, position.reason) == ("blue", "victory_points")


def test_or_nobody_can_take_it_then() -> None:
    assert allowed(last("last-round-initiative"), deploy("plan:1", 1), "plan.kept").reading == "last-round-initiative"
    position, events = play(last("last-round-initiative"), deploy("plan:1", 1))
    assert "initiative" not in [event.kind for event in events]
    assert after(position, Pass(), Pass()).winner_name == "yellow"


# --- short-reserve ----------------------------------------------------------------------


def beyond(readings: str = "") -> Position:
    """One troop in the reserve, and room for the five of Reinforce and the two of Depot."""
    start = valley("a1:5 a2:2 b1:2 c1:5 b2:5 a3:5", "c3:4", bonuses={"1": "depot"}, readings=readings)
    assert reserve(start, "blue", "troop") == 1
    return start


def test_units_are_recalled_for_bonuses_and_cards_too() -> None:
    allowed(beyond(), deploy("reinforce:2", "a2:3 b1:3", recall="c1:4 b2:1"), "recall.beyond", "1 troop")


def test_or_for_the_actions_own_number_alone() -> None:
    step = deploy("reinforce:2", "a2:3 b1:3", recall="c1:4 b2:1")
    finding = refused(beyond("short-reserve"), step, "recall.beyond", "1 troop can't be recalled for a bonus or a card")
    assert finding.reading == "short-reserve"


def test_by_the_other_reading_a_commander_may_go_to_paradrop_with_nothing_to_drop() -> None:
    empty = "a1:5 a2:5 b1:5 b2:5 a3:5"
    finding = refused(valley(empty, "c3:4"), deploy("paradrop:b1", "c1"), "paradrop.units", "no troop")
    assert finding.reading == "empty-drop"
    dropped = after(valley(empty, "c3:4", readings="empty-drop"), deploy("paradrop:b1", "c1"))
    assert units(dropped, "c1") == ""
    assert dropped.to_move_name == "yellow"


# --- what a ruling says -----------------------------------------------------------------


def test_every_reading_that_can_decide_a_step_is_named_by_a_rule() -> None:
    mode = load_mode("wwii-island")
    named = {rule.reading for rule in mode.rules.values()} - {None}
    assert named == set(mode.readings) - {"signal-after-pass"}


# --- recall-entered ---------------------------------------------------------------------


def test_units_may_be_taken_back_from_an_area_just_entered_by_the_other_reading() -> None:
    start = valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4 c2:2", hands={"blue": "ground_assault"})
    entered, step = (
        after(start, deploy("advance:c2", "b2:4")),
        Play("ground_assault", "blue", recall=loads("c2:1", "troop")),
    )
    finding = refused(entered, step, "recall.entered", "you didn't control c2 as the action started", "recall-entered")
    assert str(finding.citation) == "Control"
    allowed(replace(entered, readings=frozenset({"recall-entered"})), step, "recall.entered")
