"""Saved games of the systems without a board, to test with: how each begins, and some steps of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.demo import game_demo
from companion.demo.by_itself import BoardlessDemo
from companion.games.match import AnyMatch, GameSession
from engine.systems import system_named

BEGIN: dict[str, dict[str, Any]] = {
    "sonae": {"system": "sonae", "scenario": "maru-shikaku"},
    "generals": {
        "system": "generals",
        "decks": {"red": "practice-cranes", "black": "practice-wolves"},
        "first": "red",
    },
}
NAMES = {"sonae": {"maru": "Ana", "shikaku": "Bo"}, "generals": {"red": "Ana", "black": "Bo"}}
STEPS: dict[str, list[dict[str, Any]]] = {
    "sonae": [{"settle": "encamped", "by": "maru"}, {"settle": "encamped", "by": "shikaku"}, {"token": "maru"}],
    "generals": [{"end": True}, {"end": True}, {"end": True}],
}
OVER: dict[str, dict[str, Any]] = {
    "sonae": {"agreed": {}, "winner": "maru"},
    "generals": {"agreed": "red", "winner": "red"},
}
SYSTEMS = tuple(BEGIN)


def demo_of(system: str) -> BoardlessDemo:
    """Return a demo that plays a game of the system by itself."""
    found = game_demo.DEMOS.of(system)
    assert isinstance(found, BoardlessDemo)
    return found


def begun(path: Path, system: str, players: dict[str, str] | None = None, steps: int = 3) -> AnyMatch:
    """Begin a game of a system in a new file, and take its first steps."""
    match: AnyMatch = GameSession.begin(path, {**BEGIN[system], **({"players": players} if players else {})})
    taken(match, STEPS[system][:steps])
    return match


def taken(match: AnyMatch, steps: Sequence[dict[str, Any]]) -> None:
    """Take steps, given as JSON."""
    for step in steps:
        ruling = match.offer(match.system.read_step(step))
        assert ruling.legal, ruling


def file_of(folder: Path, system: str, *, over: bool = False, name: str = "game") -> Path:
    """Write a saved game to a file, closed, and played to the end if it is to be over; return the file."""
    match = begun(folder / f"{name}.jsonl", system)
    taken(match, [OVER[system]] if over else [])
    match.close()
    return match.path


def start_of(system: str) -> Any:
    """Return the position that a game of the system begins with."""
    return system_named(system).new(json.loads(json.dumps({"do": "new", **BEGIN[system]})))
