"""Which cards were laid face up since the last turn: they help to tell what was played, and take no step themselves."""

from __future__ import annotations

from math import dist
from typing import TYPE_CHECKING

from engine.orders.mode import Mode

if TYPE_CHECKING:
    from vision.live.face_up import LaidCard

SAME_MM = 15.0
"""A card seen within this distance of where the same one lay is that card, pushed a little."""
COVERS_MM = 60.0
"""Another card within this distance lies on it."""


class LaidCards:
    """The cards of a game that lie face up, from look to look."""

    def __init__(self) -> None:
        self._known: tuple[LaidCard, ...] = ()
        self._seen: tuple[LaidCard, ...] = ()

    def see(self, cards: tuple[LaidCard, ...]) -> None:
        """Take in a look. A known card that went under another is forgotten: seen again, it was laid again."""
        self._seen = cards
        self._known = tuple(
            one
            for one in self._known
            if any(self._same(other, one) for other in cards)
            or all(dist(other.at_mm, one.at_mm) >= COVERS_MM for other in cards)
        )

    def turn_begins(self) -> None:
        """Begin a turn: what lies there now was played before."""
        self._known = tuple(dict.fromkeys((*self._known, *self._seen)))

    def fresh(self, mode: Mode) -> tuple[str, ...]:
        """Return the cards laid since the turn began, by name; a number that the deck doesn't have is none."""
        names = tuple(mode.cards)
        new = (one for one in self._seen if not any(self._same(one, old) for old in self._known))
        return tuple(names[one.number] for one in new if one.number < len(names))

    @staticmethod
    def _same(one: LaidCard, old: LaidCard) -> bool:
        return one.number == old.number and dist(one.at_mm, old.at_mm) <= SAME_MM
