"""What the cards of General Orders bring on average where they are played, counted in self-play.

    python -m training.card_gains [--games 200] [--first 0] [--board B]...

Writes `engine/data/gains/MODE.toml`: by how much a card of each name raises the chance to win of who plays it, and
the mean of all cards that were played. A card that was played fewer than ten times is left out. A game's number decides
all of it. 200 games a board take about three minutes of one core.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean

import engine
from engine.orders.board import board_names, load_board
from engine.orders.game import apply
from engine.orders.player import chance_to_win
from engine.orders.steps import Play
from training.player_games import Style, next_step, one_ahead, start

FOLDER = Path(engine.__file__).parent / "data" / "gains"
LEAST = 10


def gains_of(board_name: str, number: int) -> Iterator[tuple[str, float]]:
    """Yield each card played in a game, and by how much it raised the chance to win."""
    rng = Random(f"cards {number}")
    position, style = start(board_name, rng), Style("all", freedom=0.01, wild=0.0)
    while position.winner is None:
        step = next_step(position, lambda here: one_ahead(here, rng, style)[0], rng)
        after = apply(position, step)
        if isinstance(step, Play):
            yield step.card, chance_to_win(after, step.by) - chance_to_win(position, step.by)
        position = after


def main() -> None:
    """Play the games and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    for board_name in args.board or board_names():
        found: defaultdict[str, list[float]] = defaultdict(list)
        for number in range(args.first, args.first + args.games):
            for card, gain in gains_of(board_name, number):
                found[card].append(gain)
        known = {card: gains for card, gains in sorted(found.items()) if len(gains) >= LEAST}
        whole = mean([gain for gains in known.values() for gain in gains]) if known else 0.0
        lines = [f"# {args.games} games of training.card_gains", f"mean = {whole:.4f}", "", "[gains]"]
        lines += [f"{card} = {mean(gains):.4f}  # of {len(gains)} times" for card, gains in known.items()]
        FOLDER.mkdir(exist_ok=True)
        path = FOLDER / f"{load_board(board_name).mode.name}.toml"
        path.write_text("\n".join(lines) + "\n")
        print(f"{path}: {sum(map(len, known.values()))} cards played", flush=True)


if __name__ == "__main__":
    main()
