"""What is worth a sound: a step taken, the other's turn, an objection, something asked, little time left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.games.clock import GameClock
from companion.games.status import Situation
from companion.perception.sync_monitor import SyncState
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.ruling import RulingScene

ASKING = frozenset({"proposal", "out", "lost"})  # what the camera means that somebody has to answer


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What there is to listen to now: the game at the table, who is on stage, what the camera means, the clock."""

    game: Situation | None = None
    scenes: Iterable[Scene] = ()
    sense: SyncState = field(default_factory=SyncState)
    clock: GameClock | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A moment in short, to be compared with the next one."""

    game: object = None
    steps: int = 0
    waited: str | None = None
    objection: int = 0
    asked: object = None
    low: frozenset[str] = frozenset()


def _snapshot(moment: Moment) -> _Snapshot:
    game, clock, sense = moment.game, moment.clock, moment.sense
    refused = [scene for scene in moment.scenes if isinstance(scene, RulingScene) and not scene.ruling.legal]
    asked = moment.fault or sense.question or (sense.sign if sense.sign in ASKING else "")
    low = () if clock is None or game is None else filter(clock.low, game.sides)
    return _Snapshot(
        game=None if game is None else game.game,
        steps=0 if game is None else game.steps,
        waited=None if game is None else game.runs_for,
        objection=id(refused[0]) if refused else 0,  # by identity: one that stays on stage sounds once
        asked=asked,
        low=frozenset(low),
    )


class Cues:
    """Compares each moment with the one before; the strongest thing that is new is the sound."""

    def __init__(self) -> None:
        self._last = _Snapshot()

    def cue_for(self, moment: Moment) -> str:
        """The cue for what is new (a name in companion.app.tones.CUES), "" for nothing."""
        before, now = self._last, _snapshot(moment)
        self._last = now
        if now == before:
            return ""
        if now.objection and now.objection != before.objection:
            return "objection"
        same = now.game == before.game
        if same and now.low - before.low:
            return "low"
        if same and now.steps > before.steps:
            return "turn" if now.waited not in (None, before.waited) else "step"
        return "attention" if now.asked and now.asked != before.asked else ""
