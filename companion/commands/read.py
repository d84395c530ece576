"""`gunbai read`: from pictures to unit counts."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from companion.commands.parsing import InputFile, add_corners
from companion.core.language import _
from engine.words import mark

if TYPE_CHECKING:
    pass

NAME = "read"
HELP = mark("read photos: which units are where")
DESCRIPTION = mark("""\
Counts the pieces on the board in each picture, by area, faction and kind, and says how sure it is.

If a picture shows the board from elsewhere and it isn't found, show its corners: in pixels, clockwise, beginning with
any. Roughly is enough; the print does the rest.

examples:
  gunbai read --table kitchen.table photo-1.jpg photo-2.jpg --json
  gunbai read --table kitchen.table photo.jpg --game game.jsonl
  gunbai read --table kitchen.table photo.jpg --corners "210,95 1050,88 1190,860 70,871\"""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add --table TABLE FRAME... [--game GAME] [--corners C] [--json]."""
    parser.add_argument(
        "--table", type=InputFile, required=True, metavar="TABLE", help=_("the calibrated table (see gunbai calibrate)")
    )
    parser.add_argument("frames", nargs="+", type=InputFile, metavar="FRAME", help=_("a picture of the board"))
    parser.add_argument(
        "--game", type=InputFile, metavar="GAME", help=_("the game so far, as a hint to what is on the board")
    )
    add_corners(parser, _("where the board lies in the pictures, if it isn't found"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object per picture"))


def run(options: argparse.Namespace) -> int:
    """Read every picture, and return 0."""
    from companion.core.progress import progress
    from companion.perception.adapters import reading_json, with_game
    from companion.perception.table_file import read_frame, tables_of
    from companion.terminal import eye
    from companion.terminal.inputs import load_position
    from companion.terminal.reports import notice

    tables = tables_of(options.table, options.game)
    corners = eye.parse_corners(options.corners) if options.corners is not None else None
    game = load_position(options.game) if options.game else None
    notice(game.notice if game else None)
    for frame in options.frames:
        with progress(frame):
            seen = read_frame(tables, frame, corners)
        eye.tell_unless_found(frame, seen)
        if game is not None:
            seen = with_game(seen, game.position)
        print(json.dumps(reading_json(frame, seen)) if options.json else eye.reading_text(frame, seen), flush=True)
    return 0
