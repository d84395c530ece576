"""JSON (RFC 8259) within limits: its length, how deep it nests, how many objects and lists, how large its numbers.

What Python's own reader lets pass and others trip over is refused as well: NaN and Infinity, numbers beyond 64 bits or
beyond a float, and halves of surrogate pairs, which no file can be written with.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from intake.errors import Unreadable
from intake.text import decode_text

MOST_BYTES = 4_000_000
MOST_DEPTH = 60
MOST_NESTS = 400_000
SIXTY_FOUR_BITS = 2**63

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_NO_BRACKET = re.compile(r"[^][{}]+")
_ODD = re.compile(r"[0-9][0-9eE](?:[0-9]{17}|(?<=[eE])\+?[0-9]{2})")  # 19 digits, or a large power; quick to find
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(source: str | bytes, most_bytes: int = MOST_BYTES, *, halves: bool = False) -> Any:
    """Parse a JSON text; raise Unreadable if it is malformed or beyond a limit.

    halves: allow halves of surrogate pairs, as in the names of files that are not UTF-8.
    """
    if len(source) > most_bytes:
        raise Unreadable(f"longer than {most_bytes} bytes, the limit")
    text = decode_text(source) if isinstance(source, bytes) else source
    _refuse_deep(text)
    value = _load(text)
    if not halves and (_SURROGATE.search(text) or (source is text and not text.isascii())):
        _refuse_halves(value)
    return value


def parse_object(source: str | bytes, most_bytes: int = MOST_BYTES, *, halves: bool = False) -> dict[str, Any]:
    """Parse a JSON object as `parse_json` does; raise Unreadable for any other value."""
    value = parse_json(source, most_bytes, halves=halves)
    if not isinstance(value, dict):
        raise Unreadable("not a JSON object")
    return value


def _load(text: str) -> Any:
    try:
        return (_CAREFUL if _ODD.search(text) else _QUICK).decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from error


def _refuse_deep(text: str) -> None:
    """Count brackets outside strings: a reader that recurses must not be the one to find out."""
    most = text.count("[") + text.count("{")
    if most <= MOST_DEPTH:
        return
    if most > MOST_NESTS:
        raise Unreadable(f"more than {MOST_NESTS} objects and lists")
    depth = 0
    for bracket in _NO_BRACKET.sub("", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MOST_DEPTH:
            raise Unreadable("nested too deeply")


def _parse_integer(digits: str) -> int:
    if len(digits) > 20 or not -SIXTY_FOUR_BITS <= int(digits) < SIXTY_FOUR_BITS:
        raise Unreadable("a number beyond 64 bits")
    return int(digits)


def _parse_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Unreadable("too large a number")
    return number


def _constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} isn't a JSON number")


_QUICK = json.JSONDecoder(parse_constant=_constant)
_CAREFUL = json.JSONDecoder(parse_int=_parse_integer, parse_float=_parse_float, parse_constant=_constant)
"""Each number is looked at only where one may be odd: it takes three times as long."""


def _refuse_halves(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise Unreadable("half a surrogate pair, not a character") from error
