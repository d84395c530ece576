"""The table controller's line protocol, version 1 (docs/hardware.md): bytes in, sentences out, and back.

A line is `$GB`, three letters for its kind, fields separated by commas, `*`, two hex digits, CR LF: the form of NMEA
0183, whose checksum is the exclusive or of all characters between `$` and `*`. Lines have at most 82 characters
including `$` and CR LF. A controller always sends its whole state, so a lost line loses nothing, in fields of fixed
width, so lost characters show even if the checksum happens to match. No port, no clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import xor

from hardware.errors import FrameError
from hardware.events import CONTROLS
from hardware.frames import Tally
from hardware.lights import OFF, Buzz, Colour, Lights

VERSION = 1
BAUD = 115200
LONGEST_LINE = 82
CLICKS_ROUND = 0x10000
"""The encoder's clicks are counted up to this, and then from 0 again."""
LAMPS_PER_LINE = 8
MOST_TONES = 6
MOST_DICE = 12
MOST_LAMPS = 144
LONGEST_TONE_MS = 9999


@dataclass(frozen=True, slots=True)
class Sentence:
    """A line with a valid checksum: three letters, and its raw fields."""

    kind: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hello:
    """A controller's description. run: 0 to 255, different after each start; lamps: its strip's length or 0."""

    version: int
    run: int
    controls: frozenset[str]
    lamps: int
    dice_tray: bool
    encoder: bool


@dataclass(frozen=True, slots=True)
class Levels:
    """The controls held now, and the encoder's clicks, clockwise up, modulo CLICKS_ROUND."""

    run: int
    held: frozenset[str]
    clicks: int


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw into the dice tray, repeated until answered. number: 0 to 255, then 0 again; dice: () if unreadable."""

    run: int
    number: int
    dice: tuple[int, ...]


Message = Hello | Levels | Throw


# ---- lines -------------------------------------------------------------------------------------


def checksum(body: bytes) -> int:
    """Return the exclusive or of all bytes between `$` and `*`."""
    return reduce(xor, body, 0)


def line(kind: str, *fields: object) -> bytes:
    """Return a complete line with its checksum and CR LF, such as `$GBPNG,1*hh`."""
    body = ",".join([f"GB{kind}", *map(str, fields)]).encode("ascii")
    return b"$%s*%02X\r\n" % (body, checksum(body))


def sentence_of(text: bytes) -> Sentence:
    """Parse a line from `$` on, without its CR LF; raises FrameError on a wrong form or checksum."""
    body, star, check = text[1:].partition(b"*")
    if not star or len(check) != 2 or check != b"%02X" % checksum(body):
        raise FrameError("a line's checksum is wrong")
    head, *fields = body.decode("ascii").split(",")
    if len(head) != 5 or not head.startswith("GB"):
        raise FrameError(f"no known line starts with {head}")
    return Sentence(head[2:], tuple(fields))


class LineParser:
    """Turns a controller's bytes, fed as they arrive, into sentences; any split of the bytes gives the same ones."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._held = bytearray()

    def feed(self, data: bytes) -> tuple[Sentence, ...]:
        """Take the next bytes; return the sentences they complete."""
        found = (self._take(byte) for byte in data)
        return tuple(sentence for sentence in found if sentence is not None)

    def begin(self) -> None:
        """Forget a partial line, as after a replug; the tally continues."""
        self._skip()

    def _take(self, byte: int) -> Sentence | None:
        if byte == ord("$"):
            self._skip()
            self._held.append(byte)
        elif byte in b"\r\n":
            return self._end()
        elif self._held and 0x20 <= byte <= 0x7E and len(self._held) < LONGEST_LINE - 2:
            self._held.append(byte)
        else:
            self._skip(1)
        return None

    def _end(self) -> Sentence | None:
        if not self._held:
            return None
        try:
            sentence = sentence_of(bytes(self._held))
        except FrameError:
            self.tally.bad_checksums += 1
            self._skip()
            return None
        self._held.clear()
        self.tally.frames += 1
        return sentence

    def _skip(self, more: int = 0) -> None:
        self.tally.skipped_bytes += len(self._held) + more
        self._held.clear()


# ---- from the controller -----------------------------------------------------------------------


def message_of(sentence: Sentence) -> Message:
    """Return the controller's message in a sentence; raises FrameError if it is unknown or malformed."""
    match sentence:
        case Sentence("HEL", (version, run, controls, lamps, dice_tray, encoder, *_)):
            return Hello(
                number(version, 0, 999),
                hex_number(run, 2),
                controls_of(controls),
                number(lamps, 0, MOST_LAMPS),
                number(dice_tray, 0, 1) == 1,
                number(encoder, 0, 1) == 1,
            )
        case Sentence("NOW", (run, held, clicks, *_)):
            return Levels(hex_number(run, 2), controls_of(held), hex_number(clicks, 4))
        case Sentence("THR", (run, count, *dice)) if len(dice) <= MOST_DICE:
            return Throw(hex_number(run, 2), hex_number(count, 2), tuple(number(die, 0, 99) for die in dice))
    raise FrameError(f"a line {sentence.kind} with {len(sentence.fields)} fields is unknown")


def lines_of(message: Message) -> bytes:
    """Return the line with which a controller sends this message."""
    match message:
        case Hello(version, run, controls, lamps, dice_tray, encoder):
            return line("HEL", version, f"{run:02X}", mask_of(controls), lamps, int(dice_tray), int(encoder))
        case Levels(run, held, clicks):
            return line("NOW", f"{run:02X}", mask_of(held), f"{clicks:04X}")
        case Throw(run, count, dice):
            return line("THR", f"{run:02X}", f"{count:02X}", *dice)


def number(field: str, least: int, most: int) -> int:
    """Parse a decimal number from `least` to `most`; raises FrameError."""
    if not (field.isascii() and field.isdigit() and len(field) <= 5 and least <= int(field) <= most):
        raise FrameError(f"{field} isn't a number from {least} to {most}")
    return int(field)


def hex_number(field: str, digits: int) -> int:
    """Parse a hex number of exactly this many digits, in capitals; raises FrameError."""
    if len(field) != digits or set(field) - set("0123456789ABCDEF"):
        raise FrameError(f"{field} isn't a hex number of {digits} digits")
    return int(field, 16)


def mask_of(controls: frozenset[str]) -> str:
    """Return controls as four hex digits: bit 0 is the first of CONTROLS."""
    return f"{sum(1 << bit for bit, control in enumerate(CONTROLS) if control in controls):04X}"


def controls_of(field: str) -> frozenset[str]:
    """Return the controls of four hex digits, as `mask_of` writes them; ignores unknown bits. Raises FrameError."""
    mask = hex_number(field, 4)
    return frozenset(control for bit, control in enumerate(CONTROLS) if mask >> bit & 1)


# ---- to the controller -------------------------------------------------------------------------


def ping() -> bytes:
    """Return the line that asks for a hello and shows that the app is alive."""
    return line("PNG", VERSION)


def got(throw: Throw) -> bytes:
    """Return the line that acknowledges a throw, so that the controller stops repeating it."""
    return line("GOT", f"{throw.number:02X}")


def lights_lines(lights: Lights, lamps: int) -> bytes:
    """Return the lines that set all lamps, with a strip of this many `lamps`."""
    lamps_line = line("LMP", rgb(lights.turn), rgb(lights.initiative), int(lights.unsure), int(lights.out_of_sync))
    return lamps_line + b"".join(strip_lines(lights.strip, lamps))


def strip_lines(strip: tuple[Colour, ...], lamps: int) -> Iterator[bytes]:
    """Yield the lines that set the whole strip of this many `lamps`; those without a colour are dark."""
    colours = [rgb(colour) for colour in strip[:lamps]]
    colours += [rgb(OFF.turn)] * (lamps - len(colours))
    for first in range(0, lamps, LAMPS_PER_LINE):
        yield line("STR", first, *colours[first : first + LAMPS_PER_LINE])


def buzz_line(pattern: Buzz) -> bytes:
    """Return the line that starts a pattern: its first six tones, each cut to below 10 s; () is silence."""
    tones_s = [time_s for tone in pattern[:MOST_TONES] for time_s in tone]
    return line("BUZ", *(min(LONGEST_TONE_MS, round(1000 * time_s)) for time_s in tones_s))


def dark() -> bytes:
    """Return the line that turns off all lamps and the buzzer."""
    return line("DRK")


def rgb(colour: Colour) -> str:
    """Return a colour as six hex digits, such as FF8000."""
    return "".join(f"{round(255 * min(1.0, max(0.0, share))):02X}" for share in colour)
