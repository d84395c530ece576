"""What a very long game costs at the table and in its log: each touch, at more and more steps.

    python -m benchmarks.log [--steps 100,2000,10000,100000] [--size 800x480]

The games are made of agreed steps, the only ones that no rule ever ends; their rounds go on for two hundred steps each.
Each line tells CPU time and time by the clock of a touch until its picture is shown, and the last column the ratio to
the same touch in the shortest game. Steps of the match itself are written to the disk, with no sync.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from benchmarks.measuring import Timed, size_px, time_work
from benchmarks.window import Hand, separate_place
from companion.app.app import App
from companion.games.checksums import with_checksum
from companion.games.match import Match, open_game
from engine.orders.steps import Agreed, OtherCorrections, Step
from engine.orders.wire import step_to_json
from tests.companion.sample_games import REQUEST

ROUND = 200  # steps


def step(n: int) -> Step:
    """Return the `n`th step of a long game: another round now and then, else whose turn it is."""
    if n % ROUND == ROUND - 1:
        return Agreed(other=OtherCorrections(round=1 + n // ROUND % 4))
    return Agreed(to_move=("red", "black")[n % 2], note=f"evening {n}")


def long_game(path: Path, steps: int) -> Match:
    """Return a game of so many steps, opened."""
    lines: list[bytes] = []
    for value in (
        {**REQUEST, "players": {"red": "Ana", "black": "Bo"}},
        *(step_to_json(step(n)) for n in range(steps)),
    ):
        lines.append(with_checksum(value, lines))
    path.write_bytes(b"".join(lines))
    return cast(Match, open_game(path))


class Desk(Hand):
    """The window of a game, and what is done at it."""

    def __init__(self, match: Match, size: str) -> None:
        super().__init__(App(match=match), size_px(size))

    def took(self, work: Callable[[], object]) -> Timed:
        """Time something done to the match until the table shows it."""

        def shown() -> None:
            work()
            self.app.version += 1
            self.window.refresh()

        return time_work(shown)


def figures(match: Match, size: str) -> dict[str, Timed]:
    """Measure the table, the log and its pages for a game."""
    steps, desk = len(match.steps), Desk(match, size)
    found = {"the table": desk.touch("hush"), "the log": desk.touch("log"), "a page of it": desk.touch("page", n=1)}
    found["its first chapter"] = desk.touch("round", n=1)
    found["a moment"] = desk.touch("moment", n=steps - 3)
    found["a moment earlier"] = desk.touch("step", n=-1)
    desk.touch("back")
    found["what can be taken back"] = desk.touch("undo-list")
    desk.touch("back")
    desk.touch("back")
    found["an argument"] = desk.touch("dispute")
    desk.touch("back")
    found["a step, judged, written and shown"] = desk.took(lambda: match.offer(step(steps)))
    found["taken back"] = desk.took(match.undo)
    found["done again"] = desk.took(match.redo)
    return found


def measure_game(folder: Path, steps: int, size: str) -> dict[str, Timed]:
    """Return the figures of a game of so many steps."""
    match = long_game(folder / f"game-{steps}.jsonl", steps)
    try:
        return figures(match, size)
    finally:
        match.close()


def report(counts: Sequence[int], found: Sequence[dict[str, Timed]]) -> None:
    """Print a line for each touch, a column for each length."""
    print(f"{'CPU ms (ms by the clock)':36}" + "".join(f"{f'{n} steps':>22}" for n in counts) + f"{'ratio':>8}")
    for what in found[0]:
        times = [game[what] for game in found]
        ratio = times[-1][0] / max(times[0][0], 0.1)
        print(f"{what:36}" + "".join(f"{f'{cpu:.1f} ({wall:.1f})':>22}" for cpu, wall in times) + f"{ratio:>8.1f}")


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.log", description="what a very long game costs")
    parser.add_argument("--steps", default="100,2000,10000,99000")
    parser.add_argument("--size", default="800x480")
    options = parser.parse_args()
    setattr(os, "fsync", lambda handle: None)  # noqa: B010
    counts = [int(n) for n in options.steps.split(",")]
    with separate_place() as place:
        report(counts, [measure_game(place, n, options.size) for n in counts])


if __name__ == "__main__":
    main()
