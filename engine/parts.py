"""The smallest parts of the JSON forms of any system: names, numbers, tables, each fault named by its key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.errors import BadPosition, EngineError

T = TypeVar("T")
Json = dict[str, Any]
Fault = type[EngineError]
MOST_ENTRIES = 1000
"""Of an object or a list; no box holds as many pieces or cards, and each entry costs time."""


def brief(value: object) -> str:
    """A value as a message shows it, cut short."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def read_table(value: object, key: str, fault: Fault) -> Json:
    """An object, or the fault."""
    if not isinstance(value, dict):
        raise fault(f"{key}: an object, not {brief(value)}")
    _refuse_many(len(value), key, fault)
    return value


def read_list(value: object, key: str, what: str, fault: Fault) -> list[Any]:
    """A list, or the fault; `what` completes "a list"."""
    if not isinstance(value, list):
        raise fault(f"{key}: a list{what}, not {brief(value)}")
    _refuse_many(len(value), key, fault)
    return value


def _refuse_many(entries: int, key: str, fault: Fault) -> None:
    if entries > MOST_ENTRIES:
        raise fault(f"{key}: at most {MOST_ENTRIES} entries, not {entries}")


def read_text(value: object, key: str, fault: Fault) -> str:
    """A name, or the fault."""
    if not isinstance(value, str):
        raise fault(f"{key}: a name, not {brief(value)}")
    return value


def read_texts(value: object, key: str, fault: Fault) -> tuple[str, ...]:
    """A list of names, or the fault."""
    names = read_list(value, key, " of names", fault)
    return tuple(read_text(name, f"{key}[{i}]", fault) for i, name in enumerate(names))


def read_count(value: object, key: str, fault: Fault) -> int:
    """A number from 0, or the fault."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise fault(f"{key}: a number from 0, not {brief(value)}")
    return value


def read_counts(value: object, key: str, fault: Fault) -> dict[str, int]:
    """An object of numbers without its zeros, or the fault."""
    counts = {name: read_count(n, f"{key}.{name}", fault) for name, n in read_table(value, key, fault).items()}
    return {name: n for name, n in counts.items() if n}


def read_brought(read: Callable[[str, str, str], T], name: str, texts: Json) -> T:
    """What a request brings under a name as the text of its file; `read` takes the name, the text, what is blamed.

    Raises BadPosition where it is no text; what `read` raises.
    """
    key = f"texts.{name}"
    return read(name, read_text(texts[name], key, BadPosition), key)
