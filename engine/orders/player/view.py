"""What a seat may know: its own hand, and of the other hand only how many cards it holds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import comb

from engine.orders.cards import hand_size, unseen_copies
from engine.orders.position import Hand, Position


def view_of(position: Position, seat: int) -> Position:
    """Return the position as a seat knows it: the other's hand is a number."""
    mine, theirs = position.hands[seat], hand_size(position.hands[1 - seat])
    hands: tuple[Hand, Hand] = (theirs, mine) if seat else (mine, theirs)
    return position if hands == position.hands else replace(position, hands=hands)


def holding_chance(position: Position, faction: int, card: str) -> float:
    """Return how likely a faction holds at least one copy of a card; 0 or 1 if its hand is known."""
    hand = position.hands[faction]
    if not isinstance(hand, int):
        return float(card in hand)
    unseen = sum(unseen_copies(position, name) for name in position.board.mode.cards)
    return _at_least_one(unseen, unseen_copies(position, card), hand)


@cache
def _at_least_one(cards: int, copies: int, drawn: int) -> float:
    if drawn > cards - copies:
        return 1.0
    return 1 - comb(cards - copies, drawn) / comb(cards, drawn)
