"""How long saved games take to be read, step by step, and how much memory: games far longer than anybody plays.

    python -m benchmarks.saved_games [--steps 100000]

For each system a game of agreed steps is read from its bytes. The first ratio is of a step of the long game to a step
of one a tenth as long: near 1 where the time grows with the length and not with its square. The second is of the game
with a byte wrong in each of eight lines, which are put right, to the sound one. Memory is the most that the process has
taken, each system in a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

from companion.games import checksums
from companion.games.journal import MOST_MENDED, MOST_STEPS, parse_journal

AREAS = ("c4", "b3", "d3")
BEGIN: dict[str, dict[str, Any]] = {
    "orders": {"board": "sengoku-rivers", "initiative": "red"},
    "sonae": {"system": "sonae", "scenario": "maru-shikaku"},
    "generals": {
        "system": "generals",
        "decks": {"red": "practice-cranes", "black": "practice-wolves"},
        "first": "red",
    },
}
STEP: dict[str, Callable[[int], dict[str, Any]]] = {
    "orders": lambda n: {"agreed": {AREAS[n % 3]: {"red": {"troop": 1 + n % 4}}}, "note": f"step {n}"},
    "sonae": lambda n: {"agreed": {}, "note": f"step {n}"},
    "generals": lambda _n: {"agreed": "red"},
}


def game_bytes(system: str, steps: int) -> bytes:
    """Return a saved game of so many steps."""
    return b"".join(_lines(system, steps))


def _lines(system: str, steps: int) -> Iterator[bytes]:
    line = checksums.with_checksum({"do": "new", "format": 1, **BEGIN[system]}, ())
    yield line
    for n in range(steps):
        line = checksums.with_checksum(STEP[system](n), (line,))
        yield line


def damage(data: bytes) -> bytes:
    """Spoil one byte in each of as many lines as are put right at most."""
    found = bytearray(data)
    for n in range(1, MOST_MENDED + 1):
        found[n * len(found) // (MOST_MENDED + 1)] ^= 1
    return bytes(found)


def read_s(data: bytes, steps: int, mended: int = 0) -> float:
    """Return the seconds that reading a whole game takes."""
    began_s = time.perf_counter()
    journal = parse_journal(data, "the game")
    assert (journal.fault, len(journal.steps), len(journal.mended)) == (None, steps, mended), journal.fault
    return time.perf_counter() - began_s


def measure(system: str, steps: int) -> str:
    """Measure reading games of so many steps, and return the figures as a line of the table."""
    short_s = read_s(game_bytes(system, steps // 10), steps // 10)
    data = game_bytes(system, steps)
    whole_s = read_s(data, steps)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    mended_s = read_s(damage(data), steps, MOST_MENDED)
    figures = f"{system:<9} {len(data) / 1e6:5.1f} MB {whole_s:6.2f} s {whole_s / steps * 1e6:5.0f} µs a step"
    return f"{figures}  {whole_s / short_s / 10:5.2f} {mended_s / whole_s:6.2f}  {peak_mib:5.0f} MiB"


def main() -> None:
    """Print the figures of all systems."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.saved_games", description="reading long saved games")
    parser.add_argument("--steps", type=int, default=MOST_STEPS)
    steps = parser.parse_args().steps
    print(
        f"{steps} steps; then: a step against one of a tenth of them; eight bytes wrong against sound; the most memory"
    )
    for system in BEGIN:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.apply(measure, (system, steps)), flush=True)


if __name__ == "__main__":
    main()
