"""What area bonuses add to an action, to a defence, to the commanders (Area Bonuses)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from engine.orders.board import Board
from engine.orders.draft import Draft, Event
from engine.orders.mode import Bonus
from engine.orders.outlook import Outlook
from engine.orders.position import Field, survey_of
from engine.ruling import Hearing

MOST_MAPS = 64
"""So many maps with their tokens are remembered: one a game, and a few that are corrected."""


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
    """Return by how much a bonus raises the amount of this action: units to place, cards to draw, dice to roll."""
    bonus = outlook.bonuses.get(action)
    return bonus.amount if bonus is not None and bonus.verb == "more" else 0


def joining_bonus(outlook: Outlook, action: str, area: int = -1) -> Bonus | None:
    """Return the bonus whose units join a move into `area` from the reserve.

    Source: the readings forward-base-gain and bonus-moment.
    """
    bonus = outlook.bonuses.get(action)
    if bonus is None:
        reading, disputed = joining_by_reading(outlook, action, area)
        bonus = disputed if reading in outlook.position.readings else None
    return bonus if bonus is not None and bonus.verb == "join" else None


def joining_by_reading(outlook: Outlook, action: str, area: int) -> tuple[str, Bonus | None]:
    """Return the bonus that joins a move into `area` by a reading alone, and that reading.

    Such a bonus is not in supply beforehand.

    Units that move into an area that nobody holds win the token there, or bring another area back into supply.
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
    """Say what joins where that rests on a reading."""
    reading, bonus = joining_by_reading(outlook, action, area)
    if bonus is not None:
        n = bonus.amount if reading in outlook.position.readings else 0
        hearing.weigh(_RULES[reading], True, bonus=bonus.heading, n=n, unit=bonus.unit)


def joining_units(outlook: Outlook, action: str, area: int = -1) -> tuple[int, int]:
    """Return the kind and number of units that a bonus lets join after the move in; (0, 0) for none.

    They come from the reserve.
    """
    bonus = joining_bonus(outlook, action, area)
    if bonus is None:
        return 0, 0
    kind = outlook.mode.unit_index[bonus.unit]
    return kind, min(bonus.amount, outlook.position.reserve(outlook.me, kind))


def add_joining_units(draft: Draft, outlook: Outlook, action: str, area: int) -> None:
    """Add the unit of a bonus to the linked area, if the reserve has one; supply is judged as the action starts."""
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
    """Count the commanders that each faction has from standby by the bonuses that it supplies now."""
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
