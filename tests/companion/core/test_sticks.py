"""Memory sticks as sysfs, udev and the mounts tell of them, in folders that stand for those."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from companion.core import sticks
from companion.core.sticks import Stick


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
    assert sticks.out_of_here(here) == stick
    assert list(stick.iterdir()) == [], "the try leaves nothing"
    monkeypatch.setattr(sticks, "refusal", lambda _folder: errno.EROFS)
    assert list(sticks.mounted_folders()) == [stick]
    assert sticks.out_of_here(here) == here


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
