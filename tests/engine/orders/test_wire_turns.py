"""Turns in progress as JSON objects: read as they were written, and refused where no turn stands like that."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import BadPosition
from engine.orders import board
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from engine.orders.wire import position_from_json, position_to_json
from tests.boards import practice
from tests.boards.practice import castle
from tests.tables import after, atoll, deploy, rivers, rolled, stand, valley

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for practised in (practice.valley(), practice.atoll()):
        monkeypatch.setitem(board.BOARDS._added, practised.name, practised)


def in_a_shot() -> Json:
    return position_to_json(after(rivers("e3:3 d4:2", "a3:3 c4:3"), deploy("bombard:d4", "c4")))


def turn_fault(**changes: Any) -> str:
    obj = in_a_shot()
    obj["turn"] |= changes
    with pytest.raises(BadPosition) as caught:
        position_from_json(obj)
    return str(caught.value)


def read_again(position: Position) -> Position:
    return position_from_json(json.loads(json.dumps(position_to_json(position))))


def test_a_turn_with_contested_waters_and_mixed_losses_goes_through_json() -> None:
    waters = rivers("e3:5 d3:1 d2:2 d4:1", "a3:3 c1:1 c2:1", hands={"red": "commandeer"})
    contested = after(waters, Deploy("embark:1", place=(("c1", "ship", 2), ("c2", "ship", 2)), cards=("commandeer",)))
    assert read_again(contested) == contested
    open_window = after(waters, Deploy("embark:1", place=(("d4", "ship", 2),)))
    turn = position_to_json(open_window)["turn"]
    assert turn["places"]
    assert turn["seizable"] == ["c1", "c2"]
    assert read_again(open_window) == open_window
    siege = stand(castle(), "a1:3 a2:2+2", "b2:1 c1:3 c2:2")
    lost = after(siege, Deploy("advance:b2", moves=(("a2", "troop", 1), ("a2", "siege", 2))), rolled("black", 1, 0))
    assert position_to_json(lost)["turn"]["losses"] == [["red", "b2", 1]]


def test_what_only_some_modes_know_goes_through_json() -> None:
    bombing = after(atoll("a1:4 zone-red:1 zone-white:3"), deploy("bomb:zone-white", "c2", payload=2))
    begun = {"bonuses": {"3": "signal_unit"}, "to_move": "yellow", "standby": {"blue": 3, "yellow": 4}}
    held = valley(
        "a1:4 a2:2 a3:1",
        "c3:4 b3:4",
        left={"blue": 0, "yellow": 3},
        commanders={"advance:a2": "blue", "plan:1": "blue"},
        passed="blue",
        **begun,
    )
    fought = after(held, deploy("advance:a3", "b3:3"))
    lost = after(fought, rolled("blue", 0))
    assert position_to_json(bombing)["turn"]["payload"] == 2
    assert position_to_json(held)["passed"] == ["blue"]
    assert position_to_json(fought)["turn"]["begun"] == {"blue": 1}
    assert position_to_json(lost)["turn"]["returns"] == ["blue"]
    for position in (bombing, held, fought, lost):
        assert read_again(position) == position


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"space": "fly:c4"}, "turn: "),
        ({"space": ["bombard:d4"]}, "turn: "),
        ({"stage": "begun"}, "turn: "),
        ({"area": "z9"}, "turn: "),
        ({"contested": 3}, "turn: "),
        ({"contested": ["z9"]}, "turn: "),
        ({"dice": "two"}, "turn.dice: expected a number from 0, not 'two'"),
        ({"faces": [1, "x"]}, "turn.faces: expected a number from 0, not 'x'"),
        ({"losses": [["green", "c4", 1]]}, "turn.losses: 'green' is no faction"),
        ({"losses": [["red", "c4"]]}, "turn: "),
        ({"losses": [["red", "c4", "1"]]}, "turn.losses: expected a number from 0, not '1'"),
        ({"then": "rest"}, "turn: "),
        ({"places": ["z9"]}, "turn: "),
        ({"seizable": None}, "turn: "),
        ({"space": "plan:1"}, "turn.space: no turn in progress stands like this"),
        ({"area": None}, "turn.area: no turn in progress stands like this"),
        ({"stage": "defence"}, "turn.stage: no turn in progress stands like this"),
        ({"stage": "join"}, "turn.stage: no turn in progress stands like this"),
        ({"dice": 0}, "turn.dice: no turn in progress stands like this"),
        ({"stage": "rolled", "faces": [1]}, "turn.faces: no turn in progress stands like this"),
        ({"stage": "rolled", "faces": [1, 7]}, "turn.faces: no turn in progress stands like this"),
        ({"stage": "losses"}, "turn.losses: no turn in progress stands like this"),
        ({"losses": [["black", "c4", 1]]}, "turn.losses: no turn in progress stands like this"),
    ],
)
def test_a_turn_in_progress_must_be_one(changes: Json, words: str) -> None:
    assert turn_fault(**changes).startswith(words)


@pytest.mark.parametrize("key", ["space", "stage", "area", "contested", "dice", "faces", "losses", "then", "open"])
def test_a_turn_has_all_its_keys(key: str) -> None:
    obj = in_a_shot()
    del obj["turn"][key]
    with pytest.raises(BadPosition, match=r"^turn: "):
        position_from_json(obj)


def test_no_turn_goes_on_in_a_finished_game() -> None:
    with pytest.raises(BadPosition, match=r"^turn.space"):
        position_from_json(in_a_shot() | {"winner": "red", "reason": "hq_lost"})


@pytest.mark.parametrize(
    ("space", "what", "area"),
    [
        ("advance:c4", "d3:2", None),
        ("advance:c4", "d3:2", "e4"),
        ("advance:c4", "d3:2", "d2"),
        ("bombard:d4", "c4", "b5"),
        ("bombard:d4", "c4", "c3"),
    ],
)
def test_the_area_of_a_turn_is_one_that_its_space_can_have(space: str, what: str, area: str | None) -> None:
    start = rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": "ground_assault"})
    obj = position_to_json(after(start, deploy(space, what)))
    obj["turn"]["area"] = area
    with pytest.raises(BadPosition, match=r"^turn.area"):
        position_from_json(obj)


def in_a_bomb() -> Json:
    start = atoll("a1:4 a2:1 zone-red:1 zone-white:3", bonuses={"1": "signal_unit"})
    return position_to_json(after(start, deploy("bomb:zone-white", "c2", payload=2)))


def in_a_return() -> Json:
    held = atoll(
        "a1:4 a2:1",
        "d2:4 c2:1 b2:4",
        bonuses={"1": "signal_unit"},
        to_move="yellow",
        standby={"blue": 3, "yellow": 4},
        left={"blue": 0, "yellow": 3},
        commanders={"advance:b1": "blue", "plan:1": "blue"},
    )
    return position_to_json(after(held, deploy("advance:a2", "b2:3"), rolled("blue", 0)))


@pytest.mark.parametrize("written", [in_a_bomb, in_a_return])
def test_turns_of_some_modes_are_read_and_written(written: Callable[[], Json]) -> None:
    obj = written()
    assert obj["turn"].get("begun", {}) == ({} if obj["turn"].get("returns") else {"blue": 1})
    assert position_to_json(position_from_json(obj)) == obj


@pytest.mark.parametrize(
    ("written", "changes", "told"),
    [
        (in_a_bomb, {"payload": 3}, "turn.payload: no turn"),
        (in_a_bomb, {"payload": "all"}, "turn.payload: expected a number"),
        (in_a_bomb, {"begun": {"blue": 2}}, "turn.begun: no turn"),
        (in_a_bomb, {"begun": {"red": 1}}, "turn.begun: 'red' is no faction"),
        (in_a_bomb, {"returns": ["blue"]}, "turn.returns: no turn"),
        (in_a_return, {"returns": []}, "turn.returns: no turn"),
        (in_a_return, {"returns": ["yellow"]}, "turn.returns: no turn"),
        (in_a_return, {"returns": ["blue", "blue"]}, "turn.begun: no turn"),
        (in_a_return, {"returns": 7}, "turn: "),
    ],
)
def test_a_turn_that_cannot_be_is_one_clear_line(written: Callable[[], Json], changes: Json, told: str) -> None:
    obj = written()
    obj["turn"] |= changes
    with pytest.raises(BadPosition, match=told):
        position_from_json(obj)


def test_a_payload_is_for_actions_that_have_one() -> None:
    assert turn_fault(payload=1) == "turn.payload: no turn in progress stands like this"


def test_who_has_passed_is_written_where_a_pass_is_final() -> None:
    obj = position_to_json(after(atoll(), Pass()))
    assert (obj["passed"], obj["commanders_left"]) == (["blue"], {"blue": 5, "yellow": 5})
    assert position_to_json(position_from_json(obj)) == obj
