"""A check value on each line of a saved game, so that a damaged byte cannot pass for another legal step.

The value is the CRC-32 of the line and of all lines before it, under the key `sum` at the end of the line's object. It
is taken of the values, not of their spelling: a program that writes the lines anew may space them as it likes. Lines
without it, written by hand or by other programs, are taken as they are.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence

from companion.core import storage
from intake.json_text import parse_object

KEY = "sum"
NEWLINE = ord("\n")
PLAIN = {NEWLINE, *range(ord(" "), ord("~") + 1)}
LONGEST = 1000  # bytes of a line that may be corrected: trying takes time quadratic in it
_SEALED = re.compile(rb'(\{.+), "sum": "([0-9a-f]{8})"\}\n')


def plain(value: Mapping[str, object]) -> dict[str, object]:
    """Return the line's object without its check value."""
    return {key: item for key, item in value.items() if key != KEY}


def next_checksum(chain: int, value: Mapping[str, object]) -> int:
    """Return the check value of the line after the one whose check value is `chain` (0 before the first)."""
    return zlib.crc32(storage.line_of(plain(value)), chain)


def matches(value: Mapping[str, object], chain: int) -> bool:
    """Return whether a line's check value is `chain`, the one computed for it; True for a line without any."""
    return KEY not in value or value[KEY] == _text(chain)


def with_checksum(value: Mapping[str, object], before: Sequence[bytes]) -> bytes:
    """Return the journal line of `value` that follows the lines `before`, with its check value and newline."""
    return ChecksumChain().with_checksum(value, before)


class ChecksumChain:
    """The check values of a journal's lines, each computed only once however long the journal grows."""

    def __init__(self) -> None:
        self._after: dict[int, int] = {}  # {number of lines: the check value after them}

    def with_checksum(self, value: Mapping[str, object], before: Sequence[bytes]) -> bytes:
        """Return the journal line of `value` that follows the lines `before`, with its check value and newline."""
        return storage.line_of({**value, KEY: _text(next_checksum(self._value(before), value))})

    def cut(self, lines: int) -> None:
        """Forget the check values after the first `lines` lines, as the journal was cut down to these."""
        self._after = {n: chain for n, chain in self._after.items() if n <= lines}

    def _value(self, lines: Sequence[bytes]) -> int:
        """Return the check value after these sound lines.

        It continues from the last check value that the lines have, over those after it that have none.
        """
        loose: list[tuple[int, dict[str, object]]] = []
        chain = 0
        for n in range(len(lines), 0, -1):
            if n in self._after:
                chain = self._after[n]
                break
            value = parse_object(lines[n - 1])
            if KEY in value:
                chain = int(value[KEY], 16)
                break
            loose.append((n, value))
        for n, value in reversed(loose):
            chain = self._after[n] = next_checksum(chain, value)
        return chain


def _text(chain: int) -> str:
    return f"{chain:08x}"


def is_sealed(line: bytes) -> bool:
    """Return whether a line ends with a check value just as Gunbai writes it; whether it is right isn't checked."""
    return _SEALED.fullmatch(line) is not None


def repair_byte(region: bytes, chain: int) -> bytes | None:
    """Return the region with one byte corrected so that its first line matches its check value.

    None if nothing is wrong, if no single byte mends it, or if several would. chain: the check value before the region,
    which should reach a line further than the damage seems to, as the newline itself may be damaged.
    """
    if fits_raw(region, chain):  # nothing is wrong with it
        return None
    found = list(_changes(region[: 2 * LONGEST], chain))
    return found[0] + region[2 * LONGEST :] if len(found) == 1 else None


def _changes(region: bytes, chain: int) -> Iterator[bytes]:
    """Yield the region with each likely change of one byte that makes its first line match its check value."""
    end = region.find(b"\n") + 1 or len(region)
    if end > LONGEST:
        return
    for place in range(end):
        ahead, behind = region[:place], region[place + 1 :]
        for byte in _likely(region, place):
            if fits_raw(ahead + bytes((byte,)) + behind, chain):
                yield ahead + bytes((byte,)) + behind


def _likely(region: bytes, place: int) -> set[int]:
    """Return the bytes that may have stood here: any plain character, or this byte with one bit flipped.

    Where no line ends in the region, the byte can only have been a newline.
    """
    if b"\n" not in region:
        return {NEWLINE}
    one_bit = {region[place] ^ 1 << bit for bit in range(8)}
    return (one_bit | PLAIN) - {region[place]}


def fits_raw(region: bytes, chain: int) -> bool:
    """Return whether a region's first line ends with the right check value, exactly as Gunbai writes it."""
    match = _SEALED.match(region)
    return match is not None and zlib.crc32(match[1] + b"}\n", chain) == int(match[2], 16)
