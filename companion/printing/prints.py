"""What can be printed, by name, and the files it goes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core.language import _
from companion.core.outputs import make_folder, write_output
from companion.printing.board_sheets import card_sheets, code_sheets, map_sheet, piece_sheets, support_sheet
from companion.printing.marker_sheets import yes_sheet
from companion.printing.paper import PaperPage, page_svg, pages_pdf, tiles
from engine.orders.board import Board

PARTS: Mapping[str, Callable[[Board, str], list[PaperPage]]] = {
    "board": lambda board, paper: tiles(map_sheet(board), paper),
    "support": lambda board, paper: [support_sheet(board)],
    "cards": lambda board, paper: card_sheets(board),
    "pieces": lambda board, paper: piece_sheets(board),
    "codes": lambda board, paper: code_sheets(board),
    "yes": lambda board, paper: [yes_sheet(paper)],
}


@dataclass(frozen=True, slots=True)
class Printed:
    """Sheets by part, under a name for files and a title."""

    name: str
    title: str
    parts: Mapping[str, list[PaperPage]]


def board_sheets(board: Board, parts: Sequence[str], paper: str) -> Printed:
    """Lay out the sheets of each part of a board; `paper` ("a4", "a3") is what the board itself is laid out on."""
    return Printed(board.name, _(board.mode.title), {part: PARTS[part](board, paper) for part in parts})


def write_pdf(path: Path, printed: Printed) -> None:
    """Write all sheets in one PDF. OutputError."""
    pages = [page for part in printed.parts.values() for page in part]
    write_output(path, pages_pdf(pages, printed.title))


def write_svgs(folder: Path, printed: Printed) -> list[Path]:
    """Write each sheet as an SVG of its own, e.g. wwii-alpine-cards-2.svg. OutputError."""
    make_folder(folder)
    written = []
    for part, pages in printed.parts.items():
        for number, page in enumerate(pages, start=1):
            path = folder / f"{printed.name}-{part}-{number}.svg"
            write_output(path, page_svg(page).encode())
            written.append(path)
    return written
