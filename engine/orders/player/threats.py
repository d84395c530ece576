"""What a side could do with one turn: how likely it takes the headquarters, and what its best captures are worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import compress
from operator import add
from typing import NamedTuple

from engine.areas import members
from engine.orders.player.terrain import Gun, Way, empties, takes, terrain_of
from engine.orders.position import Position

_MORE_THAN_ONE = (1).__lt__
ENOUGH_HIT = 3
"""A shot is only thought to empty areas of at most so many units."""
MOST_ATTACKERS = 12
SURE = 1.02
"""A chance is stretched by the logarithm of what it lacks of this."""


class Side(NamedTuple):
    """What a position looks like to one faction."""

    me: int
    control: int
    supply: int
    units: Sequence[int]
    """Its units in each area, of all kinds."""
    spare: int
    """Areas with more than one unit."""


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


def side_of(position: Position, me: int) -> Side:
    """What a position looks like to a faction."""
    control, supply = position.survey
    rows = position.units[me]
    units: Sequence[int] = rows[0]
    for row in rows[1:]:
        units = list(map(add, units, row))
    spare = sum(compress(position.board.bits, map(_MORE_THAN_ONE, units)))
    return Side(me, control[me], supply[me], units, spare)


def threats(position: Position, side: Side, other: Side) -> Threats:
    """What a side could do to the other if it had the next turn."""
    board = position.board
    if position.passed[side.me] or not position.commanders_left[side.me]:
        return NO_THREATS
    look = _Look(position, side, other)
    terrain = terrain_of(board)
    look.moves(terrain.ways[side.me])
    for gun in terrain.guns[side.me]:
        if side.supply & gun.bit and not look.taken & gun.space:
            look.shoot(gun)
    for drop in terrain.drops[side.me]:
        if side.supply & drop.bit and not look.taken & drop.space:
            look.drop(drop.reach, drop.units)
            break
    return look.sum_up()


class _Look:
    """Threats of one side, gathered."""

    def __init__(self, position: Position, side: Side, other: Side) -> None:
        self.board = position.board
        self.terrain = terrain_of(position.board)
        self.position, self.side, self.other = position, side, other
        self.taken = position.commanders[0] | position.commanders[1]
        self.home = position.board.hq[other.me]
        self.falls = self.shots = 0.0
        self.attackers = 0
        self.captures: dict[int, tuple[float, int]] = {}
        self.ground = 0.0
        self._losses: dict[int, int] = {}

    def moves(self, ways: Sequence[Way]) -> None:
        """Look at the spaces that move units in: this is the innermost loop of all."""
        side, adjacency, units = self.side, self.board.adjacency, self.side.units
        shut, held, mobile = self.taken, side.control, side.spare & side.supply
        bridges = side.supply & self.board.water
        for space, area, bit, near, kind, bridge, chain in ways:
            if shut & space or held & bit:
                continue
            sources = near
            if bridge:
                if near & bridges:
                    sources |= adjacency.around(near & bridges)
            elif chain and mobile & kind:
                open_to_it = side.supply & kind
                sources = adjacency.flood(near & open_to_it, open_to_it)
            sources &= mobile & kind
            if sources:
                self.come(area, sum([units[one] - 1 for one in members(sources)]))

    def drop(self, reach: int, units: int) -> None:
        """Look at units that may land anywhere: only where there is a point or nearly nobody."""
        for area in members(reach & ~self.side.control):
            if self.board.vps[area] and self.other.units[area] < units:
                self.come(area, units)

    def come(self, area: int, attackers: int) -> None:
        """So many units could come into an area."""
        defenders = self.other.units[area]
        if not defenders:
            gain = self.board.vps[area]
            if gain:
                self.captures[area] = (float(gain), gain)
            else:
                self.ground += 1
            return
        holds, gone = takes(self.board.mode.die, self.defence(area), min(attackers, MOST_ATTACKERS), defenders)
        if area == self.home:
            self.falls = max(self.falls, gone)
            self.attackers = max(self.attackers, attackers)
            return
        if gone:
            gain, loss = self.board.vps[area], self.loss(area)
            worth = holds * gain + gone * loss
            if worth and worth > self.captures.get(area, (0.0, 0))[0]:
                self.captures[area] = (worth, gain + loss)

    def shoot(self, gun: Gun) -> None:
        """Look at a space that shoots."""
        targets = gun.reach & self.other.control
        if not targets:
            return
        dice = gun.dice
        if gun.shooter >= 0:
            there = self.position.units[self.side.me][gun.shooter][gun.area]
            dice += there - 1 if gun.payload else there
        if dice <= 0:
            return
        die, units = self.board.mode.die, self.other.units
        for area in members(targets):
            n = units[area]
            if n <= ENOUGH_HIT or area == self.home:
                gone = empties(die, dice, n)
                if area == self.home:
                    self.falls = max(self.falls, gone)
                elif gone:
                    self.shots = max(self.shots, gone * self.loss(area))

    def defence(self, area: int) -> int:
        """The dice with which the other side defends an area."""
        dice, board = self.terrain.base_dice[area], self.board
        zone = board.zones[area]
        if zone >= 0 and self.other.supply >> zone & 1:
            dice += board.mode.zone_dice
        for at, name in board.printed:
            if at == area and self.other.supply >> at & 1:
                dice += board.mode.bonuses[name].amount
        return dice

    def loss(self, area: int) -> int:
        """The points that the other side loses with an area, with all that it cuts off."""
        known = self._losses.get(area)
        if known is None:
            other, vps = self.other, self.board.vps
            rest = self.board.adjacency.flood(self.board.homes[other.me], other.control & ~(1 << area))
            known = self._losses[area] = sum(vps[lost] for lost in members(other.supply & ~rest))
        return known

    def sum_up(self) -> Threats:
        """All of it in numbers."""
        by_worth = sorted(self.captures.values(), reverse=True)
        best, gain = by_worth[0] if by_worth else (0.0, 0)
        second = by_worth[1][0] if len(by_worth) > 1 else 0.0
        whole = sum(worth for worth, _ in by_worth)
        garrison = self.other.units[self.home]
        pressure = max(-5, min(5, self.attackers - garrison)) / 5 if self.attackers else -1.0
        surely = -math.log(SURE - self.falls)
        sums = (self.falls, surely, best, second, whole, self.shots, self.ground)
        return Threats(*sums, pressure, gain, self.captures)
