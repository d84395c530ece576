"""The rules of Sonae as questions: may I (judge, examine), do it (apply), what now (owed), what may I (options).

Beside them its book: the rules by their ids, what its text leaves open, and its sections in our own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal

from engine.rulebook import load_book, load_readings, load_rules, switched_readings
from engine.ruling import Finding
from engine.sonae.field import NEAR, SIDES_DEG, Place
from engine.sonae.orders import MOST, Move, end_of, reach
from engine.sonae.pools import ROLLED, Pool, pool_of
from engine.sonae.position import Due, Position, Unit
from engine.sonae.ranges import enemies_touched, is_in_range
from engine.sonae.scenario import Scenario
from engine.sonae.steps import Advance, FallBack, Fire, Order, Rally, Step, Wheel
from engine.sonae.turn import carry_on, judge_step, perform_step, start_turn
from engine.sonae.words import changes, due_words
from engine.system import Judge

BOOK = "sonae"
rules = cache(partial(load_rules, BOOK))
"""Every rule of the game by its id."""
readings = cache(partial(load_readings, BOOK))
"""The readings of what the text leaves open, by name."""
sections = partial(load_book, BOOK)
"""The sections of its book, by name."""


@dataclass(frozen=True, slots=True)
class Owed:
    """What the table owes: the due, a sentence for it, and for a test the dice with their reasons."""

    due: Due
    text: str
    pool: Pool | None = None


def new_game(scenario: Scenario, switched: Iterable[str] = ()) -> Position:
    """Return the start of a battle; raise BadPosition for a reading that is unknown or has no other answer."""
    units = tuple(Unit(name, kind.start) for name, kind in scenario.units.items())
    modes = scenario.armies[0].mode, scenario.armies[1].mode
    return carry_on(start_turn(Position(scenario, units, modes, readings=switched_readings(readings(), switched))))


_JUDGE: Judge[Position, Step] = Judge(lambda position: rules(), judge_step, perform_step, readings, changes)
judge, examine, apply, fold, replay = _JUDGE.judge, _JUDGE.examine, _JUDGE.apply, _JUDGE.fold, _JUDGE.replay
play, play_recorded = _JUDGE.play, _JUDGE.play_recorded


def owed(position: Position) -> Owed | None:
    """Return what the table owes now; None while orders are free, and once the battle is over."""
    if not position.due:
        return None
    due = position.due[0]
    pool = pool_of(position, due) if due.kind in ROLLED and due.kind != "orders" else None
    return Owed(due, due_words(position, due), pool)


# --- what each unit may be ordered, how far it may go, and why not otherwise ------------

Kind = Literal["advance", "charge", "fall_back", "turn", "fire", "rally"]
Aside = Literal["", "right", "left", "rear"]
ASIDES: tuple[Aside, ...] = ("right", "left", "rear")
FINENESS = 6
"""How often a way that is too long is halved to find how far a unit may go."""
SHORTER = ("move.distance", "move.way", "move.ground", "move.edge", "move.contact", "move.zone", "charge.brittle")
"""The rules that a shorter move may keep where a longer one breaks them."""
CHARGE_FROM = 4.0
"""No charge goes further, from edge to edge: two Movements, one along a road and one mounted."""


@dataclass(frozen=True, slots=True)
class Option:
    """One order: the step itself, and the objections to it; none where it may be given.

    A move is the furthest straight one that ends free of enemies; of a turn, `aside` is the side to which it goes.
    target: the enemy, of a charge or of fire.
    """

    kind: Kind
    step: Order
    objections: tuple[Finding, ...]
    target: str = ""
    aside: Aside = ""

    @property
    def legal(self) -> bool:
        """Whether it may be given now."""
        return not self.objections


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """A unit's orders; ahead, back, aside: how far it may go straight, in Movements. targets: enemies in its range."""

    unit: str
    ahead: float
    back: float
    aside: float
    targets: tuple[str, ...]
    orders: tuple[Option, ...]

    @property
    def may(self) -> tuple[Option, ...]:
        """The orders that it may be given."""
        return tuple(option for option in self.orders if option.legal)


@dataclass(frozen=True, slots=True)
class Options:
    """What may be ordered, by unit, and whether the player may be `done`. No orders while something else is owed.

    A victor may be done instead of rolling for Shock.
    """

    units: tuple[UnitOptions, ...] = ()
    done: bool = False


def options(position: Position) -> Options:
    """Return what may be ordered now, or which units that won a Shock may take a bonus order."""
    if position.due:
        return Options(done=position.due[0].kind == "shock")
    if position.winner is not None or not (position.acting or position.bonus):
        return Options()
    return Options(tuple(unit_options(position, unit) for unit in orderable_units(position)), done=True)


def orderable_units(position: Position) -> list[Unit]:
    """Return the units that may be given orders: those of the division that acts, or those with a bonus order.

    There are none while something else is owed.
    """
    if position.due or position.winner is not None or not (position.acting or position.bonus):
        return []
    names = position.bonus or position.scenario.divisions[position.acting].units
    return [unit for unit in map(position.unit, names) if unit is not None]


def unit_options(position: Position, unit: Unit) -> UnitOptions:
    """Return what one unit may be ordered."""
    ahead, back = straight_ahead(position, unit), _furthest(position, unit, "fall_back", "")
    turns = [_furthest(position, unit, "turn", aside) for aside in ASIDES]
    simple = immediate_orders(position, unit)
    charges = tuple(option for option in simple if option.kind == "charge")
    return UnitOptions(
        unit=unit.name,
        ahead=_length(position, unit, ahead),
        back=_length(position, unit, back),
        aside=max(_length(position, unit, turn) for turn in turns),
        targets=tuple(option.target for option in simple if option.kind == "fire"),
        orders=(ahead, *charges, back, *turns, *simple[len(charges) :]),
    )


def immediate_orders(position: Position, unit: Unit) -> tuple[Option, ...]:
    """Return the orders of a unit that need no search for a way: charges, shots at enemies in range, a rally."""
    enemies = position.enemies(unit.name)
    charges = [option for enemy in enemies for option in charge_options(position, unit, enemy)]
    targets = (enemy.name for enemy in enemies if is_in_range(position, unit.name, enemy.name))
    fire = [_option(position, "fire", Fire(unit.name, name), name) for name in targets]
    return *charges, *fire, _option(position, "rally", Rally(unit.name))


def turn_in_place(position: Position, unit: Unit) -> Option:
    """Return the option of a turn to the right on the spot: the least that a unit may be ordered."""
    return _option(position, "turn", _straight_move(position, unit, "turn", "right", 0.0), aside="right")


def may_move(position: Position, unit: Unit) -> bool:
    """Return whether there is at least one move that the unit may be ordered to make.

    The search ends at the first move that the unit may make.
    """
    return turn_in_place(position, unit).legal or any(_furthest(position, unit, *way).legal for way in _WAYS)


def straight_ahead(position: Position, unit: Unit) -> Option:
    """Return the furthest advance straight ahead that ends free of enemies; if there is none, the longest one."""
    return _furthest(position, unit, "advance", "")


def _option(position: Position, kind: Kind, step: Order, target: str = "", aside: Aside = "") -> Option:
    return Option(kind, step, judge(position, step).objections, target, aside)


def _length(position: Position, unit: Unit, option: Option) -> float:
    """Return how far an order goes, in Movements; 0 if it may not be given."""
    return round(_distance(position, unit, option), 2) if option.legal else 0.0


def _distance(position: Position, unit: Unit, option: Option) -> float:
    assert isinstance(option.step, Advance | FallBack | Wheel)
    return position.measure.distance(unit.place.at, end_of(position, unit, option.step).at)


# --- moves --------------------------------------------------------------------------------


def _furthest(position: Position, unit: Unit, kind: Kind, aside: Aside) -> Option:
    """Return the furthest straight move that ends free of enemies; if there is none, the longest one, as judged.

    A turn may also stay where it is.
    """

    def tried(length: float) -> Option:
        return _option(position, kind, _straight_move(position, unit, kind, aside, length), aside=aside)

    whole = tried(_full_length(position, unit, kind, aside))
    if not whole.legal and any(objection.rule not in SHORTER for objection in whole.objections):
        return whole
    free = (option for option in _candidate_moves(position, unit, whole, tried) if _is_free(position, unit, option))
    found = next(free, None)
    if found is None and kind == "turn":
        return tried(0.0)
    return whole if found is None else found


def _full_length(position: Position, unit: Unit, kind: Kind, aside: Aside) -> float:
    """Return how far a straight move of this kind could go at most."""
    step = _straight_move(position, unit, kind, aside, MOST[_MOVES[kind]])
    assert isinstance(step, Advance | FallBack | Wheel)
    return max(MOST[_MOVES[kind]], reach(position, unit, end_of(position, unit, step), _MOVES[kind]))


def _candidate_moves(
    position: Position, unit: Unit, whole: Option, tried: Callable[[float], Option]
) -> Iterator[Option]:
    """Yield the whole move, then ones shorter cell by cell, or the best that is found by halving."""
    yield whole
    far, near = _distance(position, unit, whole), 0.0
    if position.scenario.grid != "free":
        yield from (tried(float(length)) for length in range(int(far) - 1, 0, -1))
        return
    for _ in range(FINENESS):
        half = (near + far) / 2
        near, far = (half, far) if _is_free(position, unit, tried(half)) else (near, half)
    if near > NEAR:
        yield tried(near)


def _is_free(position: Position, unit: Unit, option: Option) -> bool:
    assert isinstance(option.step, Advance | FallBack | Wheel)
    return option.legal and not enemies_touched(position, unit, end_of(position, unit, option.step))


def _straight_move(position: Position, unit: Unit, kind: Kind, aside: Aside, length: float) -> Order:
    """Return a move of this length straight ahead, after any turn `aside`, or straight back to fall back."""
    side = SIDES_DEG.get(position.scenario.grid, 90.0)
    facing_deg = (unit.place.facing_deg + {"": 0.0, "right": side, "left": -side, "rear": 180.0}[aside]) % 360.0
    end = replace(unit.place, facing_deg=facing_deg).moved(0.0, -length if kind == "fall_back" else length)
    x, y = round(end.x, 4), round(end.y, 4)
    if kind == "turn":
        return Wheel(unit.name, facing_deg, x, y)
    return Advance(unit.name, x, y) if kind == "advance" else FallBack(unit.name, x, y)


_WAYS: tuple[tuple[Kind, Aside], ...] = (("fall_back", ""), ("advance", ""), *(("turn", aside) for aside in ASIDES))
_MOVES: dict[Kind, type[Move]] = {"advance": Advance, "charge": Advance, "fall_back": FallBack, "turn": Wheel}


# --- charges ------------------------------------------------------------------------------


def charge_options(position: Position, unit: Unit, enemy: Unit) -> tuple[Option, ...]:
    """Return the charge at an enemy in front that is near and not in contact yet, as one option; else none."""
    measure = position.measure
    near = measure.is_near(unit.place, enemy.place, CHARGE_FROM)
    if not near or unit.place.quarter(enemy.place.at) != "front" or measure.touches(unit.place, enemy.place):
        return ()
    end = _contact_place(position, unit, enemy)
    return () if end is None else (_option(position, "charge", Advance(unit.name, end.x, end.y), enemy.name),)


def _contact_place(position: Position, unit: Unit, enemy: Unit) -> Place | None:
    """Return where a unit going straight at an enemy comes into contact; None if it never does."""
    start, measure = unit.place, position.measure
    if measure.grid != "free":
        goal = replace(enemy.place, facing_deg=start.facing_deg)
        return next((place for place in measure.way(start, goal) if measure.touches(place, enemy.place)), None)
    near, far = 0.0, 1.0
    for _ in range(14):
        part = (near + far) / 2
        near, far = (
            (near, part) if measure.overlaps(_place_between(start, enemy.place, part), enemy.place) else (part, far)
        )
    return _place_between(start, enemy.place, near)


def _place_between(start: Place, goal: Place, part: float) -> Place:
    """Return a base moved part of the way to another one's middle; `part` is from 0 to 1."""
    x, y = start.x + (goal.x - start.x) * part, start.y + (goal.y - start.y) * part
    return replace(start, x=round(x, 3), y=round(y, 3))
