"""Saved games to test with, played by the demo's player: the same every time."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from companion.demo.autoplayer import Autoplayer
from engine.orders.game import apply, new_game
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.orders.wire import step_to_json

BOARD = "sengoku-rivers"
BONUSES = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}
REQUEST = {"do": "new", "board": BOARD, "initiative": "red", "bonuses": BONUSES}
OPENING = {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}}
TAKEN = {"deploy": "advance:c4", "moves": {"b5": {"troop": 1}}}


@cache
def played(seed: int = 5) -> tuple[tuple[Step, ...], tuple[Position, ...]]:
    """A whole game: its steps, and the positions with the start first."""
    player = Autoplayer(seed)
    positions = [new_game(BOARD, "red", BONUSES)]
    steps: list[Step] = []
    while positions[-1].winner_name is None:
        steps.append(player.step(positions[-1]))
        positions.append(apply(positions[-1], steps[-1]))
    return tuple(steps), tuple(positions)


def lines_of(*objects: dict[str, Any]) -> bytes:
    """Objects as JSON lines."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in objects)


@cache
def saved(seed: int = 5, steps: int | None = None) -> bytes:
    """A saved game's bytes, whole or only its first steps."""
    return lines_of(REQUEST, *(step_to_json(step) for step in played(seed)[0][:steps]))


def game_file(folder: Path, steps: int | None = None) -> Path:
    """A saved game in a file."""
    path = folder / "game.jsonl"
    path.write_bytes(saved(steps=steps))
    return path
