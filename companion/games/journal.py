"""A saved game as it lies on the disk: the `new` request on the first line, then a step a line.

Reading never changes a file and never gives up early: what is whole and legal counts, and the first
thing that is not is told as a `JournalFault`. Lines carry check values (`companion.games.checksums`): one byte that has
changed is found and put right, anything worse is damage. A line that is as it was written, and is not
understood or not legal here, is no damage: a newer Gunbai wrote it, or the rules have changed since.

A line with its check value was written by a Gunbai, which had judged the step legal: where today's rules would only not
allow it, it is carried out and kept as it was recorded. A step that somebody wrote by hand is judged like any other.
"""

from __future__ import annotations

import hashlib
import io
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from companion.core.errors import MatchError
from companion.games import checksums
from engine.errors import EngineError, Illegal
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.ruling import Ruling
from engine.system import System
from engine.systems import DEFAULT, system_named
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object

P = TypeVar("P")
S = TypeVar("S")
MARK_DIGITS = 12
LONGEST_NAME = 40
MOST_MENDED = 8  # a file with more damaged lines than this is not worth the wait
MOST_BYTES = 50_000_000
MOST_STEPS = 100_000
DENIED_WITHIN = 1000  # how many lines later a check value may still refute a line that has none
_WHERE = re.compile(r" \(line 1, (column \d+)\)")
FORMAT = 1
FORMAT_KEY = "format"
"""On a line: the format of saved games that is needed to understand it; the first if it has no such key."""


@dataclass(frozen=True, slots=True)
class JournalFault:
    """Why a journal is not read to its end; with the ruling and the step where the rules refused one.

    intact: whether the line is as it was written, so that it is no damage and must be kept.
    """

    line: int
    message: str
    ruling: Ruling | None = None
    intact: bool = False
    step: Any = None


@dataclass(frozen=True, slots=True)
class Journal(Generic[P, S]):
    """A saved game as it was read, of any system of rules.

    lines: the request's line and one for each step, each with its newline; positions: the start, then the position
    after each step; whole: how many bytes of the file these lines take; fault: why reading stopped there, None at the
    file's end; data: the file's bytes after corrections; mended: the numbers, from 1, of corrected lines; kept: the
    numbers, from 1, of steps kept as recorded though today's rules would refuse them.
    """

    request: Mapping[str, Any]
    lines: tuple[bytes, ...]
    steps: tuple[S, ...]
    positions: tuple[P, ...]
    whole: int
    fault: JournalFault | None
    data: bytes
    mended: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()

    @property
    def system(self) -> System[P, S]:
        """The system of rules the game is played by."""
        return system_of(self.request)

    @property
    def last(self) -> P:
        """The position after the last step."""
        return self.positions[-1]

    @property
    def newer(self) -> bool:
        """Whether a newer Gunbai began the game, so that even its start may be misread."""
        return is_newer(self.request)

    @property
    def look_only(self) -> bool:
        """Whether the game is view-only, as its file holds undamaged lines that this Gunbai can't use."""
        return self.newer or (self.fault is not None and self.fault.intact)


AnyJournal = Journal[Any, Any]
OrdersJournal = Journal[Position, Step]


def mark_of(lines: Iterable[bytes]) -> str:
    """Return a short hash of a game's lines, which names its course: equal lines have equal marks."""
    return hashlib.sha256(b"".join(lines)).hexdigest()[:MARK_DIGITS]


def object_of(line: bytes) -> dict[str, Any]:
    """Parse the JSON object on a line; ValueError, with a short reason, if there is none or it is too large."""
    try:
        return parse_object(line.decode())
    except UnicodeDecodeError:
        raise ValueError("not UTF-8 text") from None
    except Unreadable as error:
        raise ValueError(_WHERE.sub(r" at \1", str(error))) from None


def is_newer(value: Mapping[str, Any]) -> bool:
    """Return whether a line says it needs a newer format than this Gunbai knows."""
    needs = value.get(FORMAT_KEY, FORMAT)
    return not isinstance(needs, int) or needs > FORMAT


def step_of(system: System[Any, S], value: Mapping[str, Any]) -> S:
    """Read the step from a line's object; EngineError or ValueError for one that this Gunbai doesn't know."""
    if is_newer(value):
        raise ValueError("written by a newer Gunbai")
    return system.read_step({key: item for key, item in value.items() if key not in (checksums.KEY, FORMAT_KEY)})


def system_of(request: Mapping[str, Any]) -> System[Any, Any]:
    """Return the system of rules that a saved game's first line names; BadRequest for an unknown one."""
    return system_named(request.get("system", DEFAULT))


def players_of(request: Mapping[str, Any]) -> dict[str, str]:
    """Return {side: player's name} from a saved game's first line, each cut to fit a line on the screen."""
    names = request.get("players", {})
    told = names.items() if isinstance(names, dict) else ()
    return {str(who): "".join(filter(str.isprintable, str(name)[:LONGEST_NAME])) for who, name in told}


def start_of(request: Mapping[str, Any]) -> Any:
    """Return the starting position that a `new` request asks for; EngineError or ValueError if it is not valid."""
    if request.get("do") != "new":
        raise ValueError('a saved game starts with {"do": "new", ...}')
    return system_of(request).new(dict(request))


def _lines_from(data: bytes, start: int) -> Iterator[bytes]:
    """Yield the lines from an offset on, each with its newline."""
    source = io.BytesIO(data)
    source.seek(start)
    return iter(source)


def _unknown(number: int, error: Exception) -> JournalFault:
    return JournalFault(number, f"line {number} isn't a step this Gunbai knows ({error})", intact=True)


class _Reader:
    """Reads lines as long as they are whole and legal, up to the first fault."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.request: dict[str, Any] = {}
        self.lines: list[bytes] = []
        self.steps: list[Any] = []
        self.positions: list[Any] = []
        self.kept: list[int] = []  # the numbers, from 1, of steps kept as recorded
        self.starts = [0]  # the offset of each line that was read, and of the next one
        self.chains = [0]  # the check value before each of them

    def read(self) -> JournalFault | None:
        """Read on to the end of the data or to the first fault; return that fault, None at the end."""
        end = self.starts[-1]
        for number, raw in enumerate(_lines_from(self.data, end), self._number(end)):
            end += len(raw)
            line = raw.removeprefix(BOM_UTF8) if number == 1 else raw  # editors put it there
            if not line.strip():
                continue
            if len(self.steps) == MOST_STEPS:
                return JournalFault(number, f"line {number} comes after the last step Gunbai reads", intact=True)
            try:
                value = object_of(line)
                chain = checksums.next_checksum(self.chains[-1], value)
                if not checksums.matches(value, chain):
                    raise ValueError("its check value doesn't match")
            except ValueError as error:
                if checksums.fits_raw(line.rstrip() + b"\n", self.chains[-1]):
                    return _unknown(number, error)
                broken = f"is broken ({error})" if line.endswith(b"\n") else "is cut off"
                return JournalFault(number, f"line {number} {broken}")
            try:
                self._play(value)
            except (EngineError, ValueError) as error:
                return self._refusal(number, value, error, self._is_denied(value, chain, end))
            self.lines.append(line if line.endswith(b"}\n") else line.rstrip() + b"\n")
            self.chains.append(chain)
            self.starts.append(end)
        return None

    def _number(self, offset: int) -> int:
        """Return the number of the line at this offset, counted from 1."""
        return self.data.count(b"\n", 0, offset) + 1

    def _play(self, value: dict[str, Any]) -> None:
        if not self.positions:
            self.request = checksums.plain(value)
            self.positions.append(start_of(self.request))
            return
        system, here = system_of(self.request), self.positions[-1]
        step = step_of(system, value)
        try:
            after = system.apply(here, step)
        except Illegal:
            if checksums.KEY not in value:
                raise
            after = system.play_recorded(here, step)[0]
            self.kept.append(len(self.positions))
        self.positions.append(after)
        self.steps.append(step)

    def _is_denied(self, value: Mapping[str, Any], chain: int, end: int) -> bool:
        """Return whether a line without a check value was changed since, going by the next check value after it."""
        if checksums.KEY in value:
            return False
        for line in islice(filter(bytes.strip, _lines_from(self.data, end)), DENIED_WITHIN):
            try:
                behind = object_of(line)
            except ValueError:
                return False
            chain = checksums.next_checksum(chain, behind)
            if checksums.KEY in behind:
                return not checksums.matches(behind, chain)
        return False

    def _refusal(self, number: int, value: Mapping[str, Any], error: Exception, denied: bool) -> JournalFault:
        """Describe the fault of a line that is whole, but is not understood or not legal here."""
        if not self.positions and is_newer(value):
            return JournalFault(number, f"started in a newer Gunbai ({error})")
        if isinstance(error, Illegal):
            message = f"the step on line {number} is against the rules: {error}"
            return JournalFault(number, message, error.ruling, not denied, step_of(system_of(self.request), value))
        if denied or not self.positions:
            return JournalFault(number, f"line {number} is broken ({error})")
        return _unknown(number, error)

    def mend(self) -> int | None:
        """Correct one byte of the line where reading stopped, go back to before it and return that line's number.

        None if that does not help. A line before it without a check value is tried too, as it may have lost that value.
        """
        last = len(self.lines)
        for n in range(last, max(last - 2, -1), -1):
            start = self.starts[n]
            end = self._line_end(self._line_end(start))
            region = checksums.repair_byte(self.data[start:end], self.chains[n])
            if region is not None:
                pairs = enumerate(zip(self.data[start:end], region, strict=True))
                number = self._number(start + next(i for i, (old, new) in pairs if old != new))
                self.data = self.data[:start] + region + self.data[end:]
                del self.lines[n:], self.positions[n:], self.starts[n + 1 :], self.chains[n + 1 :]
                del self.steps[max(n - 1, 0) :]
                self.kept = [step for step in self.kept if step < n]
                return number
            if n and checksums.is_sealed(self.lines[n - 1]):
                break
        return None

    def _line_end(self, start: int) -> int:
        return self.data.find(b"\n", start) + 1 or len(self.data)

    def journal(self, fault: JournalFault | None, mended: Iterable[int]) -> AnyJournal:
        steps, positions = tuple(self.steps), tuple(self.positions)
        whole = self.starts[-1]
        kept = tuple(self.kept)
        return Journal(self.request, tuple(self.lines), steps, positions, whole, fault, self.data, tuple(mended), kept)


def parse_journal(data: bytes, name: str) -> AnyJournal:
    """Read the saved game in these bytes; MatchError, naming the file, if not even its first line is valid."""
    if not data.strip():
        raise MatchError(f"{name}: not a saved game: the file is empty")
    reader = _Reader(data)
    mended: list[int] = []
    fault = reader.read()
    while fault is not None and len(mended) < MOST_MENDED and (number := reader.mend()) is not None:
        mended.append(number)
        fault = reader.read()
    if not reader.positions:
        assert fault is not None
        raise MatchError(f"{name}: {'' if is_newer(reader.request) else 'not a saved game: '}{fault.message}")
    return reader.journal(fault, mended)


def read_game(path: Path) -> AnyJournal:
    """Read the saved game in a file without changing the file; MatchError if it is unreadable or not a game."""
    try:
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise MatchError(f"{path}: can't be read ({error.strerror})") from error
    except Unreadable as error:
        raise MatchError(f"{path}: can't be read ({error})") from error
    return parse_journal(data, str(path))


def of_orders(journal: AnyJournal, name: str) -> OrdersJournal:
    """Return the same journal, typed as General Orders; MatchError, naming the file, for another system's."""
    if not isinstance(journal.last, Position):
        raise MatchError(f"{name}: a game of {journal.system.name}, not of General Orders")
    return cast(OrdersJournal, journal)


def read_journal(path: Path) -> OrdersJournal:
    """Read a saved game of General Orders; MatchError if it is unreadable, not a game, or of another system."""
    return of_orders(read_game(path), str(path))
