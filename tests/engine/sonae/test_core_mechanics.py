"""Core Mechanics: hit dice, readings, and what the players settle themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import BadPosition
from engine.sonae.game import apply, new_game
from engine.sonae.position import Due
from engine.sonae.steps import Agreed, Roll, Wheel
from engine.sonae.wire import new_from_json, position_from_json, position_to_json, step_from_json, step_to_json
from tests.engine.sonae.case import at, battle, field, messages, objections, owing


def test_rolls_are_told_whole_and_by_their_side() -> None:
    start = owing(battle(orders=0), Due("orders", 0))
    assert objections(start, Roll((3,), "oda")) == ["turn.who"]
    assert objections(start, Roll((3, 3), "ito")) == ["roll.dice"]
    assert objections(start, Roll((7,), "ito")) == ["roll.faces"]


def test_agreed() -> None:
    start = battle(at("ito-a", 9, 8), at("oda-a", 9, 9, 180), due=(Due("morale", 1, ("oda-b",)),))
    rows = {"ito-a": {"x": 1, "status": "brittle"}, "oda-b": None}
    after = apply(start, Agreed(rows, orders=2))
    assert (after.here("ito-a").place.x, after.here("ito-a").status, after.orders) == (1.0, "brittle", 2)
    assert after.unit("oda-b") is None
    assert after.due == ()
    back = apply(after, Agreed({"oda-b": {"fatigue": 1}}))
    assert back.here("oda-b") == replace(start.here("oda-b"), fatigue=1)
    assert apply(start, Agreed(winner="oda")).reason == "agreed"


def test_agreed_within_the_armies_and_the_table() -> None:
    assert messages(battle(), Agreed({"nobody": {}, "ito-a": {"x": 99}})) == [
        "nobody: not a unit in this battle",
        "ito-a: off the table",
    ]
    assert objections(battle(), Agreed({"nobody": None})) == ["agreed.unit"]
    assert objections(battle(), Agreed(winner="uesugi")) == ["agreed.winner"]


def test_no_two_bases_are_agreed_onto_one_spot() -> None:
    start = battle(at("oda-b", 11, 20, 180))
    there = {"x": 9, "y": 6}
    assert messages(start, Agreed({"ito-b": there})) == ["ito-b: ito-a is there"]
    assert messages(start, Agreed({"oda-b": {"x": 9.5, "y": 6.5}})) == ["oda-b: ito-a is there"]
    assert objections(start, Agreed({"ito-b": there, "ito-a": there})) == ["agreed.unit", "agreed.unit"]
    assert objections(start, Agreed({"ito-b": there, "ito-a": {"x": 9, "y": 8}})) == []
    assert objections(start, Agreed({"ito-b": there, "ito-a": None})) == []
    assert objections(start, Agreed({"ito-b": {"x": 9, "y": 7}})) == []
    assert objections(start, Agreed({"ito-b": {"status": "brittle"}})) == []


@pytest.mark.parametrize(("told", "facing_deg"), [(360, 0.0), (-90, 270.0), (725.5, 5.5), (-1e-15, 0.0)])
def test_a_facing_is_the_same_however_it_is_told(told: float, facing_deg: float) -> None:
    start = battle()
    agreed = step_from_json({"agreed": {"ito-a": {"facing": told}}})
    assert step_to_json(agreed) == {"agreed": {"ito-a": {"facing": facing_deg}}}
    assert apply(start, agreed).here("ito-a").place.facing_deg == facing_deg
    assert apply(start, Agreed({"ito-a": {"facing": told}})).here("ito-a").place.facing_deg == facing_deg
    assert step_from_json({"turn": "ito-a", "facing": told, "x": 9, "y": 6}) == Wheel("ito-a", facing_deg, 9.0, 6.0)
    assert objections(start, Wheel("ito-a", told, 9, 6)) == objections(start, Wheel("ito-a", facing_deg, 9, 6))
    position = new_from_json({"scenario": "maru-shikaku"})
    obj = position_to_json(position)
    obj["units"]["maru-san-firing"]["facing"] = told
    assert position_from_json(obj).here("maru-san-firing").place.facing_deg == facing_deg


def test_readings_are_known_and_have_another_answer() -> None:
    assert new_game(field(), ["commander-lost"]).readings == {"commander-lost"}
    for name in ("measure", "nonsense"):
        with pytest.raises(BadPosition, match=name):
            new_game(field(), [name])


def test_who_agrees_an_army_away_ends_the_battle() -> None:
    start = battle(due=(Due("closing", 1, ("oda-b",), ("ito-a",)),))
    assert apply(start, Agreed({"ito-a": None})).due == ()
    oda = dict.fromkeys(name for name in field().units if name.startswith("oda"))
    gone = apply(start, Agreed(oda))
    assert (gone.winner_name, gone.reason) == ("ito", "army")
    none = apply(start, Agreed(dict.fromkeys(field().units)))
    assert (none.winner, none.units) == (None, ())
