"""What dice leave in an area, in numbers of units: the quick sum beside which `conflict` carries it out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from engine.dice import pool_odds
from engine.orders.position import Position


class Clash(NamedTuple):
    """Units of the faction that acts and of its enemy in an area, before the dice; `shot` where only enemies may go."""

    area: int
    mine: int
    theirs: int
    shot: bool


class Outcome(NamedTuple):
    """One way for dice to leave an area: the sums of units by faction, the totals that do it, and their chance."""

    sums: tuple[int, int]
    pips: tuple[int, ...]
    chance: float
    likeliest: int


def outcomes(position: Position, clash: Clash, dice: int) -> Iterator[Outcome]:
    """Yield all ways for so many dice to leave an area at the end of the turn."""
    odds = pool_odds(position.board.mode.die, dice)
    # totals that leave the same units are one outcome: no look at the table can tell them apart
    ways: dict[tuple[int, int], list[int]] = {}
    for pips in odds:
        ways.setdefault(_end_sums(position, clash, pips), []).append(pips)
    for sums, totals in ways.items():
        chance = sum((odds[pips] for pips in totals), Fraction(0))
        yield Outcome(sums, tuple(totals), float(chance), max(totals, key=odds.__getitem__))


def _end_sums(position: Position, clash: Clash, pips: int) -> tuple[int, int]:
    mine, theirs = clash.mine, clash.theirs
    if clash.shot:
        theirs -= min(pips, theirs)
    else:
        # the defender's dice first, then attrition: both sides lose one unit each at a time (Conflicts)
        mine -= min(pips, mine)
        mine, theirs = mine - min(mine, theirs), theirs - min(mine, theirs)
    # an empty headquarters ends the game at once, before the limits are looked at (Game End)
    falls = clash.area == position.board.hq[1 - position.to_move] and not theirs
    return sums_within_limits(position, clash.area, (mine, theirs), falls)


def sums_within_limits(position: Position, area: int, left: tuple[int, int], falls: bool = False) -> tuple[int, int]:
    """Return the sums by faction of the acting side's and its enemy's remaining units.

    The limits are kept unless the game is over.
    """
    cap = position.board.mode.caps[position.board.areas[area].kind]
    mine, theirs = left if falls else (min(left[0], cap), min(left[1], cap))
    return (theirs, mine) if position.to_move else (mine, theirs)
