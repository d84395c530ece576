"""Areas whose contents are known from the last confirmed board: what they hold now is told by what has changed there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.perception.adapters import compare
from companion.perception.area_questions import standing_in
from engine.orders.board import Area, Board
from engine.orders.position import Position
from vision.geometry import Grid

if TYPE_CHECKING:
    from vision.reading.count import Combo, CountBelief
    from vision.reading.read import Reading


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What an area held when it looked as in this reading."""

    units: Combo
    reading: Reading


class KnownAreas:
    """The areas of one board whose contents are known, each with the last picture of which that is so."""

    def __init__(self) -> None:
        self._of: dict[str, _Known] = {}
        self._board = ""

    def confirm(self, position: Position, reading: Reading) -> None:
        """The board stands as recorded: so it does in every area of which the eye is not sure that it is otherwise."""
        if self._board != position.board.name:
            self._of, self._board = {}, position.board.name
        if reading.board_image is None:
            return
        for one in compare(position, reading):
            if ":" not in one.area and one.area not in reading.unreadable and one.state != "differs":
                self._of[one.area] = _Known(standing_in(position, one.area), reading)

    def clear(self) -> None:
        """Forget them all."""
        self._of.clear()

    def told(self, reading: Reading, board: Board) -> Reading:
        """The reading with the areas that are known counted by what has changed in them since."""
        if reading.board_image is None or board.name != self._board:
            return reading
        found = {}
        for area in board.areas:
            known = self._of.get(area.name)
            if known is not None and area.name not in reading.unreadable:
                belief = _belief(known, reading, area, board)
                if belief is not None:
                    found[area.name] = belief
        return _with_counts(reading, found)


def _belief(known: _Known, reading: Reading, area: Area, board: Board) -> CountBelief | None:
    from vision.reading.count import UsualForce
    from vision.reading.since import Sight, belief_since

    def sight(one: Reading) -> Sight:
        assert one.board_image is not None
        return Sight([piece for piece in one.pieces if piece.place == area.name], one.board_image)

    usual = UsualForce(board.mode.caps.get(area.kind), shared=False)
    return belief_since(known.units, sight(known.reading), sight(reading), Grid(board.size_mm), usual)


def _with_counts(reading: Reading, found: dict[str, CountBelief]) -> Reading:
    from vision.reading.count import units_of

    rest = {area: units for area, units in reading.units.items() if area not in found}
    return replace(
        reading,
        units={**rest, **units_of(found)},
        confidence={**reading.confidence, **{area: round(one.confidence, 4) for area, one in found.items()}},
        counts={**reading.counts, **found},
    )
