"""Markers for the eye that measures battles: four for the table's corners, one for every base, true to scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.errors import UsageError
from companion.language import _
from companion.printing.paper import SIZES_MM, Page, Words, width_mm
from companion.printing.sheets import INK, MARGIN_MM, cut_line, room_mm, with_foot
from companion.sonae.marking import Marking
from engine.sonae.scenario import Scenario, UnitKind
from vision.marked_table import CELLS, CORNERS
from vision.markers import marker_cells

LABEL_MM = 2.4
CAPTION_MM = 4.0
GAP_MM = 4.0
CORNER_MARGIN = 0.5
"""The white round a corner's marker, in its cells."""


@dataclass(frozen=True, slots=True)
class Bases:
    """The bases of a battle as they are printed: how wide they are, how they are marked, on which paper."""

    scenario: Scenario
    base_mm: float
    marking: Marking
    paper: str = "a4"


def marker_sheets(bases: Bases) -> dict[str, list[Page]]:
    """The corners' sheets and the bases' sheets. UsageError where a marker is larger than the paper."""
    side = bases.marking.corner_side * bases.base_mm
    corners = [corner_tile(number, side) for number in CORNERS]
    units = [kind for kind in bases.scenario.units.values() if kind.marker >= 0]
    tiles = [base_tile(kind, bases) for kind in sorted(units, key=lambda kind: (kind.side, kind.marker))]
    title = _("{title}: base markers").format(title=_(bases.scenario.title))
    return {
        "corners": _laid_out(_("Markers for the table's corners"), corners, bases.paper),
        "bases": _laid_out(title, tiles, bases.paper),
    }


def _laid_out(title: str, tiles: Iterable[Page], paper: str) -> list[Page]:
    """Tiles in rows on as many sheets as they need."""
    sheet = SIZES_MM[paper]
    width, height = room_mm(sheet)
    pages: list[Page] = []
    x = y = row = 0.0
    for tile in tiles:
        across, down = tile.size_mm
        if across > width or down > height:
            raise UsageError(f"--base-mm: a marker of {across:.0f} mm is larger than {paper.upper()} paper")
        if x + across > width:
            x, y, row = 0.0, y + row + GAP_MM, 0.0
        if not pages or y + down > height:
            pages.append(Page(title, sheet))
            x = y = row = 0.0
        laid = tile.moved((MARGIN_MM + x, MARGIN_MM + y))
        pages[-1] = pages[-1].over(laid.shapes, laid.words)
        x, row = x + across + GAP_MM, max(row, down)
    return [with_foot(page) for page in pages]


def marker_shape(number: int, x: float, y: float, side: float) -> str:
    """A marker with its top left corner at a point, as one black square with white cells on it."""
    cell, over = side / CELLS, 0.02
    white = "".join(
        f"M{x + column * cell:.3f} {y + row * cell:.3f}h{cell + over:.3f}v{cell + over:.3f}h{-cell - over:.3f}z"
        for row, cells in enumerate(marker_cells(number))
        for column, black in enumerate(cells)
        if not black
    )
    black = f'<rect x="{x:.3f}" y="{y:.3f}" width="{side:.3f}" height="{side:.3f}" fill="#000000"/>'
    return f'{black}<path d="{white}" fill="#ffffff"/>'


def corner_tile(number: int, side: float) -> Page:
    """A corner's marker with what to do with it; its own corner of the table is marked."""
    margin = CORNER_MARGIN * side / CELLS
    whole = side + 2 * margin
    far, left = number in CORNERS[:2], number in (CORNERS[0], CORNERS[3])
    tip = (0.0 if left else whole, 0.0 if far else whole)
    reach = margin * 0.9
    arrow = f"M{tip[0]:.3f} {tip[1]:.3f}h{reach if left else -reach:.3f}L{tip[0]:.3f} "
    arrow += f"{tip[1] + (reach if far else -reach):.3f}z"
    shapes = (
        cut_line(0, 0, whole, whole),
        marker_shape(number, margin, margin, side),
        f'<path d="{arrow}" fill="{INK}"/>',
    )
    words = (
        Words(_corner_words()[number], (0, whole + 3.4), LABEL_MM * 1.2, "start", bold=True),
        Words(_("black corner onto the table's corner"), (0, whole + 6.8), LABEL_MM, "start"),
    )
    return Page("", (whole, whole + 8.0), shapes, words)


def _corner_words() -> Mapping[int, str]:
    words = (_("far left corner"), _("far right corner"), _("near right corner"), _("near left corner"))
    return dict(zip(CORNERS, words, strict=True))


def base_tile(kind: UnitKind, bases: Bases) -> Page:
    """A base to cut out, its front edge upwards; its clan and number stand beside it, to sort them by."""
    wide, deep = bases.base_mm, bases.base_mm * kind.start.depth
    side, ahead = bases.marking.base_side * wide, bases.marking.ahead * wide
    top = deep / 2 - ahead - side / 2
    size = min(LABEL_MM, 0.06 * wide)
    shapes = (
        marker_shape(kind.marker, (wide - side) / 2, top, side),
        cut_line(0, 0, wide, deep),
        _front(wide, size),
    )
    title_y = deep - 0.4 * size if ahead >= 0 else 2.6 * size
    army = bases.scenario.armies[kind.side].title
    words = (
        _fitting(kind.title, (wide / 2, title_y), size, wide - size),
        _fitting(f"{army} · {kind.marker}", (wide / 2, deep + 2.8), LABEL_MM, wide),
    )
    return Page("", (wide, deep + CAPTION_MM), shapes, words)


def _front(wide: float, size: float) -> str:
    """The front edge: a bar with an arrow's point on it."""
    middle = wide / 2
    bar = f'<rect x="0" y="0" width="{wide:.3f}" height="{size * 0.3:.3f}" fill="{INK}"/>'
    data = f"M{middle - size:.3f} {size * 1.3:.3f}L{middle:.3f} {size * 0.2:.3f}L{middle + size:.3f} {size * 1.3:.3f}z"
    return f'{bar}<path d="{data}" fill="{INK}"/>'


def _fitting(text: str, at_mm: tuple[float, float], size_mm: float, room: float) -> Words:
    """A line of text, smaller where it would be wider than its room."""
    wide = width_mm(text, size_mm)
    return Words(text, at_mm, size_mm * min(1.0, room / wide) if wide > 0 else size_mm)
