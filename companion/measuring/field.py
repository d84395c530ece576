"""The only translator between the eye's markers and the rules' units: what was measured, as places of a battle.

Both have their origin in the near left corner and measure in base widths, which are Movements; a facing is in degrees
clockwise from the far edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.language import _
from companion.measuring.moves import MovedUnit, explain_moves
from engine.sonae.field import SIDES_DEG, Cell, Measure, Place, angle_between, distance
from engine.sonae.position import Position
from engine.words import decimal

if TYPE_CHECKING:
    from vision.bases.bases import Measurement, MisplacedCorner


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where each unit is, as far as it was seen, and what was moved since the last recorded step.

    places: of units seen, in Movements; errors: how far each may be off. unseen: units in the battle whose markers
    were not seen; nothing is guessed of them. doubtful: seen, but less exactly than a tenth. left: seen though they
    have left the battle. strangers: markers that no unit has. twice: markers that were seen in two places. missing:
    corner markers that were not seen; misplaced: those that lie elsewhere, and were not used. grid: cells of units in a
    battle on a grid. fault: why nothing was measured.
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
        """Whether the table is as the record has it, all of it seen."""
        return not (self.fault or self.moved or self.unseen or self.left or self.doubtful or self.twice)

    @property
    def illegal(self) -> tuple[MovedUnit, ...]:
        """What was moved against the rules, two orders considered."""
        return tuple(moved_unit for moved_unit in self.moved if not moved_unit.legal and not moved_unit.orders)


def sighting_of(position: Position, seen: Measurement) -> Sighting:
    """Translate what the eye measured into the names and places of a battle."""
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
    return ", ".join(map(corner_words, numbers))


def misplaced_words(number: int, how: MisplacedCorner) -> str:
    """Say what is wrong with a corner marker, naming it as its paper does."""
    marker = corner_words(number)
    if how.at is not None:
        form = _("The “{marker}” marker is in the wrong corner: {other}.")
        return form.format(marker=marker, other=corner_words(how.at))
    if how.turned:
        return _("The “{marker}” marker is turned {deg}°.").format(marker=marker, deg=f"{abs(how.turned_deg):.0f}")
    return _("The “{marker}” marker is {n} Movements off its place.").format(marker=marker, n=decimal(how.off, 1))


def corner_words(number: int) -> str:
    """Return the words for a corner of the table, by the number of its marker."""
    # numbers of vision.bases.markers.CORNERS, which would load numpy for them
    words = {246: _("far left"), 247: _("far right"), 248: _("near right"), 249: _("near left")}
    return words[number]


def as_seen(position: Position, seen: Sighting) -> Position:
    """Return the position with every unit standing where it was seen: for the ruler, not for the record."""
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
    """Return the cell of a base on a square or hex grid, measured with such an error."""
    there = measure.snapped(place)
    cell, off = measure.cell(place.at), distance(place.at, there.at)
    off_deg = angle_between(place.facing_deg, there.facing_deg)
    clear_facing = SIDES_DEG[measure.grid] / 2 - off_deg >= BETWEEN_DEG
    reach = error + BETWEEN
    around = (measure.cell(place.moved(x * reach, y * reach).at) for x in (-1, 0, 1) for y in (-1, 0, 1))
    others = tuple(dict.fromkeys(near for near in around if near != cell))
    return OnGrid(cell, there, off, off_deg, others, clear_facing)
