"""The referee's request `infer`."""

import json
from typing import Any

import pytest

from engine.errors import BadPosition
from engine.orders.inference.infer import infer
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import Pass
from engine.orders.wire import position_to_json
from engine.referee import reply
from tests.engine.orders.inference.seeing import OPEN, START, changed, table
from tests.tables import after


def ask(position: Position, **request: object) -> dict[str, Any]:
    return reply(json.dumps({"do": "infer", "position": position_to_json(position), **request}))


def test_the_referee_explains() -> None:
    units, commanders = table(after(OPEN, parse_step("advance:c4 from d3=1t d5=2t")))
    answer = ask(OPEN, seen=units, commanders=commanders, id=7)
    assert answer["id"] == 7
    assert answer["explanations"] == [
        {
            "steps": [{"deploy": "advance:c4", "moves": {"d3": {"troop": 1}, "d5": {"troop": 2}}}],
            "why": "Red advances to c4 with 1 troop from d3 and 2 from d5",
            "likelihood": 1.0,
        }
    ]
    assert answer["illegal"] == []
    assert len(ask(OPEN, seen=table(OPEN)[0], most=1)["explanations"]) == 1
    assert len(ask(OPEN, seen=table(OPEN)[0], commanders={}, support=False)["explanations"]) > 1


def test_the_referee_says_what_is_illegal_with_the_rule() -> None:
    answer = ask(START, seen=changed(START, {"b2 red troop": 1}))
    assert answer["explanations"] == []
    (one,) = answer["illegal"]
    assert (one["area"], one["rule"], one["cite"]) == ("b2", "reinforce.area", "Reinforce")
    (two,) = ask(START, seen=changed(START, {"b2 black troop": 1}))["illegal"]
    assert two.keys() == {"area", "message"}


@pytest.mark.parametrize(
    ("request_keys", "message"),
    [
        ({}, "seen: expected an object"),
        ({"seen": {"z9": {}}}, "seen.z9: no such area on this board"),
        ({"seen": {"a1": {"blue": {}}}}, "seen.a1: 'blue' is no faction"),
        ({"seen": {"a1": {"red": {"horse": 1}}}}, "seen.a1.red: no horse can stand there"),
        ({"seen": {"a1": {"red": {"troop": -1}}}}, "seen.a1.red.troop: expected a number from 0"),
        ({"seen": {}, "commanders": 3}, "commanders: expected an object"),
        ({"seen": {}, "commanders": {"plan:9": "red"}}, "commanders.plan:9: no such action space"),
        ({"seen": {}, "commanders": {"plan:1": "blue"}}, "commanders.plan:1: 'blue' is no faction"),
        ({"seen": {}, "support": 1}, "support: expected true or false"),
        ({"seen": {}, "most": 0}, "most: a number from 1"),
        ({"seen": {}, "most": True}, "most: a number from 1"),
    ],
)
def test_a_bad_request_to_infer_is_one_clear_line(request_keys: dict[str, object], message: str) -> None:
    error = ask(START, **request_keys)["error"]
    assert error["kind"] == "bad_request"
    assert error["message"].startswith(message)


def test_a_pass_is_the_only_step_of_a_pass() -> None:
    (explanation,) = infer(START, table(START)[0], {}).explanations
    assert explanation.steps == (Pass(),)
    with pytest.raises(BadPosition):
        infer(START, [])
