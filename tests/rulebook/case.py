"""What proves a rule: a step that it objects to, and one that it lets pass."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.orders.position import Position
from engine.orders.steps import Agreed, OtherCorrections, Step


class Case(NamedTuple):
    """A position, a step that breaks a rule there with words of the objection, and a step that keeps it.

    `sound` is None where nothing can keep it, as there is never a choice of losses with one kind of unit.
    """

    position: Position
    spoiled: Step
    words: str
    sound: Step | None
    instead: Position | None = None
    """Where the sound step is judged, if not in the same position."""


def besides(**keys: Any) -> Agreed:
    """Return an agreement about things besides the board."""
    return Agreed(other=OtherCorrections(**keys))
