"""What stands on a card of a list: a game's table, or a deck, as a small picture."""

from __future__ import annotations

from companion.scenes.base.map_picture import small_map
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import MapPicture, Picture
from companion.ui.small_map import SmallDeck, SmallField, SmallPicture
from companion.ui.table_pictures import DuelPicture
from engine.generals.cards import KINDS, Deck

LEAST_CARDS, MOST_CARDS = 3, 5
KIND_SIGNS = dict(zip(KINDS, ("general", "item", "troop", "effect", "target"), strict=True))


def small_picture(picture: MapPicture | Picture | None) -> SmallPicture | None:
    """Return a table's picture as it stands on a card; None for a picture of another kind."""
    match picture:
        case MapPicture():
            return small_map(picture)
        case FieldPicture():
            bases = tuple((unit.seat, unit.place) for unit in picture.units if not unit.mark)
            return SmallField(picture.size, picture.grounds, bases)
        case DuelPicture():
            generals = sum(len(zone.cards) for zone in picture.zones)
            return SmallDeck(("general",) * min(max(generals, LEAST_CARDS), MOST_CARDS))
    return None


def deck_picture(deck: Deck) -> SmallDeck:
    """Return a deck as cards fanned out, one of each kind it has, a general on top."""
    kinds = {card.kind for card in deck.cards.values()}
    return SmallDeck(tuple(KIND_SIGNS[kind] for kind in reversed(KINDS) if kind in kinds))
