"""The grounds that are kept: painted once, one at a time, and never asked for in vain."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.grounds.job import GroundJob
from companion.grounds.store import MOST_KEPT, NO_GROUNDS, GroundStore, WaitingGrounds, start_painter
from tests.companion.grounds.jobs import small_job


class Painters:
    """Stand in for the painting process: ends at once, having written a file or failed."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.asked: list[GroundJob] = []

    def __call__(self, job: GroundJob, path: Path) -> subprocess.Popen[str]:
        self.asked.append(job)
        if not self.fails:
            path.write_bytes(b"picture")
        child = subprocess.Popen([sys.executable, "-c", f"raise SystemExit({int(self.fails)})"], text=True)
        child.wait()
        return child


def test_a_missing_ground_is_painted_in_the_background_and_found_from_then_on(tmp_path: Path) -> None:
    painters = Painters()
    store = GroundStore(tmp_path / "grounds", painters)
    assert store.find(small_job()) is None
    assert not store.look()  # begins
    assert store.look()  # has come
    found = store.find(small_job())
    assert found is not None
    assert found.read_bytes() == b"picture"
    assert GroundStore(tmp_path / "grounds", painters).find(small_job()) == found
    assert not store.look()
    assert painters.asked == [small_job()]


def test_the_ground_that_was_asked_for_last_is_painted_first(tmp_path: Path) -> None:
    painters = Painters()
    store = GroundStore(tmp_path, painters)
    for style in ("lacquer", "washi"):
        assert store.find(small_job(style)) is None
    while len(painters.asked) < 2:
        store.look()
    assert [job.style for job in painters.asked] == ["washi", "lacquer"]


def test_a_painter_that_fails_is_not_asked_again(tmp_path: Path) -> None:
    painters = Painters(fails=True)
    store = GroundStore(tmp_path, painters)
    for _ in range(3):
        assert store.find(small_job()) is None
        assert not store.look()
    assert store.has_failed(small_job())
    assert len(painters.asked) == 1


def test_a_disk_that_takes_nothing_leaves_the_map_plain(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = GroundStore(tmp_path / "file" / "grounds", Painters())
    assert store.find(small_job()) is None
    assert not store.look()
    assert store.has_failed(small_job())


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    for number in range(MOST_KEPT + 3):
        (tmp_path / f"{number}.jpg").write_bytes(b"")
    store = GroundStore(tmp_path, Painters())
    store.find(small_job())
    store.look()
    store.look()
    assert len(list(tmp_path.glob("*.jpg"))) == MOST_KEPT


def test_pictures_that_are_kept_wait_for_their_grounds(tmp_path: Path) -> None:
    found = WaitingGrounds(tmp_path, Painters()).find(small_job())
    assert found is not None
    assert found.read_bytes() == b"picture"
    assert WaitingGrounds(tmp_path / "other", Painters(fails=True)).find(small_job()) is None


def test_without_a_store_there_are_no_grounds() -> None:
    assert NO_GROUNDS.find(small_job()) is None


@pytest.mark.long
def test_the_real_painter_writes_a_jpeg_and_can_be_stopped(tmp_path: Path) -> None:
    child = start_painter(small_job(), tmp_path / "one.jpg")
    assert child.wait(60) == 0
    assert (tmp_path / "one.jpg").read_bytes().startswith(b"\xff\xd8")
    store = GroundStore(tmp_path)
    store.find(small_job("washi"))
    store.look()
    store.close()
    assert not store.look()
