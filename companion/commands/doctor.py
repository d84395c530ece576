"""`gunbai doctor`: the self-check."""

import argparse

NAME = "doctor"
HELP = "check screen, touch, letters, sound, disk, games, settings, camera and table"
DESCRIPTION = """\
Looks at everything that Gunbai stands on and says of each whether it is OK, or what to do. Nothing is changed.
The app has the same under Home, Self-check, with crosses to try the touch screen. Exit status 1: something is to do.

examples:
  gunbai doctor
  gunbai doctor --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """[--json]."""
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    """0 where all is well, 1 where something is to be done."""
    import json
    import sys

    from companion import health, settings
    from companion.language import use_language
    from companion.view.parts import parts
    from companion.view.sounds import Speaker

    chosen, _broken = settings.load_sound()
    use_language(chosen.language)
    found = health.checks(parts(chosen))
    if options.json:
        print(json.dumps(health.as_json(found), ensure_ascii=False))
    else:
        print("\n".join(health.line(check) for check in found))
        sys.stdout.flush()
        Speaker().finish()
    return 0 if health.is_well(found) else 1
