"""The dice of a defence, each with its reason (Conflicts, Land Conflicts, Air Conflicts)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.orders.board import Board
from engine.orders.bonuses import BonusField, map_bonuses
from engine.orders.position import survey_of


@dataclass(frozen=True, slots=True)
class RollPart:
    """So many dice of a pool.

    reason: "defence", "fort", "zone" (the air zone above), "action", "units", "payload" (units spent), "bonus", "card"
    or "agreed" (set by hand, below 0 where there are fewer); name: of the zone, the bonus, the card, or the kind of
    unit that rolls or was spent.
    """

    reason: str
    dice: int
    name: str = ""


def defence_parts(table: BonusField, area: int, defender: int) -> tuple[RollPart, ...]:
    """Return the parts of a defender's roll for an area: one die or a fort's, and what is added.

    Source: the reading defence-adds.
    """
    board = table.board
    mode = board.mode
    fort = board.forts >> area & 1
    own = RollPart("fort", mode.fort_dice) if fort else RollPart("defence", mode.defence_dice)
    added = defence_added(table, area, defender)
    if len(added) > 1 and "defence-adds" in table.readings:
        added = [max(added, key=lambda part: part.dice)]
    return (own, *added)


def defence_dice(table: BonusField, area: int, defender: int) -> int:
    """Count the dice that a defender rolls for an area, without cards."""
    return sum(part.dice for part in defence_parts(table, area, defender))


def defence_added(table: BonusField, area: int, defender: int) -> list[RollPart]:
    """Return the dice of the air zone above and of bonuses in the area.

    They count only as far as the defender controls and supplies them.
    """
    board = table.board
    mode = board.mode
    # a mode that has neither needs no look at supply
    if not mode.zone_dice and "defence" not in mode.bonus_verbs:
        return []
    zone, supplied = board.zones[area], survey_of(table).supply[defender]
    above = mode.zone_dice and zone >= 0 and supplied >> zone & 1
    here = [bonus for at, bonus in map_bonuses(table) if at == area and supplied >> at & 1]
    parts = [RollPart("zone", mode.zone_dice, board.areas[zone].name)] if above else []
    return parts + [RollPart("bonus", bonus.amount, bonus.name) for bonus in here if bonus.verb == "defence"]


_DICE_READINGS = ("defence-adds", "hq-zone-lost")


class _OtherReadings(NamedTuple):
    """A table with the readings answered otherwise."""

    board: Board
    units: Sequence[Sequence[Sequence[int]]]
    bonuses: Sequence[str]
    readings: frozenset[str]


def dice_readings(table: BonusField, area: int, defender: int) -> list[str]:
    """Return the readings that the number of dice rests on: their other answers would change it."""
    due, known = defence_dice(table, area, defender), table.board.mode.readings
    # judge the number again with each reading switched; those that change it are what it rests on
    others = {
        name: _OtherReadings(table.board, table.units, table.bonuses, table.readings ^ {name})
        for name in _DICE_READINGS
        if name in known
    }
    return [name for name, other in others.items() if defence_dice(other, area, defender) != due]
