"""Games that a benchmark has played, kept in a file: a run goes on where another ended, and tells of all of them.

A line a game: `{"what": "strong:demo sengoku-rivers", "number": 4, "figures": ...}`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

Figures = TypeVar("Figures")


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
        """Play the games that are not known yet, and return the figures of all that are known then."""
        known = self._games[what]
        missing = [number for number in numbers if number not in known]
        for number, figures in zip(missing, games(missing), strict=True):
            known[number] = figures
            if self._path is not None:
                with self._path.open("a") as file:
                    file.write(json.dumps({"what": what, "number": number, "figures": self._write(figures)}) + "\n")
        return list(known.values())
