"""Saved games to test with, the same every time: one that is recorded, and what the demo's player makes of a seed."""

from __future__ import annotations

import json
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from companion.demo.autoplayer import Autoplayer
from companion.games.match import Match
from engine.orders.game import apply, new_game, owed
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Step
from engine.orders.turn import ready
from engine.orders.wire import step_from_json, step_to_json

BOARD = "sengoku-rivers"
BONUSES = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}
REQUEST = {"do": "new", "board": BOARD, "initiative": "red", "bonuses": BONUSES}
OPENING = {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}}
TAKEN = {"deploy": "advance:c4", "moves": {"b5": {"troop": 1}}}


RECORDED = Path(__file__).with_name("sample-game.jsonl")


@cache
def played(seed: int | None = None) -> tuple[tuple[Step, ...], tuple[Position, ...]]:
    """Return a whole game: its steps, and the positions with the start first.

    The recorded game without a seed, otherwise the one that the player of that seed plays.
    """
    if seed is None:
        steps = tuple(step_from_json(json.loads(line)) for line in RECORDED.read_bytes().splitlines()[1:])
        return steps, tuple(accumulate(steps, apply, initial=new_game(BOARD, "red", BONUSES)))
    player = Autoplayer(seed)
    positions = [new_game(BOARD, "red", BONUSES)]
    made: list[Step] = []
    while positions[-1].winner_name is None:
        made.append(player.step(positions[-1]))
        positions.append(apply(positions[-1], made[-1]))
    return tuple(made), tuple(positions)


def lines_of(*objects: dict[str, Any]) -> bytes:
    """Objects as JSON lines."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in objects)


@cache
def saved(seed: int | None = None, steps: int | None = None) -> bytes:
    """Return a saved game's bytes, whole or only its first steps."""
    return lines_of(REQUEST, *(step_to_json(step) for step in played(seed)[0][:steps]))


def game_file(folder: Path, steps: int | None = None) -> Path:
    """Write a saved game to a file; return the file."""
    path = folder / "game.jsonl"
    path.write_bytes(saved(steps=steps))
    return path


def up_to_a_window(match: Match) -> Deploy:
    """Play the recorded game until only a card is still asked for, and the next turn leaves a trace: that turn."""
    steps, _positions = played()
    for step, following in pairwise(step for step in steps if not isinstance(step, Accept)):
        match.offer(step)
        due = owed(match.position)
        moves = isinstance(following, Deploy) and bool(following.moves)
        if due is not None and due.wants == "accept" and moves and ready(match.position, following).turn is None:
            assert isinstance(following, Deploy)
            return following
    raise AssertionError("the recorded game has no such window")


def first_round() -> int:
    """Return how many steps of the recorded game its first round has."""
    return next(n for n, position in enumerate(played()[1]) if position.round > 1)


def offered(match: Match, steps: int) -> Match:
    """Play so many steps of the recorded game on; return the match."""
    for step in played()[0][len(match.steps) :][:steps]:
        assert match.offer(step).legal
    return match
