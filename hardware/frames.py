"""Card readers' bytes in, codes out. No port, no clock, bounded memory; any split of the bytes gives the same codes.

RDM6300 (and RDM630), from its data sheet: STX (0x02), ten hex digits, two hex digits of checksum, ETX (0x03), where the
checksum is the exclusive or of the five bytes that the ten digits encode. Scanners in serial mode: printable text,
ended by CR, LF, CR LF or TAB, as the scanner is set up; one that ends it with nothing falls silent. The two share no
first or last byte, so an unknown reader is recognised by its data: a frame with a valid checksum makes it an RDM6300,
and from then on text is ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Literal

from hardware.errors import FrameError

STX, ETX, TAB, CR, LF = 0x02, 0x03, 0x09, 0x0D, 0x0A
ENDS = (TAB, CR, LF)
TAG_FRAME_BYTES = 14
SHORTEST_CODE, LONGEST_CODE = 4, 128
"""Characters of a scanner's line; shorter ones are taken for noise, as text has no checksum."""
HEX_DIGITS = frozenset(b"0123456789ABCDEFabcdef")

Framing = Literal["any", "rdm6300", "scanner"]
"""What a reader sends; "any" recognises which by itself."""


@dataclass(slots=True)
class Tally:
    """Counts of what has come in. frames: complete ones; skipped_bytes: those outside any frame.

    bad_checksums: refused frames.
    """

    frames: int = 0
    skipped_bytes: int = 0
    bad_checksums: int = 0


NOISE_BYTES = 256


class NoiseWatch:
    """Notices noise: many skipped bytes without a frame between them, not just a lost frame."""

    def __init__(self) -> None:
        self.noisy = False
        self._frames = self._skipped_before = 0

    def begins(self, tally: Tally) -> bool:
        """Take the latest counts; return whether noise has just started. The next frame ends it."""
        if tally.frames != self._frames:
            self._frames, self._skipped_before, self.noisy = tally.frames, tally.skipped_bytes, False
        was_noisy, self.noisy = self.noisy, self.noisy or tally.skipped_bytes - self._skipped_before >= NOISE_BYTES
        return self.noisy and not was_noisy


def tag_of(frame: bytes) -> str:
    """Return the ten hex digits, in capitals, of a complete 14-byte frame; raises FrameError on a wrong checksum."""
    *tag, check = bytes.fromhex(frame[1:-1].decode("ascii"))
    if reduce(xor, tag) != check:
        raise FrameError(f"a tag's checksum is {check:02X} where its digits say {reduce(xor, tag):02X}")
    return bytes(tag).hex().upper()


def tag_frame(tag: str) -> bytes:
    """Return the frame an RDM6300 sends for a tag of ten hex digits."""
    return b"\x02%s%02X\x03" % (tag.upper().encode("ascii"), reduce(xor, bytes.fromhex(tag)))


class CodeParser:
    """Turns a reader's bytes, fed as they arrive, into codes."""

    def __init__(self, framing: Framing = "any") -> None:
        self.framing: Framing = framing
        self.tally = Tally()
        self._held = bytearray()
        self._lost = False
        self._ends_lines = False

    def feed(self, data: bytes) -> tuple[str, ...]:
        """Take the next bytes; return the codes they complete: a tag's digits, or a scanner's line."""
        found = (self._take(byte) for byte in data)
        return tuple(code for code in found if code is not None)

    def pause(self) -> tuple[str, ...]:
        """Note a silence, which ends a line for scanners that send no line ends; return the code it completes."""
        if self._ends_lines or self.framing == "rdm6300" or self._held[:1] == b"\x02":
            return ()
        code = self._end_line()
        return () if code is None else (code,)

    def begin(self, framing: Framing) -> None:
        """Start afresh with this framing, as after a replug: forget partial frames and line ends, keep the tally."""
        self.framing = framing
        self._ends_lines = False
        self._skip(0)

    def _take(self, byte: int) -> str | None:
        if byte == STX and self.framing != "scanner":
            self._skip(0)
            self._held.append(byte)
            return None
        if self._held[:1] == b"\x02":
            return self._take_of_tag(byte)
        return self._take_of_line(byte)

    def _take_of_tag(self, byte: int) -> str | None:
        self._held.append(byte)
        if len(self._held) == TAG_FRAME_BYTES and byte == ETX:
            return self._end_tag()
        if len(self._held) >= TAG_FRAME_BYTES or byte not in HEX_DIGITS:
            self._skip(0)
            self._lost = byte not in ENDS  # what is left of a broken frame is no line
        return None

    def _end_tag(self) -> str | None:
        try:
            tag = tag_of(bytes(self._held))
        except FrameError:
            self.tally.bad_checksums += 1
            self._skip(0)
            return None
        self._held.clear()
        self.tally.frames += 1
        if self.framing == "any":
            self.framing = "rdm6300"
        return tag

    def _take_of_line(self, byte: int) -> str | None:
        if byte in ENDS:
            code = self._end_line()
            self._ends_lines = self._ends_lines or code is not None
            return code
        if self._lost or self.framing == "rdm6300" or not 0x20 <= byte <= 0x7E or len(self._held) == LONGEST_CODE:
            self._skip(1)
            self._lost = self.framing != "rdm6300"
        else:
            self._held.append(byte)
        return None

    def _end_line(self) -> str | None:
        line, lost = bytes(self._held), self._lost
        self._held.clear()
        self._lost = False
        if not lost and len(line) >= SHORTEST_CODE:
            self.tally.frames += 1
            return line.decode("ascii")
        self.tally.skipped_bytes += len(line)
        return None

    def _skip(self, more: int) -> None:
        self.tally.skipped_bytes += len(self._held) + more
        self._held.clear()
        self._lost = False
