"""`gunbai measure`: where each base of a battle stands in a photo, what moved, and what the ruler says."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from companion.commands.parsing import InputFile, number
from companion.core.errors import InputError, UsageError
from companion.core.language import _
from engine.words import mark

if TYPE_CHECKING:
    from companion.measuring.field import Sighting
    from companion.settings.marking import Marking
    from engine.sonae.position import Position
    from engine.sonae.ranges import Ruler


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
    from companion.core.progress import progress
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
    """The bases of a battle in a photo."""

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
        """Measure the photo; return 0, or 1 when something was moved against the rules."""
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
