"""The only translator between the eye's markers and the rules' units: what was measured, as places of a battle.

Both have their origin in the near left corner and measure in base widths, which are Movements; a facing is in degrees
clockwise from the far edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.language import _
from engine.sonae.field import SIDES_DEG, Cell, Measure, Place, angle_between, distance
from engine.sonae.position import Position
from engine.words import decimal

if TYPE_CHECKING:
    from vision.bases.bases import Measurement, MisplacedCorner
from collections.abc import Iterator
from dataclasses import replace

from engine.ruling import Ruling
from engine.sonae import game
from engine.sonae.orders import QUARTER_DEG, Move
from engine.sonae.steps import Advance, FallBack, Wheel


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where each unit was seen, and what was moved since the last recorded step.

    places: of the units seen, in Movements; errors: how far each may be off. unseen: units in the battle whose markers
    were not seen. doubtful: seen, but less exactly than to a tenth. left: seen though they have left the battle.
    strangers: markers that no unit has. twice: markers that were seen in two places. missing: corner markers that were
    not seen; misplaced: those that lie elsewhere, and were not used. grid: cells of units in a battle on a grid. fault:
    why nothing was measured.
    """

    places: Mapping[str, Place] = field(default_factory=dict, hash=False)
    errors: Mapping[str, float] = field(default_factory=dict, hash=False)
    unseen: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    strangers: tuple[int, ...] = ()
    twice: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    misplaced: Mapping[int, MisplacedCorner] = field(default_factory=dict, hash=False)
    moved: tuple[MovedUnit, ...] = ()
    grid: Mapping[str, OnGrid] = field(default_factory=dict, hash=False)
    fault: str = ""

    @property
    def in_sync(self) -> bool:
        """Whether every unit was seen, and stands where the record has it."""
        return not (self.fault or self.moved or self.unseen or self.left or self.doubtful or self.twice)

    @property
    def illegal(self) -> tuple[MovedUnit, ...]:
        """The moved units whose move neither one legal order nor two explain."""
        return tuple(moved_unit for moved_unit in self.moved if not moved_unit.legal and not moved_unit.orders)


def sighting_of(position: Position, seen: Measurement) -> Sighting:
    """Translate what the eye measured into a battle's units and places, and explain what has moved."""
    kinds = position.scenario.units
    by_marker = {kind.marker: name for name, kind in kinds.items() if kind.marker >= 0}
    standing = {by_marker[number]: base for number, base in seen.standing.items() if number in by_marker}
    inside = {name: base for name, base in standing.items() if position.unit(name) is not None}
    places = {
        name: Place(base.x, base.y, base.facing_deg, position.here(name).place.depth) for name, base in inside.items()
    }
    errors = {name: base.error for name, base in inside.items()}
    sure = {name: place for name, place in places.items() if not inside[name].doubtful}
    on_cells = (
        {}
        if position.measure.grid == "free"
        else {name: on_grid(position.measure, place, errors[name]) for name, place in places.items()}
    )
    return Sighting(
        places=places,
        errors=errors,
        unseen=tuple(unit.name for unit in position.units if kinds[unit.name].marker >= 0 and unit.name not in places),
        doubtful=tuple(name for name, base in inside.items() if base.doubtful),
        left=tuple(name for name in standing if name not in inside),
        strangers=tuple(number for number in seen.standing if number not in by_marker),
        twice=seen.twice,
        missing=seen.missing,
        misplaced=seen.misplaced,
        moved=explain_moves(position, sure, errors),
        grid=on_cells,
        fault=_fault(seen, position),
    )


def _fault(seen: Measurement, position: Position) -> str:
    """Say why nothing was measured, and what to do about it; "" if something was."""
    if seen.camera is not None:
        return ""
    if not seen.clashing:
        form = _("Can't see the markers in these corners: {corners}. At least two of the four are needed.")
        return form.format(corners=_corners(seen.missing))
    form = _(
        "The corner markers don't match a {wide} × {high} Movement field. Check that each is in its own corner and "
        "not turned: {corners}."
    )
    wide, high = position.scenario.size
    return form.format(wide=decimal(wide), high=decimal(high), corners=_corners(seen.clashing))


def _corners(numbers: Iterable[int]) -> str:
    return ", ".join(map(corner_name, numbers))


def misplaced_words(number: int, how: MisplacedCorner) -> str:
    """Say what is wrong with a corner marker, naming it as its paper does."""
    marker = corner_name(number)
    if how.at is not None:
        form = _("The “{marker}” marker is in the wrong corner: {other}.")
        return form.format(marker=marker, other=corner_name(how.at))
    if how.turned:
        return _("The “{marker}” marker is turned {deg}°.").format(marker=marker, deg=f"{abs(how.turned_deg):.0f}")
    return _("The “{marker}” marker is {n} Movements off its place.").format(marker=marker, n=decimal(how.off, 1))


def corner_name(number: int) -> str:
    """Return the name of a corner of the table, by the number of its marker: "far left"."""
    # numbers of vision.bases.markers.CORNERS, which would load numpy for them
    words = {246: _("far left"), 247: _("far right"), 248: _("near right"), 249: _("near left")}
    return words[number]


def as_seen(position: Position, seen: Sighting) -> Position:
    """Return the position with every seen unit standing where it was seen: for the ruler, not for the record."""
    for name, place in seen.places.items():
        position = position.with_unit(name, place=position.measure.snapped(place))
    return position


BETWEEN = 0.08
"""How near to the border between two cells, in Movements beyond the eye's own error, a base stands between them."""
BETWEEN_DEG = 8.0
"""How near to the middle between two facings a base faces neither."""


@dataclass(frozen=True, slots=True)
class OnGrid:
    """The cell a base stands in, as column and row from the near left, and its place there, facing a side.

    off, off_deg: how far from the cell's middle and from that side it was measured. others: cells that it may be meant
    to stand in as well. clear_facing: whether there is no doubt which side it faces.
    """

    cell: Cell
    place: Place
    off: float
    off_deg: float
    others: tuple[Cell, ...] = ()
    clear_facing: bool = True

    @property
    def clear(self) -> bool:
        """Whether it stands in one cell and faces one side."""
        return not self.others and self.clear_facing


def on_grid(measure: Measure, place: Place, error: float = 0.0) -> OnGrid:
    """Return the cell of a base on a square or hex grid, and how clear it is. error: the eye's, in Movements."""
    there = measure.snapped(place)
    cell, off = measure.cell(place.at), distance(place.at, there.at)
    off_deg = angle_between(place.facing_deg, there.facing_deg)
    clear_facing = SIDES_DEG[measure.grid] / 2 - off_deg >= BETWEEN_DEG
    reach = error + BETWEEN
    around = (measure.cell(place.moved(x * reach, y * reach).at) for x in (-1, 0, 1) for y in (-1, 0, 1))
    others = tuple(dict.fromkeys(near for near in around if near != cell))
    return OnGrid(cell, there, off, off_deg, others, clear_facing)


# ---- what was moved, and the orders that explain it ----------------------------------------------


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
    """Judge an order as the game is now; if illegal, add what the move itself breaks, as if it could be ordered."""
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
    """Return the measured facing; exactly a quarter turn if it was a few degrees short of that."""
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
