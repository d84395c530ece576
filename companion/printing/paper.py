"""A sheet of paper before it is printed: shapes in SVG and words, all in millimetres from its top left corner.

Both outputs are made of the same sheet: an SVG document that looks the same anywhere, as its typeface is in it, and
pages of a PDF with real text. A drawing larger than the paper is cut into sheets with all that a cutter and a ruler
need.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from io import BytesIO
from math import ceil
from pathlib import Path

from fpdf import FPDF

from companion.core.language import _

Point = tuple[float, float]

FONTS = Path(__file__).parents[1] / "view" / "fonts"
FILES = {False: "AtkinsonHyperlegible-Regular.ttf", True: "AtkinsonHyperlegible-Bold.ttf"}
FAMILY = "Atkinson Hyperlegible"
MM_PER_POINT = 25.4 / 72  # a point of type is a 72nd of an inch
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
SIZES_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text: where its base line is, the height of its em, how it is aligned to that point, its colour."""

    text: str
    at_mm: Point
    size_mm: float
    anchor: str = "middle"
    bold: bool = False
    colour: str = "#1d1f21"


@dataclass(frozen=True, slots=True)
class PaperPage:
    """One sheet: its size (width, height) in mm, SVG shapes, and the words over them."""

    title: str
    size_mm: Point
    shapes: tuple[str, ...] = ()
    words: tuple[Words, ...] = ()

    def moved(self, by_mm: Point) -> PaperPage:
        """Return the sheet with everything on it moved by (right, down) in mm."""
        x, y = by_mm
        shapes = (f'<g transform="translate({x:.3f} {y:.3f})">{"".join(self.shapes)}</g>',)
        words = tuple(replace(label, at_mm=(label.at_mm[0] + x, label.at_mm[1] + y)) for label in self.words)
        return replace(self, shapes=shapes, words=words)

    def over(self, shapes: Iterable[str] = (), words: Iterable[Words] = ()) -> PaperPage:
        """Return the sheet with more laid over it."""
        return replace(self, shapes=(*self.shapes, *shapes), words=(*self.words, *words))


# ---- letters ----------------------------------------------------------------------------------


@cache
def _measuring_pdf() -> FPDF:
    return _new_pdf()


def width_mm(text: str, size_mm: float, bold: bool = False) -> float:
    """Return how wide a line of text is, in mm."""
    pdf = _measuring_pdf()
    pdf.set_font(FAMILY, "B" if bold else "", size_mm / MM_PER_POINT)
    return pdf.get_string_width(text)


def wrap(text: str, room_mm: float, size_mm: float, bold: bool = False) -> list[str]:
    """Break the text into lines that are no wider than the room, as far as its words allow."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_mm(longer, size_mm, bold) <= room_mm:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fit_words(text: str, at_mm: tuple[float, float], size_mm: float, room: float) -> Words:
    """Return a line of text, made smaller if it would be wider than its room."""
    wide = width_mm(text, size_mm)
    return Words(text, at_mm, size_mm * min(1.0, room / wide) if wide > 0 else size_mm)


def column(lines: Sequence[str], first: Words, leading: float = 1.25) -> list[Words]:
    """Return the lines set one under another, the first where `first` is, all in its style."""
    x, y = first.at_mm
    return [replace(first, text=line, at_mm=(x, y + i * first.size_mm * leading)) for i, line in enumerate(lines)]


# ---- outputs ----------------------------------------------------------------------------------


def page_svg(page: PaperPage) -> str:
    """Return the sheet as an SVG document in true size, its typeface included."""
    faces = "".join(_face(bold) for bold in sorted({label.bold for label in page.words}))
    white = f'<rect width="{page.size_mm[0]:g}" height="{page.size_mm[1]:g}" fill="#ffffff"/>'
    head = f"<title>{escape(page.title)}</title>\n<style>{faces}</style>\n{white}"
    return _document(page, head, "\n".join(_text(label) for label in page.words))


def _document(page: PaperPage, head: str = "", tail: str = "") -> str:
    width, height = page.size_mm
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">\n{head}\n{"".join(page.shapes)}\n{tail}\n</svg>\n'
    )


@cache
def _face(bold: bool) -> str:
    data = base64.b64encode((FONTS / FILES[bold]).read_bytes()).decode("ascii")
    weight = "bold" if bold else "normal"
    return (
        f'@font-face{{font-family:"{FAMILY}";font-weight:{weight};src:url(data:font/ttf;base64,{data}) '
        'format("truetype")}'
    )


def _text(label: Words) -> str:
    weight = ' font-weight="bold"' if label.bold else ""
    x, y = label.at_mm
    return (
        f'<text x="{x:.3f}" y="{y:.3f}" font-family="{FAMILY}" font-size="{label.size_mm:g}" '
        f'text-anchor="{label.anchor}"{weight} fill="{label.colour}">{escape(label.text)}</text>'
    )


def pages_pdf(pages: Sequence[PaperPage], title: str) -> bytes:
    """Return the sheets as a PDF, each page in its own true size."""
    pdf = _new_pdf()
    pdf.set_title(title)
    pdf.set_creator("Gunbai")
    for page in pages:
        pdf.add_page(format=page.size_mm)
        if page.shapes:
            pdf.image(BytesIO(_document(page).encode()), x=0, y=0, w=page.size_mm[0], h=page.size_mm[1])
        for label in page.words:
            pdf.set_font(FAMILY, "B" if label.bold else "", label.size_mm / MM_PER_POINT)
            pdf.set_text_color(label.colour)
            x, y = label.at_mm
            pdf.text(x - ANCHORS[label.anchor] * pdf.get_string_width(label.text), y, label.text)
    return bytes(pdf.output())


def _new_pdf() -> FPDF:
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    for bold, file in FILES.items():
        pdf.add_font(FAMILY, "B" if bold else "", FONTS / file)
    return pdf


# ---- a drawing larger than the paper, cut into sheets that are glued together --------------------


MARGIN_MM = 10.0  # what printers leave white at the edges
FOOT_MM = 9.0  # for the line with the title and the ruler
OVERLAP_MM = 8.0  # where one sheet is glued onto the next
RULER_MM = 100.0
INK = "#1d1f21"
FAINT = "#8a8f94"
HAIR_MM = 0.2


def room_mm(paper_mm: Point) -> Point:
    """Return the (width, height) in mm of what may be drawn on of a paper: inside the margins and above the foot."""
    return paper_mm[0] - 2 * MARGIN_MM, paper_mm[1] - 2 * MARGIN_MM - FOOT_MM


def paper_for(drawing_mm: Point, paper: str) -> Point:
    """Return the paper's (width, height) in mm, turned so that the drawing needs fewest sheets; else upright."""
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
