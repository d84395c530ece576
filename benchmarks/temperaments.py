"""What the commanders with a temperament are worth, and how they play: each against its level without one.

    python -m benchmarks.temperaments [--level even] [--games 100] [--board B]... [--keep FILE] [--processes 2]

The games are those of `benchmarks.players`, on the boards of the commander's era, as many on each. For each commander:
the share of games that it wins, with the 95 % interval of Wilson; then how it plays, and beside it how its opponent
plays in the same games: areas held after the first round; the chance that its headquarters falls to the turn after its
own; turns with dice in a game; the share of rounds, from the second on, that it begins. Last for each era: of how many
looks at ten games the commander is told from those of its era, by how much more or less of each number it has than its
opponent; by chance it would be a third.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from benchmarks.seating.kept import Kept, in_processes, interval
from benchmarks.seating.seats import FIRST_NUMBER, LevelSeat, dealt_game, next_step
from engine.orders.board import board_names, load_board
from engine.orders.game import apply, owed
from engine.orders.player import LEVELS
from engine.orders.player.levels import temperaments
from engine.orders.player.reasons import threats_by
from engine.orders.position import Position
from engine.orders.steps import Deploy

LOOK = 10
TITLES = ("areas early", "headquarters at risk", "turns with dice", "begins")


class Style(NamedTuple):
    """How a side plays: one number for each of the TITLES."""

    areas: float
    exposed: float
    fights: float
    initiative: float


class Played(NamedTuple):
    """A game: whether the commander won, how it plays and how its opponent does."""

    won: bool
    own: Style
    other: Style


def game_of_figures(figures: list[Any]) -> Played:
    """Return a game from the figures that were kept of it."""
    won, own, other = figures
    return Played(won, Style(*own), Style(*other))


def play_game(level: str, commander: str, board_name: str, number: int) -> Played:
    """Play a whole game of a commander against its level without a temperament."""
    position, chance = dealt_game(board_name, number)
    taste = temperaments(position.board.mode.rulebook)[commander]
    plain = LEVELS[level]
    seats = [
        LevelSeat(replace(plain, temperament=taste), f"{commander} {2 * number}"),
        LevelSeat(plain, f"{level} {2 * number + 1}"),
    ]
    first = number % 2
    by_faction, watched = seats if first == 0 else seats[::-1], [Watched(0), Watched(1)]
    while position.winner is None:
        step = next_step(position, by_faction, [0.0, 0.0], chance)
        before, position = position, apply(position, step)
        if isinstance(step, Deploy):
            watched[before.to_move].deployed(position)
        for side in watched:
            side.see(before, position)
    return Played(position.winner == first, watched[first].style(), watched[1 - first].style())


class Watched:
    """What one side of a game does."""

    def __init__(self, faction: int) -> None:
        self._faction = faction
        self._areas, self._fights = 0, 0
        self._exposed: list[float] = []
        self._begins: list[bool] = []

    def deployed(self, position: Position) -> None:
        """Count a turn of this side that has dice."""
        due = owed(position)
        self._fights += due is not None and due.wants == "roll"

    def see(self, before: Position, position: Position) -> None:
        """Look at a position that a step has led to."""
        if position.winner is not None:
            return
        if position.round > before.round:
            self._begins.append(position.initiative == self._faction)
            if position.round == 2:
                self._areas = position.survey[0][self._faction].bit_count()
        if position.to_move != self._faction and before.to_move == self._faction:
            self._exposed.append(threats_by(position, position.to_move).headquarters)

    def style(self) -> Style:
        """Return how it plays."""
        return Style(self._areas, fmean(self._exposed or [0.0]), self._fights, fmean(self._begins or [0.5]))


def report(commander: str, games: Sequence[Played]) -> str:
    """Return the figures of a commander."""
    hits, of = sum(game.won for game in games), len(games)
    low, high = interval(hits, of)
    styles = [
        f"{title} {fmean(game.own[at] for game in games):.2f} : {fmean(game.other[at] for game in games):.2f}"
        for at, title in enumerate(TITLES)
    ]
    return f"{commander:14} {hits:3}/{of:<3} ({100 * low:.0f} to {100 * high:.0f} %)  {', '.join(styles)}"


def leanings(games: Sequence[Played]) -> list[float]:
    """Return by how much a commander has more of each number of its style than its opponent, on average."""
    return [fmean(game.own[at] - game.other[at] for game in games) for at in range(len(TITLES))]


def told_apart(games: Mapping[str, Sequence[Played]]) -> tuple[int, int]:
    """Count the looks at LOOK games that are nearest to the other games of their commander, and all looks."""
    every = [leanings([game]) for found in games.values() for game in found]
    spreads = [pstdev(column) or 1.0 for column in zip(*every, strict=True)]
    right = looks = 0
    for commander, found in games.items():
        for first in range(0, len(found) - LOOK + 1, LOOK):
            seen = leanings(found[first : first + LOOK])
            others = {**games, commander: [*found[:first], *found[first + LOOK :]]}
            means = {name: leanings(known) for name, known in others.items() if known}
            nearest = min(means, key=lambda name: _distance(seen, means[name], spreads))
            right, looks = right + (nearest == commander), looks + 1
    return right, looks


def _distance(one: Sequence[float], other: Sequence[float], spreads: Sequence[float]) -> float:
    return sum(((n - m) / spread) ** 2 for n, m, spread in zip(one, other, spreads, strict=True))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--level", choices=LEVELS, default="even")
    parser.add_argument("--games", type=int, default=100, help="of each commander")
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--commander", action="append", help="a commander; more than once for several")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="games played before, and those played now")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    kept = Kept(args.keep, game_of_figures, list)
    boards = args.board or board_names()
    for era in dict.fromkeys(load_board(name).mode.rulebook for name in boards):
        here = [name for name in boards if load_board(name).mode.rulebook == era]
        numbers = range(FIRST_NUMBER, FIRST_NUMBER + args.games // len(here))
        known = dict[str, list[Played]]()
        for commander in args.commander or temperaments(era):
            games = known[commander] = []
            for name in here:
                play = in_processes(args.processes, partial(play_game, args.level, commander, name))
                games += kept.play(f"{args.level} {commander} {name}", numbers, play)
            print(report(commander, games), flush=True)
        right, looks = told_apart(known)
        print(f"{era}: told by ten games {right} of {looks}", flush=True)


if __name__ == "__main__":
    main()
