"""The printed “Yes”: a square to lay on the table, which the camera sees being pressed by a hand."""

from __future__ import annotations

from companion.core.language import _
from companion.printing.marker_sheets import marker_shape
from companion.printing.paper import SIZES_MM, PaperPage, Words
from companion.printing.sheets import cut_line, with_foot
from vision.live.yes_square import NUMBER, SIDE_MM

RIM_MM = 15.0
"""White round the marker, without which it is not found."""
TOP_MM = 40.0


def yes_sheet(paper: str) -> PaperPage:
    """Lay out one sheet with the square to cut out, and what to do with it."""
    size = SIZES_MM[paper]
    middle, wide = size[0] / 2, SIDE_MM + 2 * RIM_MM
    left, bottom = middle - wide / 2, TOP_MM + wide + 14.0
    lines = (
        _("Cut it out and put it flat where the camera sees it and nobody reaches across it."),
        _("Rest a hand on it for a second, then lift it, to confirm the turn the camera saw."),
        _("To switch it off, turn it over."),
    )
    words = [Words(line, (middle, bottom + 10.0 + 6.0 * n), 3.6) for n, line in enumerate(lines)]
    words.append(Words(_("Yes"), (middle, bottom - 6.0), 10.0, bold=True))
    shapes = (marker_shape(NUMBER, left + RIM_MM, TOP_MM + RIM_MM, SIDE_MM), cut_line(left, TOP_MM, wide, wide + 14.0))
    return with_foot(PaperPage(_("The printed “Yes”"), size, shapes, tuple(words)))
