"""Facts about a position of General Orders, asked for by the names of factions, units, cards and areas."""

from __future__ import annotations

from engine.orders import cards
from engine.orders.position import Position


def reserve(position: Position, faction: str, unit: str) -> int:
    """Return how many units of a kind a faction has in reserve."""
    mode = position.board.mode
    return position.reserve(mode.faction_index[faction], mode.unit_index[unit])


def hand_size(position: Position, faction: str) -> int:
    """Return the number of cards in a faction's hand."""
    return cards.hand_size(position.hand(faction))


def may_hold(position: Position, faction: str, card: str) -> bool:
    """Return whether a faction has this card, or might have it in a hidden hand."""
    return cards.may_hold_card(position, position.board.mode.faction_index[faction], card)


def is_supplied(position: Position, area: str) -> bool:
    """Return whether whoever controls the area supplies it too."""
    bit = 1 << position.board.area_index[area]
    return any(areas & bit for areas in position.survey.supply)
