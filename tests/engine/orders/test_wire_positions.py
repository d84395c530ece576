"""Positions as JSON objects: what may be left out, and every way in which one is badly written or impossible."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engine.errors import BadPosition, UnknownBoard
from engine.orders.game import new_game
from engine.orders.position import Position
from engine.orders.wire import new_from_json, position_from_json, position_to_json

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
        ({"board": None}, "board: expected a name, not None"),
        ({"round": 0}, "round: 1 to 4, not 0"),
        ({"round": 5}, "round: 1 to 4, not 5"),
        ({"round": "2"}, "round: expected a number from 0, not '2'"),
        ({"round": 2.0}, "round: expected a number from 0, not 2.0"),
        ({"initiative": "green"}, "initiative: 'green' is no faction; there are red, black"),
        ({"initiative": ["red"]}, "initiative: expected a name, not ['red']"),
        ({"to_move": None}, "to_move: expected a name, not None"),
        ({"bonuses": []}, "bonuses: expected an object, not []"),
        ({"bonuses": {"sun": ["barracks"]}}, "bonuses.sun: expected a name, not ['barracks']"),
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
        ({"units": {"e3": {"red": {"siege": 1}}}}, "units.e3.red: no siege can stand there"),
        ({"units": {"e4": {"red": {"troop": 1}}}}, "units.e4.red: no troop can stand there"),
        ({"commanders": []}, "commanders: expected an object, not []"),
        ({"commanders": {"fly:c4": "red"}}, "commanders.fly:c4: no such action space on this board"),
        ({"commanders": {"plan:1": "green"}}, "commanders.plan:1: 'green' is no faction; there are red, black"),
        ({"commanders": {"plan:1": 1}}, "commanders.plan:1: expected a name, not 1"),
        ({"commanders": {"advance:d1": ["red", "red"]}}, "commanders.advance:d1: two commanders of red"),
        ({"commanders_left": {"red": "3"}}, "commanders_left.red: expected a number from 0, not '3'"),
        ({"commanders_left": {"green": 1}}, "commanders_left: 'green' is no faction; there are red, black"),
        ({"standby": 1}, "standby: expected an object, not 1"),
        ({"standby": {"red": -1}}, "standby.red: expected a number from 0, not -1"),
        ({"hands": {"red": "ambush"}}, "hands.red: expected a number from 0, not 'ambush'"),
        ({"hands": {"red": [1]}}, "hands.red[0]: expected a name, not 1"),
        ({"discard": "ambush"}, "discard: expected a list of names, not 'ambush'"),
        ({"discard": [None]}, "discard[0]: expected a name, not None"),
        ({"spent": {"red": 1}}, "spent.red: expected a list of names, not 1"),
        ({"winner": "green", "reason": "x"}, "winner: 'green' is no faction; there are red, black"),
        ({"winner": "red", "reason": 4}, "reason: expected a name, not 4"),
        ({"readings": ["place-fewer"]}, "readings: expected an object, not ['place-fewer']"),
        ({"readings": {"place-fewer": True}}, "readings.place-fewer: expected a name, not True"),
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
        ({"bonuses": {"sun": ["barracks"]}}, "bonuses.sun: expected a name"),
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
