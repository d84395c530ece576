"""Core Mechanics: hit dice, readings, and what the players settle themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import BadPosition
from engine.sonae.game import apply, new_game
from engine.sonae.position import Due
from engine.sonae.steps import Agreed, Roll
from tests.sonae.case import at, battle, field, messages, objections, owing


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
        "nobody: no unit of either army",
        "ito-a: off the table",
    ]
    assert objections(battle(), Agreed({"nobody": None})) == ["agreed.unit"]
    assert objections(battle(), Agreed(winner="uesugi")) == ["agreed.winner"]


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
