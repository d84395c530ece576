"""The folder of copies: how many are kept, and room on the card."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from companion.appliance import backing_up
from companion.appliance.backing_up import back_up
from companion.core.errors import ApplianceError
from tests.companion.appliance.backup.copying import NEW, PASS, Usage, copied, copy
from tests.companion.appliance.household import put


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
