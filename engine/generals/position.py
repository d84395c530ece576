"""A position of Generals Order: two sides, their zones and generals, and whose turn it is. All values are frozen."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from engine.generals.cards import CARD_NAME, Card, Deck, Effect, Zone

SIDES = ("red", "black")
FACING: dict[Zone, Zone] = {"outside": "siege", "siege": "outside"}
"""A zone as the opponent calls it; each city is closed to the other side."""
PILES = ("resources", "hand", "expended")


@dataclass(frozen=True, slots=True)
class Fighter:
    """A general on the battlefield. label: the card's name, with a number after it where several of them stand there.

    fresh: deployed this turn; acted: moved or attacked this turn; used: its special effect this turn. military,
    intelligence: points more until the end of the turn.
    """

    label: str
    card: str
    zone: Zone = "city"
    item: str = ""
    troop: str = ""
    fresh: bool = False
    acted: bool = False
    used: bool = False
    military: int = 0
    intelligence: int = 0

    @property
    def equipment(self) -> tuple[str, ...]:
        """The equipment cards that the general has."""
        return tuple(card for card in (self.item, self.troop) if card)


@dataclass(frozen=True, slots=True)
class Side:
    """What one player has. resources, hand, expended are numbers of cards; what is in them is the players' own.

    defeated: generals in the defeated zone, by card. seen: cards that everybody saw go to the expended zone.
    """

    deck: Deck
    resources: int
    hand: int = 0
    expended: int = 0
    fighters: tuple[Fighter, ...] = ()
    defeated: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()

    def fighter(self, label: str) -> Fighter | None:
        """Return the general with that label; None if it is not on the battlefield."""
        return next((fighter for fighter in self.fighters if fighter.label == label), None)

    def here(self, label: str) -> Fighter:
        """Return the general with that label, which must be on the battlefield."""
        found = self.fighter(label)
        assert found is not None
        return found

    def known(self) -> Counter[str]:
        """Count the copies of each card that everybody has seen and that can't be in the hand or the resources."""
        worn = [card for fighter in self.fighters for card in fighter.equipment]
        return Counter([*(fighter.card for fighter in self.fighters), *worn, *self.defeated, *self.seen])

    def standing(self, zone: Zone) -> int:
        """Count how many of the side's generals stand in a zone."""
        return sum(fighter.zone == zone for fighter in self.fighters)

    @property
    def cards(self) -> int:
        """All cards of the side, wherever they are: as many as its deck has."""
        worn = sum(1 + len(fighter.equipment) for fighter in self.fighters)
        return self.resources + self.hand + self.expended + worn + len(self.defeated)


@dataclass(frozen=True, slots=True)
class Position:
    """A game. to_move: index of the side whose turn it is. last: what was just done, of the triggers of special cards.

    done: all of them that were done this turn, each once. reason: why it ended: "draw", "damage" or "upkeep" (too few
    resource cards for it), "card" or "agreed". readings: those switched to their other answer.
    """

    sides: tuple[Side, Side]
    to_move: int
    turn: int = 1
    last: str = ""
    done: tuple[str, ...] = ()
    winner: int | None = None
    reason: str = ""
    readings: frozenset[str] = frozenset()

    @property
    def to_move_name(self) -> str:
        """The side whose turn it is."""
        return SIDES[self.to_move]

    @property
    def winner_name(self) -> str | None:
        """The side that has won; None while the game goes on."""
        return None if self.winner is None else SIDES[self.winner]

    def with_side(self, index: int, side: Side) -> Position:
        """Return the position with one side replaced."""
        first, second = self.sides
        return replace(self, sides=(side, second) if index == 0 else (first, side))

    def after(self, deed: str) -> Position:
        """Return the position after a deed, now the last one done, which special cards may answer."""
        return replace(self, last=deed, done=tuple(dict.fromkeys((*self.done, *triggers(deed)))))

    def card(self, index: int, name: str) -> Card:
        """Return a card of a side's deck."""
        return self.sides[index].deck.cards[name]


def triggers(deed: str) -> tuple[str, ...]:
    """Return the triggers of special cards that a deed sets off.

    An intelligence attack by a card is both an event and an attack.

    >>> triggers("move"), triggers("strike")
    (('move',), ('event', 'attack'))
    """
    return STRIKES.get(deed, (deed,))


STRIKES = {"strike": ("event", "attack"), "scheme": ("effect", "attack")}
"""Intelligence attacks: by an event card, and by a general's special effect (Game Play 13 and 14)."""


def card_of(label: str) -> str:
    """Return the card that a general's label belongs to; "" if the text is no label.

    >>> card_of("lu_feng"), card_of("lu_feng-2"), card_of("lu_feng-x")
    ('lu_feng', 'lu_feng', '')
    """
    found = _LABEL.fullmatch(label)
    return "" if found is None else found[1]


_LABEL = re.compile(rf"({CARD_NAME})(-[2-9])?")


def effect_of(card: Card) -> Effect:
    """Return the effect of a card that must have one."""
    assert card.effect is not None
    return card.effect
