"""All that is remembered of a table and the game played on it, and the events that can happen there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import dist

from companion.perception.adapters import GameRecord
from companion.perception.dice import DiceWatch
from companion.perception.known_areas import Answers, KnownAreas
from companion.perception.sync.status import InferenceRequest, SyncStatus, TableView
from engine.orders.inference.infer import Inference
from engine.orders.mode import Mode
from engine.orders.position import Position
from engine.orders.steps import Step
from vision.live.printed import LaidCard
from vision.reading.count import Combo
from vision.reading.read import Reading

SAME_MM = 15.0
"""A card seen within this distance of where the same one lay is that card, pushed a little."""
COVERS_MM = 60.0
"""Another card within this distance lies on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Since when a table has been at rest with a reading, and since when its status is held back (monotonic seconds).

    turn: the turn that is held back: its units, for how long, how likely; waited_s: how long that had been when hands
    came; counted: the reading in which people counted an area, so that they are done.
    """

    reading: Reading | None = None
    since_s: float | None = None
    waits_since_s: float | None = None
    waited_s: float = 0.0
    turn: object = None
    counted: Reading | None = None

    def settle(self, reading: Reading, now_s: float) -> Rest:
        """Return the rest with this reading, begun now unless it is the same."""
        if self.since_s is not None and self.reading is reading:
            return self
        return replace(self, reading=reading, since_s=now_s)

    def interrupt(self, now_s: float) -> Rest:
        """Return the rest as hands come: nothing is waited for any more."""
        waited_s = self.waited_s if self.waits_since_s is None else now_s - self.waits_since_s
        return replace(self, since_s=None, waits_since_s=None, waited_s=waited_s, counted=None)

    def release(self) -> Rest:
        """Return the rest with nothing held back any more."""
        return replace(self, waits_since_s=None, turn=None)


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards that lie face up beside a game: those in sight, and those known from before the turn.

    They help to tell what was played, and take no step themselves.
    """

    seen: tuple[LaidCard, ...] = ()
    known: tuple[LaidCard, ...] = ()

    def see(self, cards: tuple[LaidCard, ...]) -> LaidCards:
        """Return the cards after a look. A known card covered by another is forgotten: seen again, it is newly laid."""
        left = (
            card
            for card in self.known
            if any(_is_same(other, card) for other in cards)
            or all(dist(other.at_mm, card.at_mm) >= COVERS_MM for other in cards)
        )
        return LaidCards(cards, tuple(left))

    def begin_turn(self) -> LaidCards:
        """Return the cards for a new turn: those that lie there now were played before it."""
        return LaidCards(self.seen, tuple(dict.fromkeys((*self.known, *self.seen))))

    def fresh(self, mode: Mode) -> tuple[str, ...]:
        """Return the names of the cards laid since the turn began; numbers that the deck lacks are ignored."""
        names = tuple(mode.cards)
        new = (card for card in self.seen if not any(_is_same(card, old) for old in self.known))
        return tuple(names[card.number] for card in new if card.number < len(names))


def _is_same(card: LaidCard, old: LaidCard) -> bool:
    return card.number == old.number and dist(card.at_mm, old.at_mm) <= SAME_MM


@dataclass(frozen=True, slots=True, eq=False)
class TurnMemory:
    """What is remembered until the game moves on.

    start, steps: the position in which the turn begins, and how many steps the game had; reading, request, inference:
    what was seen last, what was asked about it, and the answer, None until it comes; status: the last one shown of a
    table at rest; is_concluded: whether the table was judged since the turn began or people spoke; refused_turns: those
    that people refused; is_kept: they also said that the last one was not taken back; is_laid: they say that the step
    taken in this turn is done on the board; is_agreed: the board was as recorded; clash_areas: those in which both
    sides were seen. Of the turn before this one, accepted_reading: that by which people took it; contradictions:
    {area: what the eye was sure of} where they took it otherwise.
    """

    start: Position | None = None
    steps: int = 0
    reading: Reading | None = None
    request: InferenceRequest | None = None
    inference: Inference | None = None
    status: SyncStatus = field(default_factory=lambda: SyncStatus("waiting"))
    is_concluded: bool = False
    refused_turns: frozenset[tuple[Step, ...]] = frozenset()
    is_kept: bool = False
    is_laid: bool = False
    is_agreed: bool = False
    clash_areas: frozenset[str] = frozenset()
    accepted_reading: Reading | None = None
    contradictions: Mapping[str, Combo] = field(default_factory=dict)

    def reopen(self) -> TurnMemory:
        """Return the memory with nothing requested or concluded yet, so that the table is judged anew."""
        return replace(self, request=None, inference=None, is_concluded=False)


@dataclass(frozen=True, slots=True, eq=False)
class SyncState:
    """All that is remembered; `status` is what the screen says.

    reading: the last settled one, as the eye gave it; agreed: after how many steps the board was last as recorded.
    """

    status: SyncStatus = field(default_factory=SyncStatus)
    game: GameRecord | None = None
    view: TableView | None = None
    reading: Reading | None = None
    dice: DiceWatch = field(default_factory=DiceWatch)
    is_ignored: bool = False
    answers: Answers = field(default_factory=Answers)
    known_areas: KnownAreas = field(default_factory=KnownAreas)
    cards: LaidCards = field(default_factory=LaidCards)
    rest: Rest = field(default_factory=Rest)
    turn: TurnMemory = field(default_factory=TurnMemory)
    agreed: int = 0

    @property
    def refined_reading(self) -> Reading | None:
        """The last reading, with what is known of areas and what people said of them."""
        return self.reading if self.turn.request is None else self.turn.request.reading


# ---- what can happen ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class GameChanged:
    """A step was taken or taken back, or another game begins."""

    game: GameRecord


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """The camera shows the table, with the dice of this turn beside it; view None: nothing watches the table."""

    view: TableView | None
    dice: DiceWatch = field(default_factory=DiceWatch)


@dataclass(frozen=True, slots=True, eq=False)
class TurnsWeighed:
    """The legal turns were weighed against a reading."""

    request: InferenceRequest
    inference: Inference


@dataclass(frozen=True, slots=True)
class Clock:
    """The time has advanced to this (monotonic seconds)."""

    now_s: float


@dataclass(frozen=True, slots=True)
class AreaCounted:
    """People have counted an area."""

    area: str
    units: Combo


@dataclass(frozen=True, slots=True)
class TurnsRefused:
    """People have refused the turns proposed, or said that the last one was not taken back."""


@dataclass(frozen=True, slots=True)
class TurnLaid:
    """People say that the step just taken is done on the board."""


@dataclass(frozen=True, slots=True)
class CardsTaken:
    """The cards that lie face up were recorded: they no longer count for any turn."""


@dataclass(frozen=True, slots=True)
class CameraIgnored:
    """People have switched the camera's part in the game off, or on again."""

    is_ignored: bool


Event = (
    GameChanged | Glimpse | TurnsWeighed | Clock | AreaCounted | TurnsRefused | TurnLaid | CardsTaken | CameraIgnored
)
