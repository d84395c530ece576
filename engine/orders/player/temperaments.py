"""Commanders with a temperament: of turns that win nearly as often, each takes the one that it likes.

What they like is data (`engine/data/temperaments`, a table for each era): weights for numbers of `features.NAMES`, as
the logarithm of odds. The evaluation stays what it is: a temperament is a taste for tempo, ground or caution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.errors import BadTable
from engine.orders.player.features import BALANCED, NAMES, OWN, measure
from engine.orders.position import Position
from engine.tables import Each, parse_table, table_names, table_text

FOLDER = "temperaments"
_AT = {name: at for at, name in enumerate(NAMES)}
_OTHER_SIDE = {
    **{name: (name, -1.0) for name in BALANCED},
    **{f"our {name}": (f"their {name}", 1.0) for name in OWN},
    **{f"their {name}": (f"our {name}", 1.0) for name in OWN},
}
"""For each number that may be liked: the same one as the other side sees it, and with what sign."""


@dataclass(frozen=True, slots=True)
class Temperament:
    """What a commander likes: a weight for each of some numbers of a position."""

    name: str
    likes: tuple[tuple[str, float], ...]

    def liking(self, position: Position, faction: int, unseen: int = -1) -> float:
        """Return how much a commander of this faction likes a position, as the logarithm of odds.

        The game must not be finished. What the faction `unseen` threatens is overlooked.
        """
        numbers, own = measure(position, unseen), position.to_move == faction
        return sum(
            weight * (numbers[_AT[name]] if own else _seen_by_other(numbers, name)) for name, weight in self.likes
        )


def _seen_by_other(numbers: list[float], name: str) -> float:
    same, sign = _OTHER_SIDE[name]
    return sign * numbers[_AT[same]]


@cache
def temperaments(era: str) -> Mapping[str, Temperament]:
    """Load the commanders of an era, a rulebook's name; none where there is no table for it."""
    return read_temperaments(era, table_text(FOLDER, era)) if era in table_names(FOLDER) else {}


def read_temperaments(era: str, text: str) -> Mapping[str, Temperament]:
    """Read an era's table; raise BadTable if somebody in it likes what no position has."""
    where = f"{FOLDER}/{era}.toml"
    table = parse_table(where, text, Each(Each(float)))
    for name, likes in table.items():
        if unknown := sorted(likes.keys() - _OTHER_SIDE.keys()):
            raise BadTable(f"{where}: {name}: no position has {', '.join(unknown)}")
    return {name: Temperament(name, tuple(likes.items())) for name, likes in table.items()}
