"""What is seen on the table, held against a position: which units are more or fewer than the game says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.wire.parts import Rows, read_commanders, read_units


@dataclass(frozen=True, slots=True)
class Sight:
    """What stands on the table, by number: `units` is [faction][unit kind][area].

    `commanders` is a set of action spaces for each faction, None where nobody looked; `spaces` are the action spaces
    that were looked at, as a set.
    """

    units: Rows
    commanders: tuple[int, int] | None
    spaces: int

    def shows(self, commanders: tuple[int, int]) -> bool:
        """Return whether these commanders are those that were seen."""
        shown = self.commanders
        return shown is None or all(
            (side ^ other) & self.spaces == 0 for side, other in zip(shown, commanders, strict=True)
        )


def sight_of(board: Board, units: object, commanders: object = None, support: bool = True) -> Sight:
    """Build a sight from names.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction or factions}.

    Without `support` the spaces of the support board were not looked at. Raises BadPosition with one clear line.
    """
    looked = sum(1 << space.index for space in board.spaces if support or space.support is None)
    return Sight(
        read_units(board, units, "seen", anywhere=True),
        None if commanders is None else read_commanders(board, commanders),
        looked,
    )


class Difference(NamedTuple):
    """So many units of a kind more (or fewer, where negative) in an area than the game says."""

    faction: int
    kind: int
    area: int
    units: int


@dataclass(frozen=True, slots=True)
class Differences:
    """All differences in units, seen from the side that moves: its gains and losses, and its foe's."""

    all: tuple[Difference, ...]
    gained: tuple[Difference, ...]
    lost: tuple[Difference, ...]
    foe_gained: tuple[Difference, ...]
    foe_lost: tuple[Difference, ...]


def differences(position: Position, sight: Sight) -> Differences:
    """Return what differs between a position and what is seen."""
    me = position.to_move
    found = tuple(
        Difference(faction, kind, area, now - was)
        for faction, kinds in enumerate(zip(position.units, sight.units, strict=True))
        for kind, rows in enumerate(zip(*kinds, strict=True))
        if rows[0] != rows[1]
        for area, (was, now) in enumerate(zip(*rows, strict=True))
        if now != was
    )
    return Differences(
        all=found,
        gained=tuple(change for change in found if change.faction == me and change.units > 0),
        lost=tuple(change for change in found if change.faction == me and change.units < 0),
        foe_gained=tuple(change for change in found if change.faction != me and change.units > 0),
        foe_lost=tuple(change for change in found if change.faction != me and change.units < 0),
    )
