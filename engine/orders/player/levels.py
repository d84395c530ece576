"""How well a player plays: how far it looks, what it overlooks, and how freely it chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of play.

    `iterations`: how many later positions it looks into after the first look ahead. `overlooks`: the chance that
    an action space is not thought of. `freedom`: how much of the chance to win it gives up, on average, for variety.
    `wary`: whether it sees what the other side threatens. `refines`: how many of the best turns it changes by a unit
    here and there, to see whether that is better.
    """

    name: str
    iterations: int
    overlooks: float = 0.0
    freedom: float = 0.0
    wary: bool = True
    refines: int = 0


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("child", 0, overlooks=0.1, freedom=0.01, wary=False),
        Level("even", 12, overlooks=0.1, freedom=0.005, refines=1),
        Level("strong", 60, refines=4),
    )
}
"""From a first opponent to one that plays as well as it can."""
