"""What a side of a position is worth by itself, and what it could do with one turn.

Its worth follows from its control and supply, and from its units. Of the hundreds of positions that one turn is weighed
by, most differ in one side's units only, and few in what is controlled: both are worked out once for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from operator import add, mul
from typing import NamedTuple

from engine.areas import members
from engine.orders.actions.fire import widest_reach
from engine.orders.board import Board
from engine.orders.player.terrain import Drop, Gun, Terrain, defence_chances, emptying_chance, terrain_of
from engine.orders.position import Position

HEAVY = 5
"""A kind of unit counts as heavy if a faction has at most this many of it."""
MOST_REALMS, MOST_SIDES = 512, 2048
"""How many are remembered: enough to think about one turn."""
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
    """How many areas in supply are not land; `land` counts those that are."""
    ways: tuple[tuple[int, int, int], ...]
    """Each space that moves units into an area not controlled: the space as a set, the area, and from where, a set."""
    guns: tuple[Gun, ...]
    drop: tuple[Drop, ...]
    """The spaces in supply that drop units; `guns` are those that shoot."""
    losses: tuple[int, ...]
    """The points lost with each area, with those of the areas that its loss cuts off."""
    dice: tuple[int, ...]
    """The dice with which each area is defended."""


class Side(NamedTuple):
    """What one faction has in a position."""

    me: int
    realm: Realm
    units: Sequence[int]
    """Its units in each area, of all kinds."""
    spare: int
    """Areas with more than one unit."""
    holdings: tuple[float, ...]
    """The first numbers of `evaluation.BALANCED`, down to the thin garrison."""


def side_of(position: Position, me: int) -> Side:
    """Work out what a faction has in a position: its realm, its units, and what they count."""
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


# --- how likely it takes the headquarters, and what its best captures are worth -------------

ENOUGH_HIT = 3
"""A shot is only expected to empty areas of at most this many units."""
MOST_ATTACKERS = 12
SURE = 1.02
"""A chance is stretched near certainty to minus the logarithm of what it falls short of this."""


class Threats(NamedTuple):
    """What one turn could do: the chance that a headquarters falls, and gains in points with their chance."""

    headquarters: float
    surely: float
    """The same, stretched near certainty."""
    best: float
    second: float
    whole: float
    shots: float
    ground: float
    pressure: float
    gain: int
    """The points of the best capture, if it succeeds."""
    captures: Mapping[int, tuple[float, int]] = {}
    """{area: (points with their chance, points)} of the best way into each area with points to gain."""


NO_THREATS = Threats(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0)


def threats(position: Position, side: Side, other: Side) -> Threats:
    """Return what a side could do to the other if it had the next turn."""
    if position.passed[side.me] or not position.commanders_left[side.me]:
        return NO_THREATS
    look, realm = _ThreatSearch(position, side, other), side.realm
    look.moves()
    for gun in realm.guns:
        if gun.reach & other.realm.control and not look.taken & gun.space:
            look.shoot(gun, _reach(position, gun, other))
    for drop in realm.drop:
        if not look.taken & drop.space:
            look.drop(drop.reach, drop.units)
            break
    return look.sum_up()


def _reach(position: Position, gun: Gun, other: Side) -> int:
    """Return what a shot reaches; by the reading barrage-path not over areas that the other side controls."""
    if "barrage-path" not in position.readings:
        return gun.reach
    space = position.board.spaces[gun.space.bit_length() - 1]
    return gun.reach & widest_reach(position.board, space, other.realm.control)


class _ThreatSearch:
    """Collects what one side could do to the other in one turn."""

    def __init__(self, position: Position, side: Side, other: Side) -> None:
        self.board = position.board
        self.position, self.side, self.other = position, side, other
        self.taken = position.commanders[0] | position.commanders[1]
        self.home = position.board.hq[other.me]
        self.falls = self.shots = 0.0
        self.attackers = 0
        self.captures: dict[int, tuple[float, int]] = {}
        self.ground = 0.0

    def moves(self) -> None:
        """Look at the spaces that move units in: this is the innermost loop of all."""
        side, shut = self.side, self.taken
        units, spare = side.units, side.spare
        for space, area, near in side.realm.ways:
            sources = near & spare
            if sources and not shut & space:
                self.come(area, sum([units[source] for source in members(sources)]) - sources.bit_count())

    def drop(self, reach: int, units: int) -> None:
        """Look at `units` that may land in `reach`, but only in areas with points where fewer enemies stand."""
        for area in members(reach & ~self.side.realm.control):
            if self.board.vps[area] and self.other.units[area] < units:
                self.come(area, units)

    def come(self, area: int, attackers: int) -> None:
        """Note that `attackers` units could come into an area."""
        defenders, realm = self.other.units[area], self.other.realm
        if not defenders:
            gain = self.board.vps[area]
            if gain:
                self.captures[area] = (float(gain), gain)
            else:
                self.ground += 1
            return
        holds, gone = defence_chances(self.board.mode.die, realm.dice[area], min(attackers, MOST_ATTACKERS), defenders)
        if area == self.home:
            self.falls = max(self.falls, gone)
            self.attackers = max(self.attackers, attackers)
            return
        if gone:
            gain, loss = self.board.vps[area], realm.losses[area]
            worth = holds * gain + gone * loss
            if worth and worth > self.captures.get(area, (0.0, 0))[0]:
                self.captures[area] = (worth, gain + loss)

    def shoot(self, gun: Gun, reach: int) -> None:
        """Look at a space that shoots, at the areas of `reach`."""
        dice = gun.dice
        if gun.shooter >= 0:
            there = self.position.units[self.side.me][gun.shooter][gun.area]
            dice += there - 1 if gun.payload else there
        if dice <= 0:
            return
        die, units = self.board.mode.die, self.other.units
        for area in members(reach & self.other.realm.control):
            n = units[area]
            if n <= ENOUGH_HIT or area == self.home:
                gone = emptying_chance(die, dice, n)
                if area == self.home:
                    self.falls = max(self.falls, gone)
                elif gone:
                    self.shots = max(self.shots, gone * self.other.realm.losses[area])

    def sum_up(self) -> Threats:
        """Sum up all threats in numbers."""
        by_worth = sorted(self.captures.values(), reverse=True)
        best, gain = by_worth[0] if by_worth else (0.0, 0)
        second = by_worth[1][0] if len(by_worth) > 1 else 0.0
        whole = sum(worth for worth, _ in by_worth)
        garrison = self.other.units[self.home]
        pressure = max(-5, min(5, self.attackers - garrison)) / 5 if self.attackers else -1.0
        surely = -math.log(SURE - self.falls)
        sums = (self.falls, surely, best, second, whole, self.shots, self.ground)
        return Threats(*sums, pressure, gain, self.captures)
