"""What comes over cables: bytes of card readers and of a table controller."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hardware import wire
from hardware.card_reader import CardReader
from hardware.controller import TableController
from hardware.errors import FrameError
from hardware.events import BUTTONS, CONTROLS, Ailing, CodeRead, Plugged, Thrown
from hardware.frames import CodeParser, Framing, tag_frame
from hardware.lights import Lights
from hardware.wire import Hello, Levels, LineParser, Throw, checksum, lines_of, message_of
from tests.fuzz.spoil import as_bytes, as_text, either, then
from tests.fuzz.target import Target, Work, hold, hold_again, hold_line, hold_same, named

FRAMINGS: tuple[Framing, ...] = ("any", "rdm6300", "scanner")
TAG = "0F00A1B2C3"
MOST_BYTES = 20_000
"""Of a line at 9600 baud or ten times that: seconds of it."""


@dataclass
class Cable:
    """A port whose far end has sent all of it already, in pieces of a few bytes."""

    data: bytes
    piece: int
    at: int = 0
    written: list[bytes] = field(default_factory=list)

    def read(self) -> bytes:
        self.at += self.piece
        return self.data[self.at - self.piece : self.at]

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        pass


def _frames(folder: Path) -> Work:
    """Bytes of a reader of any make: however they are split, the codes are the same, and every byte is counted."""
    seeds = (
        tag_frame(TAG) * 3,
        b"4006381333931\r\nAMBUSH-2\r",
        b"noise\x02" + tag_frame(TAG) + b"\r\nQR:gunbai/ambush\n",
        tag_frame("FFFFFFFFFF") + tag_frame("0000000000"),
    )

    def read(data: bytes) -> bool:
        data = data[:MOST_BYTES]
        found = [_codes(data, framing) for framing in FRAMINGS]
        for framing in FRAMINGS:
            reader = CardReader("reader", partial(Cable, data[:3000], 1 + len(data) % 61), framing)
            for tick in range(60):
                for event in reader.poll(tick * 0.05):
                    hold(isinstance(event, CodeRead | Plugged | Ailing), "a reader's events")
            hold(reader.health().state == "present", "a reader goes on")
        return any(found)

    return Work(seeds, read)


def _codes(data: bytes, framing: Framing) -> tuple[str, ...]:
    whole, pieces = CodeParser(framing), CodeParser(framing)
    codes = whole.feed(data)
    split = [code for at in range(0, len(data), 7) for code in pieces.feed(data[at : at + 7])]
    hold_same(tuple(split), codes, "codes of bytes that come in pieces")
    hold_same(pieces.tally, whole.tally, "the tally of bytes that come in pieces")
    hold(whole.tally.skipped_bytes <= len(data), "no more bytes are skipped than there were")
    for code in codes:
        hold_line(code, "a code")
    return codes


def _summed(data: bytes) -> bytes:
    """Return a controller's lines with their check values put right."""
    return b"\n".join(map(_summed_line, data.split(b"\n")))


def _summed_line(line: bytes) -> bytes:
    body, star, _told = line.rstrip(b"\r")[1:].partition(b"*")
    return b"$%s*%02X\r" % (body, checksum(body)) if star else line


def _controller(folder: Path) -> Work:
    """Prepare to check a controller's lines: invalid ones are counted, and the device goes on."""
    hello = Hello(wire.VERSION, 7, frozenset(CONTROLS), 20, dice_tray=True, encoder=True)
    levels = [Levels(7, frozenset(BUTTONS[:n]), n * 3) for n in (0, 1, 1, 0, 2, 2)]
    throws = [Throw(7, 1, (1, 0, 2)), Throw(7, 2, ()), Throw(7, 255, (1,) * 12)]
    seeds = [
        lines_of(hello) + b"".join(map(lines_of, levels)) + b"".join(map(lines_of, throws)),
        lines_of(hello) * 3,
        lines_of(throws[0]),
    ]

    def read(data: bytes) -> bool:
        data = data[:MOST_BYTES]
        sentences = LineParser().feed(data)
        known = 0
        for sentence in sentences:
            try:
                message = message_of(sentence)
            except FrameError as error:
                hold_line(str(error))
                continue
            known += 1
            told = lines_of(message)
            hold_again(message, lambda told=told: message_of(LineParser().feed(told)[0]), "a message read again")  # type: ignore[misc]
        _polled(data)
        return known > 0

    return Work(tuple(seeds), read)


def _polled(data: bytes) -> None:
    cable = Cable(data[:4000], 1 + len(data) % 83)
    device = TableController("controller", lambda: cable)
    for tick in range(60):
        device.show(Lights(strip=((1.0, 0.5, 0.0),) * (tick % 3)))
        for event in device.poll(tick * 0.1):
            hold(not isinstance(event, Thrown) or len(event.dice) <= wire.MOST_DICE, "no more dice than a tray holds")
    hold(
        all(len(line) <= wire.LONGEST_LINE for line in b"".join(cable.written).splitlines()), "lines of ours are short"
    )
    device.close()


CODES = either((2, as_bytes), (1, as_text))
TARGETS = named(
    (
        Target("frames", _frames, CODES, (), ("hardware.frames", "hardware.card_reader"), share=0.7),
        Target(
            "controller", _controller, then(as_text, _summed), (), ("hardware.wire", "hardware.controller"), share=0.7
        ),
    )
)
