"""`gunbai drill`: what may go wrong at a table is done to the app in a scratch folder, and looked at."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import UsageError
from companion.core.language import _
from engine.words import mark

if TYPE_CHECKING:
    from companion.drill.scenario import Scenario

NAME = "drill"
HELP = mark("make things go wrong in a scratch folder, and check that no step is lost")
DESCRIPTION = mark("""\
Starts the app in a scratch folder with a simulated table, kills, freezes and starves it, and checks that it recovers
by itself and has every confirmed step. Your games, settings, camera and pins, and a running app, are not touched. It
takes about a minute. Exit status 1: a scenario failed.

examples:
  gunbai drill
  gunbai drill camera-killed disk-full
  gunbai drill --list""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add [NAME ...] [--list] [--json]."""
    parser.add_argument("names", nargs="*", metavar="NAME", help=_("only these scenarios (default: all)"))
    parser.add_argument("--list", action="store_true", help=_("list the scenarios, with the expected outcome"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object per line for each scenario"))


def run(options: argparse.Namespace) -> int:
    """Run the drill; return 0 where all went as it has to, 1 where something did not."""
    from companion.drill.scenarios import SCENARIOS, scenarios_named

    try:
        wanted = scenarios_named(tuple(options.names))
    except KeyError as error:
        known = ", ".join(scenario.name for scenario in SCENARIOS)
        raise UsageError(f"{error.args[0]}: no such scenario (choose from {known})") from error
    if options.list:
        for scenario in wanted:
            print(scenario.name.ljust(18) + _(scenario.fault), " " * 18 + _(scenario.expected), sep="\n")
        return 0
    return _try_all(wanted, as_json=options.json)


def _try_all(wanted: tuple[Scenario, ...], *, as_json: bool) -> int:
    """Try them one after the other, and tell of each as soon as it is over."""
    import tempfile

    from companion.drill.place import Place
    from companion.drill.scenario import as_line, as_object, run_scenarios

    well = True
    with tempfile.TemporaryDirectory(prefix="gunbai-drill-") as folder:
        place = Place(Path(folder) / "place")
        try:
            for result in run_scenarios(wanted, place):
                well = well and result.ok
                print(json.dumps(as_object(result)) if as_json else as_line(result), flush=True)
        finally:
            place.leave()
    return 0 if well else 1
