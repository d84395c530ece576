"""Steps of Sonae: what the table tells, one thing at a time. Sides are armies by name, places are in Movements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settle:
    """At the start of a turn a general encamps or mounts, and if encamped may send a messenger to a division."""

    by: str
    mode: str
    messenger: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A token was drawn from the bag: this side activates one of its divisions."""

    by: str


@dataclass(frozen=True, slots=True)
class Activate:
    """The division that the side of the token activates."""

    division: str


@dataclass(frozen=True, slots=True)
class Roll:
    """All the dice of the roll that is owed, and the side that rolled them."""

    dice: tuple[int, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Advance:
    """Move Order: into the front quarter, facing kept; where it ends in contact with an enemy, it is a charge."""

    unit: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class FallBack:
    """Move Order: into the rear quarter by up to one Movement, facing kept."""

    unit: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Wheel:
    """Move Order: the facing changes to another quarter, and the unit may go up to one Movement that way."""

    unit: str
    facing_deg: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Fire:
    """An exchange of fire with an enemy unit."""

    unit: str
    target: str


@dataclass(frozen=True, slots=True)
class Rally:
    """A Rally Order."""

    unit: str


@dataclass(frozen=True, slots=True)
class Closing:
    """A side's answer when its units may use Closing Fire or Opportunity Fire: whether they do."""

    by: str
    fires: bool


@dataclass(frozen=True, slots=True)
class Done:
    """No more orders: the activation ends, and its melees are fought."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the players agree on, whatever the rules say: {unit: {"x", "y", "facing", "status", "fatigued"}}.

    None for a unit that has left the battle. orders: how many the active division still has. winner: a side.
    """

    units: Mapping[str, Mapping[str, object] | None] = field(default_factory=dict, hash=False)
    orders: int | None = None
    winner: str = ""
    note: str = ""


Order = Advance | FallBack | Wheel | Fire | Rally
Step = Settle | Token | Activate | Roll | Closing | Done | Agreed | Order
