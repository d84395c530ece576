"""Battles of Sonae that play themselves: who wins, how they end, in which turn, and what comes up in them.

python -m benchmarks.battles [--scenario S] [--games 40] [--seed 0]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import process_time

from companion.demo.sonae_player import SonaePlayer
from engine.sonae.game import apply, new_game
from engine.sonae.scenario import Scenario, load_scenario


@dataclass(slots=True)
class Tally:
    """Many battles: how they ended and in which turn, their steps, and in how many of them a thing came up."""

    ends: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    seconds: float = 0.0


def play(scenario: Scenario, seed: int, tally: Tally) -> None:
    """Play one battle to its end, and count what comes up in it."""
    player, position, kinds = SonaePlayer(seed), new_game(scenario), set[str]()
    began = process_time()
    while (step := player.step(position)) is not None:
        kinds.add(position.due[0].kind if position.due else type(step).__name__.lower())
        position = apply(position, step)
        kinds.update({"charge"} if any(unit.charged for unit in position.units) else ())
        tally.steps += 1
    tally.seconds += process_time() - began
    tally.ends[f"{position.winner_name} by {position.reason}"] += 1
    tally.turns[position.turn] += 1
    tally.seen.update(kinds)


def tally_lines(tally: Tally) -> str:
    """Return the figures in lines."""
    games = sum(tally.ends.values())
    ends = ", ".join(f"{end} {n}" for end, n in tally.ends.most_common())
    turns = ", ".join(f"{turn}: {n}" for turn, n in sorted(tally.turns.items()))
    kinds = ", ".join(f"{what} {n}" for what, n in tally.seen.most_common())
    size = f"{tally.steps / games:.0f} steps and {tally.seconds / games:.1f} s of the processor each"
    return f"{games} battles, {size}\nends: {ends}\nturns: {turns}\ncame up in: {kinds}"


def main(argv: Sequence[str] | None = None) -> int:
    """Play battles and print how they went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="maru-shikaku")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    tally = Tally()
    for seed in range(options.seed, options.seed + options.games):
        play(load_scenario(options.scenario), seed, tally)
    print(tally_lines(tally))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
