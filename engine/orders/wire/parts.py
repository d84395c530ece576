"""Parts of the JSON forms of General Orders: hands, factions, units, commanders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from engine.codec import Fault, Kind, brief, read_count, read_counts, read_table, read_text, read_texts
from engine.errors import BadPosition
from engine.orders.board import Board
from engine.orders.position import Hand

T = TypeVar("T")
Rows = tuple[tuple[tuple[int, ...], ...], ...]


def read_words(value: object, key: str) -> dict[str, str]:
    """Read an object of names; raise BadPosition for anything else."""
    return {
        name: read_text(word, f"{key}.{name}", BadPosition)
        for name, word in read_table(value, key, BadPosition).items()
    }


def read_within(value: object, key: str, low: int, high: int) -> int:
    """Read a number from `low` to `high`; raise BadPosition for anything else."""
    number = read_count(value, key, BadPosition)
    if not low <= number <= high:
        raise BadPosition(f"{key}: {low} to {high}, not {number}")
    return number


def read_hand(value: object, key: str, fault: Fault, ordered: bool = False) -> Hand:
    """Read a hand: a list of cards (sorted unless `ordered`) or a number; otherwise raise the fault."""
    if isinstance(value, list):
        cards = read_texts(value, key, fault)
        return cards if ordered else tuple(sorted(cards))
    return read_count(value, key, fault)


def write_hand(hand: Hand) -> list[str] | int:
    """Write a hand as a list of cards, or their number if it is hidden."""
    return hand if isinstance(hand, int) else list(hand)


HAND = Kind(read_hand, write_hand)


def read_faction(board: Board, value: object, key: str) -> int:
    """Read a faction and return its number; raise BadPosition if there is no such faction."""
    faction = board.mode.faction_index.get(read_text(value, key, BadPosition))
    if faction is None:
        raise BadPosition(f"{key}: {brief(value)} is no faction; there are {', '.join(board.factions)}")
    return faction


def per_faction(board: Board, value: object, key: str, kind: Kind, missing: T) -> tuple[T, T]:
    """Read one value for each faction from an object keyed by colour; raise BadPosition."""
    table: Mapping[str, object] = read_table(value, key, BadPosition)
    for name in table:
        read_faction(board, name, key)
    first, second = (
        kind.read(table[name], f"{key}.{name}", BadPosition) if name in table else missing for name in board.factions
    )
    return first, second


def read_units(board: Board, value: object, key: str, anywhere: bool = False) -> Rows:
    """Read units as {area: {faction: {unit: n}}} into [faction][unit kind][area].

    `anywhere` lets them stand where none can.

    Raises BadPosition.
    """
    mode = board.mode
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for area, sides in read_table(value, key, BadPosition).items():
        if area not in board.area_index:
            raise BadPosition(f"{key}.{area}: no such area on this board")
        for faction, units in read_table(sides, f"{key}.{area}", BadPosition).items():
            side = rows[read_faction(board, faction, f"{key}.{area}")]
            for unit, n in read_counts(units, f"{key}.{area}.{faction}", BadPosition).items():
                kind = mode.unit_index.get(unit)
                if kind is None or not (anywhere or kind in mode.kinds_on[board.area(area).kind]):
                    raise BadPosition(f"{key}.{area}.{faction}: no {unit} can stand there")
                side[kind][board.area_index[area]] = n
    return tuple(tuple(map(tuple, side)) for side in rows)


def read_commanders(board: Board, value: object) -> tuple[int, int]:
    """Read commanders as {space: faction or list of factions}; raise BadPosition.

    Returns a set of spaces for each faction.
    """
    sides = [0, 0]
    for name, holders in read_table(value, "commanders", BadPosition).items():
        if name not in board.space_index:
            raise BadPosition(f"commanders.{name}: no such action space on this board")
        for holder in holders if isinstance(holders, (list, tuple)) else [holders]:
            faction = read_faction(board, holder, f"commanders.{name}")
            if sides[faction] >> board.space_index[name] & 1:
                raise BadPosition(f"commanders.{name}: two commanders of {holder}")
            sides[faction] |= 1 << board.space_index[name]
    return sides[0], sides[1]
