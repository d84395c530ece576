"""Cards of a deck as they lie before people, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeckCard:
    """A card in our words.

    cost: None where cards have none; kind: its faction, or what sort of card it is; points: military and
    intelligence, of generals alone; text: what it does; copies: how many of it are in the deck, 0 where that is
    not told.
    """

    title: str
    cost: int | None
    kind: str
    points: tuple[int, int] | None = None
    text: str = ""
    copies: int = 0


@dataclass(frozen=True, slots=True)
class DeckCards:
    """Cards side by side, as many in a row as there is room for. large: half as large again, to be read from afar."""

    cards: tuple[DeckCard, ...]
    large: bool = False


@dataclass(frozen=True, slots=True)
class CardBacks:
    """So many cards face down, fanned out."""

    count: int
