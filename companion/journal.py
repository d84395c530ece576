"""A saved game as it lies on the disk: the `new` request on the first line, then a step a line.

Reading never changes a file and never gives up early: what is whole and legal counts, and the first
thing that is not is told as a `Fault`. Lines carry check values (`companion.sums`): one byte that has
changed is found and put right, anything worse is a fault.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from companion import sums
from companion.errors import MatchError
from engine.errors import EngineError, Illegal
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.ruling import Ruling
from engine.system import System
from engine.systems import SYSTEMS, system_named

P = TypeVar("P")
S = TypeVar("S")
MARK_DIGITS = 12
LONGEST_NAME = 40
MOST_MENDED = 8  # a file with more damaged lines than this is not worth the wait
TOO_DEEP = "not a step: nested too deeply"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a journal is not read to its end; `ruling` is there where the rules refused the step."""

    line: int
    message: str
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Journal(Generic[P, S]):
    """What a saved game holds, of whatever system of rules.

    lines: the request's line and one for each step, each with its newline; positions: the start and
    the position after each step; whole: how many bytes of the file these lines take; fault: what
    stands after them, None where nothing does. data: the file's bytes, with what could be put right in
    the lines `mended`, counted from 1.
    """

    request: Mapping[str, Any]
    lines: tuple[bytes, ...]
    steps: tuple[S, ...]
    positions: tuple[P, ...]
    whole: int
    fault: Fault | None
    data: bytes
    mended: tuple[int, ...] = ()

    @property
    def system(self) -> System[P, S]:
        """The rules it is played by."""
        return system_of(self.request)

    @property
    def last(self) -> P:
        """The position the game has come to."""
        return self.positions[-1]


AnyJournal = Journal[Any, Any]
OrdersJournal = Journal[Position, Step]


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
        raise ValueError(TOO_DEEP) from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def system_of(request: Mapping[str, Any]) -> System[Any, Any]:
    """The system of rules that a saved game is played by, as its first line says; BadRequest for an unknown one."""
    return system_named(request.get("system", SYSTEMS[0]))


def players_of(request: Mapping[str, Any]) -> dict[str, str]:
    """{side: name} as a saved game's first line has them, as much of each as a line on a screen can hold."""
    names = request.get("players", {})
    told = names.items() if isinstance(names, dict) else ()
    return {str(who): "".join(filter(str.isprintable, str(name)[:LONGEST_NAME])) for who, name in told}


def start_of(request: Mapping[str, Any]) -> Any:
    """The starting position a `new` request asks for; EngineError or ValueError where it is none."""
    if request.get("do") != "new":
        raise ValueError('a saved game starts with {"do": "new", ...}')
    return system_of(request).new(dict(request))


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

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.request: dict[str, Any] = {}
        self.lines: list[bytes] = []
        self.steps: list[Any] = []
        self.positions: list[Any] = []
        self.starts = [0]  # where each line that was read begins, and where the next one does
        self.chains = [0]  # the check value before each of them

    def read(self) -> Fault | None:
        """To the end of the data, or to the first fault."""
        for number, offset, line in _split(self.data):
            try:
                self._take(line)
            except (EngineError, ValueError) as error:
                return _fault(number, line, error)
            self.starts.append(offset)
        return None

    def _take(self, line: bytes) -> None:
        value = object_of(line)
        chain = sums.following(self.chains[-1], value)
        if not sums.fits(value, chain):
            raise ValueError("its check value tells that it was changed")
        self._play(sums.plain(value))
        self.lines.append(line.rstrip() + b"\n")
        self.chains.append(chain)

    def _play(self, value: dict[str, Any]) -> None:
        if not self.positions:
            self.positions.append(start_of(value))
            self.request = value
            return
        system = system_of(self.request)
        step = system.step(value)
        self.positions.append(system.apply(self.positions[-1], step))
        self.steps.append(step)

    def mended(self) -> bytes | None:
        """The data with one byte put right in the line where reading stopped; None where that does not help.

        Where the line before bears no check value, it may have lost it, and is tried too.
        """
        reach = 1 if not self.lines or sums.is_sealed(self.lines[-1]) else 2
        for start, chain in list(zip(self.starts, self.chains, strict=True))[: -1 - reach : -1]:
            end = self._line_end(self._line_end(start))
            region = sums.mended(self.data[start:end], chain)
            if region is not None:
                return self.data[:start] + region + self.data[end:]
        return None

    def _line_end(self, start: int) -> int:
        return self.data.find(b"\n", start) + 1 or len(self.data)

    def journal(self, fault: Fault | None, mended: Iterable[int]) -> AnyJournal:
        steps, positions = tuple(self.steps), tuple(self.positions)
        whole = self.starts[-1]
        return Journal(self.request, tuple(self.lines), steps, positions, whole, fault, self.data, tuple(mended))


def parse_journal(data: bytes, name: str) -> AnyJournal:
    """The saved game in these bytes; MatchError, naming the file, where not even its first line is one."""
    if not data.strip():
        raise MatchError(f"{name}: no saved game: the file is empty")
    reader = _Reader(data)
    mended: list[int] = []
    fault = reader.read()
    while fault is not None and len(mended) < MOST_MENDED and (better := reader.mended()) is not None:
        mended.append(_first_change(reader.data, better))
        reader = _Reader(better)
        fault = reader.read()
    if not reader.positions:
        assert fault is not None
        raise MatchError(f"{name}: no saved game: {fault.message}")
    return reader.journal(fault, mended)


def _first_change(before: bytes, after: bytes) -> int:
    """The number of the line in which two texts of one length begin to differ."""
    place = next(i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
    return after[:place].count(b"\n") + 1


def read_game(path: Path) -> AnyJournal:
    """The saved game in a file, which stays as it is; MatchError where it cannot be read or is no game."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MatchError(f"{path}: cannot be read ({error.strerror})") from error
    return parse_journal(data, str(path))


def of_orders(journal: AnyJournal, name: str) -> OrdersJournal:
    """A saved game, if it is one of General Orders; MatchError, naming the file, where it is not."""
    if journal.system.name != SYSTEMS[0]:
        raise MatchError(f"{name}: a game of {journal.system.name}, not of General Orders")
    return cast(OrdersJournal, journal)


def read_journal(path: Path) -> OrdersJournal:
    """As `read_game`, for games of General Orders alone."""
    return of_orders(read_game(path), str(path))
