"""What a player notes of the own hand: kept in memory alone, never in the journal, the log, a bundle or a picture.

The game knows a hand as a number (interface: a draw is recorded as a number of cards); which cards they are is nobody
else's business. So a note is lost with the power, and made again with a few touches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.orders.position import Position


@dataclass(frozen=True, slots=True)
class HandNote:
    """Cards that a player says to hold, which no message may show, and the discard pile when they were noted."""

    cards: Mapping[str, int] = field(repr=False)
    discard: tuple[str, ...]


@dataclass(slots=True)
class PrivateHands:
    """The notes of both players of one match; another match begins without any."""

    notes: dict[str, HandNote] = field(default_factory=dict, repr=False)
    match: object = field(default=None, repr=False)

    def of(self, match: object, position: Position, faction: str) -> dict[str, int]:
        """Return {card: number} as far as known: a named hand, or the noted cards less those discarded since."""
        hand = position.hand(faction)
        if not isinstance(hand, int):
            return dict(Counter(hand))
        note = self.notes.get(faction) if self.match is match else None
        return _remaining(note, position, hand) if note else {}

    def put(self, match: object, position: Position, faction: str, card: str) -> None:
        """Note one more of a card; note none of it once no more fit the hand or can be out of sight."""
        hand = position.hand(faction)
        if not isinstance(hand, int):
            return
        cards = self.of(match, position, faction)
        cards[card] = cards.get(card, 0) + 1
        if cards[card] > copies_out_of_sight(position, card) or sum(cards.values()) > hand:
            del cards[card]
        self.remember(match, faction, HandNote(cards, position.discard))

    def remember(self, match: object, faction: str, note: HandNote) -> None:
        """Keep a note of a faction's hand, dropping the notes of any other match."""
        if self.match is not match:
            self.match, self.notes = match, {}
        self.notes[faction] = note

    def forget(self) -> None:
        """Forget all notes."""
        self.notes = {}


def copies_out_of_sight(position: Position, card: str) -> int:
    """Return how many copies of a card don't lie in the discard pile."""
    return position.board.mode.cards[card].copies - position.discard.count(card)


def _remaining(note: HandNote, position: Position, hand: int) -> dict[str, int]:
    """Return the noted cards, less discarded ones while they outnumber the hand; {} if they still do."""
    cards = Counter(note.cards)
    gone = Counter(position.discard) - Counter(note.discard)
    for card in gone.elements():
        if cards.total() > hand and cards[card]:
            cards[card] -= 1
    return dict(+cards) if cards.total() <= hand else {}
