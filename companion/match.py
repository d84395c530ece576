"""A game being played: its journal on the disk, the position it has come to, and the players' names.

A step that is legal is on the disk before anybody sees it in the position. One process at a time
plays a game: the file is locked as long as the match lives.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion import storage, sums, undone
from companion.errors import MatchError
from companion.journal import Fault, Journal, mark_of, object_of, parse_journal, start_of
from companion.undone import TakenBack
from engine.orders.board import Board
from engine.orders.draft import Event
from engine.orders.game import judge, play
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.orders.wire import step_from_json, step_to_json
from engine.ruling import Ruling


class Match:
    """One game, with its file. Made by `start` or `open`; `close` lets another process have the file."""

    def __init__(self, path: Path, handle: int, journal: Journal) -> None:
        self.path = path
        self.notice: str | None = None
        self.events: tuple[Event, ...] = ()
        self._handle = handle
        self._release = weakref.finalize(self, os.close, handle)
        self._request = journal.request
        self._lines = list(journal.lines)
        self._steps = list(journal.steps)
        self._positions = list(journal.positions)
        self._records = _records(path)

    @classmethod
    def start(
        cls,
        path: Path,
        board_name: str,
        initiative: str,
        bonuses: Mapping[str, str],
        players: Mapping[str, str] | None = None,
    ) -> Match:
        """Begin a game in a new file; EngineError for a wrong board or bonuses, MatchError for a file that is there."""
        request: dict[str, object] = {"board": board_name, "initiative": initiative, "bonuses": dict(bonuses)}
        if players:
            request["players"] = dict(players)
        return cls.begin(path, request)

    @classmethod
    def begin(cls, path: Path, request: Mapping[str, object]) -> Match:
        """As `start`, with all that a `new` request may say, such as the table's `readings`."""
        request = {"do": "new", **request}
        start_of(request)
        try:
            storage.create(path, sums.sealed(request, ()))
        except FileExistsError as error:
            raise MatchError(f"{path}: there is a file of that name already") from error
        except OSError as error:
            raise MatchError(f"{path}: cannot be written ({error.strerror})") from error
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Match:
        """Go on with a saved game; MatchError for a file that is no game, or is open elsewhere.

        What is damaged or refused by the rules, and all that follows it, is moved to `FILE.broken-N`,
        and `notice` tells it.
        """
        handle = _locked(path)
        try:
            journal = parse_journal(_content(handle), str(path))
            notice = _mend(path, handle, journal)
        except OSError as error:
            os.close(handle)
            raise MatchError(f"{path}: cannot be mended ({error.strerror})") from error
        except MatchError:
            os.close(handle)
            raise
        match = cls(path, handle, journal)
        match.notice = notice
        return match

    @property
    def position(self) -> Position:
        """The position the game has come to."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The start, and the position after each step."""
        return tuple(self._positions)

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.position.board

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps so far, in the order of the table."""
        return tuple(self._steps)

    @property
    def players(self) -> Mapping[str, str]:
        """{faction: name}, for those who gave one."""
        names = self._request.get("players", {})
        return {str(faction): str(name) for faction, name in names.items()} if isinstance(names, dict) else {}

    @property
    def chance(self) -> Mapping[str, str]:
        """Who brought about what chance decided before the first turn: {"initiative": "app"|"table", ...}."""
        told = self._request.get("chance", {})
        return {str(what): str(who) for what, who in told.items()} if isinstance(told, dict) else {}

    def mark(self, steps: int) -> str:
        """A short name for the game as it stood after so many steps: what is kept beside the game is tied to it."""
        return mark_of(self._lines[: steps + 1])

    def judge(self, step: Step) -> Ruling:
        """May this step be taken now, and why not? Nothing changes."""
        return judge(self.position, step)

    def offer(self, step: Step) -> Ruling:
        """Take a step if it is legal: on the disk first, then in the position. MatchError where the disk refuses."""
        ruling = self.judge(step)
        if ruling.legal:
            position, events = play(self.position, step)
            line = sums.sealed(step_to_json(step), self._lines)
            self._append(line)
            self._lines.append(line)
            self._steps.append(step)
            self._positions.append(position)
            self.events = events
        return ruling

    def undo(self, steps: int = 1) -> bool:
        """Take the last steps back, on the disk too, so that they can be done again; False where there are too few."""
        if not 0 < steps <= len(self._steps):
            return False
        self._shorten(len(self._steps) - steps, undone.UNDO, ())
        return True

    @property
    def again(self) -> tuple[Step, ...]:
        """What was taken back and can be done again, the next one first; nothing once another step was taken."""
        lines = undone.again(self._records, self._lines)
        return tuple(step_from_json(sums.plain(object_of(line))) for line in lines)

    def redo(self, steps: int = 1) -> bool:
        """Do again what was taken back last, step by step; False where there is not so much."""
        waiting = self.again
        if not 0 < steps <= len(waiting):
            return False
        return all(self.offer(step).legal for step in waiting[:steps])

    @property
    def taken_back(self) -> tuple[TakenBack, ...]:
        """What was taken back or replaced in the game as it is now, the oldest first."""
        return tuple(
            record
            for record in self._records
            if record.lines and record.after < len(self._lines) and self.mark(record.after) == record.mark
        )

    def recast(self, after: int, steps: Sequence[Step]) -> None:
        """Let these legal steps follow the first `after` ones, in place of what followed, in one go on the disk.

        Illegal for a step that is not legal there; MatchError where the disk refuses. Nothing has changed then.
        """
        self._shorten(after, undone.CORRECT, steps)

    def _shorten(self, after: int, why: str, steps: Sequence[Step]) -> None:
        """Cut the game down and let other steps follow; what goes is on the disk beside it first."""
        lines, positions = self._lines[: after + 1], self._positions[: after + 1]
        for step in steps:
            positions.append(play(positions[-1], step)[0])
            lines.append(sums.sealed(step_to_json(step), lines))
        left = len(undone.again(self._records, self._lines))
        record = TakenBack(after, self.mark(after), why, tuple(self._lines[after + 1 :]), left)
        try:
            undone.append(self.path, record)
        except OSError as error:
            raise MatchError(f"{self.path}: the step could not be taken back ({error.strerror})") from error
        self._records = (*self._records, record)
        self._rewrite(b"".join(lines))
        self._lines, self._positions = lines, positions
        self._steps[after:] = steps
        self.events = ()

    def close(self) -> None:
        """Let go of the file. A closed match can still be looked at, but takes no step."""
        self._release()
        self._handle = -1

    def _append(self, line: bytes) -> None:
        try:
            storage.append(self._handle, line)
        except OSError as error:
            raise MatchError(f"{self.path}: the step could not be saved ({error.strerror})") from error

    def _rewrite(self, data: bytes) -> None:
        """Replace the file by a shorter one that is locked before it gets its name."""
        beside = self.path.with_name(f"{self.path.name}.new-{os.getpid()}")
        try:
            beside.unlink(missing_ok=True)
            storage.create(beside, data)
            handle = _locked(beside)
            beside.replace(self.path)
            storage.sync_folder(self.path.parent)
        except OSError as error:
            raise MatchError(f"{self.path}: the step could not be taken back ({error.strerror})") from error
        self._release()
        self._handle = handle
        self._release = weakref.finalize(self, os.close, handle)


def _locked(path: Path) -> int:
    """The file, opened and held for this process; MatchError where it cannot be."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR)
        except OSError as error:
            raise MatchError(f"{path}: cannot be opened ({error.strerror})") from error
        if not storage.lock(handle):
            os.close(handle)
            raise MatchError(f"{path}: this game is open in another gunbai")
        if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
            return handle
        os.close(handle)  # another process put a new file in its place meanwhile: that one is the game


def _records(path: Path) -> tuple[TakenBack, ...]:
    """What was taken back in the game; nothing where that cannot be read: the game goes on without."""
    try:
        return undone.read(path)
    except OSError:
        return ()


def _content(handle: int) -> bytes:
    size = os.fstat(handle).st_size
    return os.pread(handle, size, 0)


def _mend(path: Path, handle: int, journal: Journal) -> str | None:
    """Make the file what the journal says, ending with its last whole step. The notice, None where nothing was wrong.

    What stood in it otherwise is kept beside: the whole file where bytes were put right, else what was behind.
    """
    content = _content(handle)
    if not journal.mended and journal.fault is None:
        _end_line(handle)
        return None
    aside = storage.keep_aside(path, content if journal.mended else content[journal.whole :])
    if journal.mended:
        os.pwrite(handle, journal.data, 0)
    os.ftruncate(handle, journal.whole)
    os.fsync(handle)
    _end_line(handle)
    kept = "the file as it was" if journal.mended else "the rest"
    return f"{damage(journal)}; {kept} is kept in {aside.name}"


def _end_line(handle: int) -> None:
    """Give the last line the newline it may lack."""
    content = _content(handle)
    if not content.endswith(b"\n"):
        storage.append(handle, b"\n")


def damage(journal: Journal) -> str:
    """What was wrong with a saved game's file, in words; "" for nothing."""
    parts = [f"line {number} was damaged and is put right" for number in journal.mended]
    if journal.fault is not None:
        parts.append(told(journal.fault, len(journal.steps)))
    return "; ".join(parts)


def told(fault: Fault, steps: int) -> str:
    """A fault in words, with how far the game is good."""
    reached = f"step {steps}" if steps else "its start"
    return f"{fault.message}; opened up to {reached}"
