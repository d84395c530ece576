"""A sheet of paper before it is printed: shapes in SVG and words, all in millimetres from its top left corner.

Both outputs are made of the same sheet: an SVG document that looks the same anywhere, as its typeface is in it, and
pages of a PDF with real text.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from io import BytesIO
from pathlib import Path

from fpdf import FPDF

Point = tuple[float, float]

FONTS = Path(__file__).parents[1] / "view" / "fonts"
FILES = {False: "AtkinsonHyperlegible-Regular.ttf", True: "AtkinsonHyperlegible-Bold.ttf"}
FAMILY = "Atkinson Hyperlegible"
MM_PER_POINT = 25.4 / 72  # a point of type is a 72nd of an inch
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
SIZES_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text: where its base line is, the height of its em, how it hangs on that point, its colour."""

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
        """Return the same sheet with all that is on it moved."""
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
    """Write lines under one another, the first one where `first` is and in its manner."""
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
