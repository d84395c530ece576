"""A match, an eye over it, and what the camera means, with a clock of the test's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from companion.games.match import Match
from companion.perception.area_questions import standing_in
from companion.perception.dice import DiceWatch
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import InferenceRequest
from companion.perception.turn_inference import InlineExplainer, weigh_turns
from engine.orders import game
from engine.orders.board import Board
from engine.orders.inference.infer import Inference
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy
from engine.orders.turn import commanders_before_homecoming
from tests.companion.perception.seeing import Eye, Options
from vision.geometry import Grid, Picture
from vision.reading.count import Combo

FEWER_S = 3.5  # how long it is left alone where fewer units were placed than may be, at most
ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
ONE_BLACK, ONE_RED = (("black", "troop", 1),), (("red", "troop", 1),)
TWO, THREE = (("red", "troop", 2),), (("red", "troop", 3),)


class Table:
    """A match, an eye over it, which has seen the board as recorded, and what is understood of both; time is said."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.eye = Eye()
        self.minded = SyncMonitor(InlineExplainer())
        self.now_s = 100.0
        self.dice = DiceWatch()
        self.look()

    def look(self, after_s: float = 0.0) -> str:
        self.now_s += after_s
        self.minded.update(self.match, self.eye.glimpse(self.match), self.now_s, self.dice)
        return self.minded.sense.sign

    def lies(
        self,
        position: Position,
        doubts: Mapping[str, Options] | None = None,
        *,
        state: str = "settled",
        after_s: float = 0,
    ) -> str:
        """Lay this board before the eye and look, once more after so long; return what is said then."""
        self.eye.lay(position, doubts, state)
        sign = self.look()
        return self.look(after_s) if after_s else sign

    def take(self) -> None:
        """Take the turn that is offered first."""
        for step in self.minded.sense.explanations[0].steps:
            self.match.offer(step)

    def wrong(self, area: str = "b3") -> Position:
        """Return the board with a piece too many in an area, which no turn of red brings."""
        units = standing_in(self.match.position, area)
        more = tuple((who, unit, n + 1) for who, unit, n in units)
        return game.apply(self.match.position, Agreed(areas=((area, more),)))


def speckled(board: Board) -> Picture:
    """Return a board image on which every area looks otherwise."""
    return np.random.default_rng(1).integers(60, 120, (*Grid(board.size_mm).shape, 3), np.uint8)


def begun(table: Table, space: str, *areas: tuple[str, Combo]) -> None:
    """Bring one of red's commanders to the space and change these areas, whatever the rules say."""
    laid = game.apply(table.match.position, Agreed(areas=areas)) if areas else table.match.position
    table.eye.lay(replace(laid, commanders=commanders_before_homecoming(table.match.position, Deploy(space))))


class Slow:
    """Explains at the second look."""

    def __init__(self) -> None:
        self.asked: list[InferenceRequest] = []

    def explanation(self, asked: InferenceRequest) -> Inference | None:
        self.asked.append(asked)
        return weigh_turns(asked) if self.asked.count(asked) > 1 else None


def moved(n: int) -> Deploy:
    return Deploy("advance:c4", moves=(("d5", "troop", n),))
