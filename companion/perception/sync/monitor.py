"""Follows one game through the watch's glimpses: hands events to `advance`, and readings to the explainer."""

from __future__ import annotations

from companion.games.match import Match
from companion.perception.dice import DiceWatch
from companion.perception.game_record import record_of
from companion.perception.sync.advance import advance
from companion.perception.sync.state import Clock, Event, GameChanged, Glimpse, SyncState, TurnsWeighed
from companion.perception.sync.status import Explainer, SyncStatus, TableView

NO_DICE = DiceWatch()


class SyncMonitor:
    """Keeps the state of one game's table; `sense` is what the screen says."""

    def __init__(self, explainer: Explainer) -> None:
        self.state = SyncState()
        self._explainer = explainer

    @property
    def sense(self) -> SyncStatus:
        """What the screen says of the table."""
        return self.state.status

    def advance(self, event: Event) -> None:
        """Take an event."""
        self.state = advance(self.state, event)

    def update(self, match: Match, glimpse: TableView | None, now_s: float, dice: DiceWatch = NO_DICE) -> bool:
        """Take a glimpse at a monotonic time, with this turn's dice; return whether the sense has changed."""
        before, game = self.sense, self.state.game
        if game is None or game.position is not match.position:
            self.advance(GameChanged(record_of(match)))
        self.advance(Glimpse(glimpse, dice))
        self._weigh()
        self.advance(Clock(now_s))
        return self.sense != before

    def _weigh(self) -> None:
        """Have the turns weighed against what is asked, and what a dispute then asks anew."""
        asked = None
        while asked is not self.state.turn.request:
            asked = self.state.turn.request
            inference = None if asked is None else self._explainer.explanation(asked)
            if asked is not None and inference is not None:
                self.advance(TurnsWeighed(asked, inference))
