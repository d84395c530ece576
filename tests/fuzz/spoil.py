"""Honest inputs spoiled: as bytes and as text. What has a form of its own (JSON, zip, PNG ...) has a module of its own.

A `Spoil` takes an input, the chance and the stock, and gives another input. Every one takes any bytes at all, as inputs
are spoiled several times over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from tests.fuzz import nasties

MOST_BYTES = 6_000_000
MOST_STOCK = 400
MOST_KEPT_BYTES = 20_000
HONEST = 2 / 3
MOST_WORDS = 3000
_WORD = re.compile(rb"[A-Za-z_][\w:./-]{0,60}|-?\d[\d.]{0,20}")
_QUOTED = re.compile(rb'"(?:[^"\\\n]|\\.){0,200}"')
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


@dataclass(slots=True)
class Stock:
    """The inputs that others are made from, and the words in them."""

    inputs: list[bytes]
    words: list[bytes] = field(init=False)
    honest: int = field(init=False)

    def __post_init__(self) -> None:
        self.honest = len(self.inputs)
        found = dict.fromkeys(word for sample in self.inputs for word in _WORD.findall(sample[:200_000]))
        self.words = list(found)[:MOST_WORDS] or [b"x"]

    def add(self, data: bytes) -> None:
        """Keep one more input to make others from, beside the honest ones."""
        if len(self.inputs) < MOST_STOCK and len(data) < MOST_KEPT_BYTES:
            self.inputs.append(data)

    def one(self, rng: Random) -> bytes:
        """Return an input to begin with: honest in two cases of three, as most others are refused early."""
        among = self.honest if rng.random() < HONEST else len(self.inputs)
        return self.inputs[rng.randrange(among)]


Spoil = Callable[[bytes, Random, Stock], bytes]


def either(*ways: tuple[int, Spoil]) -> Spoil:
    """One of several ways, each as likely as its number says."""
    weights, spoils = [weight for weight, _way in ways], [way for _weight, way in ways]

    def spoil(data: bytes, rng: Random, stock: Stock) -> bytes:
        return rng.choices(spoils, weights)[0](data, rng, stock)

    return spoil


def then(spoil: Spoil, mend: Callable[[bytes], bytes], share: float = 0.5) -> Spoil:
    """Spoiled, and in this share of cases mended: check values put right, so that what is behind them is reached."""

    def mended(data: bytes, rng: Random, stock: Stock) -> bytes:
        out = spoil(data, rng, stock)
        return mend(out) if rng.random() < share else out

    return mended


def made(spoil: Spoil, rng: Random, stock: Stock) -> bytes:
    """Return the next input: one of the stock, spoiled once or a few times."""
    data = stock.one(rng)
    for _time in range(rng.choices((1, 2, 3, 6), (50, 25, 15, 10))[0]):
        with suppress(RecursionError):  # what is nested deeply already is deep enough
            data = spoil(data, rng, stock)[:MOST_BYTES]
    return data


# ---- bytes ------------------------------------------------------------------------------------


def _place(data: bytes, rng: Random) -> tuple[int, int]:
    """Where a piece of the data begins and ends; mostly a short one."""
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.choice((1, 1, 2, 4, 8, 16, 64, 256, 4096)))


def _flipped(data: bytes, rng: Random, stock: Stock) -> bytes:
    out = bytearray(data or b"\0")
    for _time in range(rng.choice((1, 1, 1, 2, 8))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _overwritten(data: bytes, rng: Random, stock: Stock) -> bytes:
    begin, end = _place(data, rng)
    byte = rng.choice((b"\0", b"\xff", b" ", b"\x80", rng.randbytes(1)))
    return data[:begin] + byte * (end - begin) + data[end:]


def _cut_off(data: bytes, rng: Random, stock: Stock) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _without(data: bytes, rng: Random, stock: Stock) -> bytes:
    begin, end = _place(data, rng)
    return data[:begin] + data[end:]


def _again(data: bytes, rng: Random, stock: Stock) -> bytes:
    begin, end = _place(data, rng)
    at, times = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 10, 1000))
    return data[:at] + data[begin:end] * times + data[at:]


def _spliced(data: bytes, rng: Random, stock: Stock) -> bytes:
    other = rng.choice(stock.inputs)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _with_random(data: bytes, rng: Random, stock: Stock) -> bytes:
    begin, end = _place(data, rng)
    return data[:begin] + rng.randbytes(end - begin) + data[rng.choice((begin, end)) :]


def _with_nasty(data: bytes, rng: Random, stock: Stock) -> bytes:
    begin, end = _place(data, rng)
    return data[:begin] + rng.choice(nasties.ANY) + data[rng.choice((begin, end)) :]


def _with_number(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return the data with a number written over it as machines do: one to eight bytes, an end of its range."""
    begin, width = rng.randrange(len(data) + 1), rng.choice((1, 2, 4, 8))
    value = rng.choice((0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1, 2**16 - 1, rng.getrandbits(16)))
    told = (value & (1 << 8 * width) - 1).to_bytes(width, rng.choice(("big", "little")))
    return data[:begin] + told + data[begin + width :]


def _nothing(data: bytes, rng: Random, stock: Stock) -> bytes:
    return rng.choice((b"", b"\n", b"\0", rng.choice(nasties.ANY), rng.randbytes(rng.randrange(200))))


_BYTES: Sequence[Spoil] = (
    *(_flipped, _flipped, _overwritten, _cut_off, _without, _again, _spliced, _with_random, _with_nasty, _with_nasty),
    *(_with_number, _with_number),
)


def as_bytes(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Spoiled as bytes of any kind."""
    way = _nothing if rng.random() < 0.01 else rng.choice(_BYTES)
    return way(data, rng, stock)


# ---- text -------------------------------------------------------------------------------------


def _found(pattern: re.Pattern[bytes], data: bytes, rng: Random) -> tuple[int, int]:
    """Where one of the places that a pattern finds begins and ends; the first one behind a place taken by chance."""
    at = rng.randrange(len(data) + 1)
    match = pattern.search(data, at) or pattern.search(data)
    return match.span() if match else (at, at)


def _put(data: bytes, span: tuple[int, int], told: bytes) -> bytes:
    return data[: span[0]] + told + data[span[1] :]


def _other_number(data: bytes, rng: Random, stock: Stock) -> bytes:
    near = str(rng.randrange(-3, 40)).encode()
    return _put(data, _found(_NUMBER, data, rng), rng.choice((near, near, rng.choice(nasties.NUMBERS))))


def _other_word(data: bytes, rng: Random, stock: Stock) -> bytes:
    words = stock.words if rng.random() < 0.7 else nasties.WORDS
    return _put(data, _found(_WORD, data, rng), rng.choice(words))


def _other_text(data: bytes, rng: Random, stock: Stock) -> bytes:
    told = rng.choice((rng.choice(stock.words), rng.choice(nasties.CHARACTERS), rng.choice(nasties.WORDS)))
    return _put(data, _found(_QUOTED, data, rng), b'"' + told + b'"')


def _with_character(data: bytes, rng: Random, stock: Stock) -> bytes:
    at = rng.randrange(len(data) + 1)
    return _put(data, (at, at), rng.choice(nasties.CHARACTERS))


def _other_lines(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Lines that change places, are left out, come twice or a thousand times, or come from another input."""
    lines = data.split(b"\n")
    here, there = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines[here], lines[there] = lines[there], lines[here]
        case 1:
            del lines[here]
        case 2:
            lines.insert(there, lines[here])
        case 3 if len(data) < 20_000:
            lines[there:there] = [lines[here]] * 1000
        case _:
            lines.insert(there, rng.choice(rng.choice(stock.inputs).split(b"\n")))
    return b"\n".join(lines)


_TEXT: Sequence[Spoil] = (
    _other_number,
    _other_number,
    _other_word,
    _other_word,
    _other_text,
    _with_character,
    _other_lines,
)


def as_text(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Spoiled as text: its numbers, words, quoted texts, characters and lines; now and then as bytes."""
    way = as_bytes if rng.random() < 0.25 else rng.choice(_TEXT)
    return way(data, rng, stock)
