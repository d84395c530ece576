"""Files that stay whole: appending, replacing, keeping damaged parts, locking, finding the last game."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from companion.core import storage


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))


def test_the_data_folder_can_be_named(tmp_path: Path) -> None:
    assert storage.data_dir() == tmp_path / "data"


def test_the_data_folder_is_the_systems_own_where_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GUNBAI_DATA")
    assert storage.data_dir().name == "gunbai"


def test_the_games_folder_is_made_when_it_is_asked_for() -> None:
    assert storage.games_dir().is_dir()


def test_a_new_game_never_takes_a_name_that_is_there() -> None:
    storage.games_dir()
    first = storage.new_game_path("evening")
    first.write_text("x")
    second = storage.new_game_path("evening")
    second.write_text("x")
    assert [first.name, second.name] == ["evening.jsonl", "evening-2.jsonl"]
    assert storage.new_game_path("evening").name == "evening-3.jsonl"


def test_lines_are_appended_whole_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    storage.append_line(path, storage.line_of({"a": 1}))
    storage.append_line(path, storage.line_of({"b": "Jō"}))
    assert [json.loads(line) for line in path.read_text().splitlines()] == [{"a": 1}, {"b": "Jō"}]


def test_half_a_line_that_a_power_cut_left_goes_before_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b"')
    storage.append_line(path, b'{"c": 3}\n')
    assert path.read_bytes() == b'{"a": 1}\n{"c": 3}\n'


def test_an_append_is_synced_before_it_returns_and_a_new_file_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    path = tmp_path / "log.jsonl"
    storage.append_line(path, b"{}\n")
    assert synced == [str(path), str(tmp_path)]
    storage.append_line(path, b"{}\n")
    assert synced[2:] == [str(path)]


def full_disk(limit: int) -> object:
    """Return an `os.write` that fails after so many bytes."""
    real, written = os.write, 0

    def write(handle: int, data: memoryview) -> int:
        nonlocal written
        room = limit - written
        if room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(handle, bytes(data)[:room])
        written += done
        return done

    return write


def test_an_append_that_finds_the_disk_full_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    storage.append_line(path, b"{}\n")
    before = path.read_bytes()
    monkeypatch.setattr(os, "write", full_disk(4))
    with pytest.raises(OSError, match="No space left"):
        storage.append_line(path, b'{"a": 2}\n')
    assert path.read_bytes() == before


def test_a_write_is_carried_on_where_the_system_took_only_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:3]))
    storage.append_line(tmp_path / "log.jsonl", storage.line_of({"a": 123456}))
    assert json.loads((tmp_path / "log.jsonl").read_text()) == {"a": 123456}


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    storage.atomic_write(path, b"first\n")
    monkeypatch.setattr(os, "write", full_disk(3))
    with pytest.raises(OSError, match="No space left"):
        storage.atomic_write(path, b"second\n")
    assert path.read_bytes() == b"first\n"
    assert [file.name for file in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_new_file_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    storage.create(path, b"mine")
    with pytest.raises(FileExistsError):
        storage.create(path, b"yours")
    assert path.read_bytes() == b"mine"


def test_damaged_parts_get_numbers(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    assert [storage.keep_aside(path, b"x").name for _ in range(2)] == ["game.jsonl.broken-1", "game.jsonl.broken-2"]


def test_what_is_set_aside_gets_a_number_whatever_it_is(tmp_path: Path) -> None:
    path, taken = tmp_path / "chosen.toml", tmp_path / "chosen.toml.broken-1"
    taken.symlink_to("nowhere")
    os.mkfifo(path)
    assert storage.set_aside(path) == tmp_path / "chosen.toml.broken-2"
    assert (tmp_path / "chosen.toml.broken-2").is_fifo()
    assert taken.is_symlink()
    path.mkdir()
    assert storage.set_aside(path).is_dir()


def test_a_file_is_locked_for_one_holder(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"x")
    first, second = os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)
    assert storage.lock(first)
    assert not storage.lock(second)
    os.close(first)
    assert storage.lock(second)
    os.close(second)


def test_what_a_killed_process_left_half_replaced_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, another, own = 2**22 + 1, 1, os.getpid()
    names = [f"game.jsonl.new-{gone}", f"game.jsonl.new-{another}", f"game.jsonl.new-{own}", "a.new-year", "game.jsonl"]
    for name in names:
        (tmp_path / name).write_text("x")
    real = os.kill

    def kill(process: int, signal: int) -> None:
        if process == another:
            raise PermissionError
        real(process, signal)

    monkeypatch.setattr(os, "kill", kill)
    storage.sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(names[1:])


def test_of_one_file_its_own_left_overs_go_alone(tmp_path: Path) -> None:
    names = [f"[a].zip.new-{2**22 + 1}", f"a.zip.new-{2**22 + 1}", f"[a].zip.zip.new-{2**22 + 1}"]
    for name in names:
        (tmp_path / name).write_text("x")
    storage.sweep(tmp_path, "[a].zip")
    assert {path.name for path in tmp_path.iterdir()} == set(names[1:])


def test_left_overs_go_from_all_folders_of_the_data() -> None:
    for folder in (storage.data_dir(), storage.games_dir(), storage.data_dir() / "tables"):
        folder.mkdir(exist_ok=True)
        (folder / f"kitchen.table.new-{2**22 + 1}").write_text("half")
        (folder / "kitchen.table").write_text("whole")
    storage.sweep_data()
    found = {path.name for path in storage.data_dir().rglob("*") if path.is_file()}
    assert found == {"kitchen.table"}
