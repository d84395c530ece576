"""`gunbai bundle`: pictures, what was read in them, the table and the game in one file."""

import argparse
import json

NAME = "bundle"
HELP = "pack pictures, readings, table and game for a bug report, or re-read such a bundle"
DESCRIPTION = """\
Packs everything for a bug report into one file: pictures of the board, what the eye reads in them, the table file and
a saved game with the last frames kept beside it. With --truth you say what was really on the board. In tests/bundles a
bundle becomes a test: no sure area may be wrong.

Only the image of each picture is included, not where and with what it was taken. Players are numbered and their notes
removed, unless you give --with-names.

--check reads a bundle's pictures again and prints what is now read differently. The exit status is 1 if a sure area is
wrong, or fewer areas are right than when the bundle was made.

examples:
  gunbai bundle game.jsonl --table kitchen.table -o report.zip
  gunbai bundle photo.jpg --table kitchen.table --truth position.json -o report.zip
  gunbai bundle --check report.zip"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """GAME|FRAME... --table TABLE [--truth STATE]... -o BUNDLE, or --check BUNDLE [--json]."""
    parser.add_argument("what", nargs="*", metavar="GAME|FRAME", help="a saved game, and pictures of the board")
    parser.add_argument("--table", metavar="TABLE", help="the calibrated table (default: from the settings)")
    parser.add_argument(
        "--truth",
        action="append",
        default=[],
        metavar="STATE",
        help="what was on the board: a position or a saved game, one per picture, in order",
    )
    parser.add_argument("--with-names", action="store_true", help="keep the players' names and notes in the game")
    parser.add_argument("-o", "--output", metavar="BUNDLE", help="the file to write")
    parser.add_argument("--check", metavar="BUNDLE", help="read a bundle's pictures again")
    parser.add_argument("--json", action="store_true", help="with --check: one JSON object per picture")


def run(options: argparse.Namespace) -> int:
    """0 when the bundle is written, or nothing in it got worse; 1 where something did."""
    from companion.core.errors import UsageError

    if options.check:
        if options.what or options.output or options.truth or options.table:
            raise UsageError("--check takes a bundle and nothing else")
        from pathlib import Path

        from companion.evidence import bundle

        checks = bundle.check_bundle(Path(options.check))
        for check in checks:
            print(json.dumps(bundle.check_json(check)) if options.json else bundle.check_text(check))
        return 0 if all(check.good for check in checks) else 1
    if not options.what or not options.output:
        raise UsageError("a saved game or pictures are expected, and -o BUNDLE; or --check BUNDLE")
    return _pack(options)


def _pack(options: argparse.Namespace) -> int:
    from pathlib import Path

    from companion.core.errors import UsageError
    from companion.evidence import bundle
    from companion.evidence.bundle_file import write_bundle
    from companion.evidence.recorder import units_of
    from companion.games.journal import read_journal
    from companion.perception.table_file import load_table
    from companion.settings import layers
    from companion.terminal.inputs import load_position
    from companion.text.columns import count_text
    from intake.text import one_line

    games = [Path(name) for name in options.what if name.endswith(".jsonl")]
    pictures = [Path(name) for name in options.what if not name.endswith(".jsonl")]
    if len(games) > 1:
        raise UsageError("one saved game (.jsonl) goes into a bundle, not more")
    if len(options.truth) > len(pictures):
        raise UsageError("--truth: more than there are pictures to say it of")
    journal = read_journal(games[0]) if games else None  # pictures are kept of boards alone
    table_path = Path(options.table) if options.table else layers.load().table
    if table_path is None:
        raise UsageError("--table TABLE is expected: the settings name none")
    game, table = (games[0] if games else None), load_table(str(table_path))
    truths = [units_of(load_position(name).position) for name in options.truth]
    frames = [] if game is None or journal is None else list(bundle.kept_frames(table, game, journal))
    known = [*truths, *[None] * (len(pictures) - len(truths))]
    frames += [bundle.frame_from_file(table, path, truth) for path, truth in zip(pictures, known, strict=True)]
    if not frames:
        raise UsageError(f"{game}: no pictures were kept beside this game: name one")
    data = None if game is None or journal is None else bundle.game_bytes(game, journal, names=options.with_names)
    write_bundle(Path(options.output), bundle.bundle_of(table, frames, data))
    told = "" if game is None else ", the game" if options.with_names else ", the game without its players' names"
    print(f"{one_line(options.output)}: {count_text(len(frames), 'picture')}, the table{told}")
    return 0
