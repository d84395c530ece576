"""How strong a player is and what it likes, and the head start that a weaker one is given.

What a head start is worth is data (`engine/data/head_starts`), counted by `benchmarks.head_starts`: games of each level
against the next one, without a head start and with one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, get_args

from engine.areas import members
from engine.errors import BadTable
from engine.orders.player.evaluation import BALANCED, NAMES, OWN, measure
from engine.orders.position import Position
from engine.orders.steps import Agreed
from engine.tables import Each, Within, parse_table, read_table, table_names, table_text

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

        The game must not be finished. What the faction `unseen` threatens is left out.
        """
        numbers, own = measure(position, unseen), position.to_move == faction
        seen = ((weight, *((name, 1.0) if own else _OTHER_SIDE[name])) for name, weight in self.likes)
        return sum(weight * (sign * numbers[_AT[name]]) for weight, name, sign in seen)


@cache
def temperaments(era: str) -> Mapping[str, Temperament]:
    """Load the commanders of an era, a rulebook's name; none if there is no table for it."""
    return read_temperaments(era, table_text(FOLDER, era)) if era in table_names(FOLDER) else {}


def read_temperaments(era: str, text: str) -> Mapping[str, Temperament]:
    """Read an era's table; raise BadTable if it is malformed or names a number that positions don't have."""
    where = f"{FOLDER}/{era}.toml"
    table = parse_table(where, text, Each(Each(float)))
    for name, likes in table.items():
        if unknown := sorted(likes.keys() - _OTHER_SIDE.keys()):
            raise BadTable(f"{where}: {name}: no position has {', '.join(unknown)}")
    return {name: Temperament(name, tuple(likes.items())) for name, likes in table.items()}


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of play. It errs as people do: it doesn't look far, or doesn't see what is there.

    `iterations`: how many later positions it looks into after the first look ahead. `overlooks`: the chance that
    an action space is not thought of. `misses`: the chance that it doesn't see, in a turn, what the other side
    threatens. `freedom`: how much of the chance to win it gives up, on average, for variety. `refines`: how many of the
    best turns it changes by a unit here and there, to see whether that is better. `by_points`: whether it counts points
    and sees nothing else. `temperament`: what it likes among turns that are nearly as good.
    """

    name: str
    iterations: int
    overlooks: float = 0.0
    misses: float = 0.0
    freedom: float = 0.0
    refines: int = 0
    by_points: bool = False
    temperament: Temperament | None = None


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("first", 0, overlooks=0.3, misses=1.0, freedom=0.01, by_points=True),
        Level("child", 0, overlooks=0.1, misses=1.0, freedom=0.01),
        Level("even", 12, overlooks=0.1, freedom=0.005, refines=1),
        Level("strong", 180, refines=4),
        Level("best", 1200, refines=6),
    )
}
"""The levels by name, from a first opponent to the best."""


# --- head starts ------------------------------------------------------------------------

HeadStart = Literal["none", "troops", "initiative"]
"""Nothing; TROOPS more troops; the initiative: the weaker side begins, and wins ties for as long as it has it."""
HEAD_STARTS: tuple[HeadStart, ...] = get_args(HeadStart)
TROOPS = 2
UNIT = "troop"
_MOST = 10**6
_COUNT = {
    "weaker": str,
    "stronger": str,
    "given": HEAD_STARTS,
    "wins": Within(int, 0, _MOST),
    "games": Within(int, 1, _MOST),
}


class Worth(NamedTuple):
    """How many games the weaker side won, of how many."""

    wins: int
    games: int


def extra_troops_step(opening: Position, faction: str) -> Agreed:
    """Return the step by which the players agree that a faction has TROOPS more troops at the start.

    They go to its headquarters, as far as the limit of an area allows, then to land next to it under its control.
    """
    board, me = opening.board, opening.board.mode.faction_index[faction]
    unit = board.mode.unit_index[UNIT]
    home = board.hq[me]
    near = [home, *members(board.adjacency.around(1 << home) & opening.survey[0][me] & board.land)]
    added = dict.fromkeys(near, 0)
    for _troop in range(TROOPS):
        held = {area: sum(row[area] for row in opening.units[me]) + more for area, more in added.items()}
        room = (area for area in added if held[area] < board.mode.caps["land"])
        added[next(room, home)] += 1
    areas = []
    for area, more in added.items():
        if more:
            here = [row[area] for row in opening.units[me]]
            here[unit] += more
            kinds = zip(board.mode.units, here, strict=True)
            areas.append((board.areas[area].name, tuple((faction, kind.name, n) for kind, n in kinds if n)))
    return Agreed(areas=tuple(areas))


@cache
def head_start_results(weaker: str, stronger: str) -> Mapping[HeadStart, Worth]:
    """Return how games between two levels went with each head start; nothing if none were played."""
    counts = read_table("head_starts", "levels", {"counts": [_COUNT]})["counts"]
    return {
        count["given"]: Worth(count["wins"], count["games"])
        for count in counts
        if (count["weaker"], count["stronger"]) == (weaker, stronger)
    }
