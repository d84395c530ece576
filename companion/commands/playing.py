"""`gunbai play` and `demo`: the touchscreen app, and a whole game by itself."""

from __future__ import annotations

import argparse
import gc

from companion.commands.parsing import InputFile, OutputFolder, whole
from companion.core.language import _
from engine.systems import DEFAULT, SYSTEMS
from engine.words import mark


class Play:
    """The command `gunbai play`: runs the touchscreen app."""

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

    def arguments(self, parser: argparse.ArgumentParser) -> None:
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

    def run(self, options: argparse.Namespace) -> int:
        """Run the app's window and return its exit status."""
        gc.disable()  # all that is loaded now stays, and collecting garbage in it would take a sixth of the start
        from companion.bootstrap import play
        from companion.core.heap import collect_at_rest

        collect_at_rest()
        gc.enable()
        return play(options)


class Demo:
    """The command `gunbai demo`: plays a whole game by itself."""

    NAME = "demo"
    HELP = mark("play a whole game by itself on a simulated table")
    DESCRIPTION = mark("""\
Plays a game by itself. Every turn is legal; the pieces are moved on a simulated table, a simulated camera takes a
picture, the eye reads it, and the reading is compared with the game. At the end the last picture is scored.
On a screen you can watch, and a touch takes over. Without one it prints each turn and writes pictures.
--practice makes a set to practise on with no board at all: the empty board, the start and ten turns as photographs,
what was on the board in each, and the game. It then says what to try on them, from gunbai calibrate to gunbai bench.
--system sonae plays a battle with miniatures, --system generals a card game: without a camera, step by step, with the
result at the end.

examples:
  gunbai demo
  gunbai demo --practice practice          photographs to try everything on
  gunbai demo --headless --seed 3 --turns 8 --pictures shots
  gunbai demo --system sonae --headless --seed 4""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--practice DIR] [--headless] [--board B] [--system S] [--seed N] [--turns N] and so on."""
        parser.add_argument(
            "--practice",
            type=OutputFolder,
            metavar="DIR",
            help=_("the folder for a practice set: photographs of ten turns (or --turns), with the truth"),
        )
        parser.add_argument("--headless", action="store_true", help=_("without a screen: print each turn"))
        parser.add_argument(
            "--system", choices=tuple(SYSTEMS), default=DEFAULT, help=_("which rules (default: orders)")
        )
        parser.add_argument(
            "--board", default="", help=_("which board (default: sengoku-rivers), or which battle of Sonae")
        )
        parser.add_argument(
            "--seed", type=whole(0), default=1, metavar="N", help=_("another number, another game (default: 1)")
        )
        parser.add_argument("--turns", type=whole(1), metavar="N", help=_("stop after N turns and score the board"))
        parser.add_argument(
            "--pictures", type=OutputFolder, metavar="DIR", help=_("the folder for pictures of screen and table")
        )
        parser.add_argument(
            "--verbose", action="store_true", help=_("also say what the eye sees rightly without being sure of it")
        )
        parser.add_argument("--size", metavar="WxH", help=_("the screen's size, such as 800x480"))

    def run(self, options: argparse.Namespace) -> int:
        """Run the demo and return its exit status, 1 if it came to no end or no score."""
        from companion.demo.game_demo import DemoOptions, run_demo

        return run_demo(DemoOptions.of(options))
