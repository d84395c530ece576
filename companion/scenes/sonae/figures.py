"""A battle in figures: what each side lost, what it rolled, and what it could have hoped for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.text.sonae import SIX
from engine.sonae.game import owed
from engine.sonae.position import Position
from engine.sonae.steps import Advance, FallBack, Fire, Rally, Roll, Step, Wheel

BOTH = (0, 1)


@dataclass(frozen=True, slots=True)
class BattleFigures:
    """One side's battle. hoped: the sixes that its dice were worth on average; orders: how many it gave."""

    units: int
    began: int
    lost: int
    orders: int
    fired: int
    dice: int
    sixes: int
    hoped: float

    @property
    def luck(self) -> float:
        """Sixes more than could be hoped for."""
        return self.sixes - self.hoped


def battle_figures(positions: Iterable[Position], steps: Iterable[Step]) -> tuple[BattleFigures, BattleFigures]:
    """Both sides' figures of a whole game: the position before each step and the last one, and the steps."""
    known, told = tuple(positions), tuple(steps)
    return _figures(known, told, 0), _figures(known, told, 1)


def _figures(positions: tuple[Position, ...], steps: tuple[Step, ...], side: int) -> BattleFigures:
    scenario = positions[0].scenario
    began = sum(kind.side == side for kind in scenario.units.values())
    left = sum(positions[-1].side(one.name) == side for one in positions[-1].units)
    rolls = [dice for before, step in zip(positions, steps, strict=False) for dice in _dice(before, step, side)]
    dice, sixes = sum(map(len, rolls)), sum(die == SIX for roll in rolls for die in roll)
    orders = [step for step in steps if _orders_unit(step, positions[0], side)]
    fired = sum(isinstance(step, Fire) for step in orders)
    return BattleFigures(left, began, began - left, len(orders), fired, dice, sixes, dice / SIX)


def _dice(before: Position, step: Step, side: int) -> list[tuple[int, ...]]:
    """The hit dice of a step that this side rolled; the die for orders is none."""
    now = owed(before) if isinstance(step, Roll) else None
    if now is None or now.pool is None or now.due.by != side or not isinstance(step, Roll):
        return []
    return [step.dice]


def _orders_unit(step: Step, start: Position, side: int) -> bool:
    """Whether it is an order to a unit of this side."""
    return isinstance(step, Advance | FallBack | Wheel | Fire | Rally) and start.scenario.units[step.unit].side == side
