"""What never changes on a board (moves, shots, distances), worked out once for looking at many positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, TypeVar

from engine.areas import members
from engine.dice import pool_odds
from engine.orders.actions.fire import widest_reach
from engine.orders.board import Board, Space
from engine.orders.odds import conflict_odds, shot_odds

T = TypeVar("T")
FAR = 12
"""The distance of an area that cannot be reached."""


class Way(NamedTuple):
    """An action space that moves units into its area: its space and area as sets, and from where they come."""

    space: int
    area: int
    bit: int
    near: int
    kind: int
    bridge: bool
    chain: bool


class Gun(NamedTuple):
    """An action space that shoots: its space and area as sets, what it reaches, and its dice."""

    space: int
    area: int
    bit: int
    reach: int
    dice: int
    shooter: int
    """The kind of unit whose number is the number of dice; -1 for none."""
    payload: bool
    action: str


class Drop(NamedTuple):
    """An action space that drops units: its space and area as sets, what it reaches, and how many land."""

    space: int
    bit: int
    reach: int
    units: int


class Muster(NamedTuple):
    """A support space that brings units: it and its twins as sets, the kind of area, the common unit, how many."""

    space: int
    twins: int
    place: str
    unit: int
    units: int


class Terrain(NamedTuple):
    """A board as its two factions see it; every tuple is indexed by faction first."""

    ways: tuple[tuple[Way, ...], tuple[Way, ...]]
    guns: tuple[tuple[Gun, ...], tuple[Gun, ...]]
    drops: tuple[tuple[Drop, ...], tuple[Drop, ...]]
    musters: tuple[tuple[Muster, ...], tuple[Muster, ...]]
    draws: tuple[tuple[int, int], ...]
    """The spaces that bring cards, for both: each and its twins as sets."""
    closeness: tuple[tuple[float, ...], tuple[float, ...]]
    """How near each area is to the enemy's headquarters, from 1 down."""
    ground: tuple[int, ...]
    """Where each kind of unit stands: 0 on land, 1 elsewhere."""
    base_dice: tuple[int, ...]
    """The dice of a defence in each area, without those that depend on supply."""


@cache
def terrain_of(board: Board) -> Terrain:
    """Return the terrain of a board, worked out once."""
    mode = board.mode

    def own(faction: int, verb: str) -> Iterator[Space]:
        who = board.factions[faction]
        return (space for space in board.spaces if space.faction in (None, who) and space.action.verb == verb)

    forts = (mode.fort_dice if board.forts >> area.index & 1 else mode.defence_dice for area in board.areas)
    return Terrain(
        ways=_both(lambda f: tuple(_way(board, space) for space in own(f, "move"))),
        guns=_both(lambda f: tuple(_gun(board, space) for space in own(f, "shoot"))),
        drops=_both(lambda f: tuple(_drop(board, f, space) for space in own(f, "drop"))),
        musters=_both(lambda f: tuple(_muster(board, f, space) for space in own(f, "place"))),
        draws=tuple(
            (1 << space.index, board.twins[space.index]) for space in board.spaces if space.action.verb == "draw"
        ),
        closeness=_both(lambda f: tuple(1.0 / (1 + step) for step in distances(board, board.hq[1 - f]))),
        ground=tuple(int(kind.place != "land") for kind in mode.units),
        base_dice=tuple(forts),
    )


def _both(seen_by: Callable[[int], T]) -> tuple[T, T]:
    """Return a value for each faction."""
    return seen_by(0), seen_by(1)


def _way(board: Board, space: Space) -> Way:
    action, area = space.action, space.area_index
    near, kind = board.adjacency.of[area], board.of_kind[action.kind]
    return Way(1 << space.index, area, 1 << area, near, kind, action.bridge, action.chain)


def _gun(board: Board, space: Space) -> Gun:
    action, area = space.action, space.area_index
    reach = widest_reach(board, space) & board.of_kind[action.target]
    if action.spares_forts:
        reach &= ~board.forts
    shooter = board.mode.unit_index[action.payload or action.dice_per] if action.payload or action.dice_per else -1
    return Gun(1 << space.index, area, 1 << area, reach, action.dice, shooter, bool(action.payload), action.name)


def _drop(board: Board, faction: int, space: Space) -> Drop:
    reach = board.of_kind[space.action.kind] & ~board.no_drop & ~(1 << board.hq[1 - faction])
    return Drop(1 << space.index, 1 << space.area_index, reach, space.action.amount)


def _muster(board: Board, faction: int, space: Space) -> Muster:
    units, kind = space.amount_for(board.factions[faction]), space.action.kind
    return Muster(1 << space.index, board.twins[space.index], kind, board.mode.kinds_on[kind][0], units)


def distances(board: Board, goal: int) -> tuple[int, ...]:
    """Count how many borders lie between each area and the goal, over any areas."""
    found, reached, ring, step = [FAR] * len(board.areas), 1 << goal, 1 << goal, 0
    while ring:
        for area in members(ring):
            found[area] = step
        ring, step = board.adjacency.around(ring) & ~reached, step + 1
        reached |= ring
    return tuple(found)


@cache
def defence_chances(die: tuple[int, ...], dice: int, attackers: int, defenders: int) -> tuple[float, float]:
    """Return the chances that attackers hold an area after its defence roll, and that its defenders are gone."""
    odds = conflict_odds(die, dice, attackers, defenders)
    return float(odds.attacker_holds), float(1 - odds.defender_holds)


@cache
def emptying_chance(die: tuple[int, ...], dice: int, targets: int) -> float:
    """Return the chance that a shot of `dice` dice empties an area of `targets` units."""
    return float(shot_odds(die, dice, targets).empties)


@cache
def rolls_by_pips(die: tuple[int, ...], dice: int, most: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return a roll for each number of pips, with that number's chance; more than `most` pips count as `most`."""
    chances: dict[int, float] = {}
    for pips, chance in pool_odds(die, dice).items():
        chances[min(pips, most)] = chances.get(min(pips, most), 0.0) + float(chance)
    return tuple((_faces(die, dice, pips), chance) for pips, chance in chances.items())


def _faces(die: tuple[int, ...], dice: int, pips: int) -> tuple[int, ...]:
    """Return a roll with that many pips, or with the fewest more that dice can show."""
    faces, left = [], pips
    for rest in range(dice, 0, -1):
        face = next(f for f in sorted(set(die)) if f + (rest - 1) * max(die) >= left)
        faces.append(face)
        left -= face
    return tuple(faces)
