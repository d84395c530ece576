"""Steps as JSON objects: the forms of the interface, and every way in which one is badly written."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import BadStep
from engine.orders.steps import Accept, Deploy, Pass, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.wire import step_from_json, step_to_json

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
    (None, "a step is an object, not None"),
    ([{"pass": True}], "a step is an object, not [{'pass': True}]"),
    ("x" * 60, "a step is an object, not '" + "x" * 36 + "..."),
    ({}, "a step has one of the keys deploy, pass, play, roll, reroll, remove, return, accept, agreed"),
    (
        {"fly": "zone-green"},
        "a step has one of the keys deploy, pass, play, roll, reroll, remove, return, accept, agreed",
    ),
    ({"deploy": "bomb:zone-red", "payload": "all"}, "payload: expected a number from 0, not 'all'"),
    ({"return": 1, "by": "blue"}, "return: expected a name, not 1"),
    ({"return": "plan:1"}, "by: expected a name, not None"),
    ({"return": "plan:1", "by": "blue", "area": "c2"}, "area: the return step has no such key"),
    ({"deploy": "plan:1", "by": "red"}, "by: the deploy step has no such key"),
    ({"deploy": 7}, "deploy: expected a name, not 7"),
    ({"deploy": "advance:b2", "moves": []}, "moves: expected an object, not []"),
    ({"deploy": "advance:b2", "moves": {"b1": 2}}, "moves.b1: expected an object, not 2"),
    ({"deploy": "advance:b2", "moves": {"b1": {"troop": "2"}}}, "moves.b1.troop: expected a number from 0, not '2'"),
    ({"deploy": "advance:b2", "moves": {"b1": {"troop": -1}}}, "moves.b1.troop: expected a number from 0, not -1"),
    ({"deploy": "advance:b2", "moves": {"b1": {"troop": 1.5}}}, "moves.b1.troop: expected a number from 0, not 1.5"),
    ({"deploy": "advance:b2", "moves": {"b1": {"troop": True}}}, "moves.b1.troop: expected a number from 0, not True"),
    ({"deploy": "reinforce:1", "place": {"e3": []}}, "place.e3: expected an object, not []"),
    ({"deploy": "reinforce:1", "recall": 1}, "recall: expected an object, not 1"),
    ({"deploy": "shell:d3", "target": 3}, "target: expected a name, not 3"),
    ({"deploy": "shell:d3", "target": None}, "target: expected a name, not None"),
    ({"deploy": "plan:1", "draw": "ambush"}, "draw: expected a number from 0, not 'ambush'"),
    ({"deploy": "plan:1", "draw": [1]}, "draw[0]: expected a name, not 1"),
    ({"deploy": "plan:1", "cards": "ambush"}, "cards: expected a list of names, not 'ambush'"),
    ({"deploy": "plan:1", "cards": ["ambush", 2]}, "cards[1]: expected a name, not 2"),
    ({"pass": False}, "pass: true is the only value"),
    ({"pass": 1}, "pass: true is the only value"),
    ({"pass": True, "by": "red"}, "by: the pass step has no such key"),
    ({"play": "ambush"}, "by: expected a name, not None"),
    ({"play": ["ambush"], "by": "red"}, "play: expected a name, not ['ambush']"),
    ({"play": "ambush", "by": 1}, "by: expected a name, not 1"),
    ({"play": "ambush", "by": "red", "units": "two"}, "units: expected a number from 0, not 'two'"),
    ({"play": "ambush", "by": "red", "target": []}, "target: expected a name, not []"),
    ({"play": "ambush", "by": "red", "draw": 1}, "draw: the play step has no such key"),
    ({"roll": 1, "by": "red"}, "roll: expected a list of dice, not 1"),
    ({"roll": [1, "2"], "by": "red"}, "roll[1]: expected a number from 0, not '2'"),
    ({"roll": [1]}, "by: expected a name, not None"),
    ({"reroll": 1, "by": "red"}, "reroll: expected a name, not 1"),
    ({"reroll": "ambush"}, "by: expected a name, not None"),
    ({"remove": 2, "by": "red"}, "remove: expected an object, not 2"),
    ({"remove": {"troop": None}, "by": "red"}, "remove.troop: expected a number from 0, not None"),
    ({"remove": {"troop": 1}}, "by: expected a name, not None"),
    ({"remove": {"troop": 1}, "by": "red", "area": 4}, "area: expected a name, not 4"),
    ({"accept": "yes"}, "accept: true is the only value"),
    ({"accept": True, "by": 2}, "by: expected a name, not 2"),
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
