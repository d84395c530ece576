"""Values that came as JSON, taken for what they should be; ValueError where they are something else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, TypeVar

Value = TypeVar("Value")

MOST_LETTERS = 80
MOST_OF_LINE = 500
MOST_ROWS = 5000
MOST_WHOLE = 1_000_000


def text(value: Any) -> str:
    """Check that a value is a short text without control characters, and return it; ValueError otherwise."""
    if not isinstance(value, str) or not value.isprintable() or len(value) > MOST_LETTERS:
        raise ValueError("expected a name")
    return value


def line(value: Any) -> str:
    """Return a sentence to be shown, its control characters made spaces and its length cut; ValueError if no text."""
    if not isinstance(value, str):
        raise ValueError("expected a sentence")
    return "".join(sign if sign.isprintable() else " " for sign in value[:MOST_OF_LINE])


def whole(value: Any) -> int:
    """Check that a value is a whole number from 0 to a million, and return it; ValueError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_WHOLE:
        raise ValueError(f"expected a whole number from 0 to {MOST_WHOLE}")
    return value


def number(value: Any) -> float:
    """Check that a value is a finite number, and return it; ValueError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError("expected a number")
    return float(value)


def share(value: Any) -> float:
    """Check that a value is a number from 0 to 1, and return it; ValueError otherwise.

    Rounding may have put it just outside.
    """
    found = number(value)
    if not -1e-6 <= found <= 1 + 1e-6:
        raise ValueError("expected a number from 0 to 1")
    return found


def rows(value: Any, most: int = MOST_ROWS) -> Sequence[Any]:
    """Check that a value is a list of at most `most` entries, and return it; ValueError otherwise."""
    if not isinstance(value, list | tuple) or len(value) > most:
        raise ValueError(f"expected a list of at most {most}")
    return value


def point(value: Any) -> tuple[float, float]:
    """Check that a value is two numbers, and return them; ValueError otherwise."""
    x, y = rows(value, 2)
    return number(x), number(y)


def each(value: Any, taken: Callable[[Any], Value]) -> dict[str, Value]:
    """Check an object with short names, each value by `taken`; return the results by name. ValueError otherwise."""
    if not isinstance(value, dict) or len(value) > MOST_ROWS:
        raise ValueError(f"expected an object of at most {MOST_ROWS}")
    return {text(name): taken(item) for name, item in value.items()}
