"""Painted grounds: the same picture for the same job, painted once, one at a time, and never asked for in vain."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.grounds.painter import Mask, _draw_clouds, paint, wave_scales
from companion.grounds.store import (
    MOST_KEPT,
    NO_GROUNDS,
    STYLES,
    GroundJob,
    GroundStore,
    WaitingGrounds,
    job_from_text,
    start_painter,
)

LAND = ((4.0, 4.0), (30.0, 4.0), (30.0, 44.0), (4.0, 44.0))
WATER = ((30.0, 4.0), (60.0, 4.0), (60.0, 44.0), (30.0, 44.0))


def small_job(style: str = "lacquer", scenery: str = "") -> GroundJob:
    """Return a job of 64 by 48 pixels."""
    return GroundJob(
        style=style, scenery=scenery, size_px=(64, 48), unit=0.8, land=(LAND,), water=(WATER,), hills=((17.0, 20.0),),
        bridges=(((30.0, 4.0), (30.0, 44.0)),), land_colour="#dfd2ac", water_colour="#3f78a0",
    )  # fmt: skip


EVERY_STYLE = pytest.mark.parametrize("style", STYLES)


@EVERY_STYLE
def test_a_job_is_painted_the_same_each_time(style: str) -> None:
    first, second = paint(small_job(style)), paint(small_job(style))
    assert first.shape == (48, 64, 3)
    assert np.array_equal(first, second)


@EVERY_STYLE
@pytest.mark.parametrize("scenery", ["", "woods", "mountains", "sea"])
def test_land_and_water_keep_the_colours_that_were_asked_for(style: str, scenery: str) -> None:
    picture = paint(small_job(style, scenery))
    land, water = picture[8:16, 8:16].mean(axis=(0, 1)), picture[30:40, 44:56].mean(axis=(0, 1))
    assert land[0] > land[2]
    assert water[2] > water[0]


def test_other_colours_give_another_picture_and_another_name() -> None:
    job, other = small_job(), replace(small_job(), land_colour="#405060")
    assert job.name != other.name
    assert paint(other)[10:40, 8:26].mean() < paint(job)[10:40, 8:26].mean() - 40


def test_a_job_survives_its_way_to_the_painter() -> None:
    assert job_from_text(small_job().as_text()) == small_job()


def test_clouds_come_in_from_both_sides_where_there_is_no_map() -> None:
    free = np.ones((72, 200), np.float32)
    free[:, 150:] = 0
    picture = np.zeros((72, 200, 3), np.float32)
    _draw_clouds(picture, free)
    inked = picture.max(axis=2) > 0
    assert inked[:12, :20].any()
    assert not inked[20:50].any()
    assert not inked[:, 150:].any(), "there lies the map"
    assert picture.max() <= 255
    other = np.zeros((72, 200, 3), np.float32)
    _draw_clouds(other, free[:, ::-1])
    assert other[:, -20:].any()
    assert not other[:, :50].any()


def test_a_scale_of_the_waves_hides_what_lies_behind_it() -> None:
    radius = 40.0
    lines = wave_scales((160, 160), radius)
    turns = np.radians(np.arange(-40, 41))

    def seen(share: float) -> Mask:
        """Return what is drawn so far from a scale's middle, in parts of its radius, on its upper side."""
        across, down = radius + share * radius * np.sin(turns), 1.5 * radius - share * radius * np.cos(turns)
        return np.asarray(lines[np.round(down).astype(int), np.round(across).astype(int)])

    assert (seen(0.97) > 0.5).all()
    assert (seen(0.8) == 0).all()


# ---- what is kept ----------------------------------------------------------------------------------


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
