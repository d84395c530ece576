"""The demo's own cards of Generals Order: decks shuffled and dealt, kept in step with the numbers of a position.

A position knows how many cards a hand has, never which. Here they are cards: what lies on the table has left them, what
a side drew comes from its shuffled pile, and what it paid or discarded is what it could spare most easily.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from engine.generals.cards import Card, Deck
from engine.generals.position import Position, Side


@dataclass(slots=True)
class _Cards:
    """One side's cards that nobody else has seen: its hand, its resources (drawn from the end), its face-down rest."""

    deck: Deck
    hand: list[str] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


class ShuffledDecks:
    """The hands of both sides; the same seed deals the same cards."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._sides: list[_Cards] = []

    def follow(self, position: Position) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Both hands as the position has come to be, sorted."""
        if [own.deck for own in self._sides] != [side.deck for side in position.sides]:
            self._sides = [_Cards(side.deck) for side in position.sides]
        for own, side in zip(self._sides, position.sides, strict=True):
            self._level(own, side)
        first, second = (tuple(sorted(own.hand)) for own in self._sides)
        return first, second

    def _level(self, own: _Cards, side: Side) -> None:
        """Take out what all can see, put in what nobody sees any more, and make the numbers those of the side."""
        unseen = Counter({name: card.copies for name, card in side.deck.cards.items()})
        unseen.subtract(side.known())
        for cards in (own.hand, own.pile, own.gone):
            cards[:] = _still(cards, unseen)
        loose = sorted(unseen.elements())
        self._rng.shuffle(loose)
        wanted = max(0, side.hand - len(own.hand))
        own.hand += loose[:wanted]
        own.pile[:0] = loose[wanted:]
        _number(own, side)


def _still(cards: list[str], unseen: Counter[str]) -> list[str]:
    """The cards that nobody has seen, each taken from those that are left."""
    kept = []
    for name in cards:
        if unseen[name] > 0:
            unseen[name] -= 1
            kept.append(name)
    return kept


def _number(own: _Cards, side: Side) -> None:
    """As many cards in the hand and in the pile as the side has; the rest lies face down."""
    own.hand.sort(key=lambda name: -worth_keeping(side.deck.cards[name]))
    while len(own.hand) > side.hand:
        own.gone.append(own.hand.pop())
    while len(own.hand) < side.hand:
        own.hand.append((own.pile or own.gone).pop())
    while len(own.pile) > side.resources:
        own.gone.append(own.pile.pop())
    while len(own.pile) < side.resources:
        own.pile.insert(0, own.gone.pop())


def worth_keeping(card: Card) -> float:
    """How dear a card is to its hand: others are paid with first."""
    if card.kind == "general":
        return 3 + 0.5 * card.military + 0.2 * card.intelligence - 0.6 * card.cost
    return _DEAR[card.kind] - 0.3 * card.cost


_DEAR = {"item": 3.2, "troop": 3.4, "event": 3.6, "special": 2.4}
