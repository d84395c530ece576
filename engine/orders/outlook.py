"""A position as the faction that acts sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from engine.orders.board import Board, Space
from engine.orders.mode import Bonus, Mode
from engine.orders.position import Position

# 1 < n, called for every area in the innermost loop of the engine: a bound method is faster than a lambda
_MORE_THAN_ONE = (1).__lt__


class Outlook(NamedTuple):
    """Who acts, and as sets of areas what that faction controls, supplies and may send from, and its enemy controls.

    `spare` holds the areas with more than one of its units: the last never leaves by a move or a recall.
    """

    position: Position
    board: Board
    mode: Mode
    me: int
    foe: int
    control: int
    supply: int
    enemy: int
    spare: int
    bonuses: Mapping[str, Bonus]
    """The area bonuses that work for the acting faction now, by action: it supplies the land area with the token."""

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The acting faction's units, [kind][area]."""
        return self.position.units[self.me]

    def name(self, area: int) -> str:
        """Return an area's name."""
        return self.board.areas[area].name


class Option(NamedTuple):
    """What a space offers now: source, target or placement areas as a set, and an amount (units or cards)."""

    space: Space
    areas: int
    amount: int


def outlook_of(position: Position, faction: int) -> Outlook:
    """Return the position as `faction` sees it when it acts."""
    control, supply = position.survey
    board, foe, supplied = position.board, 1 - faction, supply[faction]
    spare = _spare(board, position.units[faction])
    bonuses = _bonuses(position, supplied)
    return Outlook(position, board, board.mode, faction, foe, control[faction], supplied, control[foe], spare, bonuses)


def _bonuses(position: Position, supplied: int) -> dict[str, Bonus]:
    tokens = position.board.mode.bonuses
    slots = zip(position.bonuses, position.board.slot_areas, strict=True)
    here = [tokens[name] for name, area in slots if name and supplied >> area & 1]
    if position.board.printed:
        here += [tokens[name] for area, name in position.board.printed if supplied >> area & 1]
    return {bonus.action: bonus for bonus in here if bonus.action}


def _spare(board: Board, rows: tuple[tuple[int, ...], ...]) -> int:
    several = 0
    for row in rows:
        several |= sum(compress(board.bits, map(_MORE_THAN_ONE, row)))
    for kinds in board.mode.kinds_on.values():
        if len(kinds) > 1:
            several |= _mixed(board, [rows[kind] for kind in kinds])
    return several


def _mixed(board: Board, rows: list[tuple[int, ...]]) -> int:
    # one unit each of two kinds are two units, though neither row shows it
    once, twice = 0, 0
    for row in rows:
        here = sum(compress(board.bits, row))
        twice |= once & here
        once |= here
    return twice


def most(outlook: Outlook, area: int) -> dict[str, int]:
    """Count the units of each kind that may leave an area of more than one unit, one staying behind."""
    units = outlook.mode.units
    counts = [(kind, outlook.rows[kind][area]) for kind in outlook.mode.kinds_on[outlook.board.areas[area].kind]]
    spare_units = sum(n for _, n in counts) - 1
    return {units[kind].name: min(n, spare_units) for kind, n in counts if n}


def spare(rows: Sequence[Sequence[int]], kind: int) -> int:
    """Count how many of a faction's units of a kind could be recalled from everywhere.

    `rows` are its units, [kind][area].
    """
    others = [row for index, row in enumerate(rows) if index != kind]
    return sum(n if any(row[area] for row in others) else n - 1 for area, n in enumerate(rows[kind]) if n)
