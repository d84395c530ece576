"""Messages and orders of a process gone mad: refused, whatever they are, and nothing else happens."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.hostile import messages
from tests.vision.live.test_camera_service import Manager, Reader
from vision.errors import CameraError
from vision.live.camera import open_camera
from vision.live.camera_service import LIVE, LONGEST_ORDER, SOCKET, CameraService, order_of
from vision.live.messages import MessageError, dice_from, read_message, reading_from
from vision.live.pi_camera import picture_of
from vision.live.shared_picture import HEAD_BYTES, SLOTS, SharedPicture, named_file, shared_file
from vision.values import line


@pytest.mark.parametrize("case", messages.REFUSED)
def test_what_is_no_message_is_refused(case: str) -> None:
    with pytest.raises(MessageError, match="invalid message"):
        read_message(io.BytesIO(messages.REFUSED[case]()))


@pytest.mark.parametrize("case", [name for name, made in messages.NONSENSE.items() if b'"settled"' in made()])
def test_a_reading_that_makes_no_sense_is_refused(case: str) -> None:
    message = read_message(io.BytesIO(messages.NONSENSE[case]()))
    assert message is not None
    with pytest.raises(MessageError, match="makes no sense"):
        reading_from(message)


def test_the_reading_that_they_are_made_from_is_an_honest_one() -> None:
    message = read_message(io.BytesIO(messages.settled(image=[1, 2, 3], dice=messages.DICE)))
    assert message is not None
    reading, jpeg, dice = reading_from(message)
    assert (reading.units, jpeg) == (messages.READING["units"], b"789")
    assert dice == dice_from(messages.DICE)
    assert reading.board_image is not None
    assert reading.board_image.tolist() == [[[49, 50, 51], [52, 53, 54]]]


@pytest.mark.parametrize("case", messages.ORDERS)
def test_what_is_no_order_is_refused(case: str) -> None:
    assert order_of(messages.ORDERS[case]) is None


@pytest.fixture
def service(tmp_path: Path) -> Iterator[CameraService]:
    made = CameraService(tmp_path, Manager(), lambda: 0.0)
    yield made
    made.close()


def test_the_service_outlives_every_order(service: CameraService, tmp_path: Path) -> None:
    tables = (None, "/dev/zero", "a\0b", str(tmp_path / SOCKET))
    named = [{"camera": name, "table": table} for name in messages.CAMERAS for table in tables]
    hostile = [*messages.ORDERS.values(), b"x" * (3 * LONGEST_ORDER), *(json.dumps(order).encode() for order in named)]
    states = 0
    for order in hostile:
        app = Reader(tmp_path)
        app.link.send(order)
        service.once()
        states += len(app.states())
        app.close()
    assert states >= 2 * len(tables) * (len(messages.CAMERAS) - 1), "each is answered, but for the one that is no text"


@pytest.mark.parametrize("camera", messages.CAMERAS[:-1])
def test_a_camera_that_there_cannot_be_is_told(camera: str) -> None:
    with pytest.raises(CameraError):
        open_camera(camera)


def test_what_lies_where_the_memory_belongs_is_removed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LIVE)
    os.close(named_file(tmp_path / LIVE))
    (tmp_path / "b").symlink_to(tmp_path / LIVE)
    os.close(named_file(tmp_path / "b"))
    assert (tmp_path / LIVE).is_file()
    assert not (tmp_path / "b").is_symlink()


@pytest.mark.parametrize("sides", [(0, 0), (-5, 7), (2**40, 2**40), (1921, 100)])
def test_memory_with_nonsense_in_it_shows_nothing(sides: tuple[int, int]) -> None:
    shared = SharedPicture(shared_file())
    shared.show(np.zeros((480, 640, 3), np.uint8))
    head = np.frombuffer(shared._memory, np.int64, HEAD_BYTES // 8)
    head[1 : 1 + 2 * SLOTS] = sides * SLOTS
    assert shared.latest() is None
    del head
    shared.close()


@pytest.mark.parametrize("size", [(0, 0), (2, 0), (0, 2), (2, 2)])
def test_a_frame_of_no_size_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(CameraError, match="cannot have"):
        picture_of(bytes(1000), size, 64)


def test_a_sentence_is_cut_and_bare() -> None:
    assert line("a\x1b[31m\0\n" + "b" * 10_000) == "a [31m  " + "b" * 492
    with pytest.raises(ValueError, match="sentence"):
        line(3)
