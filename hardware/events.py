"""What a desk reports, as frozen values. Times are seconds of the monotonic clock passed to `poll`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SIDES = ("one", "two")
DEEDS = ("confirm", "pass", "undo")
BUTTONS = tuple(f"{deed}-{side}" for side in SIDES for deed in DEEDS)
"""The buttons of both sides: "confirm-one", "pass-one" ... "undo-two"."""
CHOOSERS = ("choose", "previous", "next")
"""The push of the encoder, and the pair of arrows that may stand in for turning it."""
CONTROLS = (*BUTTONS, *CHOOSERS)
"""Everything that can be pressed."""

AilmentKind = Literal["stuck", "noise", "silent", "version", "refused", "broken"]
"""A control that never lets go; bytes that are no frames, or a contact that never rests; a controller that no longer
answers; one that speaks another version of the protocol; a device that this user may not open, or pins that there are
not; a device that failed, is closed and stays so until the next start."""


@dataclass(frozen=True, slots=True)
class Press:
    """A control was pressed: "short" on release, "long" while still held."""

    control: str
    kind: Literal["short", "long"]
    at_s: float


@dataclass(frozen=True, slots=True)
class Chord:
    """Two or more controls were held together; they make no presses of their own."""

    controls: frozenset[str]
    at_s: float


@dataclass(frozen=True, slots=True)
class Turned:
    """The encoder was turned by this many clicks; clockwise is positive."""

    steps: int
    at_s: float


@dataclass(frozen=True, slots=True)
class CodeRead:
    """A reader read a card: a tag's ten hex digits in capitals, or a scanner's line unchanged."""

    reader: str
    code: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Thrown:
    """A dice tray reports a throw, with the number on each die if it can read them."""

    dice: tuple[int, ...]
    at_s: float


@dataclass(frozen=True, slots=True)
class Plugged:
    """A device was plugged in or unplugged."""

    device: str
    present: bool
    at_s: float


@dataclass(frozen=True, slots=True)
class Ailing:
    """Something is wrong with a device or one of its controls (`what`); the rest keeps working."""

    device: str
    kind: AilmentKind
    what: str
    at_s: float


Event = Press | Chord | Turned | CodeRead | Thrown | Plugged | Ailing
