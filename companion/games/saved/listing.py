"""What is known of the games in a folder: looked over and read beside the screen, a few at a time, newest first.

Few games are looked over whenever somebody asks. Many take a while: at first the newest are taken from the end of the
index (`companion.games.saved.index_file`), then a thread looks them all over and reads what is new. Which game was
played last does not hang on the machine's time, which may jump by years: whatever has changed since the last look was
played after all that has not.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from heapq import nlargest
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.core.background import Errand
from companion.core.log import tell
from companion.core.storage import GAME_SUFFIX
from companion.games.saved import index_file
from companion.games.saved.index_file import MOST_ORDER, IndexEntry, State

T = TypeVar("T")
FEW = 300  # folders with no more games are looked over at once
AT_ONCE_BYTES = 64_000  # of games that are read at once
BATCH_BYTES = 64_000  # of games that are read in one go in the background
MOST_IN_BATCH = 64  # games
LONG_BYTES = 2_000_000  # a game longer than this is read after all others
LOOK_EVERY_S = 3.0
OUR_FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class ListingKind(Generic[T]):
    """How a listing reads games: for the shelf or for the statistics.

    index: the name of its index file; read: returns a game file's facts as JSON; unread: the same for a file that
    cannot be read, given why; thing: turns an index entry into what the app uses, None if the entry is outdated and the
    file must be read again; leaves_out: beginnings of the names of files that are left out.
    """

    index: str
    read: Callable[[Path], Mapping[str, Any]]
    unread: Callable[[Path, str], Mapping[str, Any]]
    thing: Callable[[Path, IndexEntry], T | None]
    leaves_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FolderState(Generic[T]):
    """What is known of a folder's games at one moment, by the names of their files.

    names: all of them, the one played last first; waiting: those still to be read, the next one first; played: the
    things read, in the order of names; whole: whether the whole folder was looked over; disk: the entries that its
    index has; tidy: whether the index is short and ends with the newest entries.
    """

    entries: Mapping[str, IndexEntry] = field(default_factory=dict)
    things: Mapping[str, T] = field(default_factory=dict)
    played: tuple[T, ...] = ()
    names: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    whole: bool = False
    disk: Mapping[str, IndexEntry] = field(default_factory=dict)
    tidy: bool = False


class GameFolder(Generic[T]):
    """Looks at a folder of games. It holds no state: calls take one and return a newer one, so any thread may call."""

    def __init__(self, path: Path, kind: ListingKind[T]) -> None:
        self.path = path
        self.kind = kind
        self.index = path / kind.index

    def has_few(self) -> bool:
        """Return whether the folder has at most `FEW` files, so that looking takes no time, or can't be read."""
        try:
            with os.scandir(self.path) as there:
                return sum(1 for _one in islice(there, FEW + 1)) <= FEW
        except OSError:
            return True

    # ---- looking ----------------------------------------------------------------------------------

    def glance(self) -> FolderState[T]:
        """Return the state of the newest games only: those at the end of the index, or else those last written."""
        disk = index_file.newest_in(self.index)
        found = {name: self._state(name) for name in disk} if disk else self._latest()
        entries = {name: _entry(state, disk.get(name)) for name, state in found.items() if state}
        return self._sort(_number_entries(entries, disk), FolderState(disk=disk, tidy=bool(disk)))

    def _latest(self) -> Mapping[str, State]:
        states = self._states()
        return {
            name: states[name] for name in nlargest(MOST_IN_BATCH, states, key=lambda name: (states[name][0], name))
        }

    def survey(self, before: FolderState[T]) -> FolderState[T]:
        """Look over all files of the folder and return its state; `before` itself if nothing has changed."""
        states, kept, tidy = self._states(), before.entries, before.tidy
        if not before.whole:
            kept = index_file.entries_in(self.index, len(states))
            tidy = index_file.is_tidy(self.index, len(states))
        entries = _number_entries({name: _entry(state, kept.get(name)) for name, state in states.items()}, kept)
        if not before.whole:
            entries |= {name: _read_before(entry, before.entries.get(name)) for name, entry in entries.items()}
        disk = before.disk if before.whole else kept
        known = self._sort(entries, replace(before, whole=True, disk=disk, tidy=tidy))
        same = before.whole and known.entries == before.entries and known.waiting == before.waiting
        return before if same else known

    def look_at(self, before: FolderState[T], name: str, *, played: bool = False) -> FolderState[T]:
        """Look at one file again and return the folder's state; played: count it as the game played last."""
        state = self._state(name)
        entries = {other: entry for other, entry in before.entries.items() if other != name}
        if state is not None:
            entry = _entry(state, before.entries.get(name))
            entries[name] = replace(entry, order=0) if played else entry
        return self._sort(_number_entries(entries, before.entries), before)

    def _state(self, name: str) -> State | None:
        """Return when a game's file changed and its size; None if there is no such file."""
        with suppress(OSError):
            return _state_of((self.path / name).stat())
        return None

    def _states(self) -> dict[str, State]:
        """Return {name: when it changed and its size} of every game's file in the folder."""
        found = {}
        with suppress(OSError), os.scandir(self.path) as there:
            for entry in there:
                if entry.name.endswith(GAME_SUFFIX) and not entry.name.startswith(self.kind.leaves_out):
                    with suppress(OSError):
                        found[entry.name] = _state_of(entry.stat())
        return {name: state for name, state in found.items() if state}

    # ---- reading ----------------------------------------------------------------------------------

    def read_short(self, before: FolderState[T]) -> FolderState[T]:
        """Read as many unread games as take no noticeable time, skipping long ones; return the folder's state."""
        names, left = [], AT_ONCE_BYTES
        for name in before.waiting[:MOST_IN_BATCH]:
            size = before.entries[name].state[1]
            if size <= left:
                names.append(name)
                left -= size
        return self.read(before, names)

    def read_next(self, before: FolderState[T]) -> FolderState[T]:
        """Read the next batch of unread games, at least one; return the folder's state."""
        few = before.waiting[:MOST_IN_BATCH]
        sizes = accumulate(before.entries[name].state[1] for name in few)
        return self.read(before, few[: max(1, sum(size <= BATCH_BYTES for size in sizes))])

    def read(self, before: FolderState[T], names: Sequence[str]) -> FolderState[T]:
        """Read these games and return the folder's state with them."""
        if not names:
            return before
        entries, things = dict(before.entries), dict(before.things)
        for name in names:
            entries[name] = replace(entries[name], facts=self._facts(self.path / name))
            thing = self.kind.thing(self.path / name, entries[name])
            if thing is not None:
                things[name] = thing
        waiting = tuple(name for name in before.waiting if name not in names)
        return replace(before, entries=entries, things=things, played=_in_order(things, before.names), waiting=waiting)

    def _facts(self, path: Path) -> Mapping[str, Any]:
        """Read a game's facts; record an error of ours as a fault, so that one bad file cannot hide all the others."""
        try:
            return self.kind.read(path)
        except OUR_FAULTS as error:
            tell("error", f"{path}: can't be read because of an error in Gunbai: {error!r}")
            return self.kind.unread(path, f"an error in Gunbai ({type(error).__name__})")

    def keep(self, known: FolderState[T]) -> FolderState[T]:
        """Save what is known to the index, by appending or by rewriting it; return the state with that noted."""
        if known.disk is known.entries:
            return known
        fresh = {name: entry for name, entry in known.entries.items() if known.disk.get(name) is not entry}
        last = max((entry.order for entry in known.disk.values()), default=0)
        tidy = known.tidy and all(entry.order > last for entry in fresh.values())
        if known.whole and known.entries and (not known.disk or not (tidy or known.waiting)):
            index_file.write(self.index, known.entries)
            tidy = True
        elif fresh:
            index_file.add(self.index, fresh)
        return replace(known, disk=known.entries, tidy=tidy)

    def _sort(self, entries: dict[str, IndexEntry], before: FolderState[T]) -> FolderState[T]:
        """Build the folder's state from these entries, reusing what `before` has already read of them."""
        things: dict[str, T] = {}
        for name, entry in entries.items():
            thing = self._thing(name, entry, before)
            if thing is not None:
                things[name] = thing
            elif entry.facts is not None:
                entries[name] = replace(entry, facts=None)
        names = tuple(sorted(entries, key=lambda name: (entries[name].order, name), reverse=True))
        waiting = [name for name in names if entries[name].facts is None]
        waiting.sort(key=lambda name: entries[name].state[1] > LONG_BYTES)
        played = _in_order(things, names)
        return replace(before, entries=entries, things=things, played=played, names=names, waiting=tuple(waiting))

    def _thing(self, name: str, entry: IndexEntry, before: FolderState[T]) -> T | None:
        if entry.facts is None:
            return None
        if before.entries.get(name) is entry and name in before.things and not entry.facts.get("again"):
            return before.things[name]
        return self.kind.thing(self.path / name, entry)


def _in_order(things: Mapping[str, T], names: tuple[str, ...]) -> tuple[T, ...]:
    return tuple(things[name] for name in names if name in things)


def _state_of(about: os.stat_result) -> State | None:
    return (about.st_mtime_ns, about.st_size) if stat.S_ISREG(about.st_mode) else None


def _entry(state: State, kept: IndexEntry | None) -> IndexEntry:
    """Return the kept entry if the file hasn't changed since, else a new one without facts."""
    return kept if kept is not None and kept.state == state else IndexEntry(state)


def _read_before(entry: IndexEntry, before: IndexEntry | None) -> IndexEntry:
    """Return the entry; if it has no facts, with those that `before` has of the same state of the file."""
    if entry.facts is not None or before is None or before.facts is None or before.state != entry.state:
        return entry
    return replace(entry, facts=before.facts)


def _number_entries(entries: dict[str, IndexEntry], disk: Mapping[str, IndexEntry]) -> dict[str, IndexEntry]:
    """Return the entries, with orders for those without: the next after all in `disk`, by when their files changed.

    Where that would exceed MOST_ORDER, all are numbered afresh.
    """
    changed = sorted(
        (name for name, entry in entries.items() if not entry.order), key=lambda name: (entries[name].state[0], name)
    )
    last = max((entry.order for entry in disk.values()), default=0)
    names, first = changed, last + 1
    if last + len(changed) > MOST_ORDER:
        rest = sorted((name for name, entry in entries.items() if entry.order), key=lambda name: entries[name].order)
        names, first = [*rest, *changed], 1
    return entries | {name: replace(entries[name], order=n) for n, name in enumerate(names, first)}


class GameListing(Generic[T]):
    """The games of a folder as far as they are known, read in the background with `tick`."""

    def __init__(self, path: Path, kind: ListingKind[T]) -> None:
        self.folder = GameFolder(path, kind)
        self._known: FolderState[T] = FolderState()
        self._errand: Errand[tuple[FolderState[T], FolderState[T]]] = Errand("saved games")
        self._looked_s: float | None = None
        self._wanted = False

    @property
    def things(self) -> tuple[T, ...]:
        """The games that were read, the one played last first."""
        return self._known.played

    @property
    def waiting(self) -> int:
        """How many games are still to be read, as far as that is known."""
        return len(self._known.waiting)

    @property
    def whole(self) -> bool:
        """Whether the whole folder was looked over and all its games were read."""
        return self._known.whole and not self._known.waiting

    # ---- at once ----------------------------------------------------------------------------------

    def look(self) -> None:
        """Look the games over: at once if they are few, else from `tick`; if none is known yet, the newest at once."""
        self._wanted = not self.folder.has_few()
        if not self._wanted:
            self._all_now()
        elif not self._known.names:
            known = self.folder.glance()
            self._known = self._with(known, next(iter(known.waiting), ""))

    def _all_now(self) -> None:
        known = self.folder.survey(self._known)
        self._known = self.folder.keep(self.folder.read_short(known))

    def renew(self, name: str, *, played: bool = False) -> None:
        """Look again at a game that was changed, or that is played from now on.

        With few games, or before the first look, nothing is done: the next look finds the change.
        """
        if self._known.names and not self.folder.has_few():
            known = self.folder.look_at(self._known, name, played=played)
            self._known = self.folder.keep(known if played else self._with(known, name))

    def _with(self, known: FolderState[T], name: str) -> FolderState[T]:
        """Return the state with this game read, if it is waiting to be read and short enough."""
        short = name in known.waiting and known.entries[name].state[1] <= AT_ONCE_BYTES
        return self.folder.read(known, [name] if short else [])

    def finish(self) -> None:
        """Read all games of the folder now, however long that takes."""
        self._all_now()
        while self._known.waiting:
            self._known = self.folder.keep(self.folder.read_next(self._known))

    # ---- beside the screen ------------------------------------------------------------------------

    def tick(self, now_s: float) -> bool:
        """Take over what the background thread has read and start its next task; return whether anything is new."""
        done = self._errand.fetch()
        came = done is not None and done[0] is self._known and done[1] is not self._known
        if done is not None and came:
            self._known = done[1]
        if self._errand.idle:
            known, folder = self._known, self.folder
            rested = self._looked_s is None or now_s - self._looked_s >= LOOK_EVERY_S
            if not known.whole or (self._wanted and rested):
                self._looked_s, self._wanted = now_s, False
                self._errand.begin(lambda: (known, folder.keep(folder.survey(known))))
            elif known.waiting:
                self._errand.begin(lambda: (known, folder.keep(folder.read_next(known))))
        return came

    def wait(self) -> None:
        """Wait until the running background task is done; the next `tick` takes its result."""
        self._errand.wait()
