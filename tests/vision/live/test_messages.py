"""Readings through a pipe and pictures through shared memory: as they were, or refused, however mad the sender."""

from __future__ import annotations

import io
import os
from dataclasses import replace

import numpy as np
import pytest

from tests.hostile import messages
from tests.vision.tables import pictures, there
from vision.dice.reader import DiceReading, Die
from vision.live.messages import (
    HEAD_BYTES,
    SLOTS,
    Message,
    MessageError,
    SharedPicture,
    dice_from,
    read_message,
    reading_from,
    reading_message,
    shared_file,
    write_message,
)
from vision.reading.read import Reading, read
from vision.values import line

DICE = DiceReading((Die((-12.5, 40.0), 2, 0.97),), ((3.0, 4.0),), True, 12.0)


def sent(*messages: Message) -> io.BytesIO:
    pipe = io.BytesIO()
    for message in messages:
        write_message(pipe, message)
    pipe.seek(0)
    return pipe


def through(reading: Reading, jpeg: bytes = b"", dice: DiceReading | None = None) -> tuple:  # type: ignore[type-arg]
    message = there(read_message(sent(reading_message(reading, jpeg, dice))))
    return reading_from(message)


def test_a_reading_arrives_as_it_was_with_a_board_or_without() -> None:
    reading = replace(read(pictures().table, pictures().later.picture), support=("plan:1", "plan:2"))
    arrived, jpeg, dice = through(reading, b"a jpeg", DICE)
    assert (jpeg, dice) == (b"a jpeg", DICE)
    assert np.array_equal(arrived.board_image, reading.board_image)  # type: ignore[arg-type]
    assert np.array_equal(arrived.registration.reference_from_frame, reading.registration.reference_from_frame)  # type: ignore[union-attr]
    same = {"board_image": None, "registration": None}
    assert replace(arrived, **same) == replace(reading, **same)  # type: ignore[arg-type]
    reading = Reading({}, {}, {"a1": 0.0}, ("a1",), 1.0)
    assert through(reading) == (reading, b"", None)


def test_messages_come_one_after_the_other_and_then_the_end() -> None:
    pipe = sent(Message({"told": "state"}), Message({"told": "nudge", "mm": 2.0}, b"xyz"))
    assert read_message(pipe) == Message({"told": "state"})
    assert read_message(pipe) == Message({"told": "nudge", "mm": 2.0}, b"xyz")
    assert read_message(pipe) is None


@pytest.mark.parametrize("left", [3, 9, 30])
def test_a_message_that_breaks_off_is_the_end(left: int) -> None:
    whole = sent(Message({"told": "state"}, b"12345678901234567890")).getvalue()
    assert read_message(io.BytesIO(whole[:left])) is None


# ---- live pictures ------------------------------------------------------------------------------


def grey(shade: int, shape: tuple[int, int] = (480, 640)) -> np.ndarray:
    return np.full((*shape, 3), shade, np.uint8)


def test_the_newest_picture_is_seen_on_the_other_side() -> None:
    shows = SharedPicture(shared_file())
    looks = SharedPicture(os.dup(shows.descriptor))
    assert looks.latest() is None
    for shade in range(1, 2 * SLOTS + 2):
        shows.show(grey(shade))
    seen = looks.latest()
    assert np.array_equal(seen, grey(2 * SLOTS + 1))  # type: ignore[arg-type]
    assert looks.latest() is seen, "the same object until there is a newer one"
    shows.show(grey(90, (300, 700)))
    assert np.array_equal(looks.latest(), grey(90, (300, 700)))  # type: ignore[arg-type]
    shows.show(grey(50, (3040, 4056)))
    assert max(looks.latest().shape) == 1920, "one too large is shown smaller"  # type: ignore[union-attr]
    looks.close()
    shows.close()


def test_a_picture_overtaken_while_it_is_taken_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = SharedPicture(shared_file())
    shared.show(grey(1))
    taken = SharedPicture._taken

    def slowly(self: SharedPicture, slot: int) -> np.ndarray | None:
        found = taken(self, slot)
        for shade in range(SLOTS):
            self.show(grey(100 + shade))
        return found

    monkeypatch.setattr(SharedPicture, "_taken", slowly)
    assert shared.latest() is None
    monkeypatch.undo()
    assert int(shared.latest()[0, 0, 0]) >= 100  # type: ignore[index]
    shared.close()


@pytest.mark.parametrize("case", messages.REFUSED)
def test_what_is_no_message_is_refused(case: str) -> None:
    with pytest.raises(MessageError, match="invalid message"):
        read_message(io.BytesIO(messages.REFUSED[case]()))


def test_a_sentence_is_cut_and_bare() -> None:
    assert line("a\x1b[31m\0\n" + "b" * 10_000) == "a [31m  " + "b" * 492
    with pytest.raises(ValueError, match="sentence"):
        line(3)


@pytest.mark.parametrize("case", [name for name, made in messages.NONSENSE.items() if b'"settled"' in made()])
def test_a_reading_that_makes_no_sense_is_refused(case: str) -> None:
    message = there(read_message(io.BytesIO(messages.NONSENSE[case]())))
    with pytest.raises(MessageError, match="makes no sense"):
        reading_from(message)


def test_the_reading_that_they_are_made_from_is_an_honest_one() -> None:
    message = there(read_message(io.BytesIO(messages.settled(image=[1, 2, 3], dice=messages.DICE))))
    reading, jpeg, dice = reading_from(message)
    assert (reading.units, jpeg) == (messages.READING["units"], b"789")
    assert dice == dice_from(messages.DICE)
    assert reading.board_image is not None
    assert reading.board_image.tolist() == [[[49, 50, 51], [52, 53, 54]]]


@pytest.mark.parametrize("sides", [(0, 0), (-5, 7), (2**40, 2**40), (1921, 100)])
def test_memory_with_nonsense_in_it_shows_nothing(sides: tuple[int, int]) -> None:
    shared = SharedPicture(shared_file())
    shared.show(np.zeros((480, 640, 3), np.uint8))
    head = np.frombuffer(shared._memory, np.int64, HEAD_BYTES // 8)
    head[1 : 1 + 2 * SLOTS] = sides * SLOTS
    assert shared.latest() is None
    del head
    shared.close()
