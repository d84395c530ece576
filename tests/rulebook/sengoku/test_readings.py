"""The named readings: what the book leaves open, with the default and, where there is one, the other answer."""

from __future__ import annotations

import pytest

from engine.errors import BadPosition
from engine.orders.board import load_board
from engine.orders.game import examine, legal, new_game
from engine.orders.position import Position
from engine.orders.steps import Play
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, loads, refused, rivers, rolled, stand, units

WITH_ANOTHER_ANSWER = (
    *("bonus-moment", "commandeer-many", "commandeer-range", "empty-deck", "empty-target", "join-late"),
    *("place-fewer", "recall-more", "short-reserve"),
)
WITHOUT = ("both-hqs", "embark-chain", "third-commander")


def test_these_are_the_readings() -> None:
    readings = load_board("sengoku-rivers").mode.readings
    assert sorted(readings) == sorted(WITH_ANOTHER_ANSWER + WITHOUT)
    assert all(reading.default for reading in readings.values())
    assert [name for name in sorted(readings) if readings[name].other] == list(WITH_ANOTHER_ANSWER)


@pytest.mark.parametrize("name", WITH_ANOTHER_ANSWER)
def test_a_game_may_switch_a_reading(name: str) -> None:
    assert new_game("sengoku-rivers", "red", {}, [name]).readings == {name}


@pytest.mark.parametrize("name", [*WITHOUT, "no-such-reading"])
def test_a_reading_without_another_answer_cannot_be_switched(name: str) -> None:
    with pytest.raises(BadPosition, match=f"readings.{name}"):
        new_game("sengoku-rivers", "red", {}, [name])


def test_a_switched_reading_stays_switched_through_the_game() -> None:
    position = after(rivers("e3:3 e1:2", readings="empty-target"), deploy("advance:d1", "e1:1"))
    assert position.readings == {"empty-target"}


# --- commandeer-range -------------------------------------------------------------------


def far(readings: str = "") -> Position:
    """Red supplies the port e3; black holds d4 at the port and c1 far from it."""
    return rivers("e3:3", "a3:3 d4:1 c1:1", hands={"red": "commandeer"}, readings=readings)


def test_commandeer_opens_enemy_water_at_ports_only() -> None:
    finding = refused(far(), deploy("embark:1", "c1:1", cards="commandeer"), "commandeer.range", "Black controls c1")
    assert finding.reading == "commandeer-range"
    assert finding.message.endswith("(reading: commandeer-range)")
    assert after(far(), deploy("embark:1", "d4:1", cards="commandeer")).turn is not None


def test_or_any_water_the_opponent_controls() -> None:
    position = after(far("commandeer-range"), deploy("embark:1", "c1:2", cards="commandeer"), rolled("black", 0))
    assert units(position, "c1") == "red 1 ship"


def test_the_range_holds_for_a_play_as_well() -> None:
    step = Play("commandeer", "red", place=loads("c1:1", "ship"))
    refused(after(far(), deploy("embark:1", "e4:1")), step, "commandeer.range", "c1")
    assert units(after(far("commandeer-range"), deploy("embark:1", "e4:1"), step), "c1") == "red 1 ship, black 1 ship"


# --- commandeer-many --------------------------------------------------------------------


def two(readings: str = "") -> Position:
    return rivers("e3:3", "a3:3 d4:1 e4:1", hands={"red": "commandeer"}, readings=readings)


def test_ships_may_enter_several_contested_waters() -> None:
    step = deploy("embark:1", "d4:2 e4:2", cards="commandeer")
    finding = allowed(two(), step, "commandeer.many", "2 contested waters", "commandeer-many")
    assert finding.reading == "commandeer-many"


def test_or_one_contested_water_only() -> None:
    step = deploy("embark:1", "d4:2 e4:2", cards="commandeer")
    refused(two("commandeer-many"), step, "commandeer.many", "only one contested water is allowed, not 2")
    assert after(two("commandeer-many"), deploy("embark:1", "d4:4", cards="commandeer")).turn is not None


# --- place-fewer ------------------------------------------------------------------------


def test_fewer_units_than_the_number_may_be_placed() -> None:
    assert after(rivers("e3:1"), deploy("reinforce:1", "e3:1")).to_move_name == "black"
    assert after(rivers("e3:1"), deploy("embark:1")).to_move_name == "black"


def test_or_the_whole_number_while_there_is_room() -> None:
    position = rivers("e3:1 e1:1", readings="place-fewer")
    finding = refused(position, deploy("reinforce:1", "e3:4"), "place.whole", "you must place 6 units, not 4")
    assert finding.reading == "place-fewer"
    allowed(position, deploy("reinforce:1", "e3:4 e1:2"), "place.whole", "placing 6 of 6 units")


def test_the_room_is_what_the_limits_leave() -> None:
    position = rivers("e3:4 e1:5", readings="place-fewer")
    refused(position, deploy("reinforce:1"), "place.whole", "you must place 1 unit, not 0")
    assert units(after(position, deploy("reinforce:1", "e3:1")), "e3") == "red 5 troop"
    full = rivers("e3:5", readings="place-fewer")
    assert after(full, deploy("reinforce:1")).to_move_name == "black"


def test_what_the_reserve_lacks_is_not_due() -> None:
    position = rivers("e3:5 e1:5 d3:5 d2:5 d1:3", readings="place-fewer")
    refused(position, deploy("reinforce:1", "d1:1"), "place.whole", "you must place 2 units, not 1")
    assert units(after(position, deploy("reinforce:1", "d1:2")), "d1") == "red 5 troop"


def test_siege_weapons_that_the_space_does_not_take_are_not_due() -> None:
    position = stand(castle(), "a1:25 a2:0+1", "c1:3", readings="place-fewer")
    refused(position, deploy("reinforce:1", "a2:0+1"), "place.whole", "you must place 2 units, not 1")
    assert units(after(position, deploy("reinforce:1", "a2:0+2")), "a2") == "red 3 siege"


def test_it_holds_for_embark_too() -> None:
    refused(
        rivers("e3:1", readings="place-fewer"),
        deploy("embark:1", "e4:2"),
        "place.whole",
        "you must place 3 units, not 2",
    )


# --- empty-target -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "space", "empty", "held"),
    [
        (("e3:3 d4:2", "a3:3 c4:1"), "bombard:d4", "d5", "c4"),
        (("e3:3 d3:2", "a3:3 c3:1"), "shell:d3", "c2", "c3"),
    ],
)
def test_a_target_may_be_without_enemy_units(position: tuple[str, str], space: str, empty: str, held: str) -> None:
    finding = allowed(rivers(*position), deploy(space, empty), f"{space.partition(':')[0]}.enemy", empty)
    assert finding.reading == "empty-target"
    assert {empty, held} <= set(legal(rivers(*position)).spaces[space].targets)


@pytest.mark.parametrize(
    ("position", "space", "empty", "held"),
    [
        (("e3:3 d4:2", "a3:3 c4:1"), "bombard:d4", "d5", "c4"),
        (("e3:3 d3:2", "a3:3 c3:1"), "shell:d3", "c2", "c3"),
    ],
)
def test_or_must_hold_one(position: tuple[str, str], space: str, empty: str, held: str) -> None:
    red, black = position
    strict = rivers(red, black, readings="empty-target")
    rule = f"{space.partition(':')[0]}.enemy"
    finding = refused(strict, deploy(space, empty), rule, f"{empty} has no enemy units")
    assert finding.reading == "empty-target"
    assert legal(strict).spaces[space].targets == (held,)
    assert space not in legal(rivers(red, "a3:3", readings="empty-target")).spaces


def test_siege_needs_an_enemy_then_as_well() -> None:
    strict = stand(castle(), "a1:3 a2:1+1", "c1:3", readings="empty-target")
    refused(strict, deploy("siege:a2", "b2"), "siege.enemy", "b2 has no enemy units")
    assert "siege:a2" not in legal(strict).spaces


# --- embark-chain -----------------------------------------------------------------------


def test_a_ship_placed_does_not_open_the_next_water() -> None:
    finding = refused(rivers("e3:3"), deploy("embark:1", "d4:1 c3:1"), "embark.chain", "c3 is empty")
    assert finding.reading == "embark-chain"


def test_where_no_ship_is_placed_beside_it_the_reading_decides_nothing() -> None:
    assert refused(rivers("e3:3"), deploy("embark:1", "c1:1"), "embark.area", "c1").reading is None


# --- third-commander --------------------------------------------------------------------


def test_counterattack_needs_a_space_held_by_one_commander() -> None:
    start = rivers("e3:3 e1:3", "a3:3", commanders={"advance:d1": "red black"}, hands={"red": "counterattack"})
    finding = refused(
        start,
        deploy("advance:d1", "e1:1", cards="counterattack"),
        "counterattack.space",
        "Counterattack needs a space with exactly one commander on it, your opponent's",
    )
    assert finding.reading == "third-commander"


# --- empty-deck -------------------------------------------------------------------------


def test_the_discard_pile_is_shuffled_into_a_new_deck() -> None:
    start = rivers("e3:1", hands={"red": 22}, discard="ambush ambush")
    assert legal(start).spaces["plan:2"].draw == 2
    assert after(start, deploy("plan:2", 2)).discard == ()


def test_or_there_are_no_more_draws() -> None:
    start = rivers("e3:1", hands={"red": 22}, discard="ambush ambush", readings="empty-deck")
    assert legal(start).spaces["plan:2"].draw == 0
    finding = refused(start, deploy("plan:2", 2), "plan.short-deck", "draw 0 cards, not 2: the deck has only 0")
    assert finding.reading == "empty-deck"
    position = after(start, deploy("plan:2", 0))
    assert (position.hand("red"), position.discard) == (22, ("ambush", "ambush"))


def test_then_the_rest_of_the_deck_is_drawn() -> None:
    start = rivers("e3:1", hands={"red": 21}, discard="ambush ambush", readings="empty-deck")
    assert legal(start).spaces["plan:2"].draw == 1
    assert after(start, deploy("plan:2", 1)).discard == ("ambush", "ambush")


# --- what a ruling says -----------------------------------------------------------------


def test_a_ruling_that_rests_on_no_reading_names_none() -> None:
    ruling = examine(rivers("e3:3 e1:2"), deploy("advance:d1", "e1:1"))
    assert all(finding.reading is None for finding in ruling.findings)
    assert not any("reading" in finding.message for finding in ruling.findings)


def test_every_reading_that_can_decide_a_step_is_named_by_a_rule() -> None:
    mode = load_board("sengoku-rivers").mode
    named = {rule.reading for rule in mode.rules.values()} - {None}
    assert named == set(mode.readings)
