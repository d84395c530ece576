"""`gunbai bundle` and `bench`: pictures with what was read in them as one file, and how often the eye is right."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.parsing import InputFile, OutputFile, number, whole
from companion.core.errors import UsageError
from companion.core.language import _, plural
from engine.words import mark
from intake.text import one_line

if TYPE_CHECKING:
    from companion.evidence.bundle_file import Units
    from companion.games.journal import OrdersJournal


def _pack(options: argparse.Namespace) -> int:
    from companion.core.outputs import check_output
    from companion.core.printable import progress
    from companion.evidence import bundle
    from companion.evidence.bundle_file import BundleFrame, write_bundle
    from companion.evidence.pictures import frames_beside
    from companion.games.journal import read_journal
    from companion.perception.table_file import load_table
    from companion.settings import layers

    games = [Path(name) for name in options.what if name.endswith(".jsonl")]
    pictures = [Path(name) for name in options.what if not name.endswith(".jsonl")]
    if len(games) > 1:
        raise UsageError("only one saved game (.jsonl) goes into a bundle")
    game = games[0] if games else None
    journal = read_journal(game) if game else None  # only games of General Orders have pictures
    known = _known(options, journal, len(pictures))
    table_path = Path(options.table) if options.table else layers.load().table
    if table_path is None:
        raise UsageError("--table TABLE is needed: the settings name none")
    table = load_table(str(table_path))
    kept = () if game is None or journal is None else frames_beside(game, journal)
    check_output(options.output, (table_path, *(picture.path for picture in kept)))
    frames: list[BundleFrame] = []
    with progress(options.output, len(kept) + len(pictures)) as step:
        if game is not None and journal is not None:
            frames += bundle.kept_frames(table, game, journal, as_played=options.as_played)
            step(len(kept))
        for path, (truth, steps) in zip(pictures, known, strict=True):
            frames.append(bundle.frame_from_file(table, path, truth, steps))
            step()
    if not frames:
        raise UsageError(f"{game}: no pictures were kept with this game: name some")
    data = None if game is None or journal is None else bundle.game_bytes(game, journal, names=options.with_names)
    packed = bundle.bundle_of(table, frames, data)
    write_bundle(Path(options.output), packed)
    names = _("the game") if options.with_names else _("the game without its players' names")
    parts = [
        plural("{n} picture", "{n} pictures", len(frames)),
        _("the table"),
        *(() if packed.own_board is None else (_("your board"),)),
        *(() if game is None else (names,)),
    ]
    print(f"{one_line(options.output)}: {', '.join(parts)}")
    return 0


def _known(
    options: argparse.Namespace, journal: OrdersJournal | None, pictures: int
) -> Sequence[tuple[Units | None, int | None]]:
    """Return (units on the board, steps played) of each picture, as far as the options tell; UsageError if wrong."""
    from companion.evidence.recorder import units_of
    from companion.terminal.inputs import load_position

    if options.steps is None:
        if len(options.truth) > pictures:
            raise UsageError("--truth: more positions than pictures")
        truths = [units_of(load_position(name).position) for name in options.truth]
        return [*((truth, None) for truth in truths), *[(None, None)] * (pictures - len(truths))]
    if options.truth or journal is None:
        raise UsageError("--steps: needs a saved game, and no --truth")
    steps, last = options.steps.replace(",", " ").split(), len(journal.steps)
    if len(steps) != pictures or not all(re.fullmatch(r"[0-9]{1,6}", step) and int(step) <= last for step in steps):
        raise UsageError(f"--steps: a number from 0 to {last}, the game's last step, is needed for each picture")
    return [(units_of(journal.positions[int(step)]), int(step)) for step in steps]


def _share(given: str) -> float:
    value = number(given)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, not {given!r}")
    return value


class Bundle:
    """The command `gunbai bundle`: packs pictures, readings, table and game into one file, or checks such a file."""

    NAME = "bundle"
    HELP = mark("pack pictures, readings, table and game for a bug report, or re-read such a bundle")
    DESCRIPTION = mark("""\
Packs everything for a bug report into one file: pictures of the board, what the eye reads in them, the table file and
a saved game with the last frames kept beside it. With --steps you say how far the game was in each picture, with
--truth what was on the board without a game; gunbai bench then scores the eye on the bundle. In tests/bundles a bundle
becomes a test: no sure area may be wrong.

Only the image of each picture is included, not where and with what it was taken. Players are numbered and their notes
removed, unless you give --with-names.

--check reads a bundle's pictures again and prints what is now read differently. The exit status is 1 if a sure area is
wrong, or fewer areas are right than when the bundle was made.

examples:
  gunbai bundle game.jsonl --table kitchen.table -o report.zip
  gunbai bundle game.jsonl frame-1.jpg frame-2.jpg --steps "0 4" --table kitchen.table -o photos.zip
  gunbai bundle photo.jpg --table kitchen.table --truth position.json -o report.zip
  gunbai bundle --check report.zip""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add GAME|FRAME... --table TABLE [--steps STEPS | --truth STATE...] -o BUNDLE, or --check BUNDLE [--json]."""
        parser.add_argument(
            "what", nargs="*", type=InputFile, metavar="GAME|FRAME", help=_("a saved game, and pictures of the board")
        )
        parser.add_argument(
            "--table", type=InputFile, metavar="TABLE", help=_("the calibrated table (default: from the settings)")
        )
        parser.add_argument(
            "--truth",
            type=InputFile,
            action="append",
            default=[],
            metavar="STATE",
            help=_("what was on the board: a position or a saved game, one per picture, in order"),
        )
        parser.add_argument(
            "--steps",
            metavar='"N N ..."',
            help=_("the game's last step before each picture, as gunbai replay numbers them; 0 is the start"),
        )
        parser.add_argument(
            "--as-played",
            action="store_true",
            help=_("the board matched the game in every picture the app kept"),
        )
        parser.add_argument(
            "--with-names", action="store_true", help=_("keep the players' names and notes in the game")
        )
        parser.add_argument("-o", "--output", type=OutputFile, metavar="BUNDLE", help=_("the file to write"))
        parser.add_argument("--check", type=InputFile, metavar="BUNDLE", help=_("read a bundle's pictures again"))
        parser.add_argument("--json", action="store_true", help=_("with --check: one JSON object per picture"))

    def run(self, options: argparse.Namespace) -> int:
        """Write or check a bundle; return 0, or 1 if a checked one is read worse than before."""
        if options.check:
            if options.what or options.output or options.truth or options.table or options.steps or options.as_played:
                raise UsageError("--check takes a bundle and nothing else")

            from companion.core.printable import progress
            from companion.evidence import bundle

            with progress(options.check):
                checks = bundle.check_bundle(Path(options.check))
            for check in checks:
                print(json.dumps(bundle.check_json(check)) if options.json else bundle.check_text(check))
            return 0 if all(check.good for check in checks) else 1
        if not options.what or not options.output:
            raise UsageError("give a saved game or pictures, and -o BUNDLE; or --check BUNDLE")
        return _pack(options)


class Bench:
    """The command `gunbai bench`: measures how often the eye is right on photos whose truth is known."""

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

    def arguments(self, parser: argparse.ArgumentParser) -> None:
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
        parser.add_argument(
            "--list", action="store_true", help=_("name every wrong area: what was wanted, what was read")
        )
        parser.add_argument("--json", action="store_true", help=_("one JSON object per table, then one for all"))
        parser.add_argument(
            "--areas", type=_share, metavar="SHARE", help=_("the lowest share of areas right that passes, 0 to 1")
        )
        parser.add_argument(
            "--silent",
            type=whole(0),
            metavar="N",
            help=_("how many areas may be sure but wrong, covered ones included"),
        )

    def run(self, options: argparse.Namespace) -> int:
        """Print the eye's figures; return 0, or 1 if they are worse than --areas or --silent allow."""
        from companion.core.printable import progress
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
