"""A saved game as it lies on the disk: the `new` request on the first line, then a step a line.

Reading never changes a file and never gives up early: what is whole and legal counts, and the first
thing that is not is told as a `Fault`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import MatchError
from engine.errors import EngineError, Illegal
from engine.orders.game import apply, new_game
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.orders.wire import step_from_json
from engine.ruling import Ruling

MARK_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a journal is not read to its end; `ruling` is there where the rules refused the step."""

    line: int
    message: str
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Journal:
    """What a saved game holds.

    lines: the request's line and one for each step, each with its newline; positions: the start and
    the position after each step; whole: how many bytes of the file these lines take; fault: what
    stands after them, None where nothing does.
    """

    request: Mapping[str, Any]
    lines: tuple[bytes, ...]
    steps: tuple[Step, ...]
    positions: tuple[Position, ...]
    whole: int
    fault: Fault | None

    @property
    def last(self) -> Position:
        """The position the game has come to."""
        return self.positions[-1]


def mark_of(lines: Iterable[bytes]) -> str:
    """A short name for a game as these lines tell it: another for every other course of it, the same on every disk."""
    return hashlib.sha256(b"".join(lines)).hexdigest()[:MARK_DIGITS]


def object_of(line: bytes) -> dict[str, Any]:
    """The JSON object on a line; ValueError with a few words where there is none."""
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError:
        raise ValueError("not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("not a step: nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def start_of(request: Mapping[str, Any]) -> Position:
    """The starting position a `new` request asks for; EngineError or ValueError where it is none."""
    if request.get("do") != "new":
        raise ValueError('a saved game starts with {"do": "new", ...}')
    board, initiative = request.get("board"), request.get("initiative")
    bonuses, readings = request.get("bonuses", {}), request.get("readings", {})
    if not isinstance(board, str) or not isinstance(initiative, str):
        raise ValueError("board and initiative: names are expected")
    if not _is_texts(bonuses) or not _is_texts(readings):
        raise ValueError("bonuses and readings: objects of names are expected")
    for name, answer in readings.items():
        if answer not in ("default", "other"):
            raise ValueError(f"readings.{name}: default or other, not {answer!r}")
    return new_game(board, initiative, bonuses, [name for name, answer in readings.items() if answer == "other"])


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _split(data: bytes) -> list[tuple[int, int, bytes]]:
    """(number from 1, offset of the line's end, the line) for each line that is not blank."""
    found, offset = [], 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        offset += len(line)
        if line.strip():
            found.append((number, offset, line))
    return found


def _fault(number: int, line: bytes, error: Exception) -> Fault:
    if isinstance(error, Illegal):
        return Fault(number, f"the step on line {number} is against the rules: {error}", error.ruling)
    if not line.endswith(b"\n"):
        return Fault(number, f"line {number} is cut off")
    return Fault(number, f"line {number} is broken ({error})")


class _Reader:
    """Gathers whole, legal lines until the first fault."""

    def __init__(self, request: dict[str, Any], line: bytes, offset: int) -> None:
        self.request = request
        self.lines = [line.rstrip() + b"\n"]
        self.steps: list[Step] = []
        self.positions = [start_of(request)]
        self.whole = offset

    def take(self, line: bytes, offset: int) -> None:
        step = step_from_json(object_of(line))
        self.positions.append(apply(self.positions[-1], step))
        self.steps.append(step)
        self.lines.append(line.rstrip() + b"\n")
        self.whole = offset

    def journal(self, fault: Fault | None) -> Journal:
        return Journal(self.request, tuple(self.lines), tuple(self.steps), tuple(self.positions), self.whole, fault)


def parse_journal(data: bytes, name: str) -> Journal:
    """The saved game in these bytes; MatchError, naming the file, where not even its first line is one."""
    lines = _split(data)
    if not lines:
        raise MatchError(f"{name}: no saved game: the file is empty")
    number, offset, line = lines[0]
    try:
        reader = _Reader(object_of(line), line, offset)
    except (EngineError, ValueError) as error:
        raise MatchError(f"{name}: no saved game: {_fault(number, line, error).message}") from error
    for number, offset, line in lines[1:]:
        try:
            reader.take(line, offset)
        except (EngineError, ValueError) as error:
            return reader.journal(_fault(number, line, error))
    return reader.journal(None)


def read_journal(path: Path) -> Journal:
    """The saved game in a file, which stays as it is; MatchError where it cannot be read or is no game."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MatchError(f"{path}: cannot be read ({error.strerror})") from error
    return parse_journal(data, str(path))
