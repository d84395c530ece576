"""What can happen to a table that is held against its game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.perception.dice import DiceWatch
from companion.perception.game_record import GameRecord
from companion.perception.sync.status import InferenceRequest, TableView
from engine.orders.inference.infer import Inference

if TYPE_CHECKING:
    from vision.reading.count import Combo


@dataclass(frozen=True, slots=True, eq=False)
class GameChanged:
    """A step was taken or taken back, or another game begins."""

    game: GameRecord


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """The camera shows the table, with the dice of this turn beside it; None: nothing watches it."""

    view: TableView | None
    dice: DiceWatch = field(default_factory=DiceWatch)


@dataclass(frozen=True, slots=True, eq=False)
class TurnsWeighed:
    """The legal turns were weighed against a reading."""

    request: InferenceRequest
    inference: Inference


@dataclass(frozen=True, slots=True)
class Clock:
    """It is so late (monotonic)."""

    now_s: float


@dataclass(frozen=True, slots=True)
class AreaCounted:
    """People have counted an area."""

    area: str
    units: Combo


@dataclass(frozen=True, slots=True)
class TurnsRefused:
    """People have refused the turns proposed, or that the last one was taken back."""


@dataclass(frozen=True, slots=True)
class TurnLaid:
    """People say that the step just taken is done on the board."""


@dataclass(frozen=True, slots=True)
class CardsTaken:
    """The cards that lie face up were asked for: they count for no turn any more."""


@dataclass(frozen=True, slots=True)
class CameraIgnored:
    """People leave the camera out of it, or not any more."""

    is_ignored: bool


Event = (
    GameChanged | Glimpse | TurnsWeighed | Clock | AreaCounted | TurnsRefused | TurnLaid | CardsTaken | CameraIgnored
)
