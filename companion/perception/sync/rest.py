"""How long a table has been left alone: people pause between two pieces, throw dice, and think."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.perception.sync.status import Sign, SyncStatus

if TYPE_CHECKING:
    from vision.reading.read import Reading


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Since when a table has been at rest with a reading, and since when what it means is held back (monotonic).

    turn: the turn that is held back: its units, for how long, how likely; waited_s: how long that was when hands came;
    counted: the reading in which people have counted an area: they are done.
    """

    reading: Reading | None = None
    since_s: float | None = None
    waits_since_s: float | None = None
    waited_s: float = 0.0
    turn: object = None
    counted: Reading | None = None

    def settle(self, reading: Reading, now_s: float) -> Rest:
        """Let the table rest with this reading."""
        if self.since_s is not None and self.reading is reading:
            return self
        return replace(self, reading=reading, since_s=now_s)

    def interrupt(self, now_s: float) -> Rest:
        """Stop waiting, as hands have come."""
        waited_s = self.waited_s if self.waits_since_s is None else now_s - self.waits_since_s
        return replace(self, since_s=None, waits_since_s=None, waited_s=waited_s, counted=None)

    def release(self) -> Rest:
        """Hold nothing back any more."""
        return replace(self, waits_since_s=None, turn=None)


def held_back(
    rest: Rest, said: SyncStatus, meant: SyncStatus, patience: tuple[float, Sign], now_s: float
) -> tuple[SyncStatus, Rest]:
    """Hold back a turn in progress, or being out of sync, until it has been so for a while.

    The while begins when the table comes to rest. Hands that change nothing interrupt it. said: what is said so far;
    patience: how long in seconds, and the sign until then.
    """
    rest_s, meanwhile = patience
    if not rest_s or meant.sign == said.sign == "out":
        return meant, rest.release()
    first = meant.explanations[0] if meant.explanations else None
    turn = first and (first.position.units, round(rest_s, 2), round(first.likelihood, 2))
    is_other = turn is not None and turn != rest.turn
    since_s = rest.waits_since_s
    if since_s is None or is_other:
        waited_s = rest.waited_s if turn is not None and not is_other else 0.0
        since_s = (now_s if rest.since_s is None else rest.since_s) - waited_s
    rest = replace(rest, waits_since_s=since_s, turn=turn)
    return (meant if now_s - since_s >= rest_s else SyncStatus(meanwhile, differences=meant.differences)), rest
