"""Games that a benchmark has played, kept in a file: a run goes on where another ended, and tells of all of them.

A line a game: `{"what": "strong:demo sengoku-rivers", "number": 4, "figures": ...}`. Beside it how sure a share of so
many games is, and how games are played in several processes.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from typing import Any, Generic, TypeVar

Figures = TypeVar("Figures")
SURE = 1.96


class Kept(Generic[Figures]):
    """The figures of games by what was played and the game's number; without a file only for as long as it runs."""

    def __init__(self, path: Path | None, read: Callable[[Any], Figures], write: Callable[[Figures], object]) -> None:
        """Open the file of kept games.

        `write` makes of figures what JSON can hold, and `read` figures of that.
        """
        self._path, self._write = path, write
        self._games: dict[str, dict[int, Figures]] = defaultdict(dict)
        for line in path.read_text().splitlines() if path is not None and path.exists() else ():
            game = json.loads(line)
            self._games[game["what"]][game["number"]] = read(game["figures"])

    def play(
        self, what: str, numbers: Sequence[int], games: Callable[[Sequence[int]], Iterable[Figures]]
    ) -> list[Figures]:
        """Play the games that aren't known yet; return the figures of all games of `what` that are known then."""
        known = self._games[what]
        missing = [number for number in numbers if number not in known]
        for number, figures in zip(missing, games(missing), strict=True):
            known[number] = figures
            if self._path is not None:
                with self._path.open("a") as file:
                    file.write(json.dumps({"what": what, "number": number, "figures": self._write(figures)}) + "\n")
        return list(known.values())


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    share, spread = hits / of, SURE**2 / of
    middle = (share + spread / 2) / (1 + spread)
    half = SURE * sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return middle - half, middle + half


def in_processes(processes: int, play: Callable[[int], Figures]) -> Callable[[Sequence[int]], Iterator[Figures]]:
    """Return a function that plays the games of some numbers by `play` in several processes, yielding their figures."""

    def games(numbers: Sequence[int]) -> Iterator[Figures]:
        with ProcessPoolExecutor(processes) as pool:
            yield from pool.map(play, numbers)

    return games
