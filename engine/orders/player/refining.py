"""Small changes to a turn: a unit more or less from an area, or put into another one, as long as that is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.orders.game import Offer, judge, legal
from engine.orders.player.prospects import Turn
from engine.orders.position import Position
from engine.orders.steps import Deploy, Load, merge_loads

ROUNDS = 6


def refine_turn(position: Position, turn: Turn, value: Callable[[Turn], float]) -> Turn:
    """Return the turn, changed step by step to the best legal one next to it, as long as its value grows."""
    if not isinstance(turn, Deploy) or turn.cards or not (turn.place or turn.moves):
        return turn
    offer = legal(position).spaces[turn.space]
    best, most = turn, value(turn)
    for _ in range(ROUNDS):
        found = [change for change in _neighbours(best, offer) if judge(position, change).legal]
        values = [(value(change), -at) for at, change in enumerate(found)]
        if not values or max(values)[0] <= most:
            return best
        most, at = max(values)
        best = found[-at]
    return best


def _neighbours(turn: Deploy, offer: Offer) -> Iterator[Deploy]:
    """Yield turns that differ by one unit."""
    if turn.place:
        for area, unit, _ in turn.place:
            for other in offer.areas:
                if other != area:
                    place = _add_load(_add_load(turn.place, (area, unit, -1)), (other, unit, 1))
                    yield replace(turn, place=place)
        return
    for area, units in offer.sources.items():
        for unit in units:
            for n in (-1, 1):
                moves = _add_load(turn.moves, (area, unit, n))
                if moves and all(load[2] > 0 for load in moves):
                    yield replace(turn, moves=moves)


def _add_load(loads: tuple[Load, ...], load: Load) -> tuple[Load, ...]:
    return tuple(sorted(entry for entry in merge_loads((*loads, load)) if entry[2]))
