"""What is worked out once for a thing goes with it."""

from __future__ import annotations

import gc
import weakref

from tests.vision.tables import pictures
from vision.reading.once import once_for
from vision.reading.read import prepare_table
from vision.table import Table


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
