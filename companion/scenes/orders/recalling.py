"""Units taken back from the map where the reserve is short: what may be recalled, and how it is asked."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.language import _
from companion.scenes.base.counts import Counts, Key, joined
from companion.text.orders import area_name
from companion.ui.screen import Block, Stepper, Steppers, Text
from engine.orders.position import Position


def recallable(position: Position, mover: str, short: Iterable[str]) -> dict[Key, int]:
    """{(area, unit): the most}: all units of these kinds but the last one of each area under control."""
    kinds, found = set(short), {}
    for area in position.board.areas:
        if position.controller(area.name) == mover:
            units = position.units_in(area.name)[mover]
            spare = sum(units.values()) - 1
            found.update({(area.name, u): min(n, spare) for u, n in units.items() if u in kinds and spare})
    return found


def recall_blocks(sources: dict[Key, int], back: Counts) -> tuple[Block, ...]:
    """A stepper for each source; nothing where nothing may be recalled."""
    if not sources:
        return ()
    steppers = tuple(
        Stepper(
            _("from {area}").format(area=area_name(area)),
            back.of.get((area, unit), 0),
            most,
            "back",
            joined((area, unit)),
        )
        for (area, unit), most in sources.items()
    )
    return Text(_("The reserve is short. Recall from:"), "warn"), Steppers(steppers)
