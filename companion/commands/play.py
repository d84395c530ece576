"""`gunbai play`: the touchscreen app."""

import argparse
import gc

from companion.commands.parsing import InputFile
from companion.core.language import _
from engine.words import mark

NAME = "play"
HELP = mark("the touchscreen app")
DESCRIPTION = mark("""\
Opens the app on the screen. Without --game you can resume the last game from the home screen.
With a calibrated table and a camera the board is compared with the game all the time; --demo does the same on a
simulated table.

examples:
  gunbai play
  gunbai play --demo --size 800x480
  gunbai play --table kitchen.table --camera 0""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add [--demo] [--size WxH] [--game FILE] [--table TABLE --camera SPEC]."""
    parser.add_argument("--demo", action="store_true", help=_("a simulated table instead of a camera"))
    parser.add_argument(
        "--size", metavar="WxH", help=_("a window of this size, such as 800x480 (default: whole screen)")
    )
    parser.add_argument("--game", type=InputFile, metavar="FILE", help=_("continue this saved game"))
    parser.add_argument(
        "--table", type=InputFile, metavar="TABLE", help=_("the calibrated table (see gunbai calibrate)")
    )
    parser.add_argument("--camera", metavar="SPEC", help=_("a camera's number or device, or a folder of pictures"))


def run(options: argparse.Namespace) -> int:
    """Run the app's window and return its exit status."""
    gc.disable()  # what is loaded now stays, and to look for garbage in it takes a sixth of the start
    from companion.bootstrap import play
    from companion.core.heap import collect_at_rest

    collect_at_rest()
    gc.enable()
    return play(options)
