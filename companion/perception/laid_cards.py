"""Which cards were laid face up since the last turn: they help to tell what was played, and take no step themselves."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING

from engine.orders.mode import Mode

if TYPE_CHECKING:
    from vision.live.face_up import LaidCard

SAME_MM = 15.0
"""A card seen within this distance of where the same one lay is that card, pushed a little."""
COVERS_MM = 60.0
"""Another card within this distance lies on it."""


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards of a game that lie face up, from look to look: those in sight, and those known from before the turn."""

    seen: tuple[LaidCard, ...] = ()
    known: tuple[LaidCard, ...] = ()

    def see(self, cards: tuple[LaidCard, ...]) -> LaidCards:
        """Take in a look. A known card that went under another is forgotten: seen again, it was laid again."""
        left = (
            card
            for card in self.known
            if any(_is_same(other, card) for other in cards)
            or all(dist(other.at_mm, card.at_mm) >= COVERS_MM for other in cards)
        )
        return LaidCards(cards, tuple(left))

    def begin_turn(self) -> LaidCards:
        """Begin a turn: what lies there now was played before."""
        return LaidCards(self.seen, tuple(dict.fromkeys((*self.known, *self.seen))))

    def fresh(self, mode: Mode) -> tuple[str, ...]:
        """Return the cards laid since the turn began, by name; a number that the deck doesn't have is none."""
        names = tuple(mode.cards)
        new = (card for card in self.seen if not any(_is_same(card, old) for old in self.known))
        return tuple(names[card.number] for card in new if card.number < len(names))


def _is_same(card: LaidCard, old: LaidCard) -> bool:
    return card.number == old.number and dist(card.at_mm, old.at_mm) <= SAME_MM
