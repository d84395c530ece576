"""What the camera process tells: messages as bytes, nothing that can run, and pictures in memory that is shared.

A message is two lengths of four bytes (the JSON's, the pictures'), the JSON object, the pictures one after the other.

The newest picture of the camera isn't sent. The memory of a process and its child has no name: it is handed on as an
open file, and is gone when both are. Three slots take turns, so that the one being read is not written to before two
newer pictures have come; a number says which is the newest.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from intake.errors import Unreadable
from intake.json_text import parse_object
from vision.dice.reader import DiceReading, Die
from vision.errors import VisionError
from vision.frame import WORK_PX, shrink_to_work
from vision.geometry import Picture
from vision.live.printed import LaidCard
from vision.reading.count import CountBelief
from vision.reading.pieces import Piece
from vision.reading.read import Reading
from vision.registration.register import Registration
from vision.values import each, number, point, rows, share, text, whole

HEAD = struct.Struct(">II")
MOST_BYTES = 64 * 1024 * 1024
MOST_TEXT_BYTES = 1024 * 1024


class MessageError(VisionError):
    """A message that makes no sense; its sender is not to be trusted any more."""


class Sink(Protocol):
    """What messages are written to."""

    def write(self, data: bytes, /) -> object:
        """Write all of the data."""

    def flush(self) -> object:
        """Send on whatever is buffered."""


class Source(Protocol):
    """What messages are read from."""

    def read(self, n: int, /) -> bytes:
        """Read `n` bytes; fewer at the end."""


@dataclass(frozen=True, slots=True)
class Message:
    """What was reported, and the bytes of the pictures that belong to it."""

    told: Mapping[str, Any]
    data: bytes = b""


def write_message(out: Sink, message: Message) -> None:
    """Write a message; OSError if nobody listens any more."""
    text = json.dumps(message.told).encode()
    out.write(HEAD.pack(len(text), len(message.data)) + text + message.data)
    out.flush()


def read_message(source: Source) -> Message | None:
    """Read the next message; None at the end, even in the middle of a message. MessageError for nonsense."""
    head = source.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    lengths: tuple[int, int] = HEAD.unpack(head)
    if sum(lengths) > MOST_BYTES or lengths[0] > MOST_TEXT_BYTES:
        raise MessageError("the camera process sent an invalid message")
    text, data = source.read(lengths[0]), source.read(lengths[1])
    if len(text) < lengths[0] or len(data) < lengths[1]:
        return None
    try:
        return Message(parse_object(text, MOST_TEXT_BYTES), data)
    except Unreadable as error:
        raise MessageError("the camera process sent an invalid message") from error


# ---- readings -----------------------------------------------------------------------------------


def reading_message(reading: Reading, jpeg: bytes, dice: DiceReading | None) -> Message:
    """Return the message for a settled reading, the JPEG of its frame, and its dice."""
    image = reading.board_image
    told = {
        "told": "settled",
        "reading": _reading_data(reading),
        "image": None if image is None else list(image.shape),
        "dice": None if dice is None else dice_data(dice),
    }
    return Message(told, (b"" if image is None else np.ascontiguousarray(image).tobytes()) + jpeg)


def reading_from(message: Message) -> tuple[Reading, bytes, DiceReading | None]:
    """Return the reading, the JPEG and the dice that `reading_message` put into a message.

    MessageError for any other message.
    """
    try:
        shape, dice = message.told["image"], message.told["dice"]
        size = 0 if shape is None else prod(_shape(shape))
        image = None if shape is None else np.frombuffer(message.data[:size], np.uint8).reshape(shape)
        reading = _reading(message.told["reading"], image)
        return reading, message.data[size:], None if dice is None else dice_from(dice)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MessageError("the camera process sent a reading that makes no sense") from error


def _reading_data(reading: Reading) -> dict[str, Any]:
    found = reading.registration
    return {
        "units": reading.units,
        "commanders": reading.commanders,
        "confidence": reading.confidence,
        "unreadable": reading.unreadable,
        "ms": reading.ms,
        "counts": {area: count.options for area, count in reading.counts.items()},
        "leaders": reading.leaders,
        "pieces": [
            [piece.faction, piece.kind, piece.place, piece.at_mm, piece.score, piece.unlike] for piece in reading.pieces
        ],
        "quality": reading.quality,
        "strange": reading.strange,
        "support": reading.support,
        "cut_off": reading.cut_off,
        "at_a_line": reading.at_a_line,
        "why": reading.why,
        "light": reading.light,
        "registration": None if found is None else _registration_data(found),
    }


def _reading(data: Mapping[str, Any], image: Picture | None) -> Reading:
    found = data["registration"]
    return Reading(
        units=each(data["units"], lambda force: each(force, lambda units: each(units, whole))),
        commanders=each(data["commanders"], text),
        confidence=each(data["confidence"], share),
        unreadable=tuple(map(text, rows(data["unreadable"]))),
        ms=number(data["ms"]),
        counts=each(data["counts"], _count),
        leaders=each(data["leaders"], lambda chances: each(chances, share)),
        pieces=tuple(
            Piece(text(who), text(kind), text(place), point(at), share(p), number(unlike))
            for who, kind, place, at, p, unlike in rows(data["pieces"])
        ),
        board_image=image,
        quality=number(data["quality"]),
        registration=None if found is None else _registration(found),
        strange=tuple(map(text, rows(data["strange"]))),
        support=tuple(map(text, rows(data["support"]))),
        cut_off=tuple(map(text, rows(data["cut_off"]))),
        at_a_line=tuple(map(text, rows(data["at_a_line"]))),
        why=each(data["why"], lambda reasons: tuple(map(text, rows(reasons)))),
        light=number(data["light"]),
    )


def _shape(value: Any) -> tuple[int, ...]:
    height, width, colours = map(whole, rows(value))
    if not (height and width and colours == 3):
        raise ValueError("no picture has such a shape")
    return height, width, colours


def _count(options: Any) -> CountBelief:
    found = tuple(
        (tuple((text(faction), text(unit), whole(n)) for faction, unit, n in rows(combo)), share(chance))
        for combo, chance in rows(options)
    )
    if not found:
        raise ValueError("a belief in nothing")
    return CountBelief(found)


def _registration_data(found: Registration) -> dict[str, Any]:
    return {
        "matrix": found.reference_from_frame.tolist(),
        "figures": [found.share, found.spread, found.error_px],
        "points": found.points,
        "still": found.still,
    }


def _registration(data: Mapping[str, Any]) -> Registration:
    part, spread, error_px = map(number, rows(data["figures"]))
    matrix = np.array([[number(value) for value in rows(row)] for row in rows(data["matrix"])], np.float64)
    if matrix.shape != (3, 3):
        raise ValueError("no homography")
    return Registration(matrix, part, spread, error_px, whole(data["points"]), bool(data["still"]))


def dice_data(dice: DiceReading) -> dict[str, Any]:
    """Return a reading of dice as data for JSON."""
    return {
        "dice": [[die.at_mm, die.pips, die.confidence] for die in dice.dice],
        "unreadable": dice.unreadable,
        "seen": dice.seen,
        "ms": dice.ms,
    }


def dice_from(data: Any) -> DiceReading:
    """Return the dice reading that `dice_data` made data of.

    KeyError, TypeError or ValueError where the data make no sense.
    """
    dice = tuple(Die(point(at), whole(pips), share(sure)) for at, pips, sure in rows(data["dice"]))
    return DiceReading(dice, tuple(map(point, rows(data["unreadable"]))), bool(data["seen"]), number(data["ms"]))


def cards_from(data: Any) -> tuple[LaidCard, ...]:
    """Return the cards that lie face up, from JSON.

    KeyError, TypeError or ValueError where the data make no sense.
    """
    return tuple(LaidCard(whole(n), point(at)) for n, at in rows(data))


SLOTS = 3
HEAD_BYTES = 4096
SLOT_BYTES = WORK_PX * WORK_PX * 3
TRIES = 3
FILE_BYTES = HEAD_BYTES + SLOTS * SLOT_BYTES


def shared_file() -> int:
    """Create an unnamed memory file large enough for SharedPicture; return its descriptor. OSError without room."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("gunbai-live")
    else:  # pragma: no cover - not on Linux
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, FILE_BYTES)
    return descriptor


def named_file(path: Path) -> int:
    """Open or create a memory file at this path (such as in /run), for processes that are started apart.

    Return its descriptor; a link or a special file at the path is replaced. OSError if that fails.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.unlink()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    os.ftruncate(descriptor, FILE_BYTES)
    return descriptor


class SharedPicture:
    """The newest picture in shared memory: one process shows, another looks.

    Takes over the descriptor of `shared_file` or `named_file`; one that is open for reading alone will do for
    whoever only `looks`.
    """

    def __init__(self, descriptor: int, *, looks: bool = False) -> None:
        self._descriptor = descriptor
        self._memory = mmap.mmap(descriptor, FILE_BYTES, access=mmap.ACCESS_READ if looks else mmap.ACCESS_WRITE)
        self._seen = 0
        self._latest: Picture | None = None

    @property
    def descriptor(self) -> int:
        """The open file, to be handed to another process."""
        return self._descriptor

    def show(self, picture_bgr: Picture) -> None:
        """Replace the newest picture by this one, (H, W, 3) uint8 BGR, shrunk to WORK_PX a side if it is larger."""
        picture = np.ascontiguousarray(shrink_to_work(picture_bgr)[0])
        number = self._head()[0] + 1
        slot = number % SLOTS
        at = HEAD_BYTES + slot * SLOT_BYTES
        self._memory[at : at + picture.size] = picture.data.cast("B")
        self._head()[1 + 2 * slot : 3 + 2 * slot] = picture.shape[:2]
        self._head()[0] = number

    def latest(self) -> Picture | None:
        """Return the newest picture, the same object until another comes; None before the first."""
        for _ in range(TRIES):
            number = int(self._head()[0])
            if number == self._seen:
                break
            picture = self._taken(number % SLOTS)
            if picture is not None and int(self._head()[0]) < number + SLOTS - 1:
                self._seen, self._latest = number, picture
                break
        return self._latest

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
        os.close(self._descriptor)

    def _taken(self, slot: int) -> Picture | None:
        """Return the picture in a slot; None where what is written there makes none."""
        height, width = (int(side) for side in self._head()[1 + 2 * slot : 3 + 2 * slot])
        if not (0 < height <= WORK_PX and 0 < width <= WORK_PX):
            return None
        at = HEAD_BYTES + slot * SLOT_BYTES
        flat = np.frombuffer(self._memory[at : at + height * width * 3], np.uint8)
        return flat.reshape(height, width, 3)

    def _head(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.frombuffer(self._memory, np.int64, 1 + 2 * SLOTS)
