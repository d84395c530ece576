"""Simulated serial devices: readers and a table controller on a cable that can be made faulty.

A `Cable` joins a far end (the device) to a port (the program's side), with a clock passed in and seeded randomness, so
every run is the same. The far ends know no port: tests drive the same ones over pseudo-terminals and the real port's
code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from hardware.errors import FrameError, PortLost, PortRefused
from hardware.events import CONTROLS
from hardware.frames import tag_frame
from hardware.lights import OFF, Colour, Lights
from hardware.ports import Port
from hardware.wire import (
    CLICKS_ROUND,
    LONGEST_TONE_MS,
    MOST_LAMPS,
    VERSION,
    Hello,
    Levels,
    LineParser,
    Sentence,
    Throw,
    hex_number,
    lines_of,
    number,
)

Clock = Callable[[], float]


class FarEnd(Protocol):
    """What a device at the other end of a cable does."""

    def start(self, now_s: float) -> None:
        """Switch on."""

    def speak(self, now_s: float) -> bytes:
        """Return the bytes that the device has sent since the last call."""

    def hear(self, data: bytes, now_s: float) -> None:
        """Receive these bytes."""


# ---- the cable, and what may be wrong with it --------------------------------------------------


@dataclass(slots=True)
class Faults:
    """A cable's faults.

    noise, lost and flipped: the chance, for each byte, of a foreign byte before it, of its loss, of one bit
    changed. silent: nothing arrives at all; split: at most this many bytes arrive at once.
    """

    noise: float = 0.0
    lost: float = 0.0
    flipped: float = 0.0
    silent: bool = False
    split: int | None = None

    def spoil(self, data: bytes, chance: Random) -> bytes:
        """Return what arrives of these bytes over such a cable."""
        if self.silent:
            return b""
        spoilt = bytearray()
        for byte in data:
            if chance.random() < self.noise:
                spoilt.append(chance.randrange(256))
            if chance.random() >= self.lost:
                spoilt.append(byte ^ (1 << chance.randrange(8) if chance.random() < self.flipped else 0))
        return bytes(spoilt)


class Cable:
    """A cable with a device at its far end; `open` opens its near end as a port. It can be pulled and put back."""

    def __init__(self, far_end: FarEnd, clock: Clock, seed: int = 0) -> None:
        self.far_end = far_end
        self.faults = Faults()
        self.refused = False
        self.plugged = True
        self.clock = clock
        self.chance = Random(seed)
        self._in = bytearray()
        far_end.start(clock())

    def open(self) -> Port:
        """Return a new port at the near end; PortLost while the cable is unplugged, PortRefused while it is refused."""
        if not self.plugged:
            raise PortLost("nothing is plugged in")
        if self.refused:
            raise PortRefused("this user isn't allowed to open it")
        self._in.clear()
        return SimulatedPort(self)

    def unplug(self) -> None:
        """Pull the cable: its open port raises PortLost from now on."""
        self.plugged = False

    def plug(self) -> None:
        """Put the cable back; the device restarts."""
        self.plugged = True
        self.far_end.start(self.clock())

    def inject(self, data: bytes) -> None:
        """Put these bytes on the cable unchanged."""
        self._in += data

    def take(self) -> bytes:
        """Return what has come out of the cable; used by its port."""
        self._in += self.faults.spoil(self.far_end.speak(self.clock()), self.chance)
        taken = bytes(self._in[: self.faults.split])
        del self._in[: self.faults.split]
        return taken

    def put(self, data: bytes) -> None:
        """Send bytes to the far end; used by its port."""
        self.far_end.hear(self.faults.spoil(data, self.chance), self.clock())


class SimulatedPort:
    """The port of a cable; lost for good once the cable is pulled."""

    def __init__(self, cable: Cable) -> None:
        self._cable: Cable | None = cable

    def read(self) -> bytes:
        """Return what has come out of the cable."""
        return self._still_there().take()

    def write(self, data: bytes) -> None:
        """Send bytes into the cable."""
        self._still_there().put(data)

    def close(self) -> None:
        """Release the cable."""
        self._cable = None

    def _still_there(self) -> Cable:
        if self._cable is None or not self._cable.plugged:
            self._cable = None
            raise PortLost("the cable was pulled")
        return self._cable


# ---- readers -----------------------------------------------------------------------------------


class SimulatedTags:
    """An RDM6300 reader: it repeats the tag that lies on it fifteen times a second."""

    PERIOD_S = 0.065

    def __init__(self) -> None:
        self._tag: str | None = None
        self._next_s = 0.0

    def lay(self, tag: str) -> None:
        """Lay a tag of ten hex digits down."""
        self._tag = tag

    def lift(self) -> None:
        """Take the tag away."""
        self._tag = None

    def start(self, now_s: float) -> None:
        """Switch on."""
        self._next_s = now_s

    def speak(self, now_s: float) -> bytes:
        """Return the frames since the last call, at most a few."""
        due = max(0, min(5, int((now_s - self._next_s) / self.PERIOD_S) + 1))
        if due:
            self._next_s = now_s + self.PERIOD_S
        return b"" if self._tag is None else due * tag_frame(self._tag)

    def hear(self, data: bytes, now_s: float) -> None:
        """Ignore these bytes: an RDM6300 listens to nothing."""


# ---- the controller ----------------------------------------------------------------------------


@dataclass(slots=True)
class Shown:
    """What a simulated controller shows; colours as in Lights, to the nearest of 255 steps."""

    lights: Lights = OFF
    strip: list[Colour] = field(default_factory=list)
    buzz_ms: tuple[int, ...] = ()


class SimulatedController:
    """A table controller that keeps to the protocol (docs/hardware.md).

    It reports its state four times a second and on changes, repeats a throw until it is answered, and goes dark after
    three seconds without a line from us.
    """

    BEAT_S = 0.25
    SAMPLE_S = 0.005
    DARK_S = 3.0

    def __init__(self, lamps: int = 16, version: int = VERSION, controls: tuple[str, ...] = CONTROLS) -> None:
        self.shown = Shown()
        self.held: set[str] = set()
        self.frozen = False
        self._hello = Hello(version, 0, frozenset(controls), lamps, dice_tray=True, encoder=True)
        self._clicks = self._thrown = 0
        self._throw: Throw | None = None
        self.start(0.0)

    def press(self, control: str) -> None:
        """Hold a control down."""
        self.held.add(control)

    def release(self, control: str) -> None:
        """Let a control go."""
        self.held.discard(control)

    def turn(self, steps: int) -> None:
        """Turn the encoder, clockwise is positive."""
        self._clicks = (self._clicks + steps) % CLICKS_ROUND

    def throw(self, *dice: int) -> None:
        """Throw dice into the tray, without numbers if it can't read them."""
        self._thrown = (self._thrown + 1) % 256
        self._throw = Throw(self._hello.run, self._thrown, dice)

    def start(self, now_s: float) -> None:
        """Switch on: a new run, nothing counted yet, all dark."""
        self._hello = replace(self._hello, run=(self._hello.run + 1) % 256)
        self._parser = LineParser()
        self._clicks = self._thrown = 0
        self._throw = None
        self._told = Levels(self._hello.run, frozenset(), 0)
        self._repeat = False
        self._next_beat_s = self._heard_s = now_s
        self._next_sample_s = now_s
        self._unsent = lines_of(self._hello)
        self._go_dark()

    def speak(self, now_s: float) -> bytes:
        """Return the lines since the last call."""
        if self.frozen:
            return b""
        if now_s - self._heard_s >= self.DARK_S:
            self._go_dark()
        if now_s >= self._next_sample_s:
            self._next_sample_s = now_s + self.SAMPLE_S
            self._sample(now_s)
        said, self._unsent = self._unsent, b""
        return said

    def hear(self, data: bytes, now_s: float) -> None:
        """Do what the lines in these bytes say."""
        if self.frozen:
            return
        for sentence in self._parser.feed(data):
            self._heard_s = now_s
            try:
                self._obey(sentence)
            except FrameError:
                continue

    def _sample(self, now_s: float) -> None:
        levels = Levels(self._hello.run, frozenset(self.held) & self._hello.controls, self._clicks)
        changed, self._told = levels != self._told, levels
        if changed or self._repeat or now_s >= self._next_beat_s:
            self._unsent += lines_of(levels)
            self._repeat = changed
        if now_s >= self._next_beat_s:
            self._next_beat_s = now_s + self.BEAT_S
            self._unsent += lines_of(self._throw) if self._throw else b""

    def _obey(self, sentence: Sentence) -> None:
        match sentence:
            case Sentence("PNG"):
                self._unsent += lines_of(self._hello)
            case Sentence("LMP", (turn, initiative, unsure, out_of_sync)):
                self.shown.lights = Lights(colour(turn), colour(initiative), unsure == "1", out_of_sync == "1")
            case Sentence("STR", (first, *colours)):
                for place, text in enumerate(colours, number(first, 0, MOST_LAMPS)):
                    if place < self._hello.lamps:
                        self.shown.strip[place] = colour(text)
            case Sentence("BUZ", tones):
                self.shown.buzz_ms = tuple(number(tone, 0, LONGEST_TONE_MS) for tone in tones)
            case Sentence("GOT", (count,)) if self._throw and hex_number(count, 2) == self._throw.number:
                self._throw = None
            case Sentence("DRK"):
                self._go_dark()

    def _go_dark(self) -> None:
        self.shown = Shown(strip=[OFF.turn] * self._hello.lamps)


def colour(text: str) -> Colour:
    """Return the colour of six hex digits, its parts from 0 to 1; raises FrameError."""
    try:
        red, green, blue = bytes.fromhex(text)
    except ValueError as fault:
        raise FrameError(f"{text} isn't a colour") from fault
    return (red / 255, green / 255, blue / 255)
