"""`gunbai trace`: trace your own copy of a board from a photo."""

from __future__ import annotations

import argparse

from companion.commands.parsing import InputFile, OutputFile
from companion.core.language import _
from engine.words import mark


class Trace:
    """A board traced from a photo."""

    NAME = "trace"
    HELP = mark("trace your own copy of a board from a photo")
    DESCRIPTION = mark("""\
Opens the app's tracer on a photo of the empty board, to set corners, hexes, areas and everything printed on them by
touch. The result is one TOML file on the shelf of your own boards (see gunbai boards), ready to play.

Take the photo from straight above, with the whole board in it, without pieces, in even light. The corners are the
board's own, in pixels: top left, top right, bottom right, bottom left.

--headless opens no screen: it finds the corners by itself, writes a draft of what the eye finds, to be continued in the
app, and lists what is missing. The exit status is 1 until the board is complete. Without --mm the size follows from the
proportions in the photo.

examples:
  gunbai trace board.jpg --board wwii-alpine --name ana
  gunbai trace board.jpg --board sengoku-rivers --corners "210,95 1050,88 1190,860 70,871" --headless -o rivers.toml""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add PHOTO --board MODE [--name WORD] [--corners C] [--mm WxH] [--headless] [-o FILE] [--size WxH]."""
        parser.add_argument("photo", type=InputFile, metavar="PHOTO", help=_("a photo of the empty board"))
        parser.add_argument("--board", required=True, metavar="MODE", help=_("which board it is, such as wwii-alpine"))
        parser.add_argument(
            "--name", default="own", metavar="WORD", help=_("a short name for your copy (default: own)")
        )
        parser.add_argument("--corners", metavar='"x,y x,y x,y x,y"', help=_("the board's corners in that photo"))
        parser.add_argument(
            "--mm", metavar="WxH", help=_("the board's width and height in mm, if you have measured it")
        )
        parser.add_argument("--headless", action="store_true", help=_("no screen: write what the photo shows"))
        parser.add_argument(
            "-o",
            "--output",
            type=OutputFile,
            metavar="FILE",
            help=_("the file to write: a board, or with --headless a draft"),
        )
        parser.add_argument(
            "--size", metavar="WxH", help=_("a window of this size, such as 800x480 (default: whole screen)")
        )

    def run(self, options: argparse.Namespace) -> int:
        """Trace the board; return 0 when it is complete, or the app was left; 1 while something is missing."""
        from companion.bootstrap import show_tracer
        from companion.terminal.tracing import trace

        return trace(options, show_tracer)
