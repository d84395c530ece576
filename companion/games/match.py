"""A game being played, by whatever rules: its journal on the disk, the position it has come to, the players' names.

A step that is legal is on the disk before anybody sees it in the position. Where the disk refuses, the game goes on in
memory, and what waits is written as soon as the disk takes it (`companion.games.game_file`). One process at a time
plays a game: the file is locked as long as the match lives. A game that a newer Gunbai went on with is shown as far
as it is understood, and takes no step: its file stays as it is (`look_only`), and a copy can be gone on with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from companion.core import storage
from companion.core.errors import MatchError
from companion.games import checksums, undo_log
from companion.games.game_file import GameFile
from companion.games.journal import (
    FORMAT,
    FORMAT_KEY,
    AnyJournal,
    Journal,
    is_newer,
    mark_of,
    object_of,
    parse_journal,
    players_of,
    start_of,
    step_of,
)
from companion.games.opponent import Opponent, opponent_of
from companion.games.undo_log import UndoRecord
from companion.systems.game_system import Slot
from engine.errors import EngineError, Illegal
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.ruling import Ruling
from engine.system import System
from intake.errors import Unreadable

P = TypeVar("P")
S = TypeVar("S")


class GameSession(Generic[P, S]):
    """One game being played, with its file. Made by `begin` or `open`; `close` unlocks the file.

    SYSTEM: the only system whose games it opens, "" for any.
    """

    SYSTEM: ClassVar[str] = ""

    def __init__(self, file: GameFile, journal: Journal[P, S], records: Sequence[UndoRecord] = ()) -> None:
        self.notice: str | None = None
        self.events: tuple[Any, ...] = ()
        self.system: System[P, S] = journal.system
        self.look_only = journal.look_only
        self.stopped = journal.fault  # why reading the game stopped, None if it didn't
        self._file = file
        self._request = journal.request
        self._lines = journal.lines
        self._steps = journal.steps
        self._positions = journal.positions
        self._kept = frozenset(journal.kept)
        self._marks: dict[int, str] = {}
        self._sums = checksums.ChecksumChain()
        self._records = tuple(records)

    @classmethod
    def begin(cls, path: Path, request: Mapping[str, object], *, anyway: bool = False) -> Self:
        """Begin a game in a new file from a `new` request; EngineError if the rules refuse the request.

        MatchError if the file exists or can't be written; `anyway`: if it can't, the game begins in memory, and
        `save` tries again.
        """
        request = {"do": "new", FORMAT_KEY: FORMAT, **request}
        start_of(request)
        if storage.is_there(path):
            raise MatchError(f"{path}: a file with that name already exists")
        match = cls(GameFile(path), parse_journal(checksums.with_checksum(request, ()), str(path)))
        if not match.save() and not anyway:
            match.close()
            why = match.fault.strerror or str(match.fault) if match.fault is not None else ""
            raise MatchError(f"{path}: can't be written ({why})") from match.fault
        return match

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a saved game to play on; MatchError if it is unreadable, no game of this system, or open elsewhere.

        Damage, and all that follows it, is moved to `FILE.broken-N`, and `notice` says so; if the disk refuses that, it
        is tried again with the next step. Undamaged lines that this Gunbai can't use stay: such a game is view-only.
        """
        return cls.of(*open_file(path))

    @classmethod
    def of(cls, file: GameFile, journal: AnyJournal) -> Self:
        """Go on with the game in an opened file; for another system's game close the file and raise MatchError."""
        if cls.SYSTEM not in ("", journal.system.name):
            file.close()
            raise MatchError(f"{file.path}: a game of {journal.system.name}, not of {cls.SYSTEM}")
        records = _records(file.path)
        match = cls(file, journal, records)
        file.set_content(journal, len(records))
        if journal.look_only:
            file.close()
        match.save()
        parts = [f"line {number} was damaged and is put right" for number in journal.mended]
        said = "; ".join(filter(None, (*parts, remark(journal))))
        kept = "the file as it was" if journal.mended else "the rest"
        match.notice = (
            f"{said}; {kept} is kept in {file.damaged_copy.name}" if file.damaged_copy is not None else said or None
        )
        return match

    # ---- what is on the disk ----------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The game's file."""
        return self._file.path

    @property
    def is_saved(self) -> bool:
        """Whether the whole game is on the disk."""
        return self._file.fault is None

    @property
    def unsaved(self) -> int:
        """How many steps the disk lacks, or has too many; a power cut now would lose these changes."""
        return self._file.steps_behind(self._lines)

    @property
    def fault(self) -> OSError | None:
        """Why the game couldn't be saved; None if it is saved."""
        return self._file.fault

    def save(self) -> bool:
        """Try again to write what is unsaved; return whether the game is on the disk now, True if it is view-only."""
        return self.look_only or self._file.update(self._lines, self._records)

    @property
    def position(self) -> P:
        """The current position."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[P, ...]:
        """The starting position, then the position after each step."""
        return self._positions

    @property
    def steps(self) -> tuple[S, ...]:
        """All steps so far, in the order they were taken."""
        return self._steps

    @property
    def kept_steps(self) -> frozenset[int]:
        """The numbers, from 1, of recorded steps kept as they are though today's rules would refuse them."""
        return self._kept

    @property
    def players(self) -> Mapping[str, str]:
        """{side: player's name} for those who gave one."""
        return players_of(self._request)

    @property
    def request(self) -> Mapping[str, object]:
        """The `new` request that the game began with."""
        return self._request

    @property
    def chance(self) -> Mapping[str, str]:
        """Who made each chance decision of the set-up: {"initiative": "app" or "table", ...}."""
        told = self._request.get("chance", {})
        return {str(what): str(who) for what, who in told.items()} if isinstance(told, dict) else {}

    def mark(self, steps: int) -> str:
        """Return the mark (`mark_of`) of the game's first `steps` steps, by which files beside it refer to them."""
        if steps not in self._marks:
            self._marks[steps] = mark_of(self._lines[: steps + 1])
        return self._marks[steps]

    def judge(self, step: S) -> Ruling:
        """Return the ruling on a step in the current position; nothing changes."""
        return self.system.judge(self.position, step)

    def offer(self, step: S) -> Ruling:
        """Take a step if it is legal, saving it first; return the ruling. MatchError if closed or view-only.

        If the disk refuses, the step counts all the same and waits in memory with all that follow (`unsaved`).
        """
        ruling = self.judge(step)
        if ruling.legal:
            self._take(step, *self.system.play(self.position, step))
        return ruling

    def _take(self, step: S, position: P, events: tuple[Any, ...]) -> None:
        """Save a step, then make the position it leads to the current one."""
        self._refuse_closed("couldn't save the step")
        line = self._sums.with_checksum(self.system.write_step(step), self._lines)
        lines = (*self._lines, line)
        self._file.update(lines, self._records)
        self._lines = lines
        self._steps = (*self._steps, step)
        self._positions = (*self._positions, position)
        self.events = events

    def undo(self, steps: int = 1) -> bool:
        """Undo the last steps, on the disk too, so that `redo` can restore them; return False if there are too few."""
        if not 0 < steps <= len(self._steps):
            return False
        self._shorten(len(self._steps) - steps, undo_log.UNDO, ())
        return True

    @property
    def redoable_steps(self) -> tuple[S, ...]:
        """The undone steps that can be redone, the next one first; none once another step was taken.

        They end before one that only a newer Gunbai knows.
        """
        if self.look_only:
            return ()
        return tuple(_known_steps(self.system, undo_log.redoable(self._records, self._lines)))

    def redo(self, steps: int = 1) -> bool:
        """Redo the steps undone last, as they were recorded; return False for too few, or at one that is refused."""
        waiting = self.redoable_steps
        if not 0 < steps <= len(waiting):
            return False
        return all(self._retake(step) for step in waiting[:steps])

    def _retake(self, step: S) -> bool:
        """Take a recorded step again, even one that today's rules would refuse; return whether that worked."""
        if self.offer(step).legal:
            return True
        try:
            position, events = self.system.play_recorded(self.position, step)
        except Illegal:
            return False
        self._take(step, position, events)
        self._kept |= {len(self._steps)}
        return True

    @property
    def taken_back(self) -> tuple[UndoRecord, ...]:
        """The records of steps undone or replaced in the game as it is now, the oldest first."""
        return tuple(
            record
            for record in self._records
            if record.lines and record.after < len(self._lines) and self.mark(record.after) == record.mark
        )

    def recast(self, after: int, steps: Sequence[S], kept: Collection[int] = ()) -> None:
        """Replace all steps after the first `after` by these, in one write.

        kept: the numbers in the game, from 1, of new steps to be played as recorded though today's rules would refuse
        them. Illegal for any other step that is not legal, MatchError for a closed match; nothing has changed then.
        """
        self._shorten(after, undo_log.CORRECT, steps, kept)

    def _shorten(self, after: int, why: str, steps: Sequence[S], kept: Collection[int] = ()) -> None:
        """Replace all steps after the first `after`, saving what goes in the undo log first."""
        lines, positions = list(self._lines[: after + 1]), list(self._positions[: after + 1])
        chain = checksums.ChecksumChain()
        for number, step in enumerate(steps, after + 1):
            play = self.system.play_recorded if number in kept else self.system.play
            positions.append(play(positions[-1], step)[0])
            lines.append(chain.with_checksum(self.system.write_step(step), lines))
        self._refuse_closed("couldn't undo the step")
        left = len(undo_log.redoable(self._records, self._lines))
        record = UndoRecord(after, self.mark(after), why, tuple(self._lines[after + 1 :]), left)
        self._records = (*self._records, record)
        self._file.update(lines, self._records)
        self._lines, self._positions = tuple(lines), tuple(positions)
        self._steps = (*self._steps[:after], *steps)
        self._kept = frozenset((*(number for number in self._kept if number <= after), *kept))
        self._marks = {}
        self._sums.cut(after + 1)
        self.events = ()

    def file_until(self, steps: int) -> bytes:
        """Return the bytes of a saved game with only the first `steps` steps, to be played on from there."""
        lines = self._lines[: steps + 1]
        if not is_newer(self._request):
            return b"".join(lines)
        sealed = [checksums.with_checksum({**self._request, FORMAT_KEY: FORMAT}, ())]
        for line in lines[1:]:
            sealed.append(checksums.with_checksum(checksums.plain(object_of(line)), sealed))
        return b"".join(sealed)

    def _refuse_closed(self, what: str) -> None:
        if self.look_only:
            raise MatchError(f"{self.path}: {what} (it is view-only)")
        if self._file.is_closed:
            raise MatchError(f"{self.path}: {what} (the game is closed)")

    def close(self) -> None:
        """Save what waits if possible, then unlock and close the file; the position can still be read."""
        if not self.is_saved and not self._file.is_closed:
            self.save()
        self._file.close()


def open_file(path: Path) -> tuple[GameFile, AnyJournal]:
    """Open and lock a saved game's file and read the game in it; MatchError if it is no game or is in use."""
    file = GameFile.open(path)
    try:
        return file, parse_journal(file.content(), str(path))
    except MatchError:
        file.close()
        raise


def _known_steps(system: System[Any, S], lines: Iterable[bytes]) -> Iterator[S]:
    """Yield the steps on these lines, up to the first that is not known here."""
    for line in lines:
        try:
            yield step_of(system, object_of(line))
        except (EngineError, ValueError):
            return


def _records(path: Path) -> tuple[UndoRecord, ...]:
    """Return the records of what was undone in the game; () if unreadable, as the game can do without them."""
    try:
        return undo_log.read_undone(path)
    except (OSError, Unreadable):
        return ()


def remark(journal: AnyJournal) -> str:
    """Return why a saved game is not read to its end, and how far it was; "" if all of it was read."""
    parts = ["started in a newer Gunbai"] if journal.newer else []
    if journal.fault is not None:
        reached = f"step {len(journal.steps)}" if journal.steps else "its start"
        parts += [journal.fault.message, f"opened up to {reached}"]
    return "; ".join(parts)


AnyMatch = GameSession[Any, Any]


class Match(GameSession[Position, Step]):
    """A game of General Orders."""

    SYSTEM: ClassVar[str] = "orders"

    @classmethod
    def start(
        cls,
        path: Path,
        board_name: str,
        initiative: str,
        bonuses: Mapping[str, str],
        players: Mapping[str, str] | None = None,
    ) -> Self:
        """Begin a game in a new file from these choices; EngineError and MatchError as in `begin`."""
        request: dict[str, object] = {"board": board_name, "initiative": initiative, "bonuses": dict(bonuses)}
        if players:
            request["players"] = dict(players)
        return cls.begin(path, request)

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.position.board

    @property
    def opponent(self) -> Opponent | None:
        """The side that the app plays; None where two people play."""
        return opponent_of(self.request, self.board.factions)


SESSIONS = Slot[type[AnyMatch]]("session")


def open_game(path: Path) -> AnyMatch:
    """Open a saved game of any system to play on; MatchError as in `GameSession.open`."""
    file, journal = open_file(path)
    return SESSIONS.of(journal.system.name).of(file, journal)
