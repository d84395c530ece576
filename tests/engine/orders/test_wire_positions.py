"""Positions as JSON, with turns in progress: what may be left out, and every way in which one can't be."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import BadPosition, UnknownBoard
from engine.orders import board
from engine.orders.game import new_game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from engine.orders.wire import new_from_json, position_from_json, position_to_json
from tests.boards import practice
from tests.boards.practice import castle
from tests.tables import after, atoll, deploy, rivers, rolled, stand, valley

Json = dict[str, Any]
LEAST: Json = {"board": "sengoku-rivers", "round": 2, "initiative": "red", "to_move": "black"}
FULL: Json = {
    **LEAST,
    "bonuses": {"sun": "barracks", "star": "shipyard"},
    "units": {"e3": {"red": {"troop": 3}}, "e4": {"red": {"ship": 2}}, "a3": {"black": {"troop": 1}}},
    "commanders": {"advance:d1": ["red", "black"], "plan:1": "black"},
    "commanders_left": {"red": 3, "black": 2},
    "standby": {"red": 1, "black": 0},
    "hands": {"red": ["ambush", "mobilise"], "black": 4},
    "discard": ["mobilise"],
    "spent": {"red": ["mobilise"]},
    "readings": {"empty-target": "other"},
}


def fault(**changes: Any) -> str:
    obj = {**copy.deepcopy(FULL), **changes}
    with pytest.raises(BadPosition) as caught:
        position_from_json(obj)
    return str(caught.value)


# --- sound positions --------------------------------------------------------------------


def test_missing_keys_mean_none_and_all_other_commanders_are_in_the_reserve() -> None:
    position = position_from_json(LEAST)
    assert (position.left("red"), position.standing_by("red"), position.hand("red")) == (5, 0, ())
    assert (position.discard, position.spent, position.bonuses) == ((), ((), ()), ("", "", ""))
    assert (position.round, position.initiative_name, position.to_move_name) == (2, "red", "black")
    assert position.winner_name is None


def test_commanders_left_are_those_neither_deployed_nor_on_standby() -> None:
    position = position_from_json(LEAST | {"commanders": {"plan:1": "red"}, "standby": {"red": 2}})
    assert (position.left("red"), position.left("black")) == (2, 5)


def test_a_whole_position_is_read_and_written_back() -> None:
    assert position_to_json(position_from_json(FULL)) == FULL


def test_a_commander_alone_may_be_written_as_a_list() -> None:
    assert position_from_json(LEAST | {"commanders": {"plan:1": ["red"]}}).commanders_on("plan:1") == ("red",)


def test_a_default_reading_may_be_written_out() -> None:
    assert position_from_json(LEAST | {"readings": {"empty-target": "default"}}).readings == frozenset()


def test_empty_areas_are_left_out_and_may_be_written() -> None:
    position = position_from_json(LEAST | {"units": {"c4": {}, "c5": {"red": {}}, "d1": {"red": {"troop": 0}}}})
    assert position_to_json(position)["units"] == {}


def test_a_finished_game_has_winner_and_reason() -> None:
    over = LEAST | {"winner": "red", "reason": "hq_lost"}
    assert position_from_json(over).winner_name == "red"
    assert position_to_json(position_from_json(over))["reason"] == "hq_lost"
    assert position_from_json(LEAST | {"winner": None, "reason": None, "turn": None}).winner is None
    assert "winner" not in position_to_json(position_from_json(LEAST))


# --- badly written ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"weather": "fair"}, "weather: a position has no such key"),
        ({"board": 7}, "board: expected a name, not 7"),
        ({"round": 0}, "round: 1 to 4, not 0"),
        ({"round": "2"}, "round: expected a number from 0, not '2'"),
        ({"initiative": "green"}, "initiative: 'green' is no faction; there are red, black"),
        ({"bonuses": []}, "bonuses: expected an object, not []"),
        ({"bonuses": {"flower": "barracks"}}, "bonuses.flower: no such slot; there are sun, moon, star"),
        ({"bonuses": {"sun": "armoury"}}, "bonuses.sun: 'armoury' is no bonus token of this mode"),
        ({"bonuses": {"sun": "barracks", "moon": "barracks"}}, "bonuses: a token lies in two slots"),
        ({"units": [1]}, "units: expected an object, not [1]"),
        ({"units": {"z9": {}}}, "units.z9: no such area on this board"),
        ({"units": {"e3": 3}}, "units.e3: expected an object, not 3"),
        ({"units": {"e3": {"green": {}}}}, "units.e3: 'green' is no faction; there are red, black"),
        ({"units": {"e3": {"red": 3}}}, "units.e3.red: expected an object, not 3"),
        ({"units": {"e3": {"red": {"troop": -1}}}}, "units.e3.red.troop: expected a number from 0, not -1"),
        ({"units": {"e3": {"red": {"ship": 1}}}}, "units.e3.red: no ship can stand there"),
        ({"commanders": []}, "commanders: expected an object, not []"),
        ({"commanders": {"fly:c4": "red"}}, "commanders.fly:c4: no such action space on this board"),
        ({"commanders": {"plan:1": "green"}}, "commanders.plan:1: 'green' is no faction; there are red, black"),
        ({"commanders": {"advance:d1": ["red", "red"]}}, "commanders.advance:d1: two commanders of red"),
        ({"commanders_left": {"green": 1}}, "commanders_left: 'green' is no faction; there are red, black"),
        ({"standby": 1}, "standby: expected an object, not 1"),
        ({"hands": {"red": "ambush"}}, "hands.red: expected a number from 0, not 'ambush'"),
        ({"hands": {"red": [1]}}, "hands.red[0]: expected a name, not 1"),
        ({"discard": "ambush"}, "discard: expected a list of names, not 'ambush'"),
        ({"winner": "green", "reason": "x"}, "winner: 'green' is no faction; there are red, black"),
        ({"readings": ["place-fewer"]}, "readings: expected an object, not ['place-fewer']"),
        ({"readings": {"place-fewer": "yes"}}, "readings.place-fewer: default or other, not 'yes'"),
        ({"readings": {"both-hqs": "other"}}, "readings.both-hqs: no reading of that name with another answer"),
        ({"turn": 4}, "turn: expected an object, not 4"),
        ({"passed": ["red"]}, "passed: a pass is not final in this mode"),
        ({"passed": "red"}, "passed: expected a list of names, not 'red'"),
        ({"passed": ["blue"]}, "passed: 'blue' is no faction; there are red, black"),
    ],
)
def test_a_fault_is_one_line_that_names_its_key(changes: Json, words: str) -> None:
    assert fault(**changes) == words


@pytest.mark.parametrize("key", LEAST)
def test_these_keys_are_needed(key: str) -> None:
    obj = {name: value for name, value in LEAST.items() if name != key}
    with pytest.raises(BadPosition, match=f"^{key}: "):
        position_from_json(obj)


@pytest.mark.parametrize("obj", [None, [], "position", 3])
def test_a_position_is_an_object(obj: object) -> None:
    with pytest.raises(BadPosition, match=r"^position: expected an object, not"):
        position_from_json(obj)


def test_a_position_on_an_unknown_board() -> None:
    with pytest.raises(UnknownBoard, match="no board named 'wwii-polar'"):
        position_from_json(LEAST | {"board": "wwii-polar"})


# --- more than the box holds ------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"units": {"e3": {"red": {"troop": 26}}}}, "units: red has only 25 troops in the box"),
        (
            {"units": {"e4": {"black": {"ship": 6}}, "d4": {"black": {"ship": 5}}}},
            "units: black has only 10 ships in the box",
        ),
        ({"commanders_left": {"red": 5, "black": 0}}, "commanders_left.red: 7 commanders in all, there are 5"),
        ({"hands": {"red": ["bribery"]}}, "hands, discard, spent: 'bribery' is no card of this deck"),
        ({"discard": ["bribery"]}, "hands, discard, spent: 'bribery' is no card of this deck"),
        ({"spent": {"black": ["bribery"]}}, "hands, discard, spent: 'bribery' is no card of this deck"),
        ({"discard": ["mobilise"] * 3}, "hands, discard: 4 mobilise, the deck has 3"),
        ({"hands": {"red": 24, "black": []}}, "hands, discard: 25 cards, the deck has 24"),
    ],
)
def test_the_box_has_only_so_much(changes: Json, words: str) -> None:
    assert fault(**changes) == words


def test_commanders_on_the_board_and_on_standby_are_counted_too() -> None:
    obj = LEAST | {"standby": {"red": 6}}
    with pytest.raises(BadPosition, match="a faction has only 5 commanders"):
        position_from_json(obj)


# --- the start --------------------------------------------------------------------------


def test_a_new_game_is_read_from_its_request() -> None:
    request = {"do": "new", "board": "sengoku-rivers", "initiative": "red", "bonuses": {"sun": "barracks"}}
    position: Position = new_from_json(request)
    assert position == new_game("sengoku-rivers", "red", {"sun": "barracks"})
    other = new_from_json(request | {"readings": {"place-fewer": "other", "empty-deck": "default"}})
    assert other.readings == {"place-fewer"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"board": 4}, "board: expected a name, not 4"),
        ({"initiative": None}, "initiative: expected a name, not None"),
        ({"initiative": "green"}, "initiative: 'green' is no faction"),
        ({"bonuses": ["barracks"]}, "bonuses: expected an object"),
        ({"readings": {"place-fewer": "maybe"}}, "readings.place-fewer: default or other"),
    ],
)
def test_a_bad_start_is_one_clear_line(changes: Json, words: str) -> None:
    with pytest.raises(BadPosition) as caught:
        new_from_json({"board": "sengoku-rivers", "initiative": "red", **changes})
    assert str(caught.value).startswith(words)


def test_the_start_is_an_object() -> None:
    with pytest.raises(BadPosition, match=r"^new: expected an object"):
        new_from_json([])


# ==== Turns in progress as JSON objects ========================================================


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
