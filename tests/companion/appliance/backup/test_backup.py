"""What a backup holds of one moment, how many are kept, and `gunbai backup`."""

import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from unittest import mock

import pytest

from companion.appliance import backing_up, collecting, copies
from companion.appliance.backing_up import back_up
from companion.appliance.collecting import CopyContents
from companion.cli import main
from companion.core import storage
from companion.core.errors import ApplianceError
from companion.games.match import Match
from companion.settings import layers
from engine.orders.steps import Pass
from intake.files import read_file
from tests.companion.appliance.backup.conftest import (
    CHOSEN,
    HOUSE,
    LATIN,
    NEW,
    PASS,
    Usage,
    copied,
    copy,
    files_of,
    given,
    put,
    state_of,
)
from tests.companion.appliance.restoring.copies import copy_of, member
from tests.companion.commands.terminal import Capture, fault, printed


def test_everything_that_counts_is_copied(data: Path, tmp_path: Path) -> None:
    put(data / "games/a.jsonl.evidence/turn.jpg", b"large")
    put(data / "games/a.jsonl.today", b"large")
    put(data / "tables/sengoku-rivers.table.today", b"large")
    put(data / "games/index.json", b"{}")
    put(data / "games/counted.json", b"{}")
    put(data / "games/a.jsonl.new-123", b"half")
    put(data / "games/.hidden", b"half")
    put(data / "demo/game.jsonl", NEW)
    made = copied(tmp_path / "stick")
    assert (made.files, made.made, made.left_out) == (12, True, ())
    assert made.path == tmp_path / "stick/gunbai-000001-2026-11-21.tar.gz"
    assert files_of(made.path) == {**HOUSE, "settings/chosen.toml": CHOSEN}


@pytest.mark.parametrize(
    "name", [LATIN, "a\nb.jsonl", "\x1b[31mred.jsonl", "[a].jsonl", "-rf.jsonl", "x" * 249 + ".jsonl"]
)
def test_a_game_of_any_name_is_copied(name: str, data: Path, tmp_path: Path) -> None:
    put(data / "games" / name, NEW)
    put(data / "games" / f"{name[:240]}.undone", b"{}\n")
    made = copied(tmp_path / "stick")
    assert made.left_out == ()
    assert made.path is not None
    assert files_of(made.path)[f"games/{name}"] == NEW
    assert not copied(tmp_path / "stick").made


def test_what_is_no_file_is_named_and_holds_nobody_up(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = data / "games"
    os.mkfifo(games / "pipe.jsonl")
    with socket.socket(socket.AF_UNIX) as open_socket, monkeypatch.context() as there:
        there.chdir(games)  # a socket's whole path may be too long for the system
        open_socket.bind("socket.jsonl")
    (games / "link.jsonl").symlink_to("/etc/passwd")
    (games / "nowhere.jsonl").symlink_to("none")
    (games / "zero.jsonl").symlink_to("/dev/zero")
    (games / "folder.jsonl").mkdir()
    os.mkfifo(data / "boards/pipe.toml")
    layers.chosen_file().unlink()
    os.mkfifo(layers.chosen_file())
    made = copied(tmp_path / "stick")
    assert dict(made.left_out) == {
        "games/pipe.jsonl": "not a plain file",
        "games/socket.jsonl": "not a plain file",
        "games/link.jsonl": "a link",
        "games/nowhere.jsonl": "a link",
        "games/zero.jsonl": "a link",
        "boards/pipe.toml": "not a plain file",
        "settings/chosen.toml": "not a plain file",
    }
    assert made.files == 11


def refused(monkeypatch: pytest.MonkeyPatch, function: str, error: int, name: str) -> None:
    """Let a call to the system fail for files of this name."""
    real = getattr(os, function)

    def call(path: object, *more: object, **named: object) -> object:
        if str(path).endswith(name):
            raise OSError(error, os.strerror(error), path)
        return real(path, *more, **named)

    monkeypatch.setattr(os, function, call)


def test_what_cannot_be_read_is_named_and_the_rest_is_copied(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(monkeypatch, "open", errno.EACCES, "games/a.jsonl")
    refused(monkeypatch, "open", errno.EIO, "boards/own.text")
    refused(monkeypatch, "scandir", errno.EACCES, "/tags")
    made = copied(tmp_path / "stick")
    assert dict(made.left_out) == {
        "games/a.jsonl": "can't be read (Permission denied)",
        "boards/own.text": "can't be read (Input/output error)",
        "tags": "can't be listed (Permission denied)",
    }
    assert made.files == 9


def test_a_folder_too_deep_for_the_system_is_named(data: Path, tmp_path: Path) -> None:
    here = os.open(data / "games", os.O_RDONLY)
    for _depth in range(20):
        os.mkdir("n" * 255, dir_fd=here)
        here, above = os.open("n" * 255, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(here)
    ((name, why),) = copied(tmp_path / "stick").left_out
    assert name.startswith("games/nnn")
    assert why == "can't be listed (File name too long)"


def test_what_is_too_large_is_named(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (data / "games/large.jsonl").open("wb") as file:
        file.truncate(copies.MOST_FILE_BYTES + 1)
    assert copied(tmp_path / "stick").left_out == (("games/large.jsonl", "longer than 50 MB, the limit"),)
    monkeypatch.setattr(collecting, "MOST_FILES", 11)
    made = copied(tmp_path / "stick")
    assert made.files == 11
    assert {why for name, why in made.left_out if name != "games/large.jsonl"} == {
        "there is no room for it in one copy"
    }


def test_of_a_shelf_too_large_for_one_copy_games_are_left_out_first(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "MOST_BYTES", 9 * copies.HEAD_BYTES)
    left = [name for name, _why in copied(tmp_path / "stick").left_out]
    assert left
    assert all(name.startswith("games/") for name in left)


def test_a_manifest_never_gets_longer_than_is_read(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["games/" + "é" * 100 + f"{n}.jsonl" for n in range(20)]
    for name in names:
        put(data / name, NEW)
    monkeypatch.setattr(collecting, "MOST_MANIFEST_BYTES", 8_000)
    monkeypatch.setattr(copies, "MOST_MANIFEST_BYTES", 8_000)
    made = copied(tmp_path / "stick")
    assert made.made
    assert 0 < len(made.left_out) < 20


def test_a_folder_that_is_a_file_is_named(data: Path, tmp_path: Path) -> None:
    (data / "tags/sengoku.toml").unlink()
    (data / "tags").rmdir()
    put(data / "tags", b"")
    assert copied(tmp_path / "stick").left_out == (("tags", "can't be listed (Not a directory)"),)


def test_where_nothing_changed_nothing_is_written(data: Path, tmp_path: Path) -> None:
    path = copy(tmp_path / "stick")
    before = path.stat().st_mtime_ns
    again = back_up(tmp_path / "stick", today=date(1970, 1, 1))
    assert (again.path, again.made) == (path, False)
    assert path.stat().st_mtime_ns == before
    put(data / "games/a.jsonl", NEW)
    assert copy(tmp_path / "stick").name == "gunbai-000002-2026-11-21.tar.gz"


def test_a_damaged_last_copy_is_made_anew(data: Path, tmp_path: Path) -> None:
    path = copy(tmp_path / "stick")
    path.write_bytes(path.read_bytes()[:-20])
    assert copy(tmp_path / "stick").name.startswith("gunbai-000002-")


def test_what_a_killed_run_left_goes_and_nobody_else_s_file(data: Path, tmp_path: Path) -> None:
    gone = 2**22 + 1
    for name in (f"gunbai-000001-2026-11-01.tar.gz.new-{gone}", f"holiday.new-{gone}"):
        put(tmp_path / "stick" / name, b"half")
    path = copy(tmp_path / "stick")
    assert {found.name for found in (tmp_path / "stick").iterdir()} == {path.name, f"holiday.new-{gone}"}


def test_old_copies_are_thinned_by_their_numbers(data: Path, tmp_path: Path) -> None:
    put(tmp_path / "stick/holiday.tar.gz", b"somebody else's")
    for number in range(5):
        put(data / "games/a.jsonl", NEW + PASS * number)
        assert back_up(tmp_path / "stick", 3, date(2026 - number, 1, 1)).made
    assert [path.name[7:13] for path in backing_up.find_copies(tmp_path / "stick")] == ["000003", "000004", "000005"]
    assert (tmp_path / "stick/holiday.tar.gz").exists()


def full(free: Callable[[Path], int]) -> Callable[[Path], Usage]:
    return lambda folder: Usage(10**9, 0, free(folder))


def test_old_copies_make_room_and_the_last_one_stays(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    for number in range(4):
        put(data / "games/a.jsonl", NEW + PASS * number)
        copy(stick)
    room = backing_up.SPARE_BYTES + 100_000
    monkeypatch.setattr(
        "shutil.disk_usage", full(lambda _folder: room if len(backing_up.find_copies(stick)) <= 2 else 0)
    )
    put(data / "games/a.jsonl", NEW)
    assert [name[7:13] for name in copied(stick).gone] == ["000001", "000002"]
    monkeypatch.setattr("shutil.disk_usage", full(lambda _folder: 1))
    put(data / "games/a.jsonl", NEW + PASS)
    with pytest.raises(ApplianceError, match="nearly full"):
        copied(stick)
    assert [path.name[7:13] for path in backing_up.find_copies(stick)] == ["000005"]
    assert len(list(stick.iterdir())) == 1


def test_a_copy_that_reads_otherwise_is_none(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def worn_out(handle: int) -> None:
        os.ftruncate(handle, os.fstat(handle).st_size - 9)
        real(handle)

    monkeypatch.setattr(os, "fsync", worn_out)
    with pytest.raises(ApplianceError, match="the disk didn't keep what was written: no copy was made"):
        copied(tmp_path / "stick")
    assert list((tmp_path / "stick").iterdir()) == []


def test_the_command(data: Path, tmp_path: Path, capsys: Capture) -> None:
    stick = str(tmp_path / "stick")
    assert "12 files, verified" in printed(capsys, "backup", "--to", stick, "--keep", "1")
    assert "nothing has changed since" in printed(capsys, "backup", "--to", stick)
    put(data / "games/a.jsonl", NEW)
    os.mkfifo(data / "games/a\n\x1b[31m.jsonl")
    assert main(["backup", "--to", stick, "--keep", "1"]) == 0
    out, err = capsys.readouterr()
    assert "old copies deleted: gunbai-000001-" in out
    assert err == "gunbai: left out: games/a \\u001b[31m.jsonl (not a plain file)\n"
    assert main(["backup"]) == 0
    assert len(backing_up.find_copies(data / "backups")) == 1
    capsys.readouterr()
    assert fault(capsys, "backup", "--keep", "0") == "--keep: must be at least 1"


def test_a_copy_may_go_through_a_pipe(
    data: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    stick, before = tmp_path / "stick", state_of(data)
    assert main(["backup", "--to", "-"]) == 0
    piped = capfdbinary.readouterr().out
    for told in (b"12 files, verified", b"nothing has changed since"):
        monkeypatch.setattr("sys.stdin", given(piped))
        assert main(["backup", "--stdin", "--to", str(stick)]) == 0
        assert told in capfdbinary.readouterr().out
    (data / "games/a.jsonl").unlink()
    monkeypatch.setattr("sys.stdin", given(piped))
    assert main(["restore", "-"]) == 1
    assert b"games/a.jsonl: put back" in capfdbinary.readouterr().out
    assert state_of(data) == before


def test_a_pipe_that_brings_nothing_or_half_a_copy_is_told(
    data: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    monkeypatch.setattr("sys.stdin", given(b""))
    assert "no saved games to copy" in printed(capsys, "backup", "--stdin", "--to", str(stick))
    monkeypatch.setattr("sys.stdin", given(copy(tmp_path / "other").read_bytes()[:-20]))
    assert fault(capsys, "backup", "--stdin", "--to", str(stick)).startswith("standard input: cut off, damaged")
    assert fault(capsys, "backup", "--stdin", "--to", "-") == "--stdin: needs a folder after --to"
    assert not stick.exists()


def test_a_pipe_that_brings_too_much_or_no_copy_of_ours_is_told(
    data: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = copy_of({"games/a.jsonl": NEW}, member("games/a.jsonl", PASS))
    twice = "holds something that doesn't belong in a copy of saved games: 'games/a.jsonl' (there twice)"
    for told in (twice, "too large for a copy of saved games"):
        monkeypatch.setattr("sys.stdin", given(odd))
        assert fault(capsys, "backup", "--stdin", "--to", str(tmp_path / "stick")) == f"standard input: {told}"
        monkeypatch.setattr(copies, "MOST_BYTES", len(odd) - 1)
    assert not (tmp_path / "stick").exists()


def test_where_there_is_nothing_nothing_is_copied(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert "no saved games" in printed(capsys, "backup", "--to", str(tmp_path / "stick"))
    assert printed(capsys, "backup", "--to", "-") == ""
    assert not (tmp_path / "stick").exists()


@contextmanager
def meanwhile(what: Callable[[str], None]) -> Iterator[None]:
    """Something happens just after each file was read."""

    def read(path: str, most: int) -> bytes:
        data = read_file(path, most)
        what(path)
        return data

    with mock.patch("companion.appliance.collecting.read_file", read):
        yield


def test_a_game_that_is_being_played_is_copied_as_it_was_at_one_moment(data: Path, tmp_path: Path) -> None:
    """The players undo while the files are read: the game and what was taken back are of the same moment."""
    match = Match.start(data / "games/played.jsonl", "sengoku-rivers", "red", {})
    for _step in range(3):
        assert match.offer(Pass()).legal
    left = [2]

    def undo(path: str) -> None:
        if path == str(match.path) and left[0]:
            left[0] -= 1
            match.undo()

    with meanwhile(undo):
        files = files_of(copy(tmp_path / "stick"))
    name = f"games/{match.path.name}"
    assert files[name] == match.path.read_bytes()
    assert files[f"{name}.undone"] == match.path.with_name(f"{match.path.name}.undone").read_bytes()
    match.close()


def test_a_game_that_only_grows_while_the_copy_is_written_is_as_it_was(data: Path, tmp_path: Path) -> None:
    number = iter(range(1000))

    def grow(path: str) -> None:
        if path.endswith("a.jsonl") and next(number):  # from when the check values are known
            with Path(path).open("ab") as file:
                file.write(PASS)

    with meanwhile(grow):
        assert files_of(copy(tmp_path / "stick"))["games/a.jsonl"] == NEW + PASS
    assert (data / "games/a.jsonl").read_bytes() == NEW + PASS + PASS


def test_what_is_replaced_again_and_again_while_the_copy_is_written_is_held(data: Path, tmp_path: Path) -> None:
    """A clock is written each minute, and a large copy takes longer: each time it is another, and is copied anyway."""
    clock, number = data / "games/a.jsonl.clock.json", iter(range(1000))

    def tick(path: str) -> None:
        if path == str(data / "games/trash/b.jsonl"):
            storage.atomic_write(clock, b"%d" % next(number))

    with meanwhile(tick):
        files = files_of(copy(tmp_path / "stick"))
    assert int(files["games/a.jsonl.clock.json"]) < next(number)
    assert len(list((tmp_path / "stick").iterdir())) == 1


def test_what_goes_while_the_copy_is_made_is_not_in_it(data: Path, tmp_path: Path) -> None:
    with meanwhile(lambda path: (data / "games/trash/b.jsonl").unlink(missing_ok=True)):
        made = copied(tmp_path / "stick")
    assert made.path is not None
    assert "games/trash/b.jsonl" not in files_of(made.path)
    assert made.left_out == ()


def test_half_a_line_is_left_out_and_what_never_rests_is_told(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(data / "games/a.jsonl", NEW + b'{"pa')
    assert files_of(copy(tmp_path / "stick"))["games/a.jsonl"] == NEW
    number = iter(range(1000))
    with monkeypatch.context() as patched:
        patched.setattr(collecting, "_states", lambda _paths: next(number))
        with pytest.raises(ApplianceError, match="keeps changing"):
            copied(tmp_path / "other")

    def restless(_found: CopyContents, name: str) -> bytes:
        raise collecting.FileChanged(name)

    monkeypatch.setattr(CopyContents, "content", restless)
    with pytest.raises(ApplianceError, match="keeps changing"):
        copied(tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []
