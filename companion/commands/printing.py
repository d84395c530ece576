"""`gunbai print`: a board, its support board, cards and pieces, or the markers of a battle, true to scale."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.parsing import OutputFile, OutputFolder, add_language, number, speak_as_asked
from companion.core.errors import UsageError
from companion.core.language import _, plural
from engine.words import mark
from intake.text import one_line

if TYPE_CHECKING:
    from companion.printing import prints

MARKERS = "markers"
LEAST_MM, MOST_MM = 10.0, 100.0
"""The narrowest and the widest bases."""


def _refuse_mixed(options: argparse.Namespace) -> None:
    """Raise UsageError for options that don't go together."""
    if options.stand:
        given = {"-o": options.output, "--svg": options.svg, "--parts": options.parts}
        if mixed := [name for name, value in given.items() if value is not None]:
            raise UsageError(f"--stand makes the camera's stand alone: it doesn't go with {', '.join(mixed)}")
    elif options.view is not None:
        raise UsageError("--view is for the camera's stand: it goes with --stand FILE")
    elif options.output and options.svg:
        raise UsageError("give -o FILE or --svg FOLDER, not both")


def _stand(options: argparse.Namespace) -> int:
    """Write a stand high enough for the board or for all, print the height each board needs, and return 0."""
    from companion.core.outputs import write_output
    from companion.printing import stand
    from companion.printing.paper import pages_pdf
    from companion.printing.stand import stand_sheets
    from companion.printing.stand_solid import stand_stl
    from engine.orders.board import board_names, load_board
    from engine.words import decimal

    path = Path(options.stand)
    if path.suffix not in (".pdf", ".stl"):
        raise UsageError(f"--stand: a .pdf or an .stl, not {path.name}")
    view = stand.USUAL_VIEW_DEG if options.view is None else options.view
    boards = [load_board(name) for name in ([options.board] if options.board else board_names())]
    stands = {board.name: stand.stand_for(board.size_mm, view) for board in boards}
    chosen = max(stands.values(), key=lambda found: found.lens_mm)
    if path.suffix == ".stl":
        write_output(path, stand_stl(chosen))
    else:
        write_output(path, pages_pdf(stand_sheets(chosen, options.paper), _("A stand for the camera")))
    height = _("{name}: the camera {n} cm above the table")
    for name, found in stands.items():
        print(height.format(name=name, n=decimal(found.lens_mm / 10)))
    told = _("{place}: {n} cm high; print at 100%")
    print(told.format(place=one_line(str(path)), n=decimal(chosen.lens_mm / 10)))
    return 0


def _board(options: argparse.Namespace) -> prints.Printed:
    from companion.printing import prints
    from engine.orders.board import load_board

    board = load_board(options.board)
    return prints.board_sheets(board, _parts(options.parts, tuple(prints.PARTS)), options.paper)


def _markers(options: argparse.Namespace) -> prints.Printed:
    from companion.printing import prints
    from companion.printing.marker_sheets import Bases, marker_sheets
    from companion.settings.marking import MARKINGS
    from engine.sonae.scenario import load_scenario

    if not LEAST_MM <= options.base_mm <= MOST_MM:
        raise UsageError(f"--base-mm: from {LEAST_MM:g} to {MOST_MM:g}, not {options.base_mm:g}")
    bases = Bases(load_scenario(options.scenario), options.base_mm, MARKINGS[options.marking], options.paper)
    sheets = marker_sheets(bases)
    parts = _parts(options.parts, tuple(sheets))
    return prints.Printed(MARKERS, _(bases.scenario.title), {part: sheets[part] for part in parts})


def _parts(text: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    chosen = tuple(part.strip() for part in text.split(",")) if text else known
    for part in chosen:
        if part not in known:
            raise UsageError(f"--parts: {part!r} is none of {', '.join(known)}")
    return chosen


class Print:
    """The command `gunbai print`: makes sheets to print, or a stand for the camera."""

    NAME = "print"
    HELP = mark("print a board, its cards and pieces on paper, true to scale")
    DESCRIPTION = mark("""\
Makes sheets to print: the board in true size, divided if the paper is smaller, the support board, the operation cards,
pieces to cut out, codes to stick on the cards of the box, so that the camera sees which card was played, and a "Yes" to
lay on the table: resting a hand on it takes the turn that the camera has seen. With paper and a handful of buttons
anyone can try a practice board, camera included. With "markers" instead of a board: the markers for the corners of a
table and the bases of a battle, so that the eye can measure it. Print at 100%: the line at the foot of each sheet is
100 mm long.

--stand makes a stand for the camera, as a PDF to glue onto card and fold, or as an STL to print in plastic, high
enough for every board, or for the one that is named, and says how high the camera must be for each.

examples:
  gunbai print wwii-alpine                        wwii-alpine.pdf, everything, on A4
  gunbai print sengoku-fortress --paper a3        the board on one sheet
  gunbai print wwii-island --parts board --svg sheets
                                                  drawings to edit, one file per sheet
  gunbai print markers --scenario maru-shikaku --base-mm 40
                                                  markers.pdf: corners and bases, for bases 40 mm wide
  gunbai print --stand stand.pdf --view 62        for a camera that sees 62° from left to right""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add BOARD [-o FILE] [--svg FOLDER] [--paper SIZE] [--parts PART,...] [--stand FILE] and so on."""
        parser.add_argument("board", metavar="BOARD", nargs="?", help=_('which board, e.g. wwii-alpine, or "markers"'))
        parser.add_argument(
            "-o", "--output", type=OutputFile, metavar="FILE", help=_("the PDF to write (default: BOARD.pdf)")
        )
        parser.add_argument(
            "--svg", type=OutputFolder, metavar="FOLDER", help=_("write one SVG per sheet into this folder instead")
        )
        parser.add_argument("--paper", choices=("a4", "a3", "letter"), default="a4", help=_("the board's paper"))
        parser.add_argument(
            "--parts", metavar="PART,...", help=_("board, support, cards, pieces, codes, yes (default: all)")
        )
        add_language(parser, _("en or pt_BR"))
        parser.add_argument("--scenario", metavar="NAME", default="maru-shikaku", help=_("markers: the battle"))
        parser.add_argument(
            "--base-mm", metavar="MM", type=number, default=40.0, help=_("markers: the width of a base")
        )
        parser.add_argument(
            "--marking", choices=("middle", "rear"), default="middle", help=_("markers: their place on the bases")
        )
        parser.add_argument(
            "--stand",
            type=OutputFile,
            metavar="FILE",
            help=_("write a stand for the camera instead: a .pdf or an .stl"),
        )
        parser.add_argument(
            "--view",
            metavar="DEG",
            type=number,
            help=_("stand: what the camera sees from left to right, in degrees (default: 62)"),
        )

    def run(self, options: argparse.Namespace) -> int:
        """Write the sheets or the stand, and return 0."""
        from companion.core.outputs import check_output
        from companion.core.printable import progress
        from companion.printing import prints

        speak_as_asked(options)
        _refuse_mixed(options)
        if options.stand:
            return _stand(options)
        if not options.board:
            raise UsageError("name a board, or use --stand FILE")
        if not options.svg:  # the name may be ours
            check_output(options.output or f"{options.board}.pdf")
        with progress(options.board):
            printed = _markers(options) if options.board == MARKERS else _board(options)
        count = sum(len(pages) for pages in printed.parts.values())
        if options.svg:
            prints.write_svgs(Path(options.svg), printed)
            print(plural("{n} sheet in {place}", "{n} sheets in {place}", count, place=one_line(options.svg)))
            return 0
        path = Path(options.output or f"{printed.name}.pdf")
        prints.write_pdf(path, printed)
        place = one_line(str(path))
        print(plural("{place}: {n} sheet; print at 100%", "{place}: {n} sheets; print at 100%", count, place=place))
        return 0
