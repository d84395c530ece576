"""A head start for the weaker side: two troops more, or the initiative, with what it was worth in games.

What it is worth is data (`engine/data/head_starts`), counted by `benchmarks.head_starts`: games of each level against
the next one, without a head start and with one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, get_args

from engine.areas import members
from engine.orders.position import Position
from engine.orders.steps import Agreed
from engine.tables import Within, read_table

HeadStart = Literal["none", "troops", "initiative"]
"""Nothing; TROOPS more on the board; the weaker side begins, and wins a tie until the initiative changes hands."""
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
    """In how many of so many games the weaker side won."""

    wins: int
    games: int


def with_troops(opening: Position, faction: str) -> Agreed:
    """Return what players agree on so that a faction has TROOPS more troops at the start.

    They go to its headquarters, as far as the limit of an area allows, and then to the nearest areas that it controls.
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
def measured(weaker: str, stronger: str) -> Mapping[HeadStart, Worth]:
    """Return what each head start was worth between two levels; nothing where no games were played."""
    counts = read_table("head_starts", "levels", {"counts": [_COUNT]})["counts"]
    return {
        count["given"]: Worth(count["wins"], count["games"])
        for count in counts
        if (count["weaker"], count["stronger"]) == (weaker, stronger)
    }
