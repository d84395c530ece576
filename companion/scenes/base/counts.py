"""Numbers by area and unit, as steppers and touches on the map change them."""

from __future__ import annotations

from collections.abc import Iterable

from engine.orders.steps import Load

Key = tuple[str, str]  # (area or "reserve", unit)


class Counts:
    """Numbers by area and unit that steppers and touches on the map change."""

    def __init__(self) -> None:
        self.of: dict[Key, int] = {}

    def change(self, what: str, n: int, most: int) -> None:
        """Change a number by n, between 0 and `most`."""
        key = key_of(what)
        self.of[key] = min(max(self.of.get(key, 0) + n, 0), most)

    def next(self, key: Key, most: int, least: int = 0) -> None:
        """Count one more; after `most`, start again at `least`."""
        now = self.of.get(key, 0)
        self.of[key] = now + 1 if now < most else least

    def loads(self, allowed: Iterable[Key] | None = None) -> tuple[Load, ...]:
        """Return the numbers above zero as the loads of a step; `allowed` limits them to these keys."""
        kept = self.of if allowed is None else [key for key in self.of if key in set(allowed)]
        return tuple((area, unit, self.of[area, unit]) for area, unit in kept if self.of[area, unit])

    def total(self) -> int:
        """Return the sum of all numbers."""
        return sum(self.of.values())


def key_text(key: Key) -> str:
    """Return the key as text for an intent: "area/unit"."""
    return "/".join(key)


def key_of(what: str) -> Key:
    """Read the key back from an intent's text."""
    area, _slash, unit = what.partition("/")
    return area, unit
