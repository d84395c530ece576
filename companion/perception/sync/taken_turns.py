"""Turns that were taken, held against what is seen since: laid otherwise than recorded, or taken back on the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.perception.adapters import Difference, compare
from companion.perception.area_questions import force_of, standing_in
from companion.perception.game_record import GameRecord
from companion.perception.sync.items import items_of
from companion.perception.sync.status import SyncStatus
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass

if TYPE_CHECKING:
    from vision.reading.count import Combo
    from vision.reading.read import Reading


def with_disputes(meant: SyncStatus, position: Position, disputed: Mapping[str, Combo]) -> SyncStatus:
    """Return the state with what is disputed added: the board isn't called as recorded meanwhile.

    disputed: {area: what the eye is sure of} where the game has it otherwise.
    """
    differences = [
        Difference(area, "differs", position.units_in(area), force_of(seen), 1.0)
        for area, seen in disputed.items()
        if seen != standing_in(position, area)
    ]
    if not differences or meant.differences is None:
        return meant
    at = {one.area: one for one in differences}
    beside = items_of(differences)
    meant = replace(meant, disputed=beside, differences=tuple(at.get(one.area, one) for one in meant.differences))
    if meant.sign in ("sync", "unsure") and meant.question is None:
        return replace(meant, sign="behind", items=beside)
    return replace(meant, items=tuple(dict.fromkeys((*meant.items, *beside)))) if meant.sign != "dice" else meant


def taken_back(game: GameRecord, differences: Iterable[Difference], reading: Reading) -> int | None:
    """Return how many steps are left where the board stands again as before the last turn; None where it doesn't."""
    begun = next((n for n in reversed(range(len(game.steps))) if isinstance(game.steps[n], Deploy | Pass)), None)
    if begun is None or not any(one.state == "differs" for one in differences):
        return None
    return None if any(one.state == "differs" for one in compare(game.positions[begun], reading)) else begun
