"""`gunbai doctor`: the health check."""

import argparse
import json
import sys
from pathlib import Path

from companion.commands.parsing import OutputFolder
from companion.core.language import _
from engine.words import mark

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


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add [--json] [--pictures DIR]."""
    parser.add_argument("--json", action="store_true", help=_("one JSON object"))
    parser.add_argument(
        "--pictures", type=OutputFolder, metavar="DIR", help=_("save the camera's picture in this folder")
    )


def run(options: argparse.Namespace) -> int:
    """Check the machine; return 0 where all is well, 1 where something is to be done."""
    import os

    from companion.checks import health
    from companion.core.language import language_of, use_language
    from companion.settings import layers
    from companion.view.window.health_parts import parts
    from companion.view.window.sounds import Speaker

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
