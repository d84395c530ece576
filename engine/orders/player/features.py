"""A position in numbers, as the player sees it who is to move: what each side has, and what it threatens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import compress
from operator import add
from typing import NamedTuple

from engine.areas import members
from engine.orders.player.terrain import Gun, Terrain, Way, empties, takes, terrain_of
from engine.orders.position import Position

_MORE_THAN_ONE = (1).__lt__
MOST_CARDS = 5
ENOUGH_HIT = 3
"""A shot is only thought to empty areas of at most so many units."""

BALANCED = (
    "points",
    "points cut off",
    "land",
    "water and air",
    "troops",
    "other units",
    "heavy units",
    "units cut off",
    "mobile units",
    "closeness",
    "garrison",
    "thin garrison",
    "commanders",
    "cards",
    "initiative",
    "bonus place",
    "bonus join",
    "bonus shot",
    "bonus cards",
    "bonus commander",
    "reinforcements",
    "other reinforcements",
    "pressure on headquarters",
    "cards to draw",
)
"""Of each side, as the difference between who is to move and the other."""
OWN = (
    "headquarters falls",
    "headquarters surely falls",
    "best capture",
    "next capture",
    "all captures",
    "all shots",
    "new ground",
)
"""Of what each side could do in one turn: those of who is to move, then those of the other."""
WHOLE = ("move", "first faction", "last turn", "lead", "lead if we gain", "lead if they gain", "lead if both gain")
NAMES = (*BALANCED, *(f"our {name}" for name in OWN), *(f"their {name}" for name in OWN), *WHOLE)


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


def measure(position: Position, unseen: int = -1) -> list[float]:
    """The position as numbers, in the order of NAMES. The turn has to be over, and the game not.

    What the faction `unseen` threatens is overlooked.
    """
    me = position.to_move
    mine, theirs = side_of(position, me), side_of(position, 1 - me)
    ours = threats(position, mine, theirs) if unseen != me else NO_THREATS
    foes = threats(position, theirs, mine) if unseen != 1 - me else NO_THREATS
    first, second = _holdings(position, mine, ours), _holdings(position, theirs, foes)
    lead = first[0] - second[0] + (0.5 if position.initiative == me else -0.5)
    return [
        *(one - other for one, other in zip(first, second, strict=True)),
        *ours[:7],
        *foes[:7],
        1.0,
        -1.0 if me else 1.0,
        1.0 if _left(position, me) > _left(position, 1 - me) else -1.0,
        math.tanh(lead),
        math.tanh(lead + ours.gain),
        math.tanh(lead - foes.gain),
        math.tanh(lead + ours.best - foes.best),
    ]


def side_of(position: Position, me: int) -> Side:
    """What a position looks like to a faction."""
    control, supply = position.survey
    rows = position.units[me]
    units: Sequence[int] = rows[0]
    for row in rows[1:]:
        units = list(map(add, units, row))
    spare = sum(compress(position.board.bits, map(_MORE_THAN_ONE, units)))
    return Side(me, control[me], supply[me], units, spare)


def _holdings(position: Position, side: Side, could: Threats) -> list[float]:
    """The numbers of BALANCED for one side."""
    board, me, mode = position.board, side.me, position.board.mode
    terrain, vps, units = terrain_of(board), board.vps, side.units
    points = cut = near = 0.0
    inside = mobile = 0
    for area in members(side.supply):
        n = units[area]
        points += vps[area]
        inside += n
        mobile += n - 1
        near += n * terrain.closeness[me][area]
    for area in members(side.control & ~side.supply):
        cut += vps[area]
    garrison = units[board.hq[me]]
    kinds = [sum(row) for row in position.units[me]]
    left = _left(position, me)
    hand = position.hands[me]
    cards = hand if isinstance(hand, int) else len(hand)
    by_ground = [0, 0]
    for n, place in zip(kinds, terrain.ground, strict=True):
        by_ground[place] += n
    return [
        points,
        cut,
        (side.supply & board.land).bit_count(),
        (side.supply & ~board.land).bit_count(),
        by_ground[0],
        by_ground[1],
        sum(n for n, kind in zip(kinds, mode.units, strict=True) if kind.reserve <= 5),
        sum(units) - inside,
        mobile,
        near,
        min(garrison, 5),
        garrison <= 2,
        left,
        min(cards, MOST_CARDS),
        position.initiative == me,
        *_bonuses(position, side.supply),
        *_musters(position, terrain, me, left),
        could.pressure,
        _draws(position, me, left),
    ]


def _left(position: Position, faction: int) -> int:
    """The commanders that a faction may still deploy this round."""
    return 0 if position.passed[faction] else position.commanders_left[faction]


def _bonuses(position: Position, supply: int) -> tuple[int, int, int, int, int]:
    """The area bonuses in supply: units to place or drop, units that join, dice, cards, commanders and defence."""
    board = position.board
    place = join = shot = cards = other = 0
    for area, name in zip(board.slot_areas, position.bonuses, strict=True):
        if name and supply >> area & 1:
            bonus = board.mode.bonuses[name]
            verb = board.mode.actions[bonus.action].verb if bonus.action else ""
            place += verb in ("place", "drop")
            join += verb == "move"
            shot += verb == "shoot"
            cards += verb == "draw"
            other += not verb
    return place, join, shot, cards, other


def _musters(position: Position, terrain: Terrain, me: int, left: int) -> tuple[float, float]:
    """The most units that one commander could still bring this round: on land, and on water or in the air."""
    if not left:
        return 0.0, 0.0
    mine, taken = position.commanders[me], position.commanders[0] | position.commanders[1]
    best = [0, 0]
    for muster in terrain.musters[me]:
        if not taken & muster.space and not mine & muster.twins:
            at = muster.place != "land"
            best[at] = max(best[at], min(muster.units, position.reserve(me, muster.unit)))
    return best[0], best[1]


def _draws(position: Position, me: int, left: int) -> bool:
    """Whether a Plan is still open to a faction this round."""
    if not left:
        return False
    mine, taken = position.commanders[me], position.commanders[0] | position.commanders[1]
    spaces = (space for space in position.board.spaces if space.action.verb == "draw")
    return any(not taken >> space.index & 1 and not mine & position.board.twins[space.index] for space in spaces)


# --- threats ----------------------------------------------------------------------------


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
        holds, gone = takes(self.board.mode.die, self.defence(area), min(attackers, 12), defenders)
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
        surely = -math.log(1.02 - self.falls)
        sums = (self.falls, surely, best, second, whole, self.shots, self.ground)
        return Threats(*sums, pressure, gain, self.captures)
