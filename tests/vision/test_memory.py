"""Memory: the C library keeps one heap and gives it back, and what was worked out for a thing goes with it."""

from __future__ import annotations

import ctypes
import gc
import weakref

import pytest

from tests.vision.tables import pictures
from vision import memory
from vision.live import camera_process
from vision.live.camera_process import TableEye
from vision.memory import once_for
from vision.reading.setting import prepare_table
from vision.table import Table


class Library:
    """A C library that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, tuple[int, ...]]] = []

    def malloc_trim(self, *given: int) -> None:
        self.told.append(("malloc_trim", given))

    def mallopt(self, *given: int) -> None:
        self.told.append(("mallopt", given))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: made)
    return made


def test_the_c_library_is_told(library: Library) -> None:
    memory.one_heap()
    memory.give_back()
    assert library.told == [("mallopt", (memory.M_ARENA_MAX, 1)), ("malloc_trim", (0,))]


def test_a_c_library_that_knows_no_such_thing_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    memory.one_heap()
    memory.give_back()


def test_the_camera_s_process_gives_back_what_a_table_and_a_reading_took(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(camera_process, "give_back", lambda: told.append("given back"))
    eye = TableEye(pictures().table)
    assert told == ["given back"]
    assert eye.read(pictures().start.picture).units
    assert told == ["given back"] * 2


class Thing:
    """Anything; all of them are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing)

    __hash__ = object.__hash__


def test_work_is_done_once_for_each_thing_until_it_is_let_go() -> None:
    done: list[Thing] = []

    @once_for
    def work(thing: Thing) -> int:
        done.append(thing)
        return len(done)

    one, other = Thing(), Thing()
    assert [work(one), work(other), work(one)] == [1, 2, 1]
    work.forget()
    assert work(one) == 3


def test_what_was_worked_out_for_a_table_goes_with_it() -> None:
    """A table that was calibrated anew, and another, and another: none but the last is held."""
    made = pictures().table
    table = Table(made.plan, made.reference_bgr, made.corners_px)
    setting = weakref.ref(prepare_table(table).printed.image_bgr)
    assert setting() is not None
    del table
    gc.collect()
    assert setting() is None
