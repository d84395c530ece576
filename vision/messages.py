"""What the camera process tells, as bytes: JSON for what has names, raw pictures behind it. Nothing that can run.

A message is two lengths of four bytes (the JSON's, the pictures'), the JSON object, the pictures one after the other.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from vision.count import Combo, CountBelief
from vision.dice import DiceReading, Die
from vision.errors import VisionError
from vision.geometry import Picture
from vision.pieces import Piece
from vision.read import Reading
from vision.register import Registration

HEAD = struct.Struct(">II")
MOST_BYTES = 64 * 1024 * 1024


class MessageError(VisionError):
    """A message that is cut off or makes no sense: the process that sent it is not to be trusted any more."""


class Sink(Protocol):
    """What messages are written to."""

    def write(self, data: bytes, /) -> object:
        """All of it."""
        ...

    def flush(self) -> object:
        """Keep nothing back."""
        ...


class Source(Protocol):
    """What messages are read from."""

    def read(self, n: int, /) -> bytes:
        """`n` bytes; fewer at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """What was told, and the bytes that belong to it."""

    told: Mapping[str, Any]
    data: bytes = b""


def write_message(out: Sink, message: Message) -> None:
    """Send a message; OSError where nobody listens any more."""
    text = json.dumps(message.told).encode()
    out.write(HEAD.pack(len(text), len(message.data)) + text + message.data)
    out.flush()


def read_message(source: Source) -> Message | None:
    """The next message; None at the end, also where the sender died in the middle of one. MessageError for nonsense."""
    head = source.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    lengths: tuple[int, int] = HEAD.unpack(head)
    if sum(lengths) > MOST_BYTES:
        raise MessageError("the camera process sent what is no message")
    text, data = source.read(lengths[0]), source.read(lengths[1])
    if len(text) < lengths[0] or len(data) < lengths[1]:
        return None
    try:
        told = json.loads(text)
    except ValueError as error:
        raise MessageError("the camera process sent what is no message") from error
    if not isinstance(told, dict):
        raise MessageError("the camera process sent what is no message")
    return Message(told, data)


# ---- readings -----------------------------------------------------------------------------------


def reading_message(reading: Reading, jpeg: bytes, dice: DiceReading | None, kind: str = "settled") -> Message:
    """A settled reading with the JPEG of its frame and its dice."""
    image = reading.board_image
    told = {
        "told": kind,
        "reading": _reading_data(reading),
        "image": None if image is None else list(image.shape),
        "dice": None if dice is None else dice_data(dice),
    }
    return Message(told, (b"" if image is None else np.ascontiguousarray(image).tobytes()) + jpeg)


def reading_from(message: Message) -> tuple[Reading, bytes, DiceReading | None]:
    """The reading, the JPEG and the dice of such a message; MessageError where it is none."""
    try:
        shape, dice = message.told["image"], message.told["dice"]
        size = 0 if shape is None else int(np.prod(shape))
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
        "pieces": [[one.faction, one.kind, one.place, one.at_mm, one.score] for one in reading.pieces],
        "quality": reading.quality,
        "registration": None if found is None else _registration_data(found),
    }


def _reading(data: Mapping[str, Any], image: Picture | None) -> Reading:
    found = data["registration"]
    return Reading(
        units=data["units"],
        commanders=data["commanders"],
        confidence=data["confidence"],
        unreadable=tuple(data["unreadable"]),
        ms=data["ms"],
        counts={area: _count(options) for area, options in data["counts"].items()},
        leaders=data["leaders"],
        pieces=tuple(Piece(who, kind, place, (x, y), p) for who, kind, place, (x, y), p in data["pieces"]),
        board_image=image,
        quality=data["quality"],
        registration=None if found is None else _registration(found),
    )


def _count(options: Sequence[Any]) -> CountBelief:
    return CountBelief(tuple((_combo(combo), float(chance)) for combo, chance in options))


def _combo(combo: Sequence[Any]) -> Combo:
    return tuple((str(faction), str(unit), int(n)) for faction, unit, n in combo)


def _registration_data(found: Registration) -> dict[str, Any]:
    return {
        "matrix": found.reference_from_frame.tolist(),
        "figures": [found.share, found.spread, found.error_px],
        "points": found.points,
        "still": found.still,
    }


def _registration(data: Mapping[str, Any]) -> Registration:
    share, spread, error_px = data["figures"]
    matrix = np.array(data["matrix"], np.float64).reshape(3, 3)
    return Registration(matrix, share, spread, error_px, data["points"], data["still"])


def dice_data(dice: DiceReading) -> dict[str, Any]:
    """Dice that were read, for JSON."""
    return {
        "dice": [[die.at_mm, die.pips, die.confidence] for die in dice.dice],
        "unreadable": dice.unreadable,
        "seen": dice.seen,
        "ms": dice.ms,
    }


def dice_from(data: Mapping[str, Any]) -> DiceReading:
    """The same back from JSON."""
    dice = tuple(Die((x, y), pips, sure) for (x, y), pips, sure in data["dice"])
    return DiceReading(dice, tuple((x, y) for x, y in data["unreadable"]), bool(data["seen"]), float(data["ms"]))
