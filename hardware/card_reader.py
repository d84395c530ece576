"""A card reader on a serial port: RFID tags (RDM6300) or printed codes (a scanner in serial mode)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import get_args

from hardware.device import Health
from hardware.events import Ailing, CodeRead, Event
from hardware.frames import CodeParser, Framing, NoiseWatch
from hardware.lights import Buzz, Lights
from hardware.ports import Link, Opener, PatientOpener

BAUD = 9600
QUIET_S = 1.0
"""An RDM6300 repeats a tag while it lies there: the same code counts again once it was silent for so long."""
DOUBT_S = 60.0
"""So long after a byte that had to be skipped a tag has to come twice: a bad line spoils frames now and then."""
PAUSE_S = 0.25
"""So long a scanner that ends its codes with nothing is silent after one; its bytes come within milliseconds."""
WATCHED_S = 0.1
"""At most so much of it passes between two polls: a tag is not laid down again because a thread was late."""


@dataclass(slots=True)
class _TagOnReader:
    """A card on the reader: when it was last read, in watched time, and how often."""

    seen_s: float
    times: int = 0
    is_reported: bool = False


class CardReader:
    """Reports each card once when it is laid down; a device of hardware/device.py."""

    def __init__(self, name: str, opener: Opener, framing: Framing = "any", address: str = "") -> None:
        self._name, self._address = name, address or name
        self._framing: Framing = framing
        self._link = Link(name, opener)
        self._parser = CodeParser(framing)
        self._tags: dict[str, _TagOnReader] = {}
        self._last_s, self._watched_s, self._heard_s = 0.0, 0.0, 0.0
        self._bad_s = float("-inf")
        self._skipped_bytes = 0
        self._noise = NoiseWatch()

    @property
    def name(self) -> str:
        """Its name among the desk's devices, as in the settings."""
        return self._name

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """Return the codes laid down since the last call, and any change of the port."""
        if self._link.poll(now_s):
            self._parser.begin(self._framing)
        self._watched_s += min(now_s - self._last_s, WATCHED_S)
        self._last_s = now_s
        codes = self._codes(self._link.read(now_s))
        events = self._link.take_events() + self._new_cards(codes, now_s)
        if self._noise.begins(self._parser.tally):
            events += (Ailing(self._name, "noise", self._name, now_s),)
        return events

    def _codes(self, data: bytes) -> tuple[str, ...]:
        if data:
            self._heard_s = self._watched_s
            return self._parser.feed(data)
        return self._parser.pause() if self._watched_s - self._heard_s >= PAUSE_S else ()

    def _new_cards(self, codes: tuple[str, ...], now_s: float) -> tuple[Event, ...]:
        self._forget_removed()
        for code in codes:
            tag = self._tags.setdefault(code, _TagOnReader(self._watched_s))
            tag.seen_s = self._watched_s
            tag.times += 1
        enough = self._times_needed()
        new = [code for code, tag in self._tags.items() if not tag.is_reported and tag.times >= enough]
        for code in new:
            self._tags[code].is_reported = True
        return tuple(CodeRead(self._name, code, now_s) for code in new)

    def _forget_removed(self) -> None:
        """Forget the cards that have been silent for long enough; note whether the line is bad."""
        tally = self._parser.tally
        if tally.skipped_bytes != self._skipped_bytes:
            self._skipped_bytes, self._bad_s = tally.skipped_bytes, self._watched_s
        tags = self._tags.items()
        self._tags = {code: tag for code, tag in tags if self._watched_s - tag.seen_s < QUIET_S}

    def _times_needed(self) -> int:
        """Return how often a tag must be read: twice on a bad line.

        One checksum of eight bits proves little, and tags repeat anyway.
        """
        bad = self._watched_s - self._bad_s < DOUBT_S
        return 2 if bad and self._parser.framing == "rdm6300" else 1

    def show(self, lights: Lights) -> None:
        """Do nothing: a reader has no lamps."""

    def buzz(self, pattern: Buzz) -> None:
        """Do nothing: a reader has no buzzer that we could sound."""

    def health(self) -> Health:
        """Return the reader's state: frames read, bytes skipped, wrong checksums, times reopened."""
        link = self._link
        counts = {**asdict(self._parser.tally), "reopened": link.reopened}
        ails = ("noise",) if self._noise.noisy else ()
        return Health(self._name, "reader", link.state, self._address, link.fault, counts, ails)

    def close(self) -> None:
        """Close the port."""
        self._link.close()


def split_spec(spec: str) -> tuple[Framing, str]:
    """Split a reader's setting into framing and path: "scanner:/dev/..." or, with framing "any", a path alone."""
    word, colon, path = spec.partition(":")
    for framing in get_args(Framing):
        if colon and word == framing:
            return framing, path
    return "any", spec


def open_reader(spec: str) -> CardReader:
    """Return the reader that a setting describes, with the setting as its name; polling opens its port."""
    framing, path = split_spec(spec)
    return CardReader(spec, PatientOpener(path, BAUD), framing, path)
