"""Files that stay whole: appending, replacing, keeping damaged parts, locking; values as TOML; memory sticks."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import sticks, storage
from companion.core.sticks import Stick
from companion.core.toml_values import toml_lines


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
    stay = [f"game.jsonl.new-{another}", f"game.jsonl.new-{own}", "a.new-year", "game.jsonl", f".new-{gone}"]
    stay += [
        f"x.new-{what}" for what in ("\N{SUPERSCRIPT TWO}", "9" * 20, "\u0663", "", "-1", "1e3", "0x10", " 1", "0")
    ]
    for name in (*stay, f"game.jsonl.new-{gone}", f"x\ny.new-{gone}"):
        (tmp_path / name).write_text("x")
    (tmp_path / f"folder.new-{gone}").mkdir()
    real = os.kill

    def kill(process: int, signal: int) -> None:
        if process == another:
            raise PermissionError
        real(process, signal)

    monkeypatch.setattr(os, "kill", kill)
    storage.sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*stay, f"folder.new-{gone}"}


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


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SINGLE = TEXTS | st.booleans() | st.integers(-999, 999) | st.floats(-999, 999).map(lambda n: round(n, 2))
VALUES = st.recursive(
    SINGLE, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(values=st.dictionaries(TEXTS, VALUES, max_size=4))
def test_values_read_back_equal(values: dict[str, object]) -> None:
    assert tomllib.loads(toml_lines(values)) == values


def test_tables_in_a_list_have_a_line_each() -> None:
    rows = [{"action": "sail", "cell": (1, 2)}, {"action": "fly", "cell": (3, 4)}]
    assert toml_lines({"spots": rows}).splitlines() == [
        "spots = [",
        '  { action = "sail", cell = [1, 2] },',
        '  { action = "fly", cell = [3, 4] },',
        "]",
    ]


class System:
    """A made-up sysfs with udev's records and the mounts."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place, self.number = place, 0
        self.mounts = place / "mountinfo"
        self.mounts.write_text("")
        for name in ("block", "data"):
            (place / name).mkdir()
        monkeypatch.setattr(sticks, "BLOCK", place / "block")
        monkeypatch.setattr(sticks, "RECORDS", place / "data")
        monkeypatch.setattr(sticks, "MOUNTS", self.mounts)

    def device(self, path: str, record: str = "", where: str = "", size: int = 2048) -> None:
        """Add a block device at this path below the devices, mounted there."""
        folder = self.place / "devices" / path
        folder.mkdir(parents=True, exist_ok=True)
        self.number += 1
        (folder / "dev").write_text(f"8:{self.number}\n")
        (folder / "size").write_text(f"{size}\n")
        if (folder.parent / "size").exists():
            (folder / "partition").write_text("1\n")
        (self.place / "block" / folder.name).symlink_to(folder)
        (self.place / "data" / f"b8:{self.number}").write_text(record)
        if where:
            line = f"30 1 8:{self.number} / {where} rw - vfat /dev/{folder.name} rw\n"
            self.mounts.write_text(self.mounts.read_text() + line)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    return System(tmp_path, monkeypatch)


def test_a_stick_with_a_partition_is_its_partition(system: System) -> None:
    system.device("usb1/sda")
    record = "I:12\nE:odd\nE:ID_FS_LABEL_ENC=Fotos\\x20de\\x20fam\u00edlia\nE:ID_FS_TYPE=vfat\n"
    system.device("usb1/sda/sda1", record, "/media/gunbai/sda1")
    [found] = sticks.plugged_in()
    assert found == Stick("sda1", "Fotos de família", "vfat", Path("/media/gunbai/sda1"))
    assert found.is_own
    assert found.name == "Fotos de família"


def test_one_without_partitions_is_itself_and_an_empty_reader_is_none(system: System) -> None:
    system.device("usb1/sdb", "E:ID_FS_TYPE=exfat\n", "/media/ana/stick\\040one")
    system.device("usb1/sdc", size=0)
    system.device("platform/mmcblk0", "E:ID_FS_TYPE=ext4\n", "/")
    [found] = sticks.plugged_in()
    assert found == Stick("sdb", "", "exfat", Path("/media/ana/stick one"))
    assert not found.is_own, "a desktop mounted it"
    assert found.name == "sdb"


def test_what_the_system_has_mounted_from_a_usb_disk_is_no_stick(system: System) -> None:
    system.device("usb1/sda")
    system.device("usb1/sda/sda1", "E:ID_FS_TYPE=vfat\n", "/boot/firmware")
    system.device("usb1/sda/sda2", "E:ID_FS_TYPE=ext4\n", "/")
    assert sticks.plugged_in() == ()


@pytest.mark.parametrize("places", [("/boot/firmware", "/media/x"), ("/media/x", "/boot/firmware")])
def test_nor_where_it_is_mounted_twice(system: System, places: tuple[str, str]) -> None:
    system.device("usb1/sda", "E:ID_FS_TYPE=vfat\n")
    system.mounts.write_text("".join(f"30 1 8:1 / {place} rw - vfat /dev/sda rw\n" for place in places))
    assert sticks.plugged_in() == ()


def test_one_that_nobody_mounted_is_told_with_its_kind_and_a_label_steers_nothing(system: System) -> None:
    system.device("usb1/sda", "E:ID_FS_TYPE=ntfs\nE:ID_FS_LABEL_ENC=a\\x1b[2J" + "b" * 80 + "\n")
    [found] = sticks.plugged_in()
    assert (found.kind, found.folder, found.label) == ("ntfs", None, "a?[2J" + "b" * 27)


def test_where_nothing_can_be_read_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sticks, "BLOCK", tmp_path / "none")
    assert sticks.plugged_in() == ()


# ---- folders --------------------------------------------------------------------------------------------------------


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is taken for a mounted stick."""
    folder = tmp_path / "media" / "gunbai" / "sda1"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sticks, "PLACES", (tmp_path / "media",))
    monkeypatch.setattr(Path, "is_mount", lambda self: self == folder)
    return folder


def test_files_go_to_a_stick_where_there_is_one(stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path("/here")
    assert list(sticks.mounted_folders()) == [stick]
    assert sticks.stick_or(here) == stick
    assert list(stick.iterdir()) == [], "the try leaves nothing"
    monkeypatch.setattr(sticks, "refusal", lambda _folder: errno.EROFS)
    assert list(sticks.mounted_folders()) == [stick]
    assert sticks.stick_or(here) == here


def test_a_full_stick_is_told_from_a_locked_one(stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = errno.EROFS

    def refuse(*_args: object) -> int:
        raise OSError(refused, os.strerror(refused))

    monkeypatch.setattr(os, "open", refuse)
    assert sticks.refusal(stick) == errno.EROFS
    refused = errno.ENOSPC
    assert sticks.refusal(stick) == errno.ENOSPC, "the top folder of FAT16 is full long before the stick is"
    usage = shutil.disk_usage(stick)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage._replace(free=0))
    refused = errno.EROFS
    assert sticks.refusal(stick) == errno.ENOSPC


def test_one_that_was_pulled_amid_the_try_may_be_written_again(stick: Path) -> None:
    (stick / ".gunbai").write_text("")
    assert sticks.refusal(stick) == 0
    assert not (stick / ".gunbai").exists()
    (stick / ".gunbai").mkdir()
    assert sticks.refusal(stick) == errno.EISDIR
    assert sticks.refusal(stick / "gone") == errno.ENOENT
    assert sticks.free_bytes(stick) > 0
    assert sticks.free_bytes(stick / "gone") == 0
