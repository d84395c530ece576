"""Games that the player of General Orders plays against itself, as numbers to fit its evaluation to.

    python -m training.player_games DATA --games 1500 --first 0 [--board B]...

A file for each board, `DATA/BOARD-FIRST.npz`: `measures` (rows of `engine.orders.player.features`), `turns` (left in
the game), `to_move` (a faction's number), `ahead` (its chance to win one turn ahead, or at a glance where it doesn't
look so far), `won` (by it) and `game` (its number). A game's number decides all of it, on any machine with the same
weights. Both sides look one turn ahead. What each of them sees, and how often it takes another turn than the best, is
drawn for each game, and half of the games begin with turns at random: so the games tell what mistakes cost.
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
from engine.orders.player.evaluation import chance_by_points, measure, turns_left, winning_chance
from engine.orders.player.prospects import Turn, prospects
from engine.orders.player.unfolding import best_answer, endings
from engine.orders.position import Position
from engine.orders.steps import Deploy, Roll, Step

FREEDOMS = (0.0, 0.0, 0.01, 0.02, 0.04)
"""How much less likely to win a turn may be that is taken as often as the best, nearly."""
WILD = (0.0, 0.0, 0.05, 0.1)
"""How often any turn is taken."""
SIGHTS = ("all",) * 6 + ("own", "own", "points")
"""What a side goes by: the model, the model without what the other side threatens, or points alone."""
OPENINGS = (0, 0, 0, 2, 4, 8)
"""How many turns are taken at random first."""


class Style(NamedTuple):
    """How a side plays: what it sees, and how freely it chooses."""

    sight: str
    freedom: float
    wild: float


class Row(NamedTuple):
    """A position in numbers, the turns left, who was to move, and their chance to win one turn ahead."""

    measures: Sequence[float]
    turns: int
    to_move: int
    ahead: float


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


def one_ahead(position: Position, rng: Random, style: Style) -> tuple[Turn, float]:
    """Choose a turn, mostly the one that leads to the best chance to win; return it with the best chance.

    Where the turn is drawn, or the style doesn't see all, it is the chance at a glance.
    """
    me, found = position.to_move, prospects(position)
    if rng.random() < style.wild:
        return rng.choice(found), winning_chance(position, me)
    seen = [expected(position, turn, me, style.sight) for turn in found]
    at = max(range(len(found)), key=lambda at: seen[at] + style.freedom * rng.expovariate(1.0))
    return found[at], max(seen) if style.sight == "all" else winning_chance(position, me)


def expected(position: Position, turn: Turn, faction: int, sight: str = "all") -> float:
    """Return the faction's chance to win after a turn, as it sees it."""
    ends = endings(position, turn)
    if sight == "points":
        return sum(end.chance * chance_by_points(end.position, faction) for end in ends)
    unseen = 1 - faction if sight == "own" else -1
    return sum(end.chance * winning_chance(end.position, faction, unseen) for end in ends)


def play(board_name: str, number: int) -> tuple[list[Row], int, int]:
    """Play a whole game; return its rows, who won, and its number."""
    rng = Random(f"value {board_name} {number}")
    styles = [Style(rng.choice(SIGHTS), rng.choice(FREEDOMS), rng.choice(WILD)) for _ in range(2)]
    opening, position, rows = rng.choice(OPENINGS), start(board_name, rng), list[Row]()

    def take(position: Position) -> Turn:
        me = position.to_move
        if len(rows) < opening:
            turn, ahead = rng.choice(prospects(position)), winning_chance(position, me)
        else:
            turn, ahead = one_ahead(position, rng, styles[me])
        rows.append(Row(measure(position), turns_left(position), me, ahead))
        return turn

    while position.winner is None:
        position = carry_out(position, next_step(position, take, rng)).freeze()
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
        to_move=np.array([row.to_move for row, _, _ in rows], np.int8),
        ahead=np.array([row.ahead for row, _, _ in rows], np.float32),
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
