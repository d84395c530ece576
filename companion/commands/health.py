"""`gunbai doctor` and `drill`: the machine looked at, and the app with all that may go wrong at a table done to it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.parsing import OutputFolder
from companion.core.errors import UsageError
from companion.core.language import _
from engine.words import mark

if TYPE_CHECKING:
    from companion.drill.scenarios import Scenario


def _try_all(wanted: tuple[Scenario, ...], *, as_json: bool) -> int:
    """Run these scenarios, print each result as it comes, and return 0 if all are OK, else 1."""
    import tempfile

    from companion.drill.place import Place
    from companion.drill.scenarios import as_line, as_object, run_scenarios

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


class Doctor:
    """The command `gunbai doctor`: the health check."""

    NAME = "doctor"
    HELP = mark("check the machine, screen, touch, pins, devices, power, clock, disk, games, service and camera")
    DESCRIPTION = mark("""\
Checks everything that Gunbai depends on and says whether it is OK, or what to do. It changes nothing and leaves a
running Gunbai alone. The app has the same check under Home, More, Health check, with crosses to test the
touchscreen. Exit status 1: something needs attention.

examples:
  gunbai doctor
  gunbai doctor --pictures here     also save the camera's picture
  gunbai doctor --json""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--json] [--pictures DIR]."""
        parser.add_argument("--json", action="store_true", help=_("one JSON object"))
        parser.add_argument(
            "--pictures", type=OutputFolder, metavar="DIR", help=_("save the camera's picture in this folder")
        )

    def run(self, options: argparse.Namespace) -> int:
        """Print the health check; return 0 if all is well, 1 if something has to be done."""
        import os

        from companion.checks import health
        from companion.core.language import language_of, use_language
        from companion.settings import layers
        from companion.view.window.ambience import Speaker
        from companion.view.window.display import parts

        chosen, _broken = layers.load_sound()
        nobody_chose = chosen == layers.Settings() and not options.json
        use_language(language_of(os.environ) if nobody_chose else chosen.language)
        found = []
        for check in health.checks(
            parts(chosen), health.Around(pictures=Path(options.pictures) if options.pictures else None)
        ):
            found.append(check)
            if not options.json:
                print(health.line(check), flush=True)
        if options.json:
            print(json.dumps(health.as_json(found), ensure_ascii=False))
        else:
            sys.stdout.flush()
            Speaker().finish()
        return 0 if health.is_well(found) else 1


class Drill:
    """The command `gunbai drill`: makes things go wrong for an app in a scratch folder, and checks that it recovers."""

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

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [NAME ...] [--list] [--json]."""
        parser.add_argument("names", nargs="*", metavar="NAME", help=_("only these scenarios (default: all)"))
        parser.add_argument("--list", action="store_true", help=_("list the scenarios, with the expected outcome"))
        parser.add_argument("--json", action="store_true", help=_("one JSON object per line for each scenario"))

    def run(self, options: argparse.Namespace) -> int:
        """Run the chosen scenarios, or list them; return 0, or 1 if one failed."""
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
