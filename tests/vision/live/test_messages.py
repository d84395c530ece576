"""Readings through a pipe and pictures through shared memory: as they were, or refused."""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.dice.reader import DiceReading, Die
from vision.live.messages import HEAD, Message, MessageError, read_message, reading_from, reading_message, write_message
from vision.live.shared_picture import SLOTS, SharedPicture, shared_file
from vision.reading.read import Reading, read

DICE = DiceReading((Die((-12.5, 40.0), 2, 0.97),), ((3.0, 4.0),), True, 12.0)


def sent(*messages: Message) -> io.BytesIO:
    pipe = io.BytesIO()
    for message in messages:
        write_message(pipe, message)
    pipe.seek(0)
    return pipe


def through(reading: Reading, jpeg: bytes = b"", dice: DiceReading | None = None) -> tuple:  # type: ignore[type-arg]
    message = read_message(sent(reading_message(reading, jpeg, dice)))
    assert message is not None
    return reading_from(message)


def test_a_reading_arrives_as_it_was() -> None:
    reading = replace(read(pictures().table, pictures().later.picture), support=("plan:1", "plan:2"))
    arrived, jpeg, dice = through(reading, b"a jpeg", DICE)
    assert (jpeg, dice) == (b"a jpeg", DICE)
    assert np.array_equal(arrived.board_image, reading.board_image)  # type: ignore[arg-type]
    assert np.array_equal(arrived.registration.reference_from_frame, reading.registration.reference_from_frame)  # type: ignore[union-attr]
    same = {"board_image": None, "registration": None}
    assert replace(arrived, **same) == replace(reading, **same)  # type: ignore[arg-type]


def test_a_reading_without_a_board_arrives_too() -> None:
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


@pytest.mark.parametrize("text", [b"{not json", b"[1]", b"\xff"])
def test_nonsense_is_refused(text: bytes) -> None:
    with pytest.raises(MessageError, match="invalid message"):
        read_message(io.BytesIO(HEAD.pack(len(text), 0) + text))


def test_a_message_too_large_to_be_one_is_refused() -> None:
    with pytest.raises(MessageError, match="invalid message"):
        read_message(io.BytesIO(HEAD.pack(20, 1 << 31)))


@pytest.mark.parametrize("broken", [{"reading": {}}, {"image": [9, 9, 3]}, {"dice": {"dice": [1]}}, {"reading": None}])
def test_a_reading_that_makes_no_sense_is_refused(broken: dict[str, object]) -> None:
    whole = reading_message(Reading({}, {}, {"a1": 0.0}, ("a1",), 1.0), b"", None)
    with pytest.raises(MessageError, match="makes no sense"):
        reading_from(Message({**json.loads(json.dumps(whole.told)), **broken}))


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
    looks.close()
    shows.close()


def test_a_picture_too_large_is_shown_smaller() -> None:
    shared = SharedPicture(shared_file())
    shared.show(grey(50, (3040, 4056)))
    seen = shared.latest()
    assert seen is not None
    assert max(seen.shape) == 1920
    shared.close()


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
