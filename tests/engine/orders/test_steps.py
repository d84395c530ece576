"""Steps as JSON objects, as lines of text and as sentences: their forms, and how badly written ones are refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadStep
from engine.orders import game
from engine.orders.describe import describe_step
from engine.orders.notation import KEYWORDS, parse_step
from engine.orders.steps import Accept, Deploy, Pass, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.wire import step_from_json, step_to_json
from tests.notation import format_step
from tests.tables import atoll, rivers, valley

Json = dict[str, Any]

FORMS: list[tuple[Json, Step]] = [
    (
        {"deploy": "advance:b2", "moves": {"b1": {"troop": 2}}},
        Deploy("advance:b2", moves=(("b1", "troop", 2),)),
    ),
    ({"deploy": "bombard:c2", "target": "b2"}, Deploy("bombard:c2", target="b2")),
    (
        {
            "deploy": "reinforce:1",
            "place": {"e3": {"troop": 4}, "d3": {"troop": 1, "siege": 1}},
            "recall": {"e1": {"troop": 1}},
        },
        Deploy(
            "reinforce:1",
            place=(("e3", "troop", 4), ("d3", "troop", 1), ("d3", "siege", 1)),
            recall=(("e1", "troop", 1),),
        ),
    ),
    ({"deploy": "plan:1", "draw": ["ambush"]}, Deploy("plan:1", draw=("ambush",))),
    ({"deploy": "plan:2", "draw": 2}, Deploy("plan:2", draw=2)),
    ({"deploy": "plan:2", "draw": []}, Deploy("plan:2", draw=())),
    (
        {"deploy": "advance:b2", "moves": {"b1": {"troop": 2}, "reserve": {"troop": 2}}, "cards": ["ground_assault"]},
        Deploy("advance:b2", moves=(("b1", "troop", 2), ("reserve", "troop", 2)), cards=("ground_assault",)),
    ),
    ({"pass": True}, Pass()),
    ({"play": "ambush", "by": "black"}, Play("ambush", "black")),
    ({"play": "ground_assault", "by": "red", "units": 2}, Play("ground_assault", "red", units=2)),
    (
        {"play": "mobilise", "by": "red", "place": {"e3": {"troop": 2}}},
        Play("mobilise", "red", place=(("e3", "troop", 2),)),
    ),
    ({"play": "ship_strike", "by": "red", "target": "c3"}, Play("ship_strike", "red", target="c3")),
    (
        {"play": "river_assault", "by": "red", "moves": {"reserve": {"ship": 1}}},
        Play("river_assault", "red", moves=(("reserve", "ship", 1),)),
    ),
    (
        {"play": "mobilize", "by": "blue", "place": {"a1": {"troop": 2}}, "recall": {"a2": {"troop": 1}}},
        Play("mobilize", "blue", place=(("a1", "troop", 2),), recall=(("a2", "troop", 1),)),
    ),
    ({"deploy": "bomb:zone-red", "target": "c2", "payload": 2}, Deploy("bomb:zone-red", target="c2", payload=2)),
    ({"return": "advance:b3", "by": "yellow"}, Return("advance:b3", "yellow")),
    ({"roll": [1, 0], "by": "black"}, Roll((1, 0), "black")),
    ({"roll": [], "by": "black"}, Roll((), "black")),
    ({"reroll": "mobilise", "by": "black"}, Reroll("mobilise", "black")),
    ({"remove": {"troop": 1, "siege": 1}, "by": "red"}, Remove((("troop", 1), ("siege", 1)), "red")),
    ({"remove": {"troop": 1}, "by": "red", "area": "c4"}, Remove((("troop", 1),), "red", "c4")),
    ({"accept": True}, Accept()),
    ({"accept": True, "by": "red"}, Accept("red")),
]
BAD: list[tuple[object, str]] = [
    (7, "a step is an object, not 7"),
    ("x" * 60, "a step is an object, not '" + "x" * 36 + "..."),
    ({}, "a step has one of the keys deploy, pass, play, roll, reroll, remove, return, accept, agreed"),
    (
        {"fly": "zone-green"},
        "a step has one of the keys deploy, pass, play, roll, reroll, remove, return, accept, agreed",
    ),
    ({"return": "plan:1"}, "by: expected a name, not None"),
    ({"deploy": "plan:1", "by": "red"}, "by: the deploy step has no such key"),
    ({"deploy": 7}, "deploy: expected a name, not 7"),
    ({"deploy": "advance:b2", "moves": []}, "moves: expected an object, not []"),
    ({"deploy": "advance:b2", "moves": {"b1": 2}}, "moves.b1: expected an object, not 2"),
    ({"deploy": "advance:b2", "moves": {"b1": {"troop": "2"}}}, "moves.b1.troop: expected a number from 0, not '2'"),
    ({"deploy": "advance:b2", "moves": {"b1": {"troop": -1}}}, "moves.b1.troop: expected a number from 0, not -1"),
    ({"deploy": "advance:b2", "moves": {"b1": {"troop": True}}}, "moves.b1.troop: expected a number from 0, not True"),
    ({"deploy": "shell:d3", "target": 3}, "target: expected a name, not 3"),
    ({"deploy": "plan:1", "draw": "ambush"}, "draw: expected a number from 0, not 'ambush'"),
    ({"deploy": "plan:1", "draw": [1]}, "draw[0]: expected a name, not 1"),
    ({"deploy": "plan:1", "cards": ["ambush", 2]}, "cards[1]: expected a name, not 2"),
    ({"pass": False}, "pass: true is the only value"),
    ({"play": "ambush"}, "by: expected a name, not None"),
    ({"play": "ambush", "by": "red", "draw": 1}, "draw: the play step has no such key"),
    ({"roll": 1, "by": "red"}, "roll: expected a list of dice, not 1"),
    ({"roll": [1, "2"], "by": "red"}, "roll[1]: expected a number from 0, not '2'"),
    ({"roll": [1]}, "by: expected a name, not None"),
    ({"reroll": "ambush"}, "by: expected a name, not None"),
    ({"remove": 2, "by": "red"}, "remove: expected an object, not 2"),
    ({"remove": {"troop": 1}}, "by: expected a name, not None"),
]


@pytest.mark.parametrize(("obj", "step"), FORMS)
def test_a_step_is_read_and_written_in_its_form(obj: Json, step: Step) -> None:
    assert step_from_json(obj) == step
    assert step_to_json(step) == obj


@pytest.mark.parametrize(("obj", "fault"), BAD)
def test_a_badly_written_step_is_one_clear_line(obj: object, fault: str) -> None:
    with pytest.raises(BadStep) as caught:
        step_from_json(obj)
    assert str(caught.value) == fault


def test_units_of_none_say_nothing() -> None:
    assert step_from_json({"deploy": "advance:b2", "moves": {"b1": {"troop": 0}}}) == Deploy("advance:b2")


def test_units_named_twice_are_added_up() -> None:
    step = Deploy("advance:c4", moves=(("d5", "troop", 1), ("d3", "troop", 1), ("d5", "troop", 2)))
    assert step_to_json(step)["moves"] == {"d5": {"troop": 3}, "d3": {"troop": 1}}
    assert step_to_json(Remove((("troop", 1), ("siege", 1), ("troop", 1)), "red"))["remove"] == {"troop": 2, "siege": 1}


# ==== Steps as lines of text, and as sentences =================================================

STEPS: list[tuple[str, Step]] = [
    ("advance:c4 from d5=2t d3=1t", Deploy("advance:c4", moves=(("d5", "troop", 2), ("d3", "troop", 1)))),
    (
        "advance:b2 from a2=2t+1w reserve=1t with counterattack ground_assault",
        Deploy(
            "advance:b2",
            moves=(("a2", "troop", 2), ("a2", "siege", 1), ("reserve", "troop", 1)),
            cards=("counterattack", "ground_assault"),
        ),
    ),
    ("bombard:c3 at b3", Deploy("bombard:c3", target="b3")),
    (
        "reinforce:1 place e3=4t d3=2t recall b2=1t",
        Deploy("reinforce:1", place=(("e3", "troop", 4), ("d3", "troop", 2)), recall=(("b2", "troop", 1),)),
    ),
    ("embark:2", Deploy("embark:2")),
    ("plan:2 draw 2", Deploy("plan:2", draw=2)),
    ("plan:1 draw ambush mobilise", Deploy("plan:1", draw=("ambush", "mobilise"))),
    ("plan:1 draw -", Deploy("plan:1", draw=())),
    ("plan:1 draw 0", Deploy("plan:1", draw=0)),
    ("fly:zone-green from zone-red=2a", Deploy("fly:zone-green", moves=(("zone-red", "aircraft", 2),))),
    ("bomb:zone-red at c2 payload 2", Deploy("bomb:zone-red", target="c2", payload=2)),
    ("paradrop:b1 recall a2=1t at c1", Deploy("paradrop:b1", target="c1", recall=(("a2", "troop", 1),))),
    (
        "play mobilize by blue place a1=2t recall a2=1t",
        Play("mobilize", "blue", place=(("a1", "troop", 2),), recall=(("a2", "troop", 1),)),
    ),
    ("return advance:b3 by yellow", Return("advance:b3", "yellow")),
    ("pass", Pass()),
    ("play ambush by black", Play("ambush", "black")),
    ("play mobilise by red place e3=2t", Play("mobilise", "red", place=(("e3", "troop", 2),))),
    ("play ship_strike by red at c2", Play("ship_strike", "red", target="c2")),
    ("play ground_assault by red units 2", Play("ground_assault", "red", units=2)),
    ("play ground_assault by red from reserve=2t", Play("ground_assault", "red", moves=(("reserve", "troop", 2),))),
    ("roll 1 0 2 by black", Roll((1, 0, 2), "black")),
    ("roll - by black", Roll((), "black")),
    ("reroll mobilise by black", Reroll("mobilise", "black")),
    ("remove 1t+1w by red", Remove((("troop", 1), ("siege", 1)), "red")),
    ("remove 2s by red in c3", Remove((("ship", 2),), "red", "c3")),
    ("remove - by red", Remove((), "red")),
    ("accept", Accept()),
    ("accept by red", Accept("red")),
    ('"pass" at "Two words"', Deploy("pass", target="Two words")),
    ('advance:c4 from d5=2"t"+1lancer', Deploy("advance:c4", moves=(("d5", "t", 2), ("d5", "lancer", 1)))),
]


@pytest.mark.parametrize(("text", "step"), STEPS)
def test_a_step_is_written_and_read(text: str, step: Step) -> None:
    assert format_step(step) == text
    assert parse_step(text) == step


def test_typing_is_forgiving() -> None:
    written = Deploy("advance:c4", moves=(("d5", "troop", 2), ("d3", "troop", 1)))
    assert parse_step("  Advance:C4  FROM d5 = 2 troop  d3=1T ") == written


NAMES = st.one_of(
    st.sampled_from(["advance:c4", "d5", "reserve", "red", "ambush", "troop", "siege", "lancer", "empty-deck"]),
    st.sampled_from([*sorted(KEYWORDS), *"tswa", "T", "-", "", '"', "a;b", "9", "Ä", "a-", "d5\n"]),
    st.text(),
)
COUNTS = st.integers(0, 10**9 - 1)
LOADS = st.lists(st.tuples(NAMES, NAMES, COUNTS), max_size=4).map(tuple)
CARDS = st.lists(NAMES, max_size=3).map(tuple)
ANY_STEP = st.one_of(
    st.builds(
        Deploy,
        space=NAMES,
        moves=LOADS,
        place=LOADS,
        recall=LOADS,
        target=st.none() | NAMES,
        draw=st.none() | COUNTS | CARDS,
        cards=CARDS,
    ),
    st.just(Pass()),
    st.builds(
        Play,
        card=NAMES,
        by=NAMES,
        place=LOADS,
        target=st.none() | NAMES,
        units=st.none() | COUNTS,
        moves=LOADS,
    ),
    st.builds(Roll, dice=st.lists(COUNTS, max_size=4).map(tuple), by=NAMES),
    st.builds(Reroll, card=NAMES, by=NAMES),
    st.builds(
        Remove, units=st.lists(st.tuples(NAMES, COUNTS), max_size=3).map(tuple), by=NAMES, area=st.none() | NAMES
    ),
    st.builds(Accept, by=st.none() | NAMES),
)


@settings(max_examples=200)
@given(ANY_STEP)
def test_reading_what_was_written_gives_every_step_back(step: Step) -> None:
    text = format_step(step)
    assert "\n" not in text
    assert parse_step(text) == step


BAD_STEPS = [
    ("", "column 1: expected an action space or one of pass, play, roll"),
    ("advance:c4 from d5=2t d3=", "column 26: expected a number of units, found the end of the line"),
    ("advance:c4 from", "column 16: expected an area, found the end of the line"),
    ("advance:c4 from d5 2t", "column 20: expected '=', found '2'"),
    ("advance:c4 from d5=2", "column 21: expected a kind of unit, found the end of the line"),
    ("advance:c4 from d5=2t+", "column 23: expected a number of units"),
    ("advance:c4 d5=2t", "column 12: expected the end of the line, found 'd5'"),
    ("bombard:c3 at at", "column 15: expected an area, found 'at'"),
    ("plan:1 draw", "column 12: expected a card or a number, found the end of the line"),
    ("plan:1 draw 1234567890", "column 13: expected a number of cards, found '1234567890'"),
    ("pass by red", "column 6: expected the end of the line, found 'by'"),
    ("roll a by red", "column 6: expected a face, found 'a'"),
    ("roll 1 0", "column 9: expected 'by', found the end of the line"),
    ("play by red", "column 6: expected a card, found 'by'"),
    ("play ambush by red units x", "column 26: expected a number of units, found 'x'"),
    ("reroll mobilise black", "column 17: expected 'by', found 'black'"),
    ("remove t by red", "column 8: expected a number of units, found 't'"),
    ("agreed b3=2t/red b3=1t/red", "column 18: b3 is written twice"),
    ("accept by", "column 10: expected a faction, found the end of the line"),
    ("advance:c4 & d5", "column 12: expected the end of the line, found '&'"),
    ('"advance', "column 1: expected an action space"),
    ('"\\q"', "column 1: expected an action space"),
]


@pytest.mark.parametrize(("text", "message"), BAD_STEPS)
def test_a_badly_written_step_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadStep) as caught:
        parse_step(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


# --- sentences --------------------------------------------------------------------------

SENTENCES = [
    ("advance:c4 from d5=2t d3=1t", "Red advances to c4 with 2 troops from d5 and 1 from d3"),
    (
        "advance:c4 from d5=2t+1w reserve=1t with ground_assault",
        "Red advances to c4 with 2 troops from d5, 1 siege weapon from d5 and 1 troop from the reserve, "
        "playing Ground Assault",
    ),
    ("advance:c4", "Red advances to c4 with nothing"),
    ("sail:d4 from e4=2s", "Red sails to d4 with 2 ships from e4"),
    ("bombard:e4 at d5", "Red bombards d5 from e4"),
    ("shell:d3 at c2", "Red shells c2 from d3"),
    ("reinforce:1 place e3=4t d3=2t", "Red reinforces with 4 troops in e3 and 2 in d3"),
    ("embark:1 place e4=1s recall d4=1s", "Red embarks 1 ship in e4, first recalling 1 ship from d4"),
    ("plan:1 draw 1", "Red plans and draws 1 card"),
    ("plan:2 draw ambush xyz", "Red plans and draws Ambush and xyz"),
    ("plan:2", "Red plans and draws 0 cards"),
    ("fly:zone-red from d5=1a", "Red deploys to fly:zone-red"),
    ("pass", "Red passes"),
    ("play ambush by black", "Black plays Ambush"),
    ("play mobilise by red place e3=2t", "Red plays Mobilise with 2 troops in e3"),
    ("play ground_assault by red units 2", "Red plays Ground Assault with 2 troops"),
    ("play ground_assault by red from reserve=1t", "Red plays Ground Assault with 1 troop from the reserve"),
    ("play joker by red units 2", "Red plays joker with 2 units"),
    ("play ship_strike by red at c2", "Red plays Ship Strike at c2"),
    ("roll 1 0 by black", "Black rolls 1 and 0"),
    ("reroll mobilise by black", "Black spends Mobilise to reroll"),
    ("remove 2t+1w by red in c4", "Red removes 2 troops and 1 siege weapon from c4"),
    ("remove 1t by red", "Red removes 1 troop"),
    ("accept", "no card is played"),
    ("accept by red", "Red plays no card"),
]


IN_THE_AIR = [
    ("fly:zone-white from zone-red=2a", "Blue flies to the white zone with 2 aircraft from the red zone"),
    ("bomb:zone-red at c2 payload 2", "Blue bombs c2 from the red zone with 2 aircraft"),
    ("bomb:zone-red at c2", "Blue bombs c2 from the red zone with 0 aircraft"),
    ("barrage:a2 at c2", "Blue lays a barrage on c2 from a2"),
    ("take_off:1 place zone-red=2a", "Blue takes off with 2 aircraft in the red zone"),
    (
        "play mobilize by blue place a1=2t recall a2=1t",
        "Blue plays Mobilize with 2 troops in a1, first recalling 1 troop from a2",
    ),
    ("return advance:b1 by blue", "Blue returns the commander on advance:b1 to standby"),
]


@pytest.mark.parametrize(("text", "sentence"), IN_THE_AIR)
def test_a_step_in_the_air_is_told_in_a_sentence(text: str, sentence: str) -> None:
    assert describe_step(parse_step(text), atoll()) == sentence


def test_a_drop_is_told_in_a_sentence() -> None:
    step = parse_step("paradrop:b1 recall a1=1t at c1")
    assert describe_step(step, valley()) == "Blue paradrops into c1 from b1, first recalling 1 troop from a1"


@pytest.mark.parametrize(("text", "sentence"), SENTENCES)
def test_a_step_is_told_in_a_sentence(text: str, sentence: str) -> None:
    assert describe_step(parse_step(text), rivers("e3:3 d3:2 d5:3 e4:3")) == sentence


def test_a_deployment_that_closes_the_windows_of_the_turn_before_is_told_of_its_own_side() -> None:
    open_window = game.apply(rivers("e3:5", hands={"red": "mobilise"}), parse_step("reinforce:1 place e3=1t"))
    assert open_window.turn is not None
    assert describe_step(parse_step("plan:2 draw 2"), open_window) == "Black plans and draws 2 cards"
