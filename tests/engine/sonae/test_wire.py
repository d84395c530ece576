"""Positions and steps as JSON: what is written is read back, and what is badly written is named by its key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import BadPosition, BadStep
from engine.sonae.field import Place
from engine.sonae.position import Due, Position
from engine.sonae.scenario import add_scenario, load_scenario, read_scenario, remove_scenario
from engine.sonae.steps import (
    Activate,
    Advance,
    Agreed,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from engine.sonae.wire import new_from_json, position_from_json, position_to_json, step_from_json, step_to_json
from tests.engine.sonae.case import scenario_text

STEPS: list[tuple[Step, dict[str, Any]]] = [
    (Settle("maru", "mobile"), {"settle": "mobile", "by": "maru"}),
    (Settle("maru", "encamped", "maru-ni"), {"settle": "encamped", "by": "maru", "messenger": "maru-ni"}),
    (Token("maru"), {"token": "maru"}),
    (Activate("maru-ni"), {"activate": "maru-ni"}),
    (Roll((6, 1), "maru"), {"roll": [6, 1], "by": "maru"}),
    (Roll((), "maru"), {"roll": [], "by": "maru"}),
    (Advance("a", 1.5, 2.0), {"advance": "a", "x": 1.5, "y": 2.0}),
    (FallBack("a", 1.5, 0.0), {"fall_back": "a", "x": 1.5, "y": 0.0}),
    (Wheel("a", 90.0, 1.5, 2.0), {"turn": "a", "facing": 90.0, "x": 1.5, "y": 2.0}),
    (Fire("a", "b"), {"fire": "a", "target": "b"}),
    (Rally("a"), {"rally": "a"}),
    (Closing("maru", False), {"closing": False, "by": "maru"}),
    (Done(), {"done": True}),
    (
        Agreed({"a": {"x": 1, "status": "brittle", "fatigue": 2}, "b": None}, 2, "maru", "so be it"),
        {
            "agreed": {"a": {"x": 1, "status": "brittle", "fatigue": 2}, "b": None},
            "orders": 2,
            "winner": "maru",
            "note": "so be it",
        },
    ),
    (Agreed(), {"agreed": {}}),
]


@pytest.mark.parametrize(("step", "obj"), STEPS)
def test_steps(step: Step, obj: dict[str, Any]) -> None:
    assert step_to_json(step) == obj
    assert step_from_json({**obj, "sum": "1234"}) == step


@pytest.mark.parametrize(
    ("obj", "fault"),
    [
        (None, "a step is an object, not None"),
        ({}, "a step has one of the keys settle, token"),
        ({"token": 1}, "token: expected a name, not 1"),
        ({"token": "maru", "by": "maru"}, "by: the token step has no such key"),
        ({"advance": "a", "x": 1}, "y: missing in the advance step"),
        ({"advance": "a", "x": "left", "y": 1}, "x: expected a number, not 'left'"),
        ({"advance": "a", "x": 1e9, "y": 1}, "x: expected a number, not 1000000000.0"),
        ({"roll": 6, "by": "maru"}, "roll: expected a list of dice, not 6"),
        ({"roll": ["six"], "by": "maru"}, "roll[0]: expected a number from 0, not 'six'"),
        ({"closing": "yes", "by": "maru"}, "closing: expected true or false, not 'yes'"),
        ({"done": False}, "done: true is the only value"),
        ({"agreed": {"a": {"z": 1}}}, "agreed.a.z: a unit has no such key"),
        ({"agreed": {"a": {"x": "left"}}}, "agreed.a.x: expected a number, not 'left'"),
        (
            {"agreed": {"a": {"status": "asleep"}}},
            "agreed.a.status: expected one of fresh, wavering, brittle, not 'asleep'",
        ),
        ({"agreed": {"a": {"fatigue": True}}}, "agreed.a.fatigue: expected a number from 0, not"),
        ({"agreed": {"a": {"fatigue": 3}}}, "agreed.a.fatigue: 0 to 2, not 3"),
    ],
)
def test_steps_badly_written(obj: object, fault: str) -> None:
    with pytest.raises(BadStep) as raised:
        step_from_json(obj)
    assert str(raised.value).startswith(fault)


def middle() -> Position:
    """In the middle of everything."""
    start = new_from_json({"scenario": "maru-shikaku"})
    units = tuple(
        replace(
            unit,
            place=replace(unit.place, x=12.5),
            status="wavering",
            fatigue=1,
            orders=2,
            charged=True,
            delayed=True,
            mired=True,
        )
        if unit.name == "maru-ni-melee"
        else unit
        for unit in start.units[1:]
    )
    dues = (
        Due("nerve", 0, ("maru-ni-melee",), to=Place(12, 14, 180)),
        Due("melee", 1, ("shikaku-ni-melee", "shikaku-ni-firing"), ("maru-ni-melee",), heard=1),
        Due("morale", 0, ("maru-ni-shock",), less=2),
        Due("messenger", 1, against=("shikaku-san",)),
        Due("token", -1),
    )
    return replace(
        start,
        units=units,
        turn=3,
        modes=("mobile", "encamped"),
        acted=("maru-ichi",),
        messages=("maru-ni",),
        acting="maru-ni",
        orders=4,
        bonus=("maru-ni-melee",),
        spare=1,
        due=dues,
        fighting=True,
        fought=("maru-ni-melee",),
        heirs=(("maru-san-command", "maru-san-melee"),),
        readings=frozenset({"commander-lost"}),
    )


@pytest.fixture
def table() -> dict[str, Any]:
    return dict(json.loads(json.dumps(position_to_json(middle()))))


def test_positions(table: dict[str, Any]) -> None:
    assert table["system"] == "sonae"
    found = position_from_json(table)
    assert found == middle()
    assert found.due[0].to == Place(12, 14, 180)
    assert found.here("maru-ni-melee").place.x == 12.5
    over = replace(middle(), winner=1, reason="general", due=())
    assert position_from_json(position_to_json(over)) == over


def test_new() -> None:
    start = new_from_json({"scenario": "maru-shikaku", "readings": {"commander-lost": "other", "half": "default"}})
    assert start.readings == {"commander-lost"}
    assert start.scenario is load_scenario("maru-shikaku")
    with pytest.raises(BadPosition, match="scenario: no scenario 'sekigahara'; there are maru-shikaku"):
        new_from_json({"scenario": "sekigahara"})


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_a_battle_may_be_played_on_another_grid(grid: str) -> None:
    start = new_from_json({"scenario": "maru-shikaku", "grid": grid})
    assert start.scenario.grid == grid
    assert start.here("maru-ni-melee").place == start.measure.snapped(start.here("maru-ni-melee").place)
    told = position_to_json(start)
    assert told["grid"] == grid
    assert position_from_json(told) == start
    assert new_from_json({"scenario": "maru-shikaku", "grid": "free"}).scenario is load_scenario("maru-shikaku")
    with pytest.raises(BadPosition, match="grid: expected one of free, square, hex, not 'oval'"):
        new_from_json({"scenario": "maru-shikaku", "grid": "oval"})


def test_bases_that_are_not_square_fit_no_cells() -> None:
    text = scenario_text().replace("turns = 3", "turns = 3\nbase_depth = 0.5")
    add_scenario(read_scenario("field", text, "field.toml"))
    try:
        with pytest.raises(BadPosition, match=r"grid: field: base_depth: on a grid bases are 1.0 deep"):
            new_from_json({"scenario": "field", "grid": "square"})
    finally:
        remove_scenario("field")


def faults() -> Iterator[tuple[list[str | int], object, str]]:
    """(path, new value, how the fault begins)."""
    unit: list[str | int] = ["units", "maru-ni-melee"]
    yield ["scenario"], 1, "scenario: expected a name, not 1"
    yield ["units"], {"nobody": {}}, "units.'nobody': no unit of maru-shikaku"
    yield [*unit, "x"], None, "units.maru-ni-melee.x: expected a number, not None"
    yield [*unit, "x"], 99, "units.maru-ni-melee: off the table, which is 24 by 18"
    yield (
        [*unit, "status"],
        "asleep",
        "units.maru-ni-melee.status: expected one of fresh, wavering, brittle, not 'asleep'",
    )
    yield [*unit, "fatigue"], 3, "units.maru-ni-melee.fatigue: 0 to 2, not 3"
    yield [*unit, "charged"], 1, "units.maru-ni-melee.charged: expected true or false, not 1"
    yield ["modes"], {"maru": "asleep"}, "modes.maru: expected one of encamped, mobile, not 'asleep'"
    yield ["modes"], {"ito": "mobile"}, "modes: expected one of maru, shikaku, not 'ito'"
    yield ["tokens"], {"maru": -1}, "tokens.maru: expected a number from 0, not -1"
    yield ["acted"], ["ito"], "acted: expected one of maru-ichi"
    yield ["acting"], "ito", "acting: expected one of maru-ichi"
    yield ["bonus"], ["nobody"], "bonus: 'nobody' is no unit in the battle"
    yield ["winner"], "ito", "winner: expected one of maru, shikaku, not 'ito'"
    yield ["reason"], "rain", "reason: expected one of general, army"
    yield ["readings"], {"half": "maybe"}, 'readings.half: "default" or "other"'
    yield ["due"], {}, "due: expected a list, not {}"
    yield ["due", 0], 1, "due[0]: expected an object, not 1"
    yield ["due", 0, "wants"], "tea", "due[0].wants: expected one of settle"
    yield ["due", 0, "by"], "ito", "due[0].by: expected one of maru, shikaku, not 'ito'"
    yield ["due", 0, "units"], ["nobody"], "due[0].units: 'nobody' is no unit in the battle"
    yield ["due", 0, "units"], [], "due[0].units: nerve is owed about one or more"
    yield ["due", 2, "against"], ["maru-ni-melee"], "due[2].against: morale is owed about none"
    yield ["due", 2, "to"], {"x": 1, "y": 1, "facing": 0}, "due[2].to: where a charge goes, for nerve alone"
    yield ["heirs"], {}, "heirs: expected a list, not {}"
    yield ["heirs", 0], ["maru-san-melee"], "heirs[0]: two units, not 1"
    yield ["heirs", 0, 1], "nobody", "heirs[0]: expected one of maru-ichi-shock-1"
    yield ["acting"], "", "acting: missing, while a division rolls for its orders or fights"
    yield ["due", 2, "less"], -1, "due[2].less: expected a number from 0, not -1"


@pytest.mark.parametrize(("path", "value", "fault"), list(faults()))
def test_positions_badly_written(table: dict[str, Any], path: list[Any], value: object, fault: str) -> None:
    inner: Any = table
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(BadPosition) as raised:
        position_from_json(table)
    assert str(raised.value).startswith(fault)


def test_a_position_in_which_nothing_is_owed_goes_on(table: dict[str, Any]) -> None:
    for key in ("due", "acting", "fighting", "bonus", "orders"):
        del table[key]
    assert [due.kind for due in position_from_json(table).due] == ["token"]


ALL = [f"{side}-{number}" for side in ("maru", "shikaku") for number in ("ichi", "ni", "san")]


@pytest.mark.parametrize(
    ("acted", "due", "fault"),
    [
        (ALL, {"wants": "token"}, "due[0]: no token is left in the bag"),
        (ALL[:3], {"wants": "activate", "by": "maru"}, "due[0]: maru has no division left to act"),
    ],
)
def test_nothing_is_owed_of_an_empty_bag(table: dict[str, Any], acted: list[str], due: object, fault: str) -> None:
    table |= {"acting": "", "fighting": False, "bonus": [], "orders": 0, "acted": acted, "due": [due]}
    with pytest.raises(BadPosition) as raised:
        position_from_json(table)
    assert str(raised.value) == fault


def test_the_tokens_follow_from_the_divisions_whatever_is_told(table: dict[str, Any]) -> None:
    table |= {"acting": "", "fighting": False, "bonus": [], "orders": 0, "due": [{"wants": "token"}]}
    assert position_from_json(table | {"tokens": {"maru": 9}}).tokens == position_from_json(table).tokens == (2, 3)
