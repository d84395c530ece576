"""What a review finds and takes: what players of each level give up by choice, and the seconds for a turn.

    python -m benchmarks.review [--level child]... [--board B]... [--games 1] [--seed 1] [--iterations 60]

It also holds the account of each game against its curve: by how much the parts of both sides miss it at worst, and how
much of it is what both saw only later. With `--iterations 0` it judges at a glance, so that hundreds of games are few
minutes; what is seen later is much then.

Both sides play at the same level (`strong300` has its iterations after it); a game's number decides tokens, dice and
cards. A reviewer that sees clearly finds little fault with whoever thinks longer than it does, and much with a child.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import mean

from benchmarks.seating.seats import LevelSeat, seat_of
from engine.orders.board import board_names
from engine.orders.game import apply, owed
from engine.orders.player import view_of
from engine.orders.player.review import AS_GOOD, REVIEWER, ReviewedTurn, account, chances, review
from engine.orders.position import Position
from engine.orders.steps import Accept, Roll, Step
from training.player_games import start, with_cards


def play_game(kind: str, board_name: str, number: int) -> tuple[list[Position], list[Step]]:
    """Play a whole game between two of a level, and return its positions and steps."""
    chance = Random(f"review {number}")
    seats = [seat_of(kind, 2 * number + at) for at in (0, 1)]
    assert all(isinstance(seat, LevelSeat) for seat in seats)
    positions, steps = [start(board_name, chance)], list[Step]()
    while positions[-1].winner is None:
        position = positions[-1]
        due = owed(position)
        if due is None:
            mover = position.to_move
            step: Step | None = with_cards(position, seats[mover].turn(view_of(position, mover)), chance)
        else:
            answers = (seats[seat].answer(view_of(position, seat)) for seat in (0, 1))
            step = next((answer for answer in answers if answer is not None), None)
            if step is None and due.wants == "roll":
                step = Roll(tuple(chance.choice(position.board.mode.die) for _ in range(due.dice)), due.by)
        steps.append(step or Accept())
        positions.append(apply(position, steps[-1]))
    return positions, steps


def account_of(turns: Sequence[ReviewedTurn], sides: tuple[str, str]) -> tuple[float, float]:
    """Return by how much the parts of both sides miss the curve of a game, and how much was only seen later."""
    one, other = (account(turns, side) for side in sides)
    curve = chances(turns, sides[0])
    return abs(one.whole - other.whole - (curve[-1] - curve[0])), abs(one.later - other.later)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--level", action="append", help="child, even, strong, strong300; more than once for several")
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, help="of the reviewer; those of the strong level if not given")
    args = parser.parse_args()
    level = REVIEWER if args.iterations is None else replace(REVIEWER, iterations=args.iterations)
    for kind in args.level or ("child", "even", "strong300"):
        turns, seconds, sums = list[ReviewedTurn](), 0.0, list[tuple[float, float]]()
        for board_name in args.board or board_names():
            for number in range(args.seed, args.seed + args.games):
                positions, steps = play_game(kind, board_name, number)
                begun = time.process_time()
                game = list(review(positions, steps, level))
                seconds += time.process_time() - begun
                turns += game
                sums.append(account_of(game, positions[0].board.factions))
        lost = [-turn.choice for turn in turns]
        good = sum(loss <= AS_GOOD for loss in lost)
        missed, later = (max(miss for miss, _ in sums), mean(later for _, later in sums))
        print(
            f"{kind:>10}: {len(turns)} turns, {100 * mean(lost):.1f} % given up by choice a turn,"
            f" {100 * good / len(turns):.0f} % of turns as good as the best; {seconds / len(turns):.2f} s a turn;"
            f" {len(sums)} games: parts miss the curve by {missed:.1e} at worst,"
            f" {100 * later:.0f} points a game seen later",
            flush=True,
        )


if __name__ == "__main__":
    main()
