"""Honest inputs spoiled: as bytes and as text. What has a form of its own (JSON, zip, PNG ...) has a module of its own.

A `Spoil` takes an input, the chance and the stock, and gives another input. Every one takes any bytes at all, as inputs
are spoiled several times over. First what has broken readers before: numbers, characters and nestings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

MANY = 3000

NUMBERS: tuple[bytes, ...] = (
    *(b"0", b"-0", b"-0.0", b"-1", b"1", b"2", b"1.5", b"255", b"256", b"65535", b"65536", b"1000000000"),
    *(b"2147483647", b"2147483648", b"4294967295", b"4294967296", b"-2147483649"),
    *(b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616"),
    *(b"1e400", b"-1e400", b"1e-400", b"1e308", b"1.7976931348623157e308", b"5e-324", b"1e16", b"0.1"),
    *(b"NaN", b"-NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"+inf", b"1e", b"0x10", b"0o7", b"1_000", b"007"),
    *(b"9" * 400, b"9" * 400 + b".5", b"9" * 5000, b"-" + b"9" * 5000, b"0." + b"0" * 5000 + b"1"),
    *("²".encode(), "٣".encode(), "１２".encode(), b"true", b"false", b"null"),
)
CHARACTERS: tuple[bytes, ...] = (
    *(
        b"\0",
        b"\a",
        b"\b",
        b"\x1b",
        b"\x1b[31m",
        b"\x1b]0;x\a",
        b"\x7f",
        b"\r",
        b"\r\n",
        b"\n",
        b"\t",
        b"\x0b",
        b"\x0c",
    ),
    *(b"\x1c", b"\x85", "\x85".encode(), "\x9b31m".encode(), "\u2028".encode(), "\u2029".encode(), "\u200b".encode()),
    *("\u202e".encode(), "\ufeff".encode(), "\ufffe".encode(), "\U000e0001".encode(), "\U0010ffff".encode()),
    *(b"\xff", b"\xfe\xff", b"\xc0\x80", b"\xed\xa0\x80", b"caf\xe9", b"\xf4\x90\x80\x80", b"\xe2\x80"),
    *(b"\\ud800", b"\\udfff\\ud800", b"\\u0000", b"\\u001b[2J", b"\\u2028", b"\\x00", b"\\"),
    *("é".encode(), "ß".encode(), "İ".encode(), "日本".encode(), "😀".encode(), "e\u0301".encode() * 40),
)
WORDS: tuple[bytes, ...] = (
    *(
        b"",
        b" ",
        b"''",
        b'""',
        b'"',
        b"'",
        b"`",
        b"#",
        b";",
        b"=",
        b",",
        b":",
        b"-",
        b"--",
        b"*",
        b"$",
        b"&",
        b"|",
        b"~",
    ),
    *(b"%s", b"%n%n", b"{}", b"{0}", b"{who}", b"{0.__class__}", b"__class__", b"__proto__", b"None", b"self"),
    *(b"..", b"../../../etc/passwd", b"/dev/zero", b"/", b"//", b".", b"~root", b"con", b"x" * 300, b"x" * 70_000),
    *(b"sum", b"do", b"new", b"system", b"texts", b"position", b"steps", b"kind", b"version", b"known", b"owner"),
)
NESTS: tuple[bytes, ...] = (
    *(b"[" * MANY, b"]" * MANY, b"[" * MANY + b"]" * MANY, b"{" * MANY, b"(" * MANY, b'{"a":' * MANY),
    *(
        b'{"a":' * MANY + b"1" + b"}" * MANY,
        b"[{" * MANY,
        b"a." * MANY,
        b"[" * 50 + b"]" * 50,
        b"-" * MANY,
        b'"' * MANY,
    ),
)
ANY: tuple[bytes, ...] = (*NUMBERS, *CHARACTERS, *WORDS, *NESTS)

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 7, 99, 256, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63), 2**63, 2**64, 10**30),
    *(0.5, -0.5, 1.0, 1e16, 1e308, -1e308, 5e-324),
    *(
        "",
        " ",
        "x",
        "0",
        "-1",
        "1e400",
        "\0",
        "\n",
        "\r",
        "\x1b[31m",
        "\x7f",
        "\x9b",
        "\u2028",
        "\u202e",
        "\ufeff",
        "é",
    ),
    *("x" * 300, "é" * 300, "x" * 70_000, "../../etc/passwd", "/", "{who}", "%s", "__class__", "None", "\U0010ffff"),
    *([], {}, [[]], [{}], [None], {"": None}, {"x": {}}, [0] * 70, [[1, 2]] * 3, {"a": [{"b": []}]}, list(range(30))),
)
"""Values that a JSON or TOML text can hold as they are; what no writer of Python's would write stands in RAW."""

RAW: tuple[bytes, ...] = (*NUMBERS, *NESTS, b'"\\ud800"', b'"\\udc00\\ud800"', b'"\xff"', b'"\0"', b"", b"/* */ 1")


# ---- a stock of inputs, and ways to spoil -----------------------------------------------------

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
    return data[:begin] + rng.choice(ANY) + data[rng.choice((begin, end)) :]


def _with_number(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return the data with a number written over it as machines do: one to eight bytes, an end of its range."""
    begin, width = rng.randrange(len(data) + 1), rng.choice((1, 2, 4, 8))
    value = rng.choice((0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1, 2**16 - 1, rng.getrandbits(16)))
    told = (value & (1 << 8 * width) - 1).to_bytes(width, rng.choice(("big", "little")))
    return data[:begin] + told + data[begin + width :]


def _nothing(data: bytes, rng: Random, stock: Stock) -> bytes:
    return rng.choice((b"", b"\n", b"\0", rng.choice(ANY), rng.randbytes(rng.randrange(200))))


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
    return _put(data, _found(_NUMBER, data, rng), rng.choice((near, near, rng.choice(NUMBERS))))


def _other_word(data: bytes, rng: Random, stock: Stock) -> bytes:
    words = stock.words if rng.random() < 0.7 else WORDS
    return _put(data, _found(_WORD, data, rng), rng.choice(words))


def _other_text(data: bytes, rng: Random, stock: Stock) -> bytes:
    told = rng.choice((rng.choice(stock.words), rng.choice(CHARACTERS), rng.choice(WORDS)))
    return _put(data, _found(_QUOTED, data, rng), b'"' + told + b'"')


def _with_character(data: bytes, rng: Random, stock: Stock) -> bytes:
    at = rng.randrange(len(data) + 1)
    return _put(data, (at, at), rng.choice(CHARACTERS))


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
