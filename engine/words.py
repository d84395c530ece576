"""Numbers of things and parts of a sentence, in words."""

from __future__ import annotations

from collections.abc import Iterable

_TITLES = {"siege": "siege weapon"}
_PLURALS = {"aircraft": "aircraft", "die": "dice"}


def counted(n: int, thing: str, whose: str = "") -> str:
    """A number of things, such as units.

    >>> counted(1, "siege"), counted(2, "troop", "red"), counted(2, "aircraft"), counted(3, "die")
    ('1 siege weapon', '2 red troops', '2 aircraft', '3 dice')
    """
    title = _TITLES.get(thing, thing)
    return f"{n} {whose} {title if n == 1 else _PLURALS.get(title, title + 's')}".replace("  ", " ")


def joined(parts: Iterable[str]) -> str:
    """Parts of a sentence in a row.

    >>> joined(["a", "b", "c"]), joined([])
    ('a, b and c', 'nothing')
    """
    *others, last = list(parts) or ["nothing"]
    return f"{', '.join(others)} and {last}" if others else last
