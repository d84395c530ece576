"""What was moved on the table since the record: the order that explains it, and whether the rules allow it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.ruling import Ruling
from engine.sonae import game
from engine.sonae.field import Place, angle_between, distance
from engine.sonae.orders import QUARTER_DEG, Move
from engine.sonae.position import Position
from engine.sonae.steps import Advance, FallBack, Wheel

STILL, STILL_DEG = 0.15, 15.0
"""What moved less than this, in Movements and degrees, was not moved: hands brush against bases."""
SLACK = 0.03
"""What people's hands are off besides the eye's own error when they move a base as far as they may."""


@dataclass(frozen=True, slots=True)
class MovedUnit:
    """A unit that is elsewhere than recorded. gone: Movements; turned_deg: how far its facing changed.

    step: the one order that explains it best, with what is against it. orders: two orders that explain it and are both
    allowed, where one is not.
    """

    unit: str
    was: Place
    now: Place
    gone: float
    turned_deg: float
    step: Move
    ruling: Ruling
    orders: tuple[Move, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether one order explains it."""
        return self.ruling.legal

    @property
    def why_not(self) -> tuple[str, ...]:
        """Every objection to the one order, each with where it is written."""
        return tuple(f"{objection.message}: {objection.citation}" for objection in self.ruling.objections)


def has_moved(position: Position, was: Place, now: Place) -> bool:
    """Return whether a base is elsewhere than recorded: on a grid, in another cell or facing another side of it."""
    measure = position.measure
    if measure.grid != "free":
        here = measure.snapped(now)
        return measure.cell(was.at) != measure.cell(now.at) or angle_between(was.facing_deg, here.facing_deg) > 1.0
    return distance(was.at, now.at) > STILL or angle_between(was.facing_deg, now.facing_deg) > STILL_DEG


def explain_moves(
    position: Position, places: Mapping[str, Place], errors: Mapping[str, float]
) -> tuple[MovedUnit, ...]:
    """Return every unit that is elsewhere than recorded, with the order that explains it.

    Moves are judged one after the other, those first that are allowed and leave nothing owed: nobody saw in which order
    they were made.
    """
    left = [unit for unit, place in places.items() if has_moved(position, position.here(unit).place, place)]
    found: list[MovedUnit] = []
    now = position
    while left:
        judged = [_explain(now, unit, places[unit], errors.get(unit, 0.0)) for unit in left]
        best = min(
            judged,
            key=lambda moved_unit: (
                not moved_unit.legal,
                moved_unit.legal and bool(game.apply(now, moved_unit.step).due),
            ),
        )
        found.append(best)
        left.remove(best.unit)
        now = game.apply(now, best.step) if best.legal else now.with_unit(best.unit, place=best.now)
    return tuple(found)


def _explain(position: Position, unit: str, seen: Place, error: float) -> MovedUnit:
    was, now = position.here(unit).place, position.measure.snapped(seen)
    tries = [(step, _judge(position, step)) for step in _steps(unit, was, now, error + SLACK)]
    step, ruling = next((attempt for attempt in tries if attempt[1].legal), tries[0])
    orders = () if ruling.legal else _two_orders(position, unit, now)
    return MovedUnit(
        unit, was, now, distance(was.at, now.at), angle_between(was.facing_deg, now.facing_deg), step, ruling, orders
    )


def _judge(position: Position, order: Move) -> Ruling:
    """Judge an order as the game is now, and against the move itself, as if the unit could be ordered."""
    ruling = game.judge(position, order)
    if ruling.legal:
        return ruling
    division = position.division(order.unit).name
    ordered = replace(position, due=(), acting=division, orders=max(1, position.orders), bonus=(), fighting=False)
    known = {finding.rule for finding in ruling.findings}
    more = (objection for objection in game.judge(ordered, order).objections if objection.rule not in known)
    return Ruling((*ruling.findings, *more))


def _steps(unit: str, was: Place, now: Place, slack: float) -> Iterator[Move]:
    """Yield the order as measured, then shortened by what the eye and hands may be off."""
    for nearer in (0.0, slack):
        end = _nearer(was, now, nearer)
        if distance(was.at, now.at) <= STILL:
            end = replace(now, x=was.x, y=was.y)
        if angle_between(was.facing_deg, now.facing_deg) > STILL_DEG:
            yield Wheel(unit, _to_a_quarter(was.facing_deg, now.facing_deg), end.x, end.y)
        elif was.quarter(end.at) == "rear":
            yield FallBack(unit, end.x, end.y)
        else:
            yield Advance(unit, end.x, end.y)


def _nearer(was: Place, now: Place, by: float) -> Place:
    """Return a place nearer to where a base was by this distance, or where it was if it moved less."""
    gone = distance(was.at, now.at)
    part = max(0.0, 1 - by / gone) if gone > 0 else 1.0
    return replace(now, x=round(was.x + (now.x - was.x) * part, 3), y=round(was.y + (now.y - was.y) * part, 3))


def _to_a_quarter(was_deg: float, now_deg: float) -> float:
    """Return the measured facing, moved into the next quarter if it was a few degrees short of that."""
    signed = (now_deg - was_deg + 180.0) % 360.0 - 180.0
    if QUARTER_DEG - 5.0 < abs(signed) < QUARTER_DEG:
        signed = QUARTER_DEG if signed > 0 else -QUARTER_DEG
    return round((was_deg + signed) % 360.0, 1)


def _two_orders(position: Position, unit: str, now: Place) -> tuple[Move, ...]:
    """Return two legal Move Orders that together bring a unit there; () if there are none."""
    was = position.here(unit).place
    half = replace(was, x=(was.x + now.x) / 2, y=(was.y + now.y) / 2)
    here = replace(was, facing_deg=now.facing_deg)
    ways: list[tuple[Move, Move]] = []
    if angle_between(was.facing_deg, now.facing_deg) <= STILL_DEG:
        ways.append((_last(unit, was, half), _last(unit, half, replace(now, facing_deg=was.facing_deg))))
    else:
        turn = _to_a_quarter(was.facing_deg, now.facing_deg)
        ways.append((Wheel(unit, turn, was.x, was.y), _last(unit, here, now)))
        ways.append((_last(unit, was, replace(now, facing_deg=was.facing_deg)), Wheel(unit, turn, now.x, now.y)))
    return next((way for way in ways if game.replay(position, way).failed is None), ())


def _last(unit: str, was: Place, now: Place) -> Move:
    """Return the move that keeps its facing: ahead, or back."""
    return FallBack(unit, now.x, now.y) if was.quarter(now.at) == "rear" else Advance(unit, now.x, now.y)
