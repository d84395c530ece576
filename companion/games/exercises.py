"""Turns of reviewed games to try again: those that gave up much by choice, and when each comes back.

They are read off the reviews beside the kept games. What was tried is kept in `practice.json` in Gunbai's folder for
data: a turn that was missed comes back after 1, 3, 7 and 21 days, then it is learnt.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Protocol, TypeVar

from companion.core.storage import GAME_SUFFIX, atomic_write, data_dir, set_aside
from companion.games.journal import MOST_BYTES as MOST_GAME_BYTES
from companion.games.journal import object_of
from companion.games.opponent import opponent_of
from companion.games.review_file import MOST_BYTES, SUFFIX
from engine.orders.player.review import ReviewedTurn
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object

LOST = 0.08
"""A turn that gave up more than this by choice is worth trying again."""
DAYS = (1, 3, 7, 21)
FORMAT = 1
FILE = "practice.json"
MOST_TRIED = 20_000


@dataclass(frozen=True, slots=True)
class Exercise:
    """A turn to try again: the game's file, the mark of its whole course, its first step, whose it is, what it lost."""

    game: Path
    mark: str
    first: int
    side: str
    lost: float

    @property
    def key(self) -> str:
        """What it is known by, whatever its file is called."""
        return f"{self.mark}:{self.first}"


def exercises_of(game: Path, mark: str, turns: Sequence[ReviewedTurn], but: str = "") -> tuple[Exercise, ...]:
    """Return the turns of a reviewed game worth trying again, without those of the side `but`, which the app plays."""
    return tuple(
        Exercise(game, mark, turn.first, turn.side, -turn.choice)
        for turn in turns
        if -turn.choice > LOST and turn.side != but
    )


def kept_exercises(games: Path) -> Iterator[Exercise]:
    """Yield what is worth trying again of all reviewed games in a folder; nothing of what can't be read."""
    for path in sorted(games.glob(f"*{GAME_SUFFIX}{SUFFIX}")):
        with suppress(OSError, Unreadable, LookupError, TypeError, ValueError):
            yield from list(_written(path))


def _written(path: Path) -> Iterator[Exercise]:
    """Yield what a review's file names; of the game only its first line counts until it is tried."""
    game, value = path.with_name(path.name.removesuffix(SUFFIX)), parse_object(read_file(path, MOST_BYTES), MOST_BYTES)
    turns = [(-turn["choice"], turn["step"] - 1, str(turn["side"])) for turn in value["turns"]]
    request = object_of(read_file(game, MOST_GAME_BYTES).partition(b"\n")[0])
    opponent = opponent_of(request, tuple({side for _, _, side in turns}))
    for lost, first, side in turns:
        if lost > LOST and (opponent is None or side != opponent.side):
            yield Exercise(game, str(value["mark"]), first, side, float(lost))


@dataclass(frozen=True, slots=True)
class Tried:
    """How often a missed turn was found since, and on which day it comes back; None once it is learnt."""

    found: int
    due: date | None


class Asked(Protocol):
    """What may be asked: a turn to try again, or a puzzle."""

    @property
    def key(self) -> str:
        """What it is known by."""


A = TypeVar("A", bound=Asked)


class Practice:
    """What was tried, and what is to be tried on a day; kept on the disk where that works."""

    def __init__(self, path: Path | None = None, today: Callable[[], date] = date.today) -> None:
        self._path = path or data_dir() / FILE
        self._today = today
        self._tried, self._is_strange = _read(self._path)

    def due_today(self, exercises: Iterable[A]) -> tuple[A, ...]:
        """Return what to try today: what came back, the oldest first, then what was never tried."""
        today, back, new = self._today(), [], []
        for exercise in exercises:
            tried = self._tried.get(exercise.key)
            if tried is None:
                new.append(exercise)
            elif tried.due is not None and tried.due <= today:
                back.append((tried.due, exercise.key, exercise))
        return (*(exercise for _day, _key, exercise in sorted(back, key=lambda row: row[:2])), *new)

    def learnt(self, exercises: Iterable[Asked]) -> int:
        """Count those that need not come back."""
        return sum((tried := self._tried.get(exercise.key)) is not None and tried.due is None for exercise in exercises)

    def note_answer(self, exercise: Asked, solved: bool) -> None:
        """Note whether a turn was found at the first try: when it comes back follows from that.

        A file that can't be read, damaged or of a newer Gunbai, is kept aside first.
        """
        before = self._tried.get(exercise.key)
        found = 0 if not solved else len(DAYS) if before is None else before.found + 1
        due = self._today() + timedelta(DAYS[found]) if found < len(DAYS) else None
        self._tried[exercise.key] = Tried(found, due)
        with suppress(OSError):  # it is only tried once more then
            if self._is_strange:
                set_aside(self._path)
                self._is_strange = False
            atomic_write(self._path, tried_text(self._tried), "soon")


def tried_text(tried: Mapping[str, Tried]) -> bytes:
    """Return what was tried as a file's bytes."""
    rows = {key: {"found": row.found, "due": row.due and row.due.isoformat()} for key, row in tried.items()}
    return json.dumps({"format": FORMAT, "tried": rows}, ensure_ascii=False).encode() + b"\n"


def _read(path: Path) -> tuple[dict[str, Tried], bool]:
    """Return what was tried, nothing where the file is missing; and whether the file isn't one of these."""
    try:
        return tried_of(read_file(path, MOST_BYTES)), False
    except Unreadable:
        return {}, True
    except OSError:
        return {}, False


def tried_of(data: bytes) -> dict[str, Tried]:
    """Return what was tried, by the keys of the exercises; Unreadable for what is no such file."""
    value = parse_object(data, MOST_BYTES)
    try:
        if value["format"] != FORMAT or len(value["tried"]) > MOST_TRIED:
            raise Unreadable("not a list of turns that were tried")
        return {key: _tried(row) for key, row in value["tried"].items()}
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable("not a list of turns that were tried") from error


def _tried(row: Mapping[str, Any]) -> Tried:
    found, due = row["found"], row["due"]
    if type(found) is not int or not 0 <= found <= len(DAYS):
        raise ValueError("no number of times")
    return Tried(found, None if due is None else date.fromisoformat(due))
