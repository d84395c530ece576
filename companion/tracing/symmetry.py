"""What maps a board to itself: left to right, top to bottom, or by half a turn, its factions changed over."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from companion.tracing.draft import Draft, DraftSpace, Home, Patch
from companion.tracing.hexes import BoardGrid, Cell, Point, in_order

KINDS = ("mirror", "flip", "turn")
SEEN_MM = 4.0
"""How far from where a twin should be a printed space may be seen and still be that twin."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of the board. about: its fixed point doubled, in units of `_to_halves`; printed: places seen (mm)."""

    kind: str
    grid: BoardGrid
    about: tuple[int, int]
    factions: tuple[str, str]
    printed: tuple[Point, ...] = ()
    """Where action spaces were seen."""

    def cell(self, cell: Cell) -> Cell | None:
        """Return the twin of a hex; None if the grid has no hex there."""
        u, v = _to_halves(self.grid, cell)
        across, down = self.about
        twin = across - u if self.kind != "flip" else u, down - v if self.kind != "mirror" else v
        return _from_halves(self.grid, twin)

    def home(self, home: Home) -> Home | None:
        """Return the twin of a hex; None for a zone, whose counterpart has another colour."""
        return None if isinstance(home, str) else self.cell(home)

    def at(self, cell: Cell, point: Point) -> Point:
        """Return where the twin of something printed at a place in a hex is printed (mm).

        That is where something was seen nearby, if anything was. A half turn turns the place with its hex. A mirrored
        hex has its pictures at the same places as the hex itself, as on Rivers, where Advance is printed at the upper
        left of every area of both factions.
        """
        twin = self.cell(cell)
        if twin is None:
            return point
        (x, y), (u, v) = self.grid.centre(cell), self.grid.centre(twin)
        dx, dy = point[0] - x, point[1] - y
        ways = ((u + dx, v + dy), (u - dx, v - dy), (u - dx, v + dy), (u + dx, v - dy))
        first = ways[1] if self.kind == "turn" else ways[0]
        near = [(math.dist(way, seen), way is not first, seen) for way in ways for seen in self.printed]
        distance, _other, seen = min(near, default=(math.inf, True, first))
        return seen if distance < SEEN_MM else first

    def faction(self, faction: str) -> str:
        """Return the opposing faction; "" is returned unchanged."""
        first, second = self.factions
        return {first: second, second: first}.get(faction, faction)


def symmetry_of(draft: Draft, factions: tuple[str, str], printed: tuple[Point, ...] = ()) -> Symmetry | None:
    """Return the draft's symmetry, about the middle between the headquarters or of the map; None if it has none."""
    if draft.grid is None or not draft.symmetry or not draft.patches:
        return None
    ends = [_to_halves(draft.grid, patch.cells[0]) for patch in draft.patches if patch.hq and len(patch.cells) == 1]
    if len(ends) != 2:
        us, vs = zip(*(_to_halves(draft.grid, cell) for patch in draft.patches for cell in patch.cells), strict=True)
        ends = [(min(us), min(vs)), (max(us), max(vs))]
    (a, b), (c, d) = ends
    return Symmetry(draft.symmetry, draft.grid, (a + c, b + d), factions, printed)


def _to_halves(grid: BoardGrid, cell: Cell) -> tuple[int, int]:
    """Return a hex's middle in whole numbers of the grid: columns and half rows, or half columns and rows."""
    column, row = cell
    return (column, 2 * row + column % 2) if grid.flat else (2 * column + row % 2, row)


def _from_halves(grid: BoardGrid, place: tuple[int, int]) -> Cell | None:
    """Return the hex with this middle; None if there is none."""
    u, v = place
    if grid.flat:
        return (u, (v - u % 2) // 2) if (v - u) % 2 == 0 else None
    return ((u - v % 2) // 2, v) if (u - v) % 2 == 0 else None


def fill_in(draft: Draft, symmetry: Symmetry) -> Draft:
    """Return the draft with each half given what only the other half has; nothing already there changes."""
    for patch in draft.patches:
        draft = _join_twins(draft, patch, symmetry)
    for patch in draft.patches:
        twin = twin_of(draft, patch, symmetry)
        if twin is not None and twin is not patch:
            draft = draft.with_patch(twin, _complete(twin, patch, symmetry))
    missing = [found for spot in draft.spots if (found := _twin_spot(spot, symmetry)) and not _has(draft, found)]
    return replace(draft, spots=(*draft.spots, *missing))


def _join_twins(draft: Draft, patch: Patch, symmetry: Symmetry) -> Draft:
    """Join the twins of an area's hexes, if each of them is an area by itself or belongs to none."""
    cells = [symmetry.cell(cell) for cell in patch.cells]
    known = [cell for cell in cells if cell is not None]
    held = {draft.patch_at(cell) for cell in known}
    if len(known) < len(cells) or any(held_patch is not None and len(held_patch.cells) > 1 for held_patch in held):
        return draft
    if len(held) == 1 and None not in held:
        return draft
    others = tuple(other for other in draft.patches if other not in held)
    return replace(draft, patches=(*others, Patch(in_order(known), patch.kind)))


def twin_of(draft: Draft, patch: Patch, symmetry: Symmetry) -> Patch | None:
    """Return the area made up of the twins of an area's hexes; None if they aren't exactly one area."""
    cells = {symmetry.cell(cell) for cell in patch.cells}
    return next((other for other in draft.patches if {*other.cells} == cells), None)


def _complete(twin: Patch, patch: Patch, symmetry: Symmetry) -> Patch:
    """Return the twin with what only the other area has; except zone and slot, which aren't mirrored."""
    start = tuple((symmetry.faction(faction), unit, n) for faction, unit, n in patch.start)
    piers = tuple(cell for pier in patch.piers if (cell := symmetry.cell(pier)) is not None)
    return replace(
        twin,
        vp=twin.vp or patch.vp,
        hq=twin.hq or symmetry.faction(patch.hq),
        printed=twin.printed or patch.printed,
        fort=twin.fort or patch.fort,
        no_drop=twin.no_drop or patch.no_drop,
        piers=twin.piers or piers,
        start=twin.start or start,
    )


def _twin_spot(spot: DraftSpace, symmetry: Symmetry) -> DraftSpace | None:
    home = symmetry.home(spot.on)
    if home is None or isinstance(spot.on, str):
        return None
    return DraftSpace(spot.action, home, symmetry.at(spot.on, spot.at_mm), symmetry.faction(spot.faction))


def _has(draft: Draft, spot: DraftSpace) -> bool:
    """Return whether the area of a space has one of its action already, or there is no such area."""
    known = not isinstance(spot.on, str) and draft.patch_at(spot.on) is not None
    return not known or any(other.action == spot.action for other in draft.spots_on(spot.on))
