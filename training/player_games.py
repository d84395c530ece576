"""Games that the player of General Orders plays against itself, as numbers to fit its evaluation to.

    python -m training.player_games DATA --games 1500 --first 0 [--board B]...

A file for each board, `DATA/BOARD-FIRST.npz`: `measures` (rows of `engine.orders.player.features`), `turns` (left in
the game), `won` (by the faction to move) and `game` (its number). A game's number decides all of it, on any machine
with the same weights. Both sides look one turn ahead with the packaged weights, and take other turns than the best now
and then: how freely is drawn for each game, so that both careful and wild play are seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from engine.orders.board import board_names, load_board
from engine.orders.cards import unseen_copies
from engine.orders.game import carry_out, new_game, owed
from engine.orders.player.answers import best_answer
from engine.orders.player.evaluation import turns_left, winning_chance
from engine.orders.player.features import measure
from engine.orders.player.prospects import Turn, prospects
from engine.orders.player.unfolding import endings
from engine.orders.position import Position
from engine.orders.steps import Deploy, Roll, Step

FREEDOMS = (0.0, 0.0, 0.01, 0.02, 0.04)
"""How much less likely to win a turn may be that is taken as often as the best, nearly."""
WILD = (0.0, 0.0, 0.05, 0.1)
"""How often any turn is taken."""


class Row(NamedTuple):
    """A position in numbers, the turns left, and who was to move."""

    measures: Sequence[float]
    turns: int
    to_move: int


def start(board_name: str, rng: Random) -> Position:
    """Set up a game with tokens and initiative drawn at random."""
    board = load_board(board_name)
    tokens = rng.sample(sorted(board.mode.tokens), len(board.slots))
    return new_game(board_name, rng.choice(board.factions), dict(zip(board.slots, tokens, strict=True)))


def with_cards(position: Position, step: Step, rng: Random) -> Step:
    """Name the cards that a step draws, from the shuffled deck; return other steps unchanged."""
    if not isinstance(step, Deploy) or not isinstance(step.draw, int):
        return step
    pile = [card for card in sorted(position.board.mode.deck) for _ in range(unseen_copies(position, card))]
    drawn = rng.sample(pile, min(step.draw, len(pile)))
    again = sorted(position.discard)
    return replace(step, draw=tuple(drawn + rng.sample(again, min(step.draw - len(drawn), len(again)))))


def next_step(position: Position, choose_turn: Callable[[Position], Turn], rng: Random) -> Step:
    """Choose the next step of a game: a turn, an answer, or dice."""
    due = owed(position)
    if due is None:
        return with_cards(position, choose_turn(position), rng)
    for seat in (position.to_move, 1 - position.to_move):
        answer = best_answer(position, seat)
        if answer is not None:
            return answer
    return Roll(tuple(rng.choice(position.board.mode.die) for _ in range(due.dice)), due.by)


def one_ahead(position: Position, rng: Random, freedom: float, wild: float) -> Turn:
    """Choose the turn that leads to the best chance to win, or one that chance prefers to it.

    freedom: how far chance may sway the choice; wild: how often the turn is drawn at random, 0 to 1.
    """
    me, found = position.to_move, prospects(position)
    if rng.random() < wild:
        return rng.choice(found)
    return max(found, key=lambda turn: expected(position, turn, me) + freedom * rng.expovariate(1.0))


def expected(position: Position, turn: Turn, faction: int) -> float:
    """Return the faction's chance to win after a turn, by the model."""
    return sum(end.chance * winning_chance(end.position, faction) for end in endings(position, turn))


def play(board_name: str, number: int) -> tuple[list[Row], int, int]:
    """Play a whole game; return its rows, who won, and its number."""
    rng = Random(f"player {board_name} {number}")
    freedom, wild = rng.choice(FREEDOMS), rng.choice(WILD)
    position, rows = start(board_name, rng), []
    turn = partial(one_ahead, rng=rng, freedom=freedom, wild=wild)
    while position.winner is None:
        if position.turn is None:
            rows.append(Row(measure(position), turns_left(position), position.to_move))
        position = carry_out(position, next_step(position, turn, rng)).freeze()
    return rows, position.winner, number


def write_games(path: Path, board_name: str, numbers: range, processes: int) -> None:
    """Play the games of these numbers and write their file."""
    with ProcessPoolExecutor(processes) as pool:
        games = list(pool.map(partial(play, board_name), numbers, chunksize=8))
    rows = [(row, winner, number) for found, winner, number in games for row in found]
    np.savez_compressed(
        path,
        measures=np.array([row.measures for row, _, _ in rows], np.float32),
        turns=np.array([row.turns for row, _, _ in rows], np.int16),
        won=np.array([row.to_move == winner for row, winner, _ in rows]),
        game=np.array([number for _, _, number in rows], np.int32),
    )


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--games", type=int, default=1000, help="of each board")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    args.data.mkdir(parents=True, exist_ok=True)
    for name in args.board or board_names():
        path = args.data / f"{name}-{args.first}.npz"
        write_games(path, name, range(args.first, args.first + args.games), args.processes)
        print(path, flush=True)


if __name__ == "__main__":
    main()
