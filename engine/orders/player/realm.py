"""What a side of a position is worth by itself: what follows from its control and supply, and from its units.

Of the hundreds of positions that one turn is weighed by, most differ in one side's units only, and few in what is
controlled: both are worked out once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress
from operator import add, mul
from typing import NamedTuple

from engine.areas import members
from engine.orders.board import Board
from engine.orders.player.terrain import Drop, Gun, Terrain, terrain_of
from engine.orders.position import Position

HEAVY = 5
"""A kind of unit of which there are at most so many is a heavy one."""
MOST_REALMS, MOST_SIDES = 512, 2048
"""So many are remembered: enough for a turn's thought."""
_MORE_THAN_ONE = (1).__lt__


class Realm(NamedTuple):
    """What follows from what a side controls and supplies, as sets and by area."""

    control: int
    supply: int
    supplied: tuple[int, ...]
    points: int
    cut: int
    """The points of the areas that are controlled, but out of supply."""
    land: int
    other: int
    """How many areas in supply are land, and how many are not."""
    ways: tuple[tuple[int, int, int], ...]
    """Each space that moves units into an area not controlled: the space as a set, the area, and from where, a set."""
    guns: tuple[Gun, ...]
    drop: tuple[Drop, ...]
    """The spaces in supply that shoot, and those that drop units."""
    losses: tuple[int, ...]
    """The points that go with each area, those that it cuts off among them."""
    dice: tuple[int, ...]
    """With how many dice each area is defended."""


class Side(NamedTuple):
    """What a position looks like to one faction."""

    me: int
    realm: Realm
    units: Sequence[int]
    """Its units in each area, of all kinds."""
    spare: int
    """Areas with more than one unit."""
    holdings: tuple[float, ...]
    """The first numbers of `features.BALANCED`, down to the thin garrison."""


def side_of(position: Position, me: int) -> Side:
    """Return what a position looks like to a faction."""
    control, supply = position.survey
    return _side(position.board, me, control[me], supply[me], position.units[me])


@lru_cache(maxsize=MOST_SIDES)
def _side(board: Board, me: int, control: int, supply: int, rows: tuple[tuple[int, ...], ...]) -> Side:
    realm = _realm(board, me, control, supply)
    units: Sequence[int] = rows[0]
    for row in rows[1:]:
        units = list(map(add, units, row))
    spare = sum(compress(board.bits, map(_MORE_THAN_ONE, units)))
    return Side(me, realm, units, spare, _holdings(board, me, realm, units, rows))


def _holdings(
    board: Board, me: int, realm: Realm, units: Sequence[int], rows: Sequence[Sequence[int]]
) -> tuple[float, ...]:
    terrain, mode = terrain_of(board), board.mode
    here = [units[area] for area in realm.supplied]
    inside, garrison = sum(here), units[board.hq[me]]
    kinds = [sum(row) for row in rows]
    by_ground = [0, 0]
    for n, place in zip(kinds, terrain.ground, strict=True):
        by_ground[place] += n
    return (
        realm.points,
        realm.cut,
        realm.land,
        realm.other,
        *by_ground,
        sum(n for n, kind in zip(kinds, mode.units, strict=True) if kind.reserve <= HEAVY),
        sum(units) - inside,
        inside - len(here),
        sum(map(mul, here, map(terrain.closeness[me].__getitem__, realm.supplied))),
        min(garrison, 5),
        garrison <= 2,
    )


@lru_cache(maxsize=MOST_REALMS)
def _realm(board: Board, me: int, control: int, supply: int) -> Realm:
    terrain, vps = terrain_of(board), board.vps
    return Realm(
        control,
        supply,
        supplied=members(supply),
        points=sum(vps[area] for area in members(supply)),
        cut=sum(vps[area] for area in members(control & ~supply)),
        land=(supply & board.land).bit_count(),
        other=(supply & ~board.land).bit_count(),
        ways=tuple(_ways(board, terrain, me, control, supply)),
        guns=tuple(gun for gun in terrain.guns[me] if supply & gun.bit),
        drop=tuple(drop for drop in terrain.drops[me] if supply & drop.bit),
        losses=tuple(_loss(board, me, area, control, supply) for area in range(len(vps))),
        dice=tuple(_dice(board, terrain, area, supply) for area in range(len(vps))),
    )


def _ways(board: Board, terrain: Terrain, me: int, control: int, supply: int) -> Iterator[tuple[int, int, int]]:
    adjacency, bridges = board.adjacency, supply & board.water
    for way in terrain.ways[me]:
        sources = way.near
        if way.bridge:
            sources |= adjacency.around(sources & bridges)
        elif way.chain:
            open_to_it = supply & way.kind
            sources = adjacency.flood(sources & open_to_it, open_to_it)
        sources &= supply & way.kind
        if sources and not control & way.bit:
            yield way.space, way.area, sources


def _loss(board: Board, me: int, area: int, control: int, supply: int) -> int:
    rest = board.adjacency.flood(board.homes[me], control & ~(1 << area))
    return sum(board.vps[lost] for lost in members(supply & ~rest))


def _dice(board: Board, terrain: Terrain, area: int, supply: int) -> int:
    dice, zone = terrain.base_dice[area], board.zones[area]
    if zone >= 0 and supply >> zone & 1:
        dice += board.mode.zone_dice
    printed = [name for at, name in board.printed if at == area and supply >> at & 1]
    return dice + sum(board.mode.bonuses[name].amount for name in printed)
