"""A board while it is traced: one frozen value, with all that was set on it so far, and what follows from that.

Places on the board are in mm, x to the right, y down, from its top left corner. A place that belongs to something is
either a hex (a cell of the grid) or the name of an air zone. Names, borders and outlines follow from the hexes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.tracing.hexes import (
    BoardGrid,
    Cell,
    NotOnePiece,
    Point,
    area_name,
    box,
    hex_names,
    outline,
    touching,
)

Corner = tuple[float, float]
"""A corner of the board, as parts of the photo's width and height."""
Home = Cell | str
Units = tuple[tuple[str, str, int], ...]
"""(faction, unit, how many)."""

SIZE_MM = (260.8, 296.5)
"""Of a board that nobody has measured yet: that of Rivers, the one printed map that has been measured."""
SPACE_SIDE_MM = 6.5
NOTHING = "none"
"""The kind that a tool gives to hexes off the map."""
ZONE = "zone-"
ON_MAP = ("move", "shoot", "drop")
"""The verbs of actions whose spaces lie on the map; those of the others are on the support board."""


@dataclass(frozen=True, slots=True)
class Patch:
    """An area of the map: the hexes that belong together, and all that is printed on them.

    piers: hexes of the waters that a pier of it leads to; zone: the colour of the air zone above it.
    """

    cells: tuple[Cell, ...]
    kind: str
    vp: int = 0
    hq: str = ""
    slot: str = ""
    printed: str = ""
    fort: bool = False
    no_drop: bool = False
    zone: str = ""
    piers: tuple[Cell, ...] = ()
    start: Units = ()


@dataclass(frozen=True, slots=True)
class AirSection:
    """Where the aircraft of an air zone are placed beside the map, and which begin there."""

    zone: str
    centre_mm: Point
    size_mm: Point
    start: Units = ()

    def holds(self, point: Point) -> bool:
        """Return whether a place (mm) lies in the section."""
        places = zip(point, self.centre_mm, self.size_mm, strict=True)
        return all(abs(at - middle) <= side / 2 for at, middle, side in places)


@dataclass(frozen=True, slots=True)
class DraftSpace:
    """An action space on the map. on: the area's hex or the zone it belongs to; faction: whose it is, "" for both."""

    action: str
    on: Home
    at_mm: Point
    faction: str = ""


@dataclass(frozen=True, slots=True)
class SupportNumber:
    """An action space of the support board, as its owner reads it; `amounts` by faction where they differ."""

    space: str
    amount: int
    siege: int = 0
    initiative: bool = False
    amounts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class OwnCard:
    """A card as its owner reads it: the keys of a card of the engine's tables."""

    name: str
    title: str
    copies: int
    verb: str = "table"
    moment: str = "any"
    action: str = ""
    by: str = "either"
    amount: int = 0
    unit: str = ""
    text: str = ""
    condition: str = ""
    into_enemy: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """All that is known so far of a board being traced.

    corners: where it lies in the photo: top left, top right, bottom right, bottom left. symmetry: "" or what maps the
    board to itself with its factions exchanged: "mirror" left and right, "flip" top and bottom, "turn" by half a turn.
    links: pairs of air zones for which the owner has reversed whether they border each other.
    """

    name: str
    mode: str
    corners: tuple[Corner, ...] = ()
    size_mm: Point = SIZE_MM
    grid: BoardGrid | None = None
    patches: tuple[Patch, ...] = ()
    sections: tuple[AirSection, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    spots: tuple[DraftSpace, ...] = ()
    space_side_mm: float = SPACE_SIDE_MM
    symmetry: str = ""
    support: tuple[SupportNumber, ...] = ()
    cards: tuple[OwnCard, ...] = ()
    scenery: str = ""

    def patch_at(self, cell: Cell) -> Patch | None:
        """Return the area that a hex belongs to; None if it belongs to none."""
        return next((patch for patch in self.patches if cell in patch.cells), None)

    def section_of(self, zone: str) -> AirSection | None:
        """Return the aircraft section of a zone, named by its colour; None if there is none."""
        return next((section for section in self.sections if section.zone == zone), None)

    def home_at(self, point: Point) -> Home | None:
        """Return what a touched place belongs to: the zone whose section holds it, else a hex; None without a grid."""
        section = next((section for section in self.sections if section.holds(point)), None)
        if section is not None:
            return section.zone
        return self.grid.cell_at(point) if self.grid else None

    @property
    def zones(self) -> tuple[str, ...]:
        """The air zones in use, each named by its colour, once: first those of sections, then those above areas."""
        named = [section.zone for section in self.sections] + [patch.zone for patch in self.patches if patch.zone]
        return tuple(dict.fromkeys(named))

    def spots_on(self, home: Home) -> tuple[DraftSpace, ...]:
        """Return the action spaces of a zone, or of the area that a hex belongs to."""
        patch = None if isinstance(home, str) else self.patch_at(home)
        cells = patch.cells if patch else (home,)
        return tuple(spot for spot in self.spots if spot.on in cells)

    def with_patch(self, old: Patch | None, *new: Patch) -> Draft:
        """Return the draft with these areas in place of the old one; without an old one they are added."""
        if old is None:
            return replace(self, patches=(*self.patches, *new))
        at = self.patches.index(old)
        return replace(self, patches=(*self.patches[:at], *new, *self.patches[at + 1 :]))


@dataclass(slots=True)
class History:
    """A draft with its undo and redo, and a count of the touches it took."""

    draft: Draft
    touches: int = 0
    _before: list[Draft] = field(default_factory=list)
    _after: list[Draft] = field(default_factory=list)

    def put(self, draft: Draft) -> bool:
        """Make this the draft, as one more touch; return whether it differs from the one before."""
        self.touches += 1
        if draft == self.draft:
            return False
        self._before.append(self.draft)
        self._after.clear()
        self.draft = draft
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone change to redo."""
        return bool(self._after)

    def undo(self) -> None:
        """Undo the last change, if there is one."""
        if self._before:
            self._after.append(self.draft)
            self.draft = self._before.pop()

    def redo(self) -> None:
        """Redo the last change undone, if there is one."""
        if self._after:
            self._before.append(self.draft)
            self.draft = self._after.pop()


# ---- what follows from it ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """What follows from a draft: its areas by name, in the order of their names, its hexes' names, and all borders.

    near: the areas or zones that each borders; zones are named as in board files.
    """

    draft: Draft
    names: Mapping[Cell, str]
    areas: Mapping[str, Patch]
    near: Mapping[str, tuple[str, ...]]

    def name_of(self, home: Home) -> str:
        """Return the name of a zone, or of the area that a hex belongs to; "" for a hex of no area."""
        if isinstance(home, str):
            return f"{ZONE}{home}"
        return next((name for name, patch in self.areas.items() if home in patch.cells), "")

    def outline(self, name: str) -> tuple[Point, ...]:
        """Return the outline (mm) of an area, or of a zone's section; NotOnePiece if there is none."""
        section = self.draft.section_of(name.removeprefix(ZONE))
        if name not in self.areas and section is not None:
            return box(section.centre_mm, section.size_mm)
        if self.draft.grid is None or name not in self.areas:
            raise NotOnePiece("these hexes do not hang together")
        return outline(self.draft.grid, self.areas[name].cells)

    def ports(self, patch: Patch) -> tuple[str, ...]:
        """Return the names of the waters that an area has piers to."""
        return tuple(sorted({name for cell in patch.piers if (name := self.name_of(cell))}))


def shape_of(draft: Draft) -> Shape:
    """Return all that follows from a draft: names and borders."""
    names = hex_names(cell for patch in draft.patches for cell in patch.cells)
    areas = {area_name(patch.cells, names): patch for patch in draft.patches}
    areas = dict(sorted(areas.items()))
    flat = draft.grid.flat if draft.grid else True
    near = touching(flat, {name: patch.cells for name, patch in areas.items()})
    return Shape(draft, names, areas, {**near, **_zones_near(draft, areas, near)})


def _zones_near(
    draft: Draft, areas: Mapping[str, Patch], near: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the zones that border each zone: those above adjacent land, except where the owner reversed it."""
    found = {tuple(sorted(pair)) for pair in _meeting(areas, near)}
    found ^= {tuple(sorted(pair)) for pair in draft.links}
    return {
        f"{ZONE}{zone}": tuple(
            sorted(f"{ZONE}{other}" for pair in found if zone in pair for other in pair if other != zone)
        )
        for zone in draft.zones
    }


def _meeting(areas: Mapping[str, Patch], near: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for name, others in near.items():
        for other in others:
            zones = areas[name].zone, areas[other].zone
            if all(zones) and zones[0] != zones[1]:
                yield zones
