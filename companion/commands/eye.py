"""`gunbai calibrate`, `read`, `score` and `measure`: a table is learnt from photos, and pictures of it are read."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from companion.commands.parsing import InputFile, OutputFile, add_corners, number
from companion.core.errors import InputError, UsageError
from companion.core.language import _
from companion.core.log import tell
from engine.words import mark

if TYPE_CHECKING:
    from companion.measuring.field import Sighting
    from companion.settings.marking import Marking
    from engine.sonae.position import Position
    from engine.sonae.ranges import Ruler


class Calibrate:
    """The command `gunbai calibrate`: makes a table from photos."""

    NAME = "calibrate"
    HELP = mark("calibrate the camera for your table, from a photo of the empty board")
    DESCRIPTION = mark("""\
Makes a table file from photos taken by the camera that will read the games.

The corners are the board's own, in pixels of REFERENCE: top left, top right, bottom right, bottom left, as in the
drawing with black's headquarters on the left, whichever way the board lies in the picture. Without them Gunbai looks
for the board.

If the support board lies beside the map in both photos, name its spaces with their middles in REFERENCE, in pixels:
the commanders on them are then read too, and Plan is seen like any other turn.

The photos are checked as in the app. Anything too dark, blurred or not as printed is reported, and the table is
written anyway.

example:
  gunbai calibrate empty.jpg --board sengoku-rivers --corners "210,95 1050,88 1190,860 70,871" \\
      --start start.jpg -o kitchen.table
  gunbai calibrate empty.jpg --board sengoku-rivers --support "plan:1 1240,300 plan:2 1240,380" \\
      -o kitchen.table""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add REFERENCE --board B [--corners C] [--support S] [--start START] -o TABLE."""
        parser.add_argument(
            "reference", type=InputFile, metavar="REFERENCE", help=_("a photo of the empty board: no pieces, no tokens")
        )
        parser.add_argument("--board", required=True, metavar="B", help=_("the board's name, such as sengoku-rivers"))
        add_corners(parser, _("the board's corners in that photo"))
        parser.add_argument(
            "--support", metavar='"S x,y S x,y"', help=_("spaces of the support board, where it is in sight")
        )
        parser.add_argument(
            "--start", type=InputFile, metavar="START", help=_("a photo of the starting position, to learn your pieces")
        )
        parser.add_argument(
            "-o", "--output", type=OutputFile, required=True, metavar="TABLE", help=_("the table file to write")
        )

    def run(self, options: argparse.Namespace) -> int:
        """Write the table, print warnings about its photos, and return 0."""
        from companion.core.printable import progress
        from companion.terminal.eye import TablePhotos, calibrate_table, parse_corners, parse_support
        from engine.orders.board import load_board

        board = load_board(options.board)
        corners = parse_corners(options.corners) if options.corners is not None else None
        support = parse_support(options.support, board) if options.support is not None else ()
        photos = TablePhotos(options.reference, options.start, corners, support)
        with progress(options.reference):
            made, doubts = calibrate_table(board, photos, options.output)
        print(made)
        for doubt in doubts:
            tell("warning", doubt)
        return 0


class Read:
    """The command `gunbai read`: counts the units in pictures."""

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

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add --table TABLE FRAME... [--game GAME] [--corners C] [--json]."""
        parser.add_argument(
            "--table",
            type=InputFile,
            required=True,
            metavar="TABLE",
            help=_("the calibrated table (see gunbai calibrate)"),
        )
        parser.add_argument("frames", nargs="+", type=InputFile, metavar="FRAME", help=_("a picture of the board"))
        parser.add_argument(
            "--game", type=InputFile, metavar="GAME", help=_("the game so far, as a hint to what is on the board")
        )
        add_corners(parser, _("where the board lies in the pictures, if it isn't found"))
        parser.add_argument("--json", action="store_true", help=_("one JSON object per picture"))

    def run(self, options: argparse.Namespace) -> int:
        """Read every picture, print each reading, and return 0."""
        from companion.core.printable import progress
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


class Score:
    """The command `gunbai score`: prints supply, points and the winner of a position or a photo."""

    NAME = "score"
    HELP = mark("supply, victory points and the winner, from a position or a photo")
    DESCRIPTION = mark("""\
Scores a board as if the game ended now. For a battle of Sonae or a game of Generals Order it prints the state of both
sides, and who has won.

examples:
  gunbai score game.jsonl
  gunbai score --table kitchen.table photo.jpg
  gunbai score --table kitchen.table photo.jpg --game game.jsonl
  gunbai score --table kitchen.table photo.jpg --corners "210,95 1050,88 1190,860 70,871\"""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add POSITION, or --table TABLE FRAME [--game GAME] [--corners C]; [--json]."""
        parser.add_argument(
            "what",
            type=InputFile,
            metavar="POSITION|FRAME",
            help=_("a position or saved game, or with --table a picture"),
        )
        parser.add_argument("--table", type=InputFile, metavar="TABLE", help=_("score a picture of this table"))
        parser.add_argument(
            "--game",
            type=InputFile,
            metavar="GAME",
            help=_("with --table: the game it belongs to, for round and initiative"),
        )
        add_corners(parser, _("with --table: where the board lies in the picture, if it isn't found"))
        parser.add_argument("--json", action="store_true", help=_("one JSON object"))

    def run(self, options: argparse.Namespace) -> int:
        """Print the score, and return 0."""
        from companion.terminal.inputs import load_any
        from companion.terminal.reports import REPORTS, notice

        if options.game and not options.table:
            raise UsageError("--game goes with --table: a saved game is scored by itself (gunbai score GAME)")
        if options.corners is not None and not options.table:
            raise UsageError("--corners goes with --table: it is the board's place in a picture")
        if options.table:
            from companion.terminal.eye import photo_score

            found = photo_score(options.table, options.what, options.game, options.corners)
            print(json.dumps(found.data, ensure_ascii=False) if options.json else found.text)
            return 0
        loaded = load_any(options.what)
        notice(loaded.notice)
        report, position = REPORTS.of(loaded.system.name), loaded.position
        told = (
            json.dumps(report.score_json(position), ensure_ascii=False) if options.json else report.score_text(position)
        )
        print(told)
        return 0


def _position(options: argparse.Namespace) -> Position:
    from companion.terminal.inputs import load_any
    from companion.terminal.reports import notice
    from engine.sonae.game import new_game
    from engine.sonae.position import Position
    from engine.sonae.scenario import load_scenario

    if not options.game:
        return new_game(load_scenario(options.scenario))
    loaded = load_any(options.game)
    notice(loaded.notice)
    if not isinstance(loaded.position, Position):
        raise InputError(f"{options.game}: of {loaded.system.name}, not a Sonae battle")
    return loaded.position


def _marking(options: argparse.Namespace) -> Marking:
    from companion.settings.marking import HEIGHTS, marking_of

    least, most = HEIGHTS
    height = options.base_height
    if height is not None and not least <= height <= most:
        raise UsageError(f"--base-height: from {least:g} to {most:g} base widths, not {height:g}")
    return marking_of(options.marking, height)


def _sighting(options: argparse.Namespace, position: Position, marking: Marking) -> Sighting:
    from companion.core.printable import progress
    from companion.measuring.field import sighting_of
    from companion.settings.marking import marked_table
    from intake.files import read_file_or_pipe
    from vision.bases.bases import measure
    from vision.frame import load_picture

    table = marked_table(position.scenario, marking)
    with progress(options.photo):
        seen = sighting_of(position, measure(load_picture(options.photo, read_file_or_pipe), table))
    if seen.fault:
        raise InputError(f"{options.photo}: {seen.fault}")
    return seen


def _ruler(options: argparse.Namespace, position: Position, seen: Sighting) -> Ruler:
    from companion.measuring.field import as_seen
    from engine.sonae.ranges import measure_unit

    for unit in options.units:
        if position.unit(unit) is None:
            raise UsageError(f"--units: {unit!r} isn't a unit in the battle")
        if unit not in seen.places:
            raise InputError(f"{options.photo}: {unit} is not seen")
    return measure_unit(as_seen(position, seen), *options.units)


class Measure:
    """The command `gunbai measure`: measures the bases of a battle in a photo."""

    NAME = "measure"
    HELP = mark("measure a battle in a photo: where each base is, what moved, what is in range")
    DESCRIPTION = mark("""\
Measures the bases of a Sonae battle in a photo of a table with markers (see gunbai print markers): place and facing in
Movements from the near left corner, each with its error. With a saved game it says what has moved since and whether
that was allowed; with two units, it lays a ruler between them.

examples:
  gunbai measure photo.jpg --scenario maru-shikaku
  gunbai measure photo.jpg --game battle.jsonl
  gunbai measure photo.jpg --game battle.jsonl --units maru-ni-firing shikaku-san-normal

exit status: 0 measured, 1 a move was against the rules, 2 bad input""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add PHOTO [--scenario NAME | --game FILE] [--units A B] [--marking WHERE] [--base-height H] [--json]."""
        parser.add_argument("photo", type=InputFile, metavar="PHOTO", help=_("a picture of the whole table"))
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--scenario", metavar="NAME", default="maru-shikaku", help=_("the battle that the units belong to")
        )
        which.add_argument(
            "--game",
            type=InputFile,
            metavar="FILE",
            help=_("the saved battle: what has moved since, and was it allowed?"),
        )
        parser.add_argument("--units", nargs=2, metavar=("A", "B"), help=_("lay the ruler from one unit to another"))
        parser.add_argument(
            "--marking", choices=("middle", "rear"), default="middle", help=_("where the markers are on their bases")
        )
        parser.add_argument(
            "--base-height",
            metavar="H",
            type=number,
            help=_("height of a base divided by its width: 0.075 for 3 mm on 40 mm"),
        )
        parser.add_argument("--json", action="store_true", help=_("one JSON object"))

    def run(self, options: argparse.Namespace) -> int:
        """Print the photo's measurements; return 0, or 1 if something was moved against the rules."""
        from companion.measuring.report import sighting_json, sighting_text

        marking = _marking(options)
        position = _position(options)
        seen = _sighting(options, position, marking)
        laid = _ruler(options, position, seen) if options.units else None
        judged = bool(options.game)
        if options.json:
            from companion.measuring.report import ruler_json

            measured = {"ruler": ruler_json(laid)} if laid else {}
            print(json.dumps(sighting_json(options.photo, position, seen, judged) | measured))
        else:
            print(sighting_text(options.photo, position, seen, judged))
            print("".join(f"  {fact.text}: {fact.citation}\n" for fact in laid.facts) if laid else "", end="")
        return 1 if judged and seen.illegal else 0
