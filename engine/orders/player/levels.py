"""How well a player plays: how far it looks, what it overlooks, and how freely it chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.orders.player.temperaments import Temperament


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of play. It errs as people do: it doesn't look far, or doesn't see what is there.

    `iterations`: how many later positions it looks into after the first look ahead. `overlooks`: the chance that
    an action space is not thought of. `misses`: the chance that it doesn't see, in a turn, what the other side
    threatens. `freedom`: how much of the chance to win it gives up, on average, for variety. `refines`: how many of the
    best turns it changes by a unit here and there, to see whether that is better. `by_points`: whether it counts points
    and sees nothing else. `temperament`: what it likes among turns that are nearly as good.
    """

    name: str
    iterations: int
    overlooks: float = 0.0
    misses: float = 0.0
    freedom: float = 0.0
    refines: int = 0
    by_points: bool = False
    temperament: Temperament | None = None


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("first", 0, overlooks=0.3, misses=1.0, freedom=0.01, by_points=True),
        Level("child", 0, overlooks=0.1, misses=1.0, freedom=0.01),
        Level("even", 12, overlooks=0.1, freedom=0.005, refines=1),
        Level("strong", 180, refines=4),
        Level("best", 1200, refines=6),
    )
}
"""From a first opponent to the best there is."""
