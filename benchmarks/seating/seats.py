"""The seats of a game of General Orders between players, and whole games as their numbers deal them.

What a seat may not know is hidden from it: the levels, the demo's player, a greedy and a random one, an older Gunbai's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Protocol

from companion.demo.autoplayer import Autoplayer
from engine.orders.board import load_board
from engine.orders.game import new_game, owed
from engine.orders.player import LEVELS, Level, answer, choose, view_of
from engine.orders.player.prospects import prospects
from engine.orders.player.unfolding import endings, quiet_answer
from engine.orders.position import Position
from engine.orders.score import points
from engine.orders.steps import Accept, Deploy, Play, Reroll, Roll, Step
from engine.orders.wire import position_to_json, step_from_json
from tests import play
from training.player_games import with_cards

HEADQUARTERS = 100.0
FIRST_NUMBER = 4


class Seat(Protocol):
    """Plays one side."""

    def turn(self, view: Position) -> Step:
        """Return the turn that this player takes."""

    def answer(self, view: Position) -> Step | None:
        """Return the answer inside a turn; None for the table's dice, or nothing."""


class LevelSeat:
    """The player at a level."""

    def __init__(self, level: Level, seed: str) -> None:
        self._level, self._chance = level, Random(seed)

    def turn(self, view: Position) -> Step:
        return choose(view, view.to_move_name, self._level, self._chance).turn

    def answer(self, view: Position) -> Step | None:
        return answer(view, _who_knows(view), self._level)


class OlderSeat:
    """The player at a level, as an older Gunbai plays it: in a process of its own (`benchmarks.seating.older`)."""

    def __init__(self, folder: Path, level: str, seed: str) -> None:
        command = [sys.executable, "-P", str(Path(__file__).with_name("older.py")), level, seed]
        environment = os.environ | {"PYTHONPATH": str(folder)}
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def turn(self, view: Position) -> Step:
        found = self._ask({"turn": position_to_json(view)})
        assert found is not None
        return found

    def answer(self, view: Position) -> Step | None:
        return self._ask({"answer": position_to_json(view), "seat": _who_knows(view)})

    def _ask(self, question: dict[str, Any]) -> Step | None:
        pipes = self._process
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        print(json.dumps(question), file=pipes.stdin, flush=True)
        told = json.loads(pipes.stdout.readline())
        return None if told is None else step_from_json(told)

    def close(self) -> None:
        """End its process."""
        with self._process:
            assert self._process.stdin is not None
            self._process.stdin.close()


class DemoSeat:
    """The demo's sensible player."""

    def __init__(self, seed: int) -> None:
        self._player = Autoplayer(seed)

    def turn(self, view: Position) -> Step:
        step = self._player.step(_alone(view))
        if isinstance(step, Deploy) and isinstance(step.draw, tuple):
            return replace(step, draw=len(step.draw))  # it knows no deck: the table says which cards they are
        return step

    def answer(self, view: Position) -> Step | None:
        due, who = owed(view), _who_knows(view)
        step = self._player.step(_alone(view)) if due is not None else None
        mine = due is not None and due.by == who and not isinstance(step, Roll)
        return step if mine or isinstance(step, Play | Reroll) else None


class GreedySeat:
    """Looks at the points after its turn, and at nothing else."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def turn(self, view: Position) -> Step:
        found = prospects(view, wide=True)
        self._chance.shuffle(found)
        return max(
            found, key=lambda turn: sum(end.chance * _lead(end.position, view.to_move) for end in endings(view, turn))
        )

    def answer(self, view: Position) -> Step | None:
        due = owed(view)
        return None if due is None or due.wants == "roll" or due.by != _who_knows(view) else quiet_answer(view)


class RandomSeat:
    """Any legal step."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def turn(self, view: Position) -> Step:
        return play.turn_step(self._chance, _alone(view))

    def answer(self, view: Position) -> Step | None:
        due = owed(view)
        if due is None or due.by != _who_knows(view) or due.wants in ("roll", "accept"):
            return Accept(due.by) if due is not None and due.by == _who_knows(view) and due.wants == "accept" else None
        return play.next_step(self._chance, _alone(view))


def _lead(position: Position, me: int) -> float:
    if position.winner is not None and position.reason == "hq_lost":
        return HEADQUARTERS if position.winner == me else -HEADQUARTERS
    both = points(position)
    return both[me] - both[1 - me]


def _who_knows(view: Position) -> str:
    """Return the seat whose view it is: the other hand is a number there."""
    return view.board.factions[0 if isinstance(view.hands[1], int) else 1]


def _alone(view: Position) -> Position:
    """Return a view without the other's cards, for players that would play both hands."""
    first, second = view.hands
    return replace(view, hands=(() if isinstance(first, int) else first, () if isinstance(second, int) else second))


SEATS: dict[str, Callable[[int], Seat]] = {"demo": DemoSeat, "greedy": GreedySeat, "random": RandomSeat}


def seat_of(kind: str, seed: int) -> Seat:
    """Return a player of that kind; KeyError if there is none."""
    if kind in SEATS:
        return SEATS[kind](seed)
    iterations = kind.lstrip("abcdefghijklmnopqrstuvwxyz")
    level = LEVELS[kind.removesuffix(iterations)]
    return LevelSeat(replace(level, iterations=int(iterations)) if iterations else level, f"{kind} {seed}")


def dealt_game(board_name: str, number: int) -> tuple[Position, Random]:
    """Return the start of the game of this number, and the chance that its dice and cards follow from."""
    board, chance = load_board(board_name), Random(f"players {number}")
    tokens = dict(zip(board.slots, chance.sample(sorted(board.mode.tokens), len(board.slots)), strict=True))
    return new_game(board_name, board.factions[number // 2 % 2], tokens), chance


def next_step(position: Position, seats: Sequence[Seat], seconds: list[float], chance: Random) -> Step:
    """Return the next step: a turn, the answer of a seat, or the table's dice."""
    due = owed(position)
    for faction in (position.to_move, 1 - position.to_move):
        if due is None and faction != position.to_move:
            continue
        view, begun = view_of(position, faction), time.process_time()
        step = seats[faction].turn(view) if due is None else seats[faction].answer(view)
        seconds[faction] += time.process_time() - begun
        if step is not None:
            return with_cards(position, step, chance)
    assert due is not None
    if due.wants != "roll":
        return Accept(due.by)
    return Roll(tuple(chance.choice(position.board.mode.die) for _ in range(due.dice)), due.by)
