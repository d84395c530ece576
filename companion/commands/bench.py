"""`gunbai bench`: how often the eye is right on photographs whose truth is known."""

import argparse
import json
from pathlib import Path

from companion.commands.parsing import InputFile, number, whole
from companion.core.language import _
from engine.words import mark
from intake.text import one_line

NAME = "bench"
HELP = mark("how often your photos are read right, once you say what was on the board")
DESCRIPTION = mark("""\
Scores the eye on a folder of tables: calibrates each, reads its frames and compares them with the truth. A table is a
bundle whose pictures were confirmed (see gunbai bundle), or a folder with reference.jpg (the empty board), start.jpg,
frame-01.jpg and so on, table.json and truth.json; docs/photographs.md has the forms. A board of your own goes
beside them as board.toml.

An area is right if every count in it is. What must not happen is sure and wrong: read wrong, not refused, with a
confidence of 0.9 or more. Pieces are counted in areas in clear sight. With --areas or --silent the exit status is 1 if
the eye does worse than that over all tables.

examples:
  gunbai bench photos
  gunbai bench report.zip --list
  gunbai bench photos --areas 0.98 --silent 0""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add FOLDER [--no-start] [--list] [--json] [--areas SHARE] [--silent N]."""
    parser.add_argument(
        "folder",
        type=InputFile,
        metavar="FOLDER",
        help=_("tables with the right answers, folders or bundles: a folder of them, or just one"),
    )
    parser.add_argument(
        "--no-start", action="store_true", help=_("calibrate without the photos of the starting position")
    )
    parser.add_argument("--list", action="store_true", help=_("name every wrong area: what was wanted, what was read"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object per table, then one for all"))
    parser.add_argument(
        "--areas", type=_share, metavar="SHARE", help=_("the lowest share of areas right that passes, 0 to 1")
    )
    parser.add_argument(
        "--silent", type=whole(0), metavar="N", help=_("how many areas may be sure but wrong, covered ones included")
    )


def _share(given: str) -> float:
    value = number(given)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, not {given!r}")
    return value


def run(options: argparse.Namespace) -> int:
    """Measure the eye; return 0, or 1 if it is right less often, or wrong and sure more often, than asked."""
    from companion.core.progress import progress
    from companion.terminal import bench
    from vision.scoring import Tally

    total, folder = Tally(), Path(options.folder)
    sources = bench.sources_in(folder)
    for source in sources:
        name = one_line(str(source.relative_to(folder)) if source != folder else source.resolve().name)
        with progress(name):
            known = bench.open_source(source, with_start=not options.no_start)
        tally = bench.tally_of(known)
        if options.json:
            print(json.dumps(bench.tally_json(name, tally, listed=options.list)), flush=True)
        else:
            misses = [bench.miss_text(name, miss) for miss in tally.wrong] if options.list else []
            print("\n".join([bench.tally_text(name, tally), *misses]), flush=True)
        total.add(tally)
    if options.json:
        print(json.dumps(bench.tally_json(None, total, listed=False)))
    elif len(sources) > 1:
        print(bench.tally_text("all tables", total))
    too_few = options.areas is not None and total.right < options.areas * total.areas
    too_many = options.silent is not None and total.silent > options.silent
    return 1 if too_few or too_many else 0
