"""Steps of Generals Order: what the table tells, one thing at a time. Names are labels of generals, and cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Deploy:
    """A general comes onto the battlefield (Game Play 6 to 9); zone "" is where its card says."""

    card: str
    zone: str = ""


@dataclass(frozen=True, slots=True)
class Equip:
    """An equipment card goes to a general (Game Play 11a)."""

    card: str
    general: str


@dataclass(frozen=True, slots=True)
class Use:
    """An event card (Game Play 11b), or on the opponent's turn a special card; what its effect needs is named."""

    card: str
    by: str
    general: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Activate:
    """A general's special effect (Game Play 11c); `to` is the own general that the effect is about, "" for none."""

    general: str
    to: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A general goes to another zone (Game Play 11d)."""

    general: str
    to: str


@dataclass(frozen=True, slots=True)
class Attack:
    """A military attack on a general in the same zone (Game Play 14), or on the castle's resources (15): target ""."""

    general: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """The turn ends: upkeep, and cards over the hand's limit go (Game Play 17 and 18)."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the players agree on about a side, whatever the rules say. What is not named stays as it is.

    numbers: {"resources": 30, "hand": 4, "expended": 2}. generals: {label: {"zone": ..., "item": ..., "troop": ...,
    "military": 2, "intelligence": -1, "acted": False, ...}}, points being those of this turn; None for one that has
    left the battlefield. defeated: all cards of the defeated zone. winner: a side, where a card says so.
    """

    side: str
    numbers: Mapping[str, int] = field(default_factory=dict, hash=False)
    generals: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict, hash=False)
    defeated: tuple[str, ...] | None = None
    winner: str = ""
    note: str = ""


Step = Deploy | Equip | Use | Activate | Move | Attack | End | Agreed
