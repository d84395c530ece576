"""Orders that need no choosing: the likely ones of a division, and one for all of its units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.sonae import game
from engine.sonae.field import Place
from engine.sonae.options import Option, immediate_orders, may_move, ordered_units, straight_ahead
from engine.sonae.pools import pool_of
from engine.sonae.position import Position, Unit
from engine.sonae.steps import Order

WORTH_GOING = 0.5
"""A unit that could go less far, in Movements, stays where it is when all go."""
RANK = {"fire": 0, "charge": 1, "rally": 2, "advance": 3, "turn": 4, "fall_back": 5}
"""What an order is likely to be, where the rules allow it: a unit that may fire or charge seldom marches."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A unit with its shots, charges and rally that the rules allow. may: whether it may be given any order."""

    unit: str
    quick: tuple[Option, ...]
    may: bool


def ready_units(position: Position) -> tuple[Ready, ...]:
    """Return the units that may be ordered now.

    No path is searched for where something simpler may be ordered.
    """
    return tuple(_ready(position, unit) for unit in ordered_units(position))


def _ready(position: Position, unit: Unit) -> Ready:
    quick = tuple(order for order in immediate_orders(position, unit) if order.legal)
    return Ready(unit.name, quick, bool(quick) or may_move(position, unit))


def likely(position: Position, units: Iterable[Ready]) -> list[Option]:
    """Return the shots, charges and rallies of a division, the likeliest to succeed first."""
    found = [order for unit in units for order in unit.quick]
    return sorted(found, key=lambda order: (RANK[order.kind], -chance_of(position, order)))


def by_likelihood(orders: Iterable[Option]) -> list[Option]:
    """Sort a unit's orders: the legal ones first, and of those the likely ones first."""
    return sorted(orders, key=lambda order: (not order.legal, RANK[order.kind]))


def chance_of(position: Position, order: Option) -> Fraction:
    """Return the chance that the first roll of an order succeeds; 0 if it needs none."""
    if order.kind not in ("fire", "rally"):
        return Fraction(0)
    after = game.apply(position, order.step)
    return pool_of(after, after.due[0]).chance if after.due else Fraction(0)


def all_ahead(position: Position) -> tuple[Order, ...]:
    """Return an advance for each unit without an order yet, those in front first, while the orders last.

    Stops after an advance that leaves something owed.
    """
    division = position.scenario.divisions.get(position.acting)
    units = [unit for unit in map(position.unit, division.units if division else ()) if unit and not unit.orders]
    found: list[Order] = []
    for unit in sorted(units, key=lambda unit: -_how_far_in_front(unit.place)):
        option = straight_ahead(position, unit)
        if option.legal and not position.due and _far_enough(position, option):
            found.append(option.step)
            position = game.apply(position, option.step)
    return tuple(found)


def _how_far_in_front(place: Place) -> float:
    """Return how far along its own facing a base is."""
    ahead = replace(place, x=0.0, y=0.0).moved(0.0, 1.0)
    return place.x * ahead.x + place.y * ahead.y


def _far_enough(position: Position, option: Option) -> bool:
    start, end = position.here(option.step.unit).place, game.apply(position, option.step).here(option.step.unit).place
    return position.measure.distance(start.at, end.at) >= WORTH_GOING
