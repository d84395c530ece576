"""What area bonuses add to an action, to the commanders and, beside forts and air zones, to the dice of a defence.

Source: Area Bonuses, Conflicts, Land Conflicts, Air Conflicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.orders.board import Board
from engine.orders.draft import Draft, Event
from engine.orders.mode import Bonus
from engine.orders.position import Field, Outlook, survey_of
from engine.ruling import Hearing

MOST_MAPS = 64
"""How many maps with their tokens are remembered: one a game, and a few that are corrected."""


class BonusField(Field, Protocol):
    """Units, and the tokens on their slots: a position, or a draft of one."""

    @property
    def bonuses(self) -> Sequence[str]:
        """The tokens by slot."""


def map_bonuses(table: BonusField) -> Iterator[tuple[int, Bonus]]:
    """Yield every bonus of the map with its area: the tokens on their slots, and what is printed."""
    board = table.board
    known = board.mode.bonuses
    yield from ((area, known[name]) for name, area in zip(table.bonuses, board.slot_areas, strict=True) if name)
    yield from ((area, known[name]) for area, name in board.printed)


def bonus_amount(outlook: Outlook, action: str) -> int:
    """Return what a bonus adds to the amount of this action (units to place, cards to draw, dice), or 0."""
    bonus = outlook.bonuses.get(action)
    return bonus.amount if bonus is not None and bonus.verb == "more" else 0


def joining_bonus(outlook: Outlook, action: str, area: int = -1) -> Bonus | None:
    """Return the bonus whose units join a move into `area` from the reserve, or None.

    Source: the readings forward-base-gain and bonus-moment.
    """
    bonus = outlook.bonuses.get(action)
    if bonus is None:
        reading, disputed = joining_by_reading(outlook, action, area)
        bonus = disputed if reading in outlook.position.readings else None
    return bonus if bonus is not None and bonus.verb == "join" else None


def joining_by_reading(outlook: Outlook, action: str, area: int) -> tuple[str, Bonus | None]:
    """Return a reading and the bonus that joins a move into `area` by that reading alone; ("", None) for none.

    Such a bonus is not in supply before the move: its units enter an area that nobody holds, which wins the token
    there or brings another area back into supply.
    """
    if action in outlook.bonuses or (outlook.control | outlook.enemy) >> area & 1:
        return "", None
    taken = outlook.control | 1 << area
    linked = outlook.board.adjacency.flood(outlook.board.homes[outlook.me], taken)
    for at, bonus in map_bonuses(outlook.position):
        reading = "forward-base-gain" if at == area else "bonus-moment"
        if bonus.action == action and bonus.verb == "join" and linked >> at & 1 and reading in outlook.mode.readings:
            return reading, bonus
    return "", None


_RULES = {"forward-base-gain": "bonus.gain", "bonus-moment": "bonus.moment"}


def judge_joining(hearing: Hearing, outlook: Outlook, action: str, area: int) -> None:
    """Add a finding on how many units join a move, if that rests on a reading."""
    reading, bonus = joining_by_reading(outlook, action, area)
    if bonus is not None:
        n = bonus.amount if reading in outlook.position.readings else 0
        hearing.weigh(_RULES[reading], True, bonus=bonus.heading, n=n, unit=bonus.unit)


def joining_units(outlook: Outlook, action: str, area: int = -1) -> tuple[int, int]:
    """Return the kind and number of units that a bonus adds to a move from the reserve; (0, 0) for none."""
    bonus = joining_bonus(outlook, action, area)
    if bonus is None:
        return 0, 0
    kind = outlook.mode.unit_index[bonus.unit]
    return kind, min(bonus.amount, outlook.position.reserve(outlook.me, kind))


def add_joining_units(draft: Draft, outlook: Outlook, action: str, area: int) -> None:
    """Add the units that a bonus lets join a move, if the reserve has any; supply is judged as the action starts."""
    reading, disputed = joining_by_reading(outlook, action, area)
    bonus = joining_bonus(outlook, action, area)
    if bonus is not None:
        kind = outlook.mode.unit_index[bonus.unit]
        units = min(bonus.amount, draft.reserve(outlook.me, kind))
        if units:
            draft.add(outlook.me, kind, area, units)
            draft.events.append(Event("bonus", outlook.me, area, kind, units, reading))
    elif disputed is not None:
        draft.tell_by(reading, "no bonus", outlook.me, area)


def most_commanders(table: BonusField) -> int:
    """Count the most commanders that the bonuses lying on the map can bring."""
    return sum(bonus.amount for _, bonus in map_bonuses(table) if bonus.verb == "commander")


def bonus_commanders(table: BonusField) -> tuple[int, int]:
    """Count the commanders that each faction gets from standby by the bonuses that it supplies now."""
    if "commander" not in table.board.mode.bonus_verbs:
        return 0, 0
    supply = survey_of(table).supply
    amounts = _commander_bonuses(table.board, tuple(table.bonuses))
    first, second = (sum(n for area, n in amounts if supplied >> area & 1) for supplied in supply)
    return first, second


@lru_cache(maxsize=MOST_MAPS)
def _commander_bonuses(board: Board, tokens: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """List the bonuses that bring commanders, as (area, commanders)."""
    known = board.mode.bonuses
    found = [(area, known[name]) for name, area in zip(tokens, board.slot_areas, strict=True) if name]
    found += [(area, known[name]) for area, name in board.printed]
    return tuple((area, bonus.amount) for area, bonus in found if bonus.verb == "commander")


# --- the dice of a defence, each with its reason --------------------------------------------


@dataclass(frozen=True, slots=True)
class RollPart:
    """Dice of a roll that are there for one reason.

    reason: "defence", "fort", "zone" (the air zone above), "action", "units", "payload" (units spent), "bonus", "card"
    or "agreed" (set by hand, below 0 where there are fewer); name: of the zone, the bonus, the card, or the kind of
    unit that rolls or was spent.
    """

    reason: str
    dice: int
    name: str = ""


def defence_parts(table: BonusField, area: int, defender: int) -> tuple[RollPart, ...]:
    """Return a defender's dice for an area by reason: its own or a fort's, and what is added to them.

    Source: the reading defence-adds.
    """
    board = table.board
    mode = board.mode
    fort = board.forts >> area & 1
    own = RollPart("fort", mode.fort_dice) if fort else RollPart("defence", mode.defence_dice)
    added = added_defence_parts(table, area, defender)
    if len(added) > 1 and "defence-adds" in table.readings:
        added = [max(added, key=lambda part: part.dice)]
    return (own, *added)


def defence_dice(table: BonusField, area: int, defender: int) -> int:
    """Count the dice that a defender rolls for an area, cards left out."""
    return sum(part.dice for part in defence_parts(table, area, defender))


def added_defence_parts(table: BonusField, area: int, defender: int) -> list[RollPart]:
    """Return the dice of the air zone above and of bonuses in the area, where the defender supplies these."""
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
    """Return the readings that a defender's number of dice rests on: their other answers would change it."""
    due, known = defence_dice(table, area, defender), table.board.mode.readings
    # judge the number again with each reading switched; those that change it are what it rests on
    others = {
        name: _OtherReadings(table.board, table.units, table.bonuses, table.readings ^ {name})
        for name in _DICE_READINGS
        if name in known
    }
    return [name for name, other in others.items() if defence_dice(other, area, defender) != due]
