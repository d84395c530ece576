"""How well the player of General Orders plays: a ladder of its levels, the demo's player, a greedy and a random one.

    python -m benchmarks.players [--pair strong:demo]... [--board B]... [--games 60] [--keep FILE] [--processes 2]
    python -m benchmarks.players --pair strong:strong --against FOLDER [--sprt 0.5,0.7] [--games 200]
    python -m benchmarks.players --time [--board B]...

Without a pair, the whole ladder is played; a level may have its iterations after it (`strong200`). The sides change
seats every game and who begins every second game; bonus tokens, dice and cards follow from the game's number, from 4
on. With a file to keep them, games that are in it aren't played again, and all of them are told. For each pair and
board, and for all boards together: the share of games that the first of the two wins, with the 95 % interval of Wilson,
the same in Elo, the mean seconds of processor time that each takes for a game, and how many games ended by a lost
headquarters. What a seat may not know is hidden from it. `greedy` takes the turn after which it leads by the most
points on average.

`--against` names a folder with an older Gunbai, such as `git worktree add` makes: the second of the pair is played by
what is in it, code and weights. `--sprt LOW,HIGH` stops as soon as a sequential test (Wald's, with errors of 5 %) knows
whether the first wins a share of LOW or less, or of HIGH or more.

`--time` tells how many positions the strong level looks into in 0.5, 2 and 10 seconds of processor time, in the tenth
turn of a game, and how long each level takes for that turn.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, NoReturn

from benchmarks.seating.kept import Kept, in_processes, interval
from benchmarks.seating.seats import FIRST_NUMBER, SEATS, OlderSeat, dealt_game, next_step, seat_of
from engine.orders.board import board_names, load_board
from engine.orders.game import apply, new_game, owed
from engine.orders.player import LEVELS, choose
from engine.orders.player.evaluation import mover_winning_chance
from engine.orders.position import Position

LADDER = (
    ("strong", "random"),
    ("strong", "greedy"),
    ("strong", "demo"),
    ("even", "demo"),
    ("strong", "even"),
    ("even", "child"),
    ("child", "greedy"),
    ("child", "random"),
)
ERROR = 0.05
"""How often a sequential test may be wrong, either way."""
TIMES_S = (0.5, 2.0, 10.0)
BEFORE = 9
"""The turns that are played before the one that is timed."""
ENDLESS = 10**9
PLAYER = "engine/orders/player"
"""Where a Gunbai has its player: without it, the one of this tree would answer, or none."""
BATCH = 8
"""So many games are played before the sequential test is asked again: both seats, whoever begins, in two processes."""


class Ended(NamedTuple):
    """A game: whether the first of the pair won, by headquarters or not, and the seconds that both took."""

    won: bool
    by_headquarters: bool
    seconds: tuple[float, float]


def game_of_figures(figures: list[Any]) -> Ended:
    """Return a game from the figures that were kept of it."""
    won, by_headquarters, (mine, theirs) = figures
    return Ended(won, by_headquarters, (mine, theirs))


def play_game(pair: tuple[str, str], board_name: str, number: int, against: Path | None = None) -> Ended:
    """Play a whole game; its number decides seats, tokens, dice and cards.

    against: a folder with an older Gunbai that plays the second of the pair.
    """
    position, chance = dealt_game(board_name, number)
    first = number % 2
    seats = [seat_of(kind, 2 * number + at) for at, kind in enumerate(pair)]
    if against is not None:
        seats[1] = OlderSeat(against, pair[1], f"{pair[1]} {2 * number + 1}")
    by_faction = seats if first == 0 else seats[::-1]
    seconds = [0.0, 0.0]
    while position.winner is None:
        position = apply(position, next_step(position, by_faction, seconds, chance))
    if isinstance(seats[1], OlderSeat):
        seats[1].close()
    mine, theirs = seconds[first], seconds[1 - first]
    return Ended(position.winner == first, position.reason == "hq_lost", (mine, theirs))


def is_decided(wins: int, games: int, low: float, high: float) -> bool:
    """Return whether a sequential test knows if the share of wins is at most `low` or at least `high`."""
    odds = wins * math.log(high / low) + (games - wins) * math.log((1 - high) / (1 - low))
    return abs(odds) >= math.log((1 - ERROR) / ERROR)


def elo(share: float) -> float:
    """Return the difference in Elo that gives a share of wins."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share / (1 - share))


def report(pair: tuple[str, str], board_name: str, games: Sequence[Ended]) -> str:
    """Return the figures of a pair on a board."""
    of, hits = len(games), sum(game.won for game in games)
    low, high = interval(hits, of)
    mine, theirs = (sum(game.seconds[at] for game in games) / of for at in (0, 1))
    headquarters = 100 * sum(game.by_headquarters for game in games) / of
    return (
        f"{pair[0]:>8} : {pair[1]:<8} {board_name:17} {hits:3}/{of:<3} {100 * hits / of:5.1f} %"
        f" ({100 * low:.0f} to {100 * high:.0f})  Elo {elo(hits / of):+5.0f} ({elo(low):+.0f} to {elo(high):+.0f})"
        f"  {mine:.1f} s and {theirs:.1f} s a game, {headquarters:.0f} % by headquarters"
    )


def looked_into(position: Position) -> list[int]:
    """Return how many positions the strong level looks into in each of the TIMES_S."""
    counts, begun = [0] * len(TIMES_S), time.process_time()

    def stop() -> bool:
        spent_s = time.process_time() - begun
        for at, limit_s in enumerate(TIMES_S):
            counts[at] += spent_s < limit_s
        return spent_s >= TIMES_S[-1]

    mover_winning_chance.cache_clear()
    choose(position, position.to_move_name, replace(LEVELS["strong"], iterations=ENDLESS), Random(1), stop)
    return counts


def time_report(board_name: str) -> str:
    """Return what the strong level looks into in a time, and what each level takes for the same turn."""
    board, chance = load_board(board_name), Random(board_name)
    tokens = dict(zip(board.slots, sorted(board.mode.tokens), strict=False))
    position = new_game(board_name, board.factions[0], tokens)
    seats, turns = [seat_of("child", at) for at in (0, 1)], 0
    while turns < BEFORE or owed(position) is not None:
        turns += owed(position) is None
        position = apply(position, next_step(position, seats, [0.0, 0.0], chance))
    taken = []
    for level in LEVELS.values():
        mover_winning_chance.cache_clear()
        begun = time.process_time()
        choose(position, position.to_move_name, level, Random(1))
        taken.append(f"{level.name} {1000 * (time.process_time() - begun):.0f} ms")
    found = zip(TIMES_S, looked_into(position), strict=True)
    counts = ", ".join(f"{count} positions in {limit_s:g} s" for limit_s, count in found)
    return f"{board_name:17} {', '.join(taken)}; {counts}"


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and end with exit status 2."""
        self.exit(2, f"players: {message}\n")


def pair_of(text: str) -> tuple[str, str]:
    """Parse two players, written as "strong:demo"; ArgumentTypeError if one is unknown."""
    first, colon, second = text.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f"expected two players, such as strong:demo, not {text!r}")
    for kind in (first, second):
        try:
            seat_of(kind, 1)
        except (KeyError, ValueError) as error:
            known = ", ".join((*LEVELS, *SEATS))
            raise argparse.ArgumentTypeError(f"no player {kind!r} (choose from {known})") from error
    return first, second


def count_of(text: str) -> int:
    """Parse a number from 1; ArgumentTypeError if it is none."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a number from 1, not {text!r}")
    return int(text)


def limits_of(text: str) -> tuple[float, float]:
    """Parse the two shares between which a sequential test decides; ArgumentTypeError if they are none."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not 0 < low < high < 1:
        raise argparse.ArgumentTypeError(f"expected two shares such as 0.5,0.7, not {text!r}")
    return low, high


def parse_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line; SystemExit if it is wrong."""
    parser = Parser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--pair", type=pair_of, action="append", help="two players, such as strong:demo; more than once for several"
    )
    parser.add_argument("--board", choices=board_names(), action="append", help="a board; more than once for several")
    parser.add_argument("--games", type=count_of, default=60)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="games played before, and those played now")
    parser.add_argument("--processes", type=count_of, default=2)
    parser.add_argument(
        "--against", type=Path, metavar="FOLDER", help="an older Gunbai that plays the second of a pair"
    )
    parser.add_argument(
        "--sprt", type=limits_of, metavar="LOW,HIGH", help="stop once it is known which share the first one wins"
    )
    parser.add_argument("--time", action="store_true", help="measure how far it looks in a time")
    args = parser.parse_args(words)
    if args.against is not None and not (args.against / PLAYER).is_dir():
        parser.error(f"--against: {args.against}: not a Gunbai that has a player ({PLAYER} is missing)")
    if args.against is not None and not args.pair:
        parser.error("--against: needs a --pair, the second of which the older Gunbai plays")
    for first, second in args.pair or ():
        if args.against is None and first == second:
            parser.error(f"--pair: {first} against itself tells nothing: name another, or --against FOLDER")
        if args.against is not None and second not in LEVELS:
            parser.error(f"--against: an older Gunbai plays one of {', '.join(LEVELS)}, not {second}")
    if args.sprt and args.games < BATCH:
        parser.error(f"--sprt: needs at least {BATCH} --games")
    try:
        args.kept = Kept(args.keep, game_of_figures, list)
    except OSError as error:
        parser.error(f"--keep: {args.keep}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        parser.error(f"--keep: {args.keep}: not a file of kept games")
    return args


def main() -> None:
    """Print the figures."""
    args = parse_arguments()
    if args.time:
        for name in args.board or board_names():
            print(time_report(name), flush=True)
        return
    limits: tuple[float, float] | None = args.sprt
    for first, second in dict.fromkeys(args.pair or LADDER):
        everywhere = list[Ended]()
        for name in args.board or board_names():
            play = in_processes(args.processes, partial(play_game, (first, second), name, against=args.against))
            key = f"{first}:{second}{' of ' + args.against.name if args.against else ''} {name}"
            games = list[Ended]()
            for last in range(BATCH, args.games + 1, BATCH) if limits else (args.games,):
                games = args.kept.play(key, range(FIRST_NUMBER, FIRST_NUMBER + last), play)
                if limits and is_decided(sum(game.won for game in games), len(games), limits[0], limits[1]):
                    break
            everywhere += games
            print(report((first, second), name, games), flush=True)
        print(report((first, second), "all", everywhere), flush=True)


if __name__ == "__main__":
    main()
