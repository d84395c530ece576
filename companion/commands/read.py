"""`gunbai read`: from pictures to unit counts."""

import argparse
import json

NAME = "read"
HELP = "read photos: which units stand where"
DESCRIPTION = """\
Counts the pieces on the board in each picture, by area, faction and kind, and says how sure it is.

example:
  gunbai read --table kitchen.table photo-1.jpg photo-2.jpg --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """--table TABLE FRAME... [--json]."""
    parser.add_argument("--table", required=True, metavar="TABLE", help="the calibrated table (see gunbai calibrate)")
    parser.add_argument("frames", nargs="+", metavar="FRAME", help="a picture of the board")
    parser.add_argument("--json", action="store_true", help="one JSON object a picture")


def run(options: argparse.Namespace) -> int:
    """0 when every picture was read."""
    from companion import eye

    table = eye.load_table(options.table)
    for frame in options.frames:
        seen = eye.read_frame(table, frame)
        print(json.dumps(eye.reading_json(frame, seen)) if options.json else eye.reading_text(frame, seen), flush=True)
    return 0
