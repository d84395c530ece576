"""Markers for the eye, true to scale: a battle's corners and bases, and the printed “Yes” that a hand presses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.core.errors import UsageError
from companion.core.language import _
from companion.printing.paper import (
    INK,
    MARGIN_MM,
    SIZES_MM,
    PaperPage,
    Point,
    Words,
    cut_line,
    fit_words,
    room_mm,
    width_mm,
    with_foot,
)
from companion.settings.marking import Marking
from engine.sonae.scenario import Scenario, UnitKind
from vision.bases.markers import CELLS, CORNERS, corner_paper, marker_cells
from vision.live.printed import NUMBER, YES_SIDE_MM

LABEL_MM = 2.4
CAPTION_MM = 4.0
GAP_MM = 4.0
ARROW_MM = 6.0
"""The room round a corner's paper for the arrow to its black corner."""
AS_THEY_LIE = (CORNERS[0], CORNERS[1], CORNERS[3], CORNERS[2])
"""The corners as the sheet has them, row by row: far left, far right, near left, near right."""


@dataclass(frozen=True, slots=True)
class Bases:
    """The bases of a battle as they are printed: how wide they are, how they are marked, on which paper."""

    scenario: Scenario
    base_mm: float
    marking: Marking
    paper: str = "a4"


def marker_sheets(bases: Bases) -> dict[str, list[PaperPage]]:
    """Lay out the sheets of the corners and of the bases; UsageError if a marker is larger than the paper."""
    side = bases.marking.corner_side * bases.base_mm
    units = [kind for kind in bases.scenario.units.values() if kind.marker >= 0]
    tiles = [base_tile(kind, bases) for kind in sorted(units, key=lambda kind: (kind.side, kind.marker))]
    title = _("{title}: base markers").format(title=_(bases.scenario.title))
    return {"corners": _corner_sheets(side, bases.paper), "bases": _lay_out(title, tiles, bases.paper)}


def _corner_sheets(side: float, paper: str) -> list[PaperPage]:
    """Lay out the corners' markers below instructions, as they lie on the field if the paper has the room."""
    room = room_mm(SIZES_MM[paper])[0]
    tiles = [corner_tile(number, side) for number in AS_THEY_LIE]
    fit = 2 * tiles[0].size_mm[0] + GAP_MM <= room
    rows = [_row(pair, room) for pair in (tiles[:2], tiles[2:])] if fit else tiles
    return _lay_out(_("Corner markers for the field"), [_how_to_lay(paper), *rows], paper)


def _row(pair: list[PaperPage], room: float) -> PaperPage:
    """Join two tiles side by side into one that leaves no room beside it."""
    left, right = pair
    beside = right.moved((left.size_mm[0] + GAP_MM, 0.0))
    return replace(left, size_mm=(room, left.size_mm[1])).over(beside.shapes, beside.words)


def _how_to_lay(paper: str) -> PaperPage:
    """Explain what to do with the corners' markers, on a strip as wide as the sheet."""
    lines = (
        _("Cut along the lines. Put each one in the corner it names, with the name facing the near edge."),
        _(
            "Each one goes inside the field: its black corner exactly on the field's corner, its edges along the "
            "field's edges."
        ),
    )
    words = [Words(line, (0, 3.2 + 4.4 * n), 3.2, "start") for n, line in enumerate(lines)]
    return PaperPage("", (room_mm(SIZES_MM[paper])[0], 10.0), (), tuple(words))


def _lay_out(title: str, tiles: Iterable[PaperPage], paper: str) -> list[PaperPage]:
    """Lay out tiles in rows on as many sheets as they need."""
    sheet = SIZES_MM[paper]
    width, height = room_mm(sheet)
    pages: list[PaperPage] = []
    x = y = row = 0.0
    for tile in tiles:
        across, down = tile.size_mm
        if across > width or down > height:
            raise UsageError(f"--base-mm: a marker of {across:.0f} mm is larger than {paper.upper()} paper")
        if x + across > width:
            x, y, row = 0.0, y + row + GAP_MM, 0.0
        if not pages or y + down > height:
            pages.append(PaperPage(title, sheet))
            x = y = row = 0.0
        laid = tile.moved((MARGIN_MM + x, MARGIN_MM + y))
        pages[-1] = pages[-1].over(laid.shapes, laid.words)
        x, row = x + across + GAP_MM, max(row, down)
    return [with_foot(page) for page in pages]


def marker_shape(number: int, x: float, y: float, side: float) -> str:
    """Draw a marker with its top left corner at a point, as one black square with white cells on it."""
    cell, over = side / CELLS, 0.02
    white = "".join(
        f"M{x + column * cell:.3f} {y + row * cell:.3f}h{cell + over:.3f}v{cell + over:.3f}h{-cell - over:.3f}z"
        for row, cells in enumerate(marker_cells(number))
        for column, black in enumerate(cells)
        if not black
    )
    black = f'<rect x="{x:.3f}" y="{y:.3f}" width="{side:.3f}" height="{side:.3f}" fill="#000000"/>'
    return f'{black}<path d="{white}" fill="#ffffff"/>'


def corner_tile(number: int, side: float) -> PaperPage:
    """Draw a corner's paper to cut out (see `corner_paper`), with an arrow to the tip on the field's corner."""
    laid, caption = corner_paper(number, side), _("this corner on the field's corner")
    across, down = (float(abs(far - near)) for near, far in zip(laid.paper[0], laid.paper[2], strict=True))
    wide, high = max(across, width_mm(caption, LABEL_MM)) + ARROW_MM, down + ARROW_MM
    right, far = laid.paper[:, 0].min() < 0, laid.paper[:, 1].min() < 0
    tip = (wide - ARROW_MM if right else ARROW_MM, ARROW_MM if far else high - ARROW_MM)
    paper, marker, mark, strip = (
        [(tip[0] + float(x), tip[1] - float(y)) for x, y in part]
        for part in (laid.paper, laid.marker, laid.mark, laid.strip)
    )
    shapes = (
        cut_line(*paper[0], paper[2][0] - paper[0][0], paper[2][1] - paper[0][1]),
        marker_shape(number, *marker[0], side),
        f'<path d="{_outline(mark)}" fill="{INK}"/>',
        _arrow(tip, (1 if right else -1, -1 if far else 1)),
    )
    size = min(4.0, 0.6 * (strip[3][1] - strip[0][1]))
    middle = ((strip[0][0] + strip[1][0]) / 2, (strip[0][1] + strip[3][1]) / 2 + 0.35 * size)
    # what the arrow says lies outside of what is cut out
    beside = (tip[0] - 1.0 if right else tip[0] + 1.0, tip[1] - 2.0 if far else tip[1] + 2.0 + 0.7 * LABEL_MM)
    words = (
        replace(fit_words(corner_words(number), middle, size, strip[1][0] - strip[0][0] - size), bold=True),
        Words(caption, beside, LABEL_MM, "end" if right else "start"),
    )
    return PaperPage("", (wide, high), shapes, words)


def _arrow(tip: Point, outward: tuple[int, int]) -> str:
    """Draw an arrow from outside, its point just short of a corner."""
    x, y = outward

    def at(along: float, beside: float = 0.0) -> Point:
        return tip[0] + x * (along + beside), tip[1] + y * (along - beside)

    head, shaft = [at(0.4), at(2.2, 0.9), at(2.2, -0.9)], [at(2.0, 0.25), at(5.2, 0.25), at(5.2, -0.25), at(2.0, -0.25)]
    return f'<path d="{_outline(head)}{_outline(shaft)}" fill="{INK}"/>'


def _outline(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in points) + "z"


def corner_words(number: int) -> str:
    """Return what is printed on a corner marker's paper: "far left corner"."""
    words = (_("far left corner"), _("far right corner"), _("near right corner"), _("near left corner"))
    return dict(zip(CORNERS, words, strict=True))[number]


def base_tile(kind: UnitKind, bases: Bases) -> PaperPage:
    """Draw a base to cut out, front edge upwards; its clan and number are printed beside it, to sort by."""
    wide, deep = bases.base_mm, bases.base_mm * kind.start.depth
    side, ahead = bases.marking.base_side * wide, bases.marking.ahead * wide
    top = deep / 2 - ahead - side / 2
    size = min(LABEL_MM, 0.06 * wide)
    point = ((wide / 2 - size, size * 1.3), (wide / 2, size * 0.2), (wide / 2 + size, size * 1.3))
    shapes = (
        marker_shape(kind.marker, (wide - side) / 2, top, side),
        cut_line(0, 0, wide, deep),
        f'<rect x="0" y="0" width="{wide:.3f}" height="{size * 0.3:.3f}" fill="{INK}"/>',  # the front edge
        f'<path d="{_outline(point)}" fill="{INK}"/>',
    )
    title_y = deep - 0.4 * size if ahead >= 0 else 2.6 * size
    army = bases.scenario.armies[kind.side].title
    words = (
        fit_words(kind.title, (wide / 2, title_y), size, wide - size),
        fit_words(f"{army} · {kind.marker}", (wide / 2, deep + 2.8), LABEL_MM, wide),
    )
    return PaperPage("", (wide, deep + CAPTION_MM), shapes, words)


RIM_MM = 15.0
"""White round the marker, without which it is not found."""
TOP_MM = 40.0


def yes_sheet(paper: str) -> PaperPage:
    """Lay out one sheet with the square to cut out, and what to do with it."""
    size = SIZES_MM[paper]
    middle, wide = size[0] / 2, YES_SIDE_MM + 2 * RIM_MM
    left, bottom = middle - wide / 2, TOP_MM + wide + 14.0
    lines = (
        _("Cut it out and put it flat where the camera sees it and nobody reaches across it."),
        _("Rest a hand on it for a second, then lift it, to confirm the turn the camera saw."),
        _("To switch it off, turn it over."),
    )
    words = [Words(line, (middle, bottom + 10.0 + 6.0 * n), 3.6) for n, line in enumerate(lines)]
    words.append(Words(_("Yes"), (middle, bottom - 6.0), 10.0, bold=True))
    shapes = (
        marker_shape(NUMBER, left + RIM_MM, TOP_MM + RIM_MM, YES_SIDE_MM),
        cut_line(left, TOP_MM, wide, wide + 14.0),
    )
    return with_foot(PaperPage(_("The printed “Yes”"), size, shapes, tuple(words)))
