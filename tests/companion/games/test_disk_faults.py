"""Every call to the disk may fail: the game goes on, and what a power cut leaves is the game as it was at some moment.

A short game is played again and again; each time another call fails, before it does anything, in its middle or after
it, once or from then on. After every step the power goes: what is found on the rebuilt disk must be the game as it
stood when all was last saved, or at a moment since. In the end the disk takes everything again, and all is there.
"""

from __future__ import annotations

import errno
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.core import storage
from companion.core.errors import MatchError
from companion.games import undo_log
from companion.games.journal import read_journal
from companion.games.match import Match
from engine.orders.steps import Step
from tests.companion.games.test_power import Disk
from tests.companion.refusing import refusing
from tests.companion.sample_games import BOARD, BONUSES, REQUEST, game_file, played
from tests.programs import needs, require

STEPS = played()[0]
CALLS = ("open", "write", "fsync", "ftruncate", "replace", "unlink")
MOST_CALLS = 90  # more than the game makes; the test says so where it does not

Doing = Callable[[Match], object]
GAME: tuple[Doing, ...] = (
    lambda match: match.offer(STEPS[0]),
    lambda match: match.offer(STEPS[1]),
    lambda match: match.undo(),
    lambda match: match.offer(match.redoable_steps[0]),
    lambda match: match.offer(STEPS[2]),
    lambda match: match.recast(1, STEPS[1:2]),
    lambda match: match.undo(2),
    lambda match: match.redo(),
    lambda match: match.offer(STEPS[1]),
)


class Failing:
    """A disk whose calls fail from the `first` on, as many as `times`: "before", "amid" or "after" their work."""

    def __init__(self, disk: Disk, number: int, moment: str) -> None:
        self.disk = disk
        self.number = number
        self.moment = moment
        self.first = self.times = self.calls = 0

    def patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Stand between the program and the disk."""
        for name in CALLS:
            monkeypatch.setattr(os, name, self._failing(name, getattr(os, name)))

    def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if not self._ours(name, given):
                return real(*given, **named)
            self.calls += 1
            if not self.first <= self.calls < self.first + self.times:
                return real(*given, **named)
            if name == "write" and self.moment == "amid":
                real(given[0], bytes(given[1])[: len(given[1]) // 2])
            elif self.moment == "after" and name != "open":
                real(*given, **named)
            raise OSError(self.number, os.strerror(self.number))

        return call

    def _ours(self, name: str, given: tuple[Any, ...]) -> bool:
        """Whether a call may fail: it changes something in the folder of the games."""
        if name == "open":
            return Path(given[0]).parent == self.disk.folder and bool(given[1] & os.O_CREAT)
        if name in ("replace", "unlink"):
            return Path(given[0]).parent == self.disk.folder
        return given[0] in self.disk.open


def check(disk: Disk, name: str, left: Path, history: list[tuple[Step, ...]], rng: random.Random) -> None:
    """Cut the power, and check that the game that is left is one that there was."""
    disk.after_power_cut(left, rng)
    path = left / name
    try:
        journal = read_journal(path)
    except MatchError:
        assert history[0] == (), "a game that was saved is there"
        return
    assert journal.steps in history
    if journal.fault is not None:  # a line that was under way, or a block that was never written
        match = Match.open(path)
        assert match.steps == journal.steps
        match.close()


def play(folder: Path, failing: Failing, rng: random.Random, left: Path) -> int:
    """One game on this disk; how many calls it made."""
    match = Match.begin(folder / "game.jsonl", REQUEST, anyway=True)
    history: list[tuple[Step, ...]] = [()]
    for n, doing in enumerate(GAME):
        before = match.steps
        doing(match)
        assert match.steps != before, "the game goes on whatever the disk does"
        history = [match.steps] if match.is_saved else [*history, match.steps]
        check(failing.disk, match.path.name, left / str(n), history, rng)
    calls = failing.calls
    failing.times = 0
    assert match.save()
    assert match.unsaved == 0
    steps, again = match.steps, match.redoable_steps
    check(failing.disk, match.path.name, left / "end", [steps], rng)
    match.close()
    match = Match.open(match.path)
    assert (match.steps, match.redoable_steps, match.notice) == (steps, again, None)
    match.close()
    return calls


@pytest.mark.long
@pytest.mark.parametrize(
    ("moment", "number", "times"),
    [
        ("before", errno.ENOSPC, 1),
        ("amid", errno.ENOSPC, 1),
        ("before", errno.EROFS, 1000),
        ("amid", errno.EIO, 3),
        ("after", errno.EIO, 3),
    ],
)
def test_whichever_call_fails_the_game_goes_on_and_the_disk_has_a_true_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, number: int, times: int
) -> None:
    rng = random.Random(f"{moment} {number}")
    for first in range(1, MOST_CALLS):
        folder, left = tmp_path / "games", tmp_path / "left"
        folder.mkdir()
        left.mkdir()
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", lambda _handle: None)  # the disk is a model: nothing real is waited for
            disk = Disk(folder)
            disk.patch(patched)
            failing = Failing(disk, number, moment)
            failing.patch(patched)
            failing.first, failing.times = first, times
            calls = play(folder, failing, rng, left)
        shutil.rmtree(folder)
        shutil.rmtree(left)
        if first > calls:
            return
    pytest.fail(f"the game makes more than {MOST_CALLS} calls")


# ---- other faults -----------------------------------------------------------------------------------


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    match = Match.start(tmp_path / "games" / "game.jsonl", BOARD, "red", BONUSES)
    yield match
    match.close()


def test_a_file_that_was_deleted_under_the_game_is_written_anew(match: Match) -> None:
    match.offer(STEPS[0])
    match.path.unlink()
    match.offer(STEPS[1])
    assert match.is_saved
    assert read_journal(match.path).steps == STEPS[:2]


def test_a_folder_that_was_deleted_under_the_game_is_made_anew(match: Match) -> None:
    match.offer(STEPS[0])
    match.undo()
    shutil.rmtree(match.path.parent)
    match.offer(STEPS[0])
    assert match.is_saved
    assert read_journal(match.path).steps == STEPS[:1]


def test_a_folder_that_cannot_be_made_anew_leaves_the_game_in_memory(match: Match) -> None:
    folder = match.path.parent
    shutil.rmtree(folder)
    folder.write_text("something else")
    match.offer(STEPS[0])
    match.offer(STEPS[1])
    assert (match.is_saved, match.unsaved) == (False, 2)
    folder.unlink()
    assert match.save()
    assert read_journal(match.path).steps == STEPS[:2]


def test_another_file_in_the_game_s_place_is_kept_aside(match: Match) -> None:
    match.offer(STEPS[0])
    match.path.unlink()
    match.path.write_bytes(b"a shopping list\n")
    match.offer(STEPS[1])
    assert read_journal(match.path).steps == STEPS[:2]
    assert match.path.with_name("game.jsonl.broken-1").read_bytes() == b"a shopping list\n"


def test_an_older_copy_in_the_game_s_place_is_replaced(match: Match) -> None:
    older = match.path.read_bytes()
    match.offer(STEPS[0])
    match.path.unlink()
    match.path.write_bytes(older)
    match.offer(STEPS[1])
    assert read_journal(match.path).steps == STEPS[:2]
    assert [path.name for path in match.path.parent.iterdir()] == ["game.jsonl"]


def test_a_file_that_somebody_cut_short_is_written_anew(match: Match) -> None:
    match.offer(STEPS[0])
    os.truncate(match.path, 10)
    match.offer(STEPS[1])
    assert read_journal(match.path).steps == STEPS[:2]


def test_a_new_game_in_memory_takes_another_name_where_its_own_was_taken_since(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.write_text("no folder")
    match = Match.begin(folder / "game.jsonl", REQUEST, anyway=True)
    match.offer(STEPS[0])
    assert (match.is_saved, match.unsaved) == (False, 1)
    folder.unlink()
    folder.mkdir()
    other = game_file(folder)
    assert match.save()
    assert match.path.name == "game-2.jsonl"
    assert read_journal(match.path).steps == STEPS[:1]
    assert read_journal(other).steps == STEPS
    match.close()


@contextmanager
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the disk read-only, as the system does: nothing can be opened for writing."""
    real = os.open

    def opened(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return real(path, flags, *rest, **named)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", opened)
        yield


def test_a_saved_game_is_gone_on_with_on_a_read_only_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = game_file(tmp_path, steps=4)
    with read_only(monkeypatch):
        match = Match.open(path)
        assert match.is_saved
        match.offer(STEPS[4])
        match.offer(STEPS[5])
        assert (match.is_saved, match.unsaved) == (False, 2)
        with pytest.raises(MatchError, match="open in another Gunbai"):
            Match.open(path)
    assert match.save()
    assert read_journal(path).steps == STEPS[:6]
    with pytest.raises(MatchError, match="open in another Gunbai"):
        Match.open(path)
    match.undo(3)
    match.close()
    assert Match.open(path).steps == STEPS[:3]


def test_a_game_that_another_gunbai_took_meanwhile_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game_file(tmp_path, steps=1)
    with read_only(monkeypatch):
        match = Match.open(path)
        match.offer(STEPS[1])
    with monkeypatch.context() as patched:
        patched.setattr(storage, "lock", lambda handle: False)
        assert not match.save()
    assert str(match.fault) == "[Errno 11] this game is open in another Gunbai"
    assert read_journal(path).steps == STEPS[:1]
    assert match.save()
    assert read_journal(path).steps == STEPS[:2]
    match.close()


def test_what_is_taken_back_in_memory_alone_never_gets_to_the_disk(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.offer(STEPS[0])
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refusing())
        match.offer(STEPS[1])
        match.offer(STEPS[2])
        match.undo(2)
        assert (match.is_saved, match.unsaved) == (False, 0), "what was taken back is not written down yet"
        assert match.redoable_steps == STEPS[1:3]
        match.redo()
        match.undo()
    assert match.save()
    assert match.path.read_bytes().count(b"\n") == 2
    assert [len(record.lines) for record in undo_log.read_undone(match.path)] == [2, 1]
    assert match.redoable_steps == STEPS[1:3]


def test_closing_tries_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refusing(errno.EIO))
        match.offer(STEPS[0])
    match.close()
    assert read_journal(match.path).steps == STEPS[:1]
    assert not match.save(), "a closed match writes nothing any more"


# ---- the system's own faults ------------------------------------------------------------------------

LIMITED = """
import resource, signal, sys
from pathlib import Path
from companion.games.match import Match
from tests.companion.sample_games import BOARD, BONUSES, played
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
match = Match.start(Path(sys.argv[1]), BOARD, "red", BONUSES)
most = match.path.stat().st_size + 300
resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
for step in played()[0]:
    assert match.offer(step).legal
assert match.path.stat().st_size <= most
print(len(match.steps), match.unsaved, match.path.read_bytes().endswith(b"\\n"), match.fault.strerror)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert match.save()
"""


def test_a_real_limit_on_the_size_of_files_leaves_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    command = [sys.executable, "-c", LIMITED, str(path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[3]).stdout
    steps, unsaved, whole, fault = said.split(maxsplit=3)
    assert int(steps) == len(STEPS)
    assert 0 < int(unsaved) < len(STEPS)
    assert (whole, fault.strip()) == ("True", "File too large")
    assert read_journal(path).steps == STEPS


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """Yield a real disk of 16 kB."""
    require("mount", "umount")
    folder = tmp_path / "tiny"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a tiny disk needs root, who may mount it")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@needs("mount")
def test_a_real_full_disk_and_a_real_read_only_one(tiny: Path) -> None:
    match = Match.start(tiny / "game.jsonl", BOARD, "red", BONUSES)
    (tiny / "fill").write_bytes(bytes(3 * 4096 - 1))  # a page is left for the game
    for step in STEPS:
        assert match.offer(step).legal
    filled = match.is_saved
    assert match.undo(2), "there is no room for what is taken back"
    assert not match.is_saved
    assert read_journal(match.path).steps == STEPS[: len(read_journal(match.path).steps)]
    (tiny / "fill").unlink()
    assert match.save()
    assert read_journal(match.path).steps == STEPS[:-2]
    assert filled or len(match.path.read_bytes()) > 4096
    subprocess.run(["mount", "-o", "remount,ro", str(tiny)], check=False)
    match.close()
