"""TOML within limits: its length, how deep it nests, how large its numbers."""

from __future__ import annotations

import math
import re
import tomllib
from typing import Any

from intake.errors import Unreadable

MOST_CHARACTERS = 200_000
MOST_BYTES = 4 * MOST_CHARACTERS
MOST_DEPTH = 30
SIXTY_FOUR_BITS = 2**63
MOST_SHOWN = 120
MOST_DOTS = 200
"""On a line, besides those of numbers in a list: a key of n parts takes Python's reader memory with the square of n."""

_LISTED_NUMBER = re.compile(r"[=\[,][ \t]*+[+-]?\d++\.\d++(?=[ \t]*+[,\]}])")

Keyed = tuple[str, Any]


def parse_toml(text: str, most_characters: int = MOST_CHARACTERS) -> dict[str, Any]:
    """Parse a TOML text to its tables; raise Unreadable if it is malformed or beyond a limit."""
    if len(text) > most_characters:
        raise Unreadable(f"longer than {most_characters} characters")
    if any(line.count(".") > MOST_DOTS and _dots(line) > MOST_DOTS for line in text.split("\n")):
        raise Unreadable("a line with too many parts")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(str(error)[:MOST_SHOWN]) from error
    except RecursionError as error:
        raise Unreadable("nested too deeply") from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        raise Unreadable("a number with too many digits") from error
    _refuse_odd(table)
    return table


def _dots(line: str) -> int:
    return line.count(".") - len(_LISTED_NUMBER.findall(line))


def _refuse_odd(table: dict[str, Any]) -> None:
    level: list[Keyed] = [("", table)]
    for _depth in range(MOST_DEPTH):
        level = [part for key, value in level for part in _parts(key, value)]
        if not level:
            return
    raise Unreadable("nested too deeply")


def _parts(key: str, value: Any) -> list[Keyed]:
    """List what is in a table or a list, each with its key; check a single value."""
    if isinstance(value, dict):
        return [(f"{key}.{name}" if key else name, part) for name, part in value.items()]
    if isinstance(value, list):
        return [(key, part) for part in value]
    if isinstance(value, int) and not -SIXTY_FOUR_BITS <= value < SIXTY_FOUR_BITS:
        raise Unreadable(f"{key[:MOST_SHOWN]}: a number beyond 64 bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise Unreadable(f"{key[:MOST_SHOWN]}: {value} isn't a usable number")
    return []
