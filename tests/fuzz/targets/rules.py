"""What the engine reads: positions, steps, lines of notation, and the referee's requests, of every system of rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from companion.content.decks import deck_toml
from engine.errors import BadPosition, BadStep, EngineError, UnknownBoard
from engine.generals.cards import load_deck
from engine.orders.notation import parse_step
from engine.referee import answer
from engine.sonae.scenario import load_scenario
from engine.system import System
from engine.systems import DEFAULT, SYSTEMS, system_named
from tests.companion.other_games import BEGIN
from tests.companion.sample_games import REQUEST, played
from tests.fuzz.spoil import as_text
from tests.fuzz.target import Target, Work, hold, hold_again, hold_line, named
from tests.fuzz.trees import as_json
from tests.notation import format_step

Json = dict[str, Any]
PLACES = (0, 3, 9, 20, 33, 47)
"""Positions of the recorded game: at its start, with a turn begun, with dice rolled, with losses owed."""
MORE: dict[str, list[Json]] = {
    "orders": [
        {"play": "ambush", "by": "red", "place": {"e3": {"troop": 1}}},
        {"reroll": "mobilise", "by": "black"},
        {"remove": {"troop": 1}, "by": "red", "area": "c3"},
        {"return": "advance:b3", "by": "red"},
        {"accept": True, "by": "red"},
        {"agreed": {"b3": {"red": {"troop": 2}}}, "commanders": {"sail:c1": "red"}, "to_move": "black", "note": "x"},
        {"agreed": {}, "hands": {"red": 2}, "standby": {"red": 1}, "bonuses": {"sun": "barracks"}, "round": 2},
    ],
    "sonae": [
        {"settle": "encamped", "by": "maru"},
        {"token": "maru"},
        {"activate": "maru-san"},
        {"roll": [6], "by": "maru"},
        {"advance": "maru-san-firing", "x": 4.0, "y": 14.0},
        {"turn": "maru-san-normal", "facing": 90.0, "x": 6.2, "y": 15.4},
        {"fire": "maru-san-firing", "target": "shikaku-ichi-normal"},
        {"closing": True, "by": "shikaku"},
        {"done": True},
        {"agreed": {"maru-san-melee": {"x": 3.0, "y": 14.5, "facing": 180, "status": "wavering"}}, "orders": 2},
    ],
    "generals": [
        {"deploy": "crane_captain", "zone": "outside"},
        {"equip": "long_spear", "general": "crane_captain"},
        {"use": "harvest", "by": "red", "general": "crane_captain", "target": "crane_captain"},
        {"activate": "crane_marshal", "general": "crane_scout"},
        {"move": "crane_captain", "to": "siege"},
        {"attack": "crane_captain", "castle": True},
        {"agreed": "red", "hand": 4, "generals": {"crane_scout": {"zone": "outside", "acted": True}}, "defeated": []},
        {"end": True},
    ],
}
ASKED: dict[str, list[Json]] = {
    "orders": [
        {"do": "legal"},
        {"do": "score"},
        {"do": "supply"},
        {"do": "odds"},
        {"do": "odds", "step": {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}}},
        {"do": "infer", "seen": {"d5": {"red": {"troop": 1}}}, "most": 2, "support": False},
    ],
    "sonae": [
        {"do": "measure", "unit": "maru-san-firing", "to": "shikaku-ichi-normal"},
        {"do": "legal"},
    ],
    "generals": [
        {"do": "legal"},
        {"do": "outlook"},
        {"do": "general", "side": "red", "general": "crane_captain"},
        {"do": "cost", "side": "red", "card": "reed_guard"},
    ],
}
"""What is asked of a position besides steps."""


@cache
def positions(system: str) -> tuple[Any, ...]:
    """Positions of a system, as values."""
    if system == DEFAULT:
        return tuple(played()[1][place] for place in PLACES)
    rules = system_named(system)
    found = [rules.new({"do": "new", **BEGIN[system]})]
    for step in MORE[system]:
        made = rules.read_step(step)
        if rules.judge(found[-1], made).legal:
            found.append(rules.apply(found[-1], made))
    return tuple(found)


def steps(system: str) -> list[Json]:
    """Return a system's steps as JSON."""
    if system == DEFAULT:
        rules = system_named(system)
        return [*(rules.write_step(step) for step in played()[0][:40]), *MORE[system]]
    return MORE[system]


def _plain(value: object) -> bytes:
    return json.dumps(value).encode()


def _given(data: bytes) -> Any:
    """JSON as whoever hands it on has read it; None for what is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _position_of(system: str) -> Target:
    """Positions of a system, from JSON and into it, and what is then asked of them all the time."""

    def begin(folder: Path) -> Work:
        rules: System[Any, Any] = system_named(system)

        def read(data: bytes) -> bool:
            position = rules.read_position(_given(data))
            written = rules.write_position(position)
            hold_again(
                written, lambda: rules.write_position(rules.read_position(written)), "a position written and read again"
            )
            json.dumps(rules.pending(position), allow_nan=False)
            for step in steps(system)[:3]:
                rules.judge(position, rules.read_step(step))
            return True

        return Work(tuple(_plain(rules.write_position(position)) for position in positions(system)), read)

    reads = {"orders": "engine.orders.wire.positions", "sonae": "engine.sonae.wire", "generals": "engine.generals.wire"}
    refusals = (BadPosition, UnknownBoard)
    return Target(f"position-{system}", begin, as_json, refusals, (reads[system],), share=0.7)


def _step_of(system: str) -> Target:
    def begin(folder: Path) -> Work:
        rules: System[Any, Any] = system_named(system)
        here = positions(system)[0]

        def read(data: bytes) -> bool:
            step = rules.read_step(_given(data))
            hold_again(step, lambda: rules.read_step(rules.write_step(step)), "a step written and read again")
            hold(all(finding.message for finding in rules.judge(here, step).objections), "objections say why")
            return True

        return Work(tuple(map(_plain, steps(system))), read)

    reads = {
        "orders": "engine.orders.wire.steps",
        "sonae": "engine.sonae.wire",
        "generals": "engine.generals.wire",
    }
    return Target(f"step-{system}", begin, as_json, (BadStep,), (reads[system],))


def _notation(folder: Path) -> Work:
    """Prepare to check steps as lines of text."""
    rules = system_named(DEFAULT)
    lines = [format_step(rules.read_step(step)) for step in steps(DEFAULT)]

    def read(data: bytes) -> bool:
        step = parse_step(data.decode("utf-8", "surrogateescape"))
        hold_again(step, lambda: parse_step(format_step(step)), "a step's line read again")
        return True

    return Work(tuple(line.encode() for line in lines), read)


# ---- the referee ------------------------------------------------------------------------------


def _requests() -> Iterator[Json]:
    """Sound requests of every kind, to every system."""
    beginnings = {DEFAULT: {key: value for key, value in REQUEST.items() if key != "do"}, **BEGIN}
    for system in SYSTEMS:
        rules, told = system_named(system), {} if system == DEFAULT else {"system": system}
        yield {"id": 7, "do": "new", **told, **beginnings[system], "edition": "pt"}
        for position in map(rules.write_position, positions(system)):
            chosen = Random(len(str(position))).sample(steps(system), 2)
            yield from (
                {"do": do, **told, "position": position, "steps": [step]}
                for do in ("apply", "check")
                for step in chosen
            )
        yield from ({**request, **told, "position": position} for request in ASKED[system])
    yield {"do": "odds", "dice": 3, "attackers": 2, "defenders": 2}
    yield {"do": "odds", "dice": 3, "targets": 2, "board": "sengoku-rivers"}
    decks = BEGIN["generals"]["decks"]
    yield {"do": "cut", "system": "generals", "decks": decks, "cut": {"red": "reed_guard", "black": "wolf_rider"}}
    yield from _bringing()


def _bringing() -> Iterator[Json]:
    """Yield requests that bring an owner's files along."""
    deck, battle = load_deck("practice-cranes"), load_scenario("maru-shikaku")
    own = deck_toml(replace(deck, known="owner"))
    both = {"red": "own", "black": "practice-wolves"}
    yield {"do": "new", "system": "generals", "decks": both, "first": "red", "texts": {"own": own}}
    yield {"do": "new", "system": "sonae", "scenario": battle.name, "grid": "hex", "readings": {}}


def _referee(folder: Path) -> Work:
    """Whatever the line is, the answer is one line of sound JSON, and an error says what is wrong."""

    def read(data: bytes) -> bool:
        told = answer(data.replace(b"\n", b" "))
        hold("\n" not in told and told.isascii(), "the answer is one line")
        given = json.loads(told, parse_constant=_unsound)
        error = given.get("error")
        if error is None:
            return True
        if "rule" not in error:  # a ruling quotes the step, whatever that says
            hold_line(error["message"])
        return "rule" in error

    asked = map(_plain, _requests())
    return Work(tuple(request for request in asked if "bad_request" not in answer(request.decode())), read)


def _unsound(name: str) -> float:
    hold(False, f"{name} is no JSON")
    return 0.0


TARGETS = named(
    (
        *map(_position_of, SYSTEMS),
        *map(_step_of, SYSTEMS),
        Target("notation", _notation, as_text, (BadStep,), ("engine.orders.notation",)),
        Target("referee", _referee, as_json, (EngineError,), ("engine.referee",), share=0.7, cpu_s=8.0),
    )
)
