"""What a head start is worth: games of a level against the next one, without one and with one, on all boards.

    python -m benchmarks.head_starts --keep FILE [--pair child:even]... [--games 40] [--board B]... [--processes 2]
        [--write]

The games are those of `benchmarks.players`: the weaker side changes seats every game, and who begins every second game;
where the initiative is given, the weaker side always begins. For each pair and head start: the share of games that the
weaker side wins, with the 95 % interval of Wilson. `--write` puts the counts of all pairs into
`engine/data/head_starts`, from where the app tells them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from benchmarks.seating.kept import Kept, in_processes, interval
from benchmarks.seating.seats import FIRST_NUMBER, dealt_game, next_step, seat_of
from engine.orders.board import board_names
from engine.orders.game import apply, new_game
from engine.orders.player import LEVELS
from engine.orders.player.levels import HEAD_STARTS, HeadStart, Worth, extra_troops_step

PAIRS = tuple(pairwise(LEVELS))
TABLE = Path("engine/data/head_starts/levels.toml")
HEAD = "# Games that the weaker of two levels won, with a head start and without (python -m benchmarks.head_starts).\n"


def play_game(pair: tuple[str, str], given: HeadStart, board_name: str, number: int) -> bool:
    """Play a whole game of the weaker level against the stronger; return whether the weaker one wins."""
    position, chance = dealt_game(board_name, number)
    board, weaker = position.board, number % 2
    if given == "initiative":
        tokens = {slot: token for slot, token in zip(board.slots, position.bonuses, strict=True) if token}
        position = new_game(board_name, board.factions[weaker], tokens)
    elif given == "troops":
        position = apply(position, extra_troops_step(position, board.factions[weaker]))
    seats = [seat_of(kind, 2 * number + at) for at, kind in enumerate(pair)]
    by_faction = seats[::-1] if weaker else seats
    while position.winner is None:
        position = apply(position, next_step(position, by_faction, [0.0, 0.0], chance))
    return position.winner == weaker


def report(pair: tuple[str, str], given: HeadStart, worth: Worth) -> str:
    """Return the figures of a head start between two levels."""
    low, high = interval(*worth)
    share = f"{100 * worth.wins / worth.games:5.1f} % ({100 * low:.0f} to {100 * high:.0f})"
    return f"{pair[0]:>8} : {pair[1]:<8} {given:10} {worth.wins:3}/{worth.games:<3} {share}"


def table(counts: Sequence[tuple[tuple[str, str], HeadStart, Worth]]) -> str:
    """Return the counts as their table has them."""
    lines = (
        f'  {{ weaker = "{weaker}", stronger = "{stronger}", given = "{given}", wins = {wins}, games = {games} }},\n'
        for (weaker, stronger), given, (wins, games) in counts
    )
    return f"{HEAD}counts = [\n{''.join(lines)}]\n"


def main() -> None:
    """Print the figures, and write them where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--pair", action="append", help="two levels, such as child:even; more than once for several")
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--games", type=int, default=40, help="of each pair with each head start")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="games played before, and those played now")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help=f"put the counts into {TABLE}")
    args = parser.parse_args()
    kept, boards = Kept(args.keep, bool, bool), args.board or board_names()
    numbers = range(FIRST_NUMBER, FIRST_NUMBER + args.games // len(boards))
    counts = list[tuple[tuple[str, str], HeadStart, Worth]]()
    for weaker, stronger in [pair.split(":") for pair in args.pair or ()] or PAIRS:
        pair = weaker, stronger
        for given in HEAD_STARTS:
            won = list[bool]()
            for name in boards:
                play = in_processes(args.processes, partial(play_game, pair, given, name))
                won += kept.play(f"{weaker}:{stronger} {given} {name}", numbers, play)
            counts.append((pair, given, Worth(sum(won), len(won))))
            print(report(*counts[-1]), flush=True)
    if args.write:
        TABLE.write_text(table(counts), encoding="utf-8")


if __name__ == "__main__":
    main()
