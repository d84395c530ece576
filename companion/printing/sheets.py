"""A drawing larger than the paper, cut into sheets that are glued together, with all that a cutter and a ruler need."""

from __future__ import annotations

from math import ceil

from companion.core.language import _
from companion.printing.paper import SIZES_MM, PaperPage, Point, Words

MARGIN_MM = 10.0  # what printers leave white at the edges
FOOT_MM = 9.0  # for the line with the title and the ruler
OVERLAP_MM = 8.0  # where one sheet is glued onto the next
RULER_MM = 100.0
INK = "#1d1f21"
FAINT = "#8a8f94"
HAIR_MM = 0.2


def room_mm(paper_mm: Point) -> Point:
    """Return the (width, height) that may be drawn on."""
    return paper_mm[0] - 2 * MARGIN_MM, paper_mm[1] - 2 * MARGIN_MM - FOOT_MM


def paper_for(drawing_mm: Point, paper: str) -> Point:
    """Return the paper upright or on its side, whichever needs fewer sheets; upright where that is the same."""
    upright = SIZES_MM[paper]
    on_its_side = (upright[1], upright[0])
    return min((upright, on_its_side), key=lambda size: _count(drawing_mm, size)[0] * _count(drawing_mm, size)[1])


def _count(drawing_mm: Point, paper_mm: Point) -> tuple[int, int]:
    """Count the columns and rows of sheets that a drawing needs."""
    across, down = (
        1 if whole <= room else ceil((whole - OVERLAP_MM) / (room - OVERLAP_MM))
        for whole, room in zip(drawing_mm, room_mm(paper_mm), strict=True)
    )
    return across, down


def tiles(drawing: PaperPage, paper: str) -> list[PaperPage]:
    """Split the drawing over as many sheets as it needs, in rows from the top left, each with its foot."""
    size = paper_for(drawing.size_mm, paper)
    columns, rows = _count(drawing.size_mm, size)
    places = [(column, row) for row in range(rows) for column in range(columns)]
    return [_tile(drawing, size, (columns, rows), place) for place in places]


def _tile(drawing: PaperPage, paper_mm: Point, count: tuple[int, int], place: tuple[int, int]) -> PaperPage:
    step = [
        (whole - room) / (n - 1) if n > 1 else 0.0
        for whole, room, n in zip(drawing.size_mm, room_mm(paper_mm), count, strict=True)
    ]
    start = [
        (room - whole) / 2 if n == 1 else 0.0
        for whole, room, n in zip(drawing.size_mm, room_mm(paper_mm), count, strict=True)
    ]
    x, y = (MARGIN_MM + start[i] - place[i] * step[i] for i in (0, 1))
    moved = drawing.moved((x, y))
    whole = PaperPage(drawing.title, paper_mm, moved.shapes, _inside(moved.words, paper_mm))
    if count == (1, 1):
        return with_foot(whole)
    number = place[1] * count[0] + place[0] + 1
    name = _("{title}: sheet {n} of {all}").format(title=drawing.title, n=number, all=count[0] * count[1])
    return with_foot(PaperPage(name, paper_mm, whole.shapes, whole.words).over([_frame(paper_mm), _crosses(paper_mm)]))


def _inside(words: tuple[Words, ...], paper_mm: Point) -> tuple[Words, ...]:
    """Return the words whose points lie in this sheet's room: on the overlap they are on both sheets."""
    width, height = room_mm(paper_mm)
    return tuple(
        label
        for label in words
        if MARGIN_MM <= label.at_mm[0] <= MARGIN_MM + width and MARGIN_MM <= label.at_mm[1] <= MARGIN_MM + height
    )


def _frame(paper_mm: Point) -> str:
    """Cover the margins with white, as the printer can't draw there, with a hair line to cut along.

    It reaches beyond the paper: a page is rounded up to whole pixels, and the last row would show the drawing.
    """
    (width, height), (right, bottom) = room_mm(paper_mm), (side + MARGIN_MM for side in paper_mm)
    x0, y0, x1, y1 = MARGIN_MM, MARGIN_MM, MARGIN_MM + width, MARGIN_MM + height
    left = top = -MARGIN_MM
    bars = [
        (left, top, right - left, y0 - top),
        (left, y1, right - left, bottom - y1),
        (left, y0, x0 - left, height),
        (x1, y0, right - x1, height),
    ]
    white = "".join(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="#ffffff"/>' for x, y, w, h in bars)
    return white + cut_line(x0, y0, x1 - x0, y1 - y0)


def _crosses(paper_mm: Point) -> str:
    """Draw small crosses at the corners of what is to be cut out."""
    width, height = room_mm(paper_mm)
    data = "".join(
        f"M{x - 4:g} {y:g}h8M{x:g} {y - 4:g}v8"
        for x in (MARGIN_MM, MARGIN_MM + width)
        for y in (MARGIN_MM, MARGIN_MM + height)
    )
    return f'<path d="{data}" fill="none" stroke="{INK}" stroke-width="{HAIR_MM}"/>'


def cut_line(x: float, y: float, width: float, height: float) -> str:
    """Draw a hair line around what is to be cut out."""
    return (
        f'<rect x="{x:.3f}" y="{y:.3f}" width="{width:.3f}" height="{height:.3f}" fill="none" stroke="{FAINT}" '
        f'stroke-width="{HAIR_MM}"/>'
    )


def with_foot(page: PaperPage) -> PaperPage:
    """Return the sheet with its title and a ruler to check the print's scale by, at its foot."""
    right, bottom = page.size_mm[0] - MARGIN_MM, page.size_mm[1] - MARGIN_MM
    left = right - RULER_MM
    y = bottom - 2.0
    data = f"M{left:g} {y - 1.5:g}v3M{left:g} {y:g}H{right:g}M{right:g} {y - 1.5:g}v3"
    ruler = f'<path d="{data}" fill="none" stroke="{INK}" stroke-width="0.3"/>'
    check = _("Printed at 100%, this line is 100 mm long")
    words = [
        Words(page.title, (MARGIN_MM, bottom - 1.0), 3.2, "start"),
        Words(check, ((left + right) / 2, y - 1.0), 2.6),
    ]
    return page.over([ruler], words)
