"""All that is remembered of a table and the game played on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.perception.dice import DiceWatch
from companion.perception.game_record import GameRecord
from companion.perception.known_areas import KnownAreas
from companion.perception.laid_cards import LaidCards
from companion.perception.sync.answers import Answers
from companion.perception.sync.rest import Rest
from companion.perception.sync.status import InferenceRequest, SyncStatus, TableView
from engine.orders.inference.infer import Inference
from engine.orders.position import Position
from engine.orders.steps import Step

if TYPE_CHECKING:
    from vision.reading.count import Combo
    from vision.reading.read import Reading


@dataclass(frozen=True, slots=True, eq=False)
class TurnMemory:
    """What is remembered until the game moves on.

    start, steps: where the turn begins, after so many steps of the game; reading, request, inference: what was seen
    last, what is asked about it, and the answer, None until it comes; status: what was said last of a table at rest,
    is_concluded: since the turn began or people spoke; refused: the turns that people refused, is_kept: also that the
    last one was taken back; is_laid: people say that the step taken in this turn is done on the board; is_agreed: the
    board was as recorded; clashed: the areas in which both sides were seen. Of the turn before this one, accepted: the
    reading by which people took it, against: {area: what the eye was sure of} where they took it otherwise.
    """

    start: Position | None = None
    steps: int = 0
    reading: Reading | None = None
    request: InferenceRequest | None = None
    inference: Inference | None = None
    status: SyncStatus = field(default_factory=lambda: SyncStatus("waiting"))
    is_concluded: bool = False
    refused: frozenset[tuple[Step, ...]] = frozenset()
    is_kept: bool = False
    is_laid: bool = False
    is_agreed: bool = False
    clashed: frozenset[str] = frozenset()
    accepted: Reading | None = None
    against: Mapping[str, Combo] = field(default_factory=dict)

    def reopen(self) -> TurnMemory:
        """Return the memory of a turn whose table is to be asked about and concluded on anew."""
        return replace(self, request=None, inference=None, is_concluded=False)


@dataclass(frozen=True, slots=True, eq=False)
class SyncState:
    """All that is remembered; `status` is what the screen says.

    reading: the last settled one, as the eye gave it; agreed: the steps after which the board was last as recorded.
    """

    status: SyncStatus = field(default_factory=SyncStatus)
    game: GameRecord | None = None
    view: TableView | None = None
    reading: Reading | None = None
    dice: DiceWatch = field(default_factory=DiceWatch)
    is_ignored: bool = False
    answers: Answers = field(default_factory=Answers)
    known: KnownAreas = field(default_factory=KnownAreas)
    cards: LaidCards = field(default_factory=LaidCards)
    rest: Rest = field(default_factory=Rest)
    turn: TurnMemory = field(default_factory=TurnMemory)
    agreed: int = 0

    @property
    def refined_reading(self) -> Reading | None:
        """The last reading, with what is known of areas and what people said of them."""
        return self.reading if self.turn.request is None else self.turn.request.reading
