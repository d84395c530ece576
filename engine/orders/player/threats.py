"""What a side could do with one turn: how likely it takes the headquarters, and what its best captures are worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from engine.areas import members
from engine.orders.actions.fire import widest_reach
from engine.orders.player.realm import Side
from engine.orders.player.terrain import Gun, defence_chances, emptying_chance
from engine.orders.position import Position

ENOUGH_HIT = 3
"""A shot is only thought to empty areas of at most so many units."""
MOST_ATTACKERS = 12
SURE = 1.02
"""A chance is stretched by the logarithm of what it lacks of this."""


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
    """Threats of one side, gathered."""

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
        """Look at units that may land anywhere: only where there is a point or nearly nobody."""
        for area in members(reach & ~self.side.realm.control):
            if self.board.vps[area] and self.other.units[area] < units:
                self.come(area, units)

    def come(self, area: int, attackers: int) -> None:
        """Note that so many units could come into an area."""
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
