"""Numbers with their reasons: a general's points, what a card costs, the upkeep, who blocks whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.generals.cards import Card, Feature
from engine.generals.position import FACING, Fighter, Position
from engine.ruling import Citation, Part, Tally
from engine.words import count_words, mark, say

POINTS, DISCOUNT = Citation("Game Play 14", 7), Citation("Game Play 7", 5)
UPKEEP, PASSAGE = Citation("Game Play 18", 9), Citation("Game Play 11d", 6)
FEATURE, EQUIPMENT, EFFECT = Citation("Game Play 9", 5), Citation("Game Play 11a", 6), Citation("Game Play 11", 6)
COSTS = {
    "general": DISCOUNT,
    "item": EQUIPMENT,
    "troop": EQUIPMENT,
    "event": Citation("Game Play 11b", 6),
    "special": Citation("Knowing the card types", 2),
}
"""Where it is written what a card of this kind costs."""


# --- points -----------------------------------------------------------------------------


def points_of(position: Position, index: int, fighter: Fighter, form: str) -> Tally:
    """Tally a general's "military" or "intelligence" points: from its card, equipment, features, and this turn."""
    card = position.card(index, fighter.card)
    parts = [Part(getattr(card, form), card.title, POINTS)]
    worn = [position.card(index, name) for name in fighter.equipment]
    parts += [Part(getattr(item, form), item.title, EQUIPMENT) for item in worn]
    parts += [
        Part(source.feature.amount, say(_BY_FEATURE, card=source.title), FEATURE)
        for source in (card, *worn)
        if source.feature is not None
        and source.feature.verb == form
        and is_fulfilled(position, index, fighter, source.feature)
    ]
    parts.append(Part(getattr(fighter, form), say(_THIS_TURN), EFFECT))
    return Tally.of(parts)


_BY_FEATURE = mark("{card}'s feature")
_THIS_TURN = mark("this turn")


def is_fulfilled(position: Position, index: int, fighter: Fighter, feature: Feature) -> bool:
    """Return whether a feature's criterion is fulfilled now; one that the players judge never is by itself."""
    return _COUNTS[feature.when](position, index, fighter) >= feature.least


def features(position: Position, index: int, fighter: Fighter) -> Iterator[Feature]:
    """Yield the features of a general and its equipment whose criterion is fulfilled now."""
    for name in (fighter.card, *fighter.equipment):
        feature = position.card(index, name).feature
        if feature is not None and is_fulfilled(position, index, fighter, feature):
            yield feature


def _company(position: Position, index: int, fighter: Fighter) -> int:
    return position.sides[index].standing(fighter.zone) - 1


def _kin(position: Position, index: int, fighter: Fighter) -> int:
    faction = position.card(index, fighter.card).faction
    return sum(position.card(index, other.card).faction == faction for other in position.sides[index].fighters) - 1


def _facing(position: Position, index: int, fighter: Fighter) -> int:
    zone = FACING.get(fighter.zone)
    return 0 if zone is None else position.sides[1 - index].standing(zone)


_EVER = 20
"""As high as any count that a feature may ask for."""
_COUNTS: dict[str, Callable[[Position, int, Fighter], int]] = {
    "always": lambda position, index, fighter: _EVER,
    "city": lambda position, index, fighter: _EVER * (fighter.zone == "city"),
    "outside": lambda position, index, fighter: _EVER * (fighter.zone == "outside"),
    "siege": lambda position, index, fighter: _EVER * (fighter.zone == "siege"),
    "alone": lambda position, index, fighter: _EVER * (_company(position, index, fighter) == 0),
    "company": _company,
    "kin": _kin,
    "facing": _facing,
    "equipped": lambda position, index, fighter: len(fighter.equipment),
    "table": lambda position, index, fighter: 0,
}


# --- costs ------------------------------------------------------------------------------


def cost_of(position: Position, index: int, card: Card) -> Tally:
    """Tally what a card costs a side now; generals of its faction make a general cheaper (Game Play 7)."""
    base = Part(card.cost, say(_BASE), COSTS[card.kind])
    if card.kind != "general":
        return Tally((base,))
    counting = position.sides if "discount" in position.readings else (position.sides[index],)
    there = sum(side.deck.cards[general.card].faction == card.faction for side in counting for general in side.fighters)
    n = there + ("discount-self" in position.readings)
    less = say(_OF_FACTION, n_general=count_words(n, "general"), faction=card.faction)
    return Tally.of((base, Part(-n, less, DISCOUNT)))


_BASE = mark("printed on the card")
_OF_FACTION = mark("for {n_general} of {faction}")


# --- the end of the turn, and the way to the opponent ---------------------------------------


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What the end of a side's turn takes: a resource card for each general, and cards over the limit of its hand.

    lost: the resources fall short of it, so that the side loses.
    """

    generals: int
    resources: int
    over: int
    lost: bool


def upkeep_of(position: Position, index: int) -> Upkeep:
    """Return what the end of its turn would take from a side now."""
    side = position.sides[index]
    n = len(side.fighters)
    return Upkeep(n, side.resources, cards_over_limit(position, index), n > 0 and falls_short(position, index, n))


def cards_over_limit(position: Position, index: int) -> int:
    """Count how many cards a side holds over the limit of its hand (Game Play 2 and 17)."""
    side = position.sides[index]
    return max(0, side.hand - side.deck.hand_limit)


def falls_short(position: Position, index: int, n: int) -> bool:
    """Return whether a side's resources fall short of `n` cards (Winning Criteria; reading last-card)."""
    resources = position.sides[index].resources
    return resources <= n if "last-card" in position.readings else resources < n


@dataclass(frozen=True, slots=True)
class Passage:
    """A general's way to the zone outside the opponent's city: who stands in it, and who blocks these, by label."""

    enemies: tuple[str, ...]
    blockers: tuple[str, ...]

    @property
    def missing(self) -> int:
        """How many more generals have to block."""
        return max(0, len(self.enemies) - len(self.blockers))

    @property
    def free(self) -> bool:
        """Whether the general may pass."""
        return not self.missing


def passage_of(position: Position, fighter: Fighter) -> Passage:
    """Find who stands in the way of a general of the side to move (Game Play 11d; reading blockers)."""
    side, other = position.sides[position.to_move], position.sides[1 - position.to_move]
    outside = [friend for friend in side.fighters if friend.zone == "outside" and friend.label != fighter.label]
    still = [friend.label for friend in outside if not friend.acted or "blockers" not in position.readings]
    return Passage(tuple(enemy.label for enemy in other.fighters if enemy.zone == "siege"), tuple(still))
