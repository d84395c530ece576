"""The C library is told to keep one heap, and to give memory back."""

from __future__ import annotations

import ctypes

import pytest

from tests.vision.tables import pictures
from vision import heap
from vision.live import camera_process
from vision.live.camera_process import TableEye


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
    heap.one_heap()
    heap.give_back()
    assert library.told == [("mallopt", (heap.M_ARENA_MAX, 1)), ("malloc_trim", (0,))]


def test_a_c_library_that_knows_no_such_thing_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    heap.one_heap()
    heap.give_back()


def test_the_camera_s_process_gives_back_what_a_table_and_a_reading_took(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(camera_process, "give_back", lambda: told.append("given back"))
    eye = TableEye(pictures().table)
    assert told == ["given back"]
    assert eye.read(pictures().start.picture).units
    assert told == ["given back"] * 2
