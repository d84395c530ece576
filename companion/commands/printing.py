"""`gunbai print`: a board, its support board, cards and pieces on paper, true to scale."""

import argparse

NAME = "print"
HELP = "a board, its cards and pieces on paper, true to scale"
DESCRIPTION = """\
Makes sheets to print: the board in its true size, cut into sheets where the paper is smaller, the support board, the
operation cards and pieces to cut out. With paper and a handful of buttons anyone can try a practice board, camera
included. Print at 100 %: the line at the foot of each sheet is 100 mm long.

examples:
  gunbai print wwii-alpine                        wwii-alpine.pdf, everything, on A4
  gunbai print sengoku-fortress --paper a3        the board on one sheet
  gunbai print wwii-island --parts board --svg sheets
                                                  drawings to change, one file a sheet"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """BOARD [-o FILE] [--svg FOLDER] [--paper a4|a3] [--parts PART,...] [--language CODE]."""
    parser.add_argument("board", metavar="BOARD", help="which board, e.g. wwii-alpine")
    parser.add_argument("-o", "--output", metavar="FILE", help="the PDF to write (default: BOARD.pdf)")
    parser.add_argument("--svg", metavar="FOLDER", help="write an SVG for each sheet into this folder instead")
    parser.add_argument("--paper", choices=("a4", "a3"), default="a4", help="what the board is printed on")
    parser.add_argument("--parts", metavar="PART,...", help="board, support, cards, pieces (default: all)")
    parser.add_argument("--language", metavar="CODE", default="en", help="en or pt_BR")


def run(options: argparse.Namespace) -> int:
    """0 when the sheets are written."""
    from pathlib import Path

    from companion.language import languages, use_language
    from companion.printing import prints
    from engine.orders.board import load_board

    board = load_board(options.board)
    parts = _parts(options.parts, tuple(prints.PARTS))
    if options.language not in languages():
        raise _usage(f"--language: {options.language!r} is none of {', '.join(languages())}")
    use_language(options.language)
    printed = prints.sheets(board, parts, options.paper)
    count = sum(len(pages) for pages in printed.values())
    if options.svg:
        prints.write_svgs(Path(options.svg), board, printed)
        print(f"{count} sheets in {options.svg}")
        return 0
    path = Path(options.output or f"{board.name}.pdf")
    prints.write_pdf(path, board, printed)
    print(f"{path}: {count} sheets; print at 100 %")
    return 0


def _parts(text: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    chosen = tuple(part.strip() for part in text.split(",")) if text else known
    for part in chosen:
        if part not in known:
            raise _usage(f"--parts: {part!r} is none of {', '.join(known)}")
    return chosen


def _usage(message: str) -> Exception:
    from companion.errors import UsageError

    return UsageError(message)
