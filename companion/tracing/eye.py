"""What the tracer asks of the eye: a photo made straight, the grid on it, a proposal; and a draft begun from that.

The eye takes its time: it is for errands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.tracing.draft import ON_MAP, SIZE_MM, Corner, Draft, DraftSpace, Patch
from companion.tracing.hexes import BoardGrid, Cell, Point, in_order
from engine.orders.mode import Mode, load_mode
from vision.geometry import Picture
from vision.plan import BoardPlan
from vision.registration.find_board import by_outline
from vision.tracing.sheet import find_outline, proportion_of
from vision.tracing.trace import (
    FoundGrid,
    HexGrid,
    Sheet,
    find_grid,
    find_spaces,
    grid_by_touches,
    open_sheet,
    propose,
    refit_grid,
)

SURE = 0.5
"""The confidence from which a grid or a space is taken without asking."""
ALIKE = 0.05
"""How far the proportions seen in a photo may be off those of a board whose size is known, as a part."""


@dataclass(frozen=True, slots=True)
class SeenSpace:
    """A small hex that was seen on the board: its place (mm), its hex, and a number shared by like pictograms."""

    at_mm: Point
    cell: Cell
    group: int


@dataclass(frozen=True, slots=True)
class BoardProposal:
    """What the eye makes of a straight board: areas with their kind ("land" or "water"), action spaces, their side.

    places: where anything like a space was seen, doubtful ones too; a touch near one is taken to mean it.
    """

    areas: tuple[tuple[tuple[Cell, ...], str], ...]
    spaces: tuple[SeenSpace, ...]
    space_side_mm: float
    places: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class StraightBoard:
    """The straightened board and the grid found on it; `found` is None if there was none."""

    sheet: Sheet
    found: FoundGrid | None

    @property
    def grid(self) -> BoardGrid | None:
        """The grid, as the tracer needs it; None if none was found."""
        if self.found is None:
            return None
        grid = self.found.grid
        return BoardGrid(grid.origin_mm, grid.across_mm, grid.down_mm, grid.flat)

    @property
    def is_sure(self) -> bool:
        """Whether the grid is sure enough to be taken without asking."""
        return self.found is not None and self.found.confidence >= SURE


def find_board(photo_bgr: Picture, plan: BoardPlan) -> tuple[tuple[Corner, ...], Point]:
    """Find a board in a photo; return its corners, as fractions of the photo, and its (width, height) in mm.

    If the known board's print is recognised, the size is that board's; otherwise the board is what stands out in the
    photo, or all of it.
    """
    height, width = photo_bgr.shape[:2]
    found = by_outline(photo_bgr, plan)
    at_px = find_outline(photo_bgr) if found is None else found
    corners = tuple((x / width, y / height) for x, y in at_px.tolist())
    return corners, size_of(photo_bgr, corners, plan.size_mm) if found is None else plan.size_mm


def size_of(photo_bgr: Picture, corners: Sequence[Corner], known_mm: Point) -> Point:
    """Return the board's (width, height) in mm, judged by its proportions in the photo.

    A board with the proportions of the known one, or of Rivers, which was measured, is taken to be of that size; any
    other to cover as much as the known one. CornersError if the corners make no sense.
    """
    height, width = photo_bgr.shape[:2]
    seen = proportion_of([(x * width, y * height) for x, y in corners], (width, height))
    nearest = min((known_mm, SIZE_MM), key=lambda size: abs(seen * size[1] / size[0] - 1))
    if abs(seen * nearest[1] / nearest[0] - 1) <= ALIKE:
        return nearest
    down = (known_mm[0] * known_mm[1] / seen) ** 0.5
    return (round(seen * down, 1), round(down, 1))


def straighten(photo_bgr: Picture, corners: Sequence[Corner], size_mm: Point) -> Sheet:
    """Return the board in a photo, straightened by its corners (fractions of the photo); CornersError if invalid."""
    height, width = photo_bgr.shape[:2]
    return open_sheet(photo_bgr, [(x * width, y * height) for x, y in corners], size_mm)


def find_grid_on(sheet: Sheet, middles_mm: Sequence[Point] | None = None) -> StraightBoard:
    """Find the grid on a straight board, by itself or through the middles of hexes that were touched."""
    found = find_grid(sheet) if middles_mm is None else grid_by_touches(sheet, middles_mm)
    return StraightBoard(found.sheet, found) if found else StraightBoard(sheet, None)


def fit_grid(sheet: Sheet, grid: BoardGrid) -> StraightBoard:
    """Fit a grid that was moved by hand, or kept from before, to the nearest printed lines."""
    found = refit_grid(sheet, HexGrid(grid.origin_mm, grid.across_mm, grid.down_mm, grid.flat))
    return StraightBoard(found.sheet, found)


def make_proposal(seen: StraightBoard) -> BoardProposal:
    """Return the areas and spaces that the eye makes out; an empty proposal if no grid was found."""
    if seen.found is None:
        return BoardProposal((), (), 0.0)
    proposed = propose(seen.found)
    areas = []
    for cells in proposed.areas:
        water = sum(proposed.kinds[cell]["water"] - proposed.kinds[cell]["land"] for cell in cells)
        areas.append((tuple(cells), "water" if water > 0 else "land"))
    every = find_spaces(seen.found, least=0.0)
    spaces = [space for space in every if space.confidence >= SURE]
    sides = sorted(space.side_mm for space in spaces)
    return BoardProposal(
        tuple(areas),
        tuple(SeenSpace(space.at_mm, space.cell, space.group) for space in spaces),
        round(sides[len(sides) // 2], 2) if sides else 0.0,
        tuple(space.at_mm for space in every),
    )


# ---- a draft begun from it --------------------------------------------------------------------


def with_areas(draft: Draft, grid: BoardGrid, proposal: BoardProposal) -> Draft:
    """Return the draft with this grid and only the proposed areas on its map; all land if the mode has no water."""
    places = {unit.place for unit in load_mode(draft.mode).units}
    patches = tuple(Patch(in_order(cells), kind if kind in places else "land") for cells, kind in proposal.areas)
    side = proposal.space_side_mm or draft.space_side_mm
    return replace(draft, grid=grid, patches=patches, spots=(), sections=(), links=(), space_side_mm=side)


def with_spaces(draft: Draft, spaces: Sequence[SeenSpace], mode: Mode) -> Draft:
    """Return the draft with actions guessed for the spaces seen, one of each in an area; unchanged if it has any."""
    if draft.spots:
        return draft
    kinds = {cell: patch.kind for patch in draft.patches for cell in patch.cells}
    spots: list[DraftSpace] = []
    for kind in dict.fromkeys(kinds.values()):
        here = [space for space in spaces if kinds.get(space.cell) == kind]
        actions = [action.name for action in mode.actions.values() if action.kind == kind and action.verb in ON_MAP]
        spots += _guess_spaces(here, actions)
    known: dict[tuple[str, int], DraftSpace] = {}
    for spot in spots:
        patch = draft.patch_at(spot.on) if not isinstance(spot.on, str) else None
        if patch is not None:
            known.setdefault((spot.action, draft.patches.index(patch)), spot)
    return replace(draft, spots=tuple(known.values()))


def _guess_spaces(spaces: Sequence[SeenSpace], actions: Sequence[str]) -> Iterable[DraftSpace]:
    """Guess each space's action, the commonest pictogram being the first action; ties go to the one further left."""
    if not actions:
        return
    counts = Counter(space.group for space in spaces)
    lefts = {group: min(space.at_mm[0] for space in spaces if space.group == group) for group in counts}
    ranked = sorted(counts, key=lambda group: (-counts[group], lefts[group]))
    for space in spaces:
        rank = min(ranked.index(space.group), len(actions) - 1)
        yield DraftSpace(actions[rank], space.cell, space.at_mm)
