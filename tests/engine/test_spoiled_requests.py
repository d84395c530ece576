"""Whatever is asked of the two systems without a board, however spoiled: one line of JSON, and never a crash."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.referee import answer
from engine.systems import system_named
from tests.companion.other_games import BEGIN, STEPS, SYSTEMS

ROUNDS = 400
SEED = 20
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 999, 10**40, -0.5, 1e308, float("inf"), float("nan")),
    *("", "x", "maru", "red", "shock", "game", "\x00", "é" * 300, "1", "-1"),
    *([], {}, [[]], [None], [1.5, "a"], {"": 1}, {"x": float("nan")}, {"maru": {"red": []}}),
)
MORE: dict[str, list[dict[str, Any]]] = {
    "sonae": [
        {"activate": "maru-san"},
        {"roll": [6], "by": "maru"},
        {"advance": "maru-san-firing", "x": 4.0, "y": 14.0},
        {"turn": "maru-san-normal", "facing": 90.0, "x": 6.2, "y": 15.4},
        {"fire": "maru-san-firing", "target": "shikaku-ichi-normal"},
        {"closing": True, "by": "shikaku"},
        {"rally": "maru-san-melee"},
        {"done": True},
        {"agreed": {"maru-san-melee": {"x": 3.0, "y": 14.5, "facing": 180, "status": "wavering"}}, "orders": 2},
        {"agreed": {}, "winner": "maru"},
    ],
    "generals": [
        {"deploy": "crane_captain", "zone": "outside"},
        {"equip": "long_spear", "general": "crane_captain"},
        {"use": "harvest", "by": "red", "general": "crane_captain", "target": "crane_captain"},
        {"activate": "crane_marshal", "general": "crane_scout"},
        {"move": "crane_captain", "to": "siege"},
        {"attack": "crane_captain", "castle": True},
        {"agreed": "red", "hand": 4, "generals": {"crane_scout": {"zone": "outside", "acted": True, "military": -1}}},
        {"agreed": "red", "defeated": ["crane_scout"], "winner": "red"},
    ],
}
BROUGHT: dict[str, list[dict[str, Any]]] = {
    "sonae": [{"grid": "hex"}, {"grid": "square", "texts": {"maru-shikaku": "title = 3"}}],
    "generals": [{"texts": {"practice-cranes": "x", "practice-wolves": "[cards]"}}],
}
"""What a new game may say besides: how it is measured, and the files of its battle or decks."""
BESIDE: dict[str, dict[str, dict[str, Any]]] = {
    "sonae": {"measure": {"unit": "maru-san-firing", "to": "shikaku-ichi-normal"}, "legal": {}},
    "generals": {
        "legal": {},
        "outlook": {},
        "general": {"side": "red", "general": "crane_captain"},
        "cut": {"decks": BEGIN["generals"]["decks"], "cut": {"red": "reed_guard", "black": "wolf_rider"}},
    },
}


def positions(system: str) -> list[dict[str, Any]]:
    """Return the start, and the position after each step that is legal."""
    rules = system_named(system)
    found = [rules.new(copy.deepcopy(BEGIN[system]))]
    for step in (*STEPS[system], *MORE[system]):
        made = rules.read_step(step)
        if rules.judge(found[-1], made).legal:
            found.append(rules.play(found[-1], made)[0])
    return [rules.write_position(position) for position in found]


def requests(system: str) -> list[dict[str, Any]]:
    """Sound ones, of every kind."""
    steps = [*STEPS[system], *MORE[system]]
    found: list[dict[str, Any]] = [{"do": "new", **BEGIN[system]}]
    found += [{"do": "new", **BEGIN[system], **more} for more in BROUGHT[system]]
    for position in positions(system):
        found += [{"do": do, "position": position, "steps": [step]} for do in ("apply", "check") for step in steps]
        found += [{"do": do, "position": position, **more} for do, more in BESIDE[system].items()]
    return found


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to everything in a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield (*way, key)
        yield from places(inner, (*way, key))


def spoiled(request: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """One to three things in it replaced by junk, left out or added."""
    found = copy.deepcopy(request)
    for _time in range(rng.randint(1, 3)):
        way = rng.choice(list(places(found)))
        parent = found
        for key in way[:-1]:
            parent = parent[key]
        _spoil(parent, way[-1], rng)
    return {"system": request.get("position", request)["system"], **found}


def _spoil(parent: Any, key: Any, rng: random.Random) -> None:
    deed = rng.random()
    if deed < 0.7:
        parent[key] = copy.deepcopy(rng.choice(JUNK))
    elif deed < 0.85 or not isinstance(parent, dict):
        del parent[key]
    else:
        parent[rng.choice(("x", "zone", "units", "due", "turn", "sides", "grid", "texts", ""))] = copy.deepcopy(
            rng.choice(JUNK)
        )


def asked(request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request, having checked that it is one line of sound JSON."""
    line = answer(json.dumps(request))
    assert "\n" not in line
    given: dict[str, Any] = json.loads(line, parse_constant=_unsound)
    return given


def _unsound(name: str) -> float:
    raise AssertionError(f"no JSON: {name}")


@pytest.mark.parametrize("system", SYSTEMS)
def test_sound_requests_are_answered(system: str) -> None:
    for request in requests(system):
        given = asked(request)
        refused = given.get("error", {})
        assert not refused or refused.get("rule") or request["do"] == "general" or "texts" in request, given


@pytest.mark.parametrize("system", SYSTEMS)
def test_spoiled_requests_are_answered_in_one_line(system: str) -> None:
    rng, sound = random.Random(SEED), requests(system)
    refused = 0
    for _round in range(ROUNDS):
        request = spoiled(rng.choice(sound), rng)
        given = asked(request)
        if "error" in given:
            refused += 1
            assert given["error"]["message"], request
    assert refused > ROUNDS / 2, "most of them cannot be answered otherwise"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("key", ["position", "steps", "do", "units", "sides", "due", "readings"])
def test_what_is_nested_deeply_is_refused(system: str, key: str) -> None:
    deep = "[" * 5_000 + "]" * 5_000
    line = f'{{"do": "apply", "system": "{system}", "{key}": {deep}}}'
    assert "error" in json.loads(answer(line))


@pytest.mark.parametrize("system", SYSTEMS)
def test_unknown_names_are_named(system: str) -> None:
    for key, name in (("scenario", "nowhere"), ("decks", {"red": "nowhere", "black": "nowhere"})):
        if key in BEGIN[system]:
            told = asked({"do": "new", **BEGIN[system], key: name})["error"]
            assert (told["kind"], "nowhere" in told["message"]) == ("bad_request", True)
