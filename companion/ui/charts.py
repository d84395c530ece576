"""Chances and small charts, as a screen shows them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """One outcome: whose it is ("nobody" too, "" for a mere number), in words, and the chance.

    value: the chance in words, where the label does not say it.
    """

    faction: str
    label: str
    part: float
    value: str = ""


@dataclass(frozen=True, slots=True)
class Odds:
    """Outcomes as parts of one bar, under a line that says of what."""

    text: str
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart: its name, its length (0 to 1), its number in words, and whose it is, or "".

    begin: where it begins (0 to 1), for bars that go on where the last one ended.
    """

    label: str
    part: float
    text: str
    faction: str = ""
    begin: float = 0.0


@dataclass(frozen=True, slots=True)
class Bars:
    """A small chart: a heading, and bars one under the other."""

    title: str
    bars: tuple[Bar, ...]
