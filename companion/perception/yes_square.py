"""What a hand on the printed “Yes” means: the turn that the table offers is taken, and nothing else."""

from __future__ import annotations

from companion.perception.sync.status import SyncStatus, TableView
from engine.orders.steps import Step

OFFERED_S = 1.5
"""How long the same turn has to have been offered: longer than a hand rests, so that it was read before."""


class YesPresses:
    """Follows what is offered, and the presses that the camera counts."""

    def __init__(self) -> None:
        self._counted: int | None = None
        self._offered: tuple[Step, ...] = ()
        self._since_s = 0.0

    def follow(self, view: TableView | None, sense: SyncStatus, now_s: float) -> bool:
        """Take a view and what it means, at a monotonic time; return whether the offered turn was just confirmed."""
        offered = sense.explanations[0].steps if sense.sign == "proposal" else ()
        if offered != self._offered:
            self._offered, self._since_s = offered, now_s
        counted, self._counted = self._counted, None if view is None else view.yes
        pressed = view is not None and counted is not None and view.yes > counted
        return pressed and bool(offered) and now_s - self._since_s >= OFFERED_S
