"""`gunbai boards`, `decks`, `battles` and `trace`: what there is to play with, and owners' files of each kind."""

from __future__ import annotations

import argparse

from companion.commands.parsing import InputFile, OutputFile
from companion.core.language import _
from engine.words import mark

ABOUT_BOARDS = mark("""\
Lists the boards you can play on, and where each comes from: the printed game, an owner's copy, or invented for
practice. A board of your own is one TOML file, made by gunbai trace or given to you.

--nudge fits a board's lines to the print on a calibrated table's photo, and saves the result as a board of your
own.""")
ABOUT_DECKS = mark("""\
Lists the decks of the card game Generals Order. A deck of your own is one TOML file with its cards;
docs/generals.md has the form.""")
ABOUT_BATTLES = mark("""\
Lists the battles of Sonae. A battle of your own is one TOML file with its armies and its field; docs/sonae.md
has the form.""")
SHELF = mark("""\
{about}

--check reads a file as strictly as the app does when it starts, and names every fault with its key.

examples:
  gunbai {name}
  gunbai {name} --check {example}.toml
  gunbai {name} --add {example}.toml
  gunbai {name} --share {example} -o copy.toml
  gunbai {name} --remove {example}""")


class ShelfCommand:
    """The command for one shelf of owners' files: `gunbai boards`, `decks` or `battles`."""

    def __init__(self, name: str, told: str, about: str, example: str) -> None:
        self.NAME = name
        self.HELP = told
        self.about = about
        self.example = example

    @property
    def DESCRIPTION(self) -> str:  # noqa: N802 - as the modules have it
        """The page of help with examples, in the language in use."""
        text = _(SHELF).format(about=_(self.about), name=self.NAME, example=self.example)
        return text + "\n  gunbai boards --nudge kitchen.table --name kitchen" if self is BOARDS else text

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--check FILE | --add FILE | --share NAME -o FILE | --remove NAME]; boards also have --nudge."""
        group = parser.add_mutually_exclusive_group()
        group.add_argument(
            "--check", type=InputFile, metavar="FILE", help=_("check a file and say what's wrong with it")
        )
        group.add_argument("--add", type=InputFile, metavar="FILE", help=_("add one of your own from its file"))
        group.add_argument("--share", metavar="NAME", help=_("copy one to a file, to change it or pass it on"))
        group.add_argument("--remove", metavar="NAME", help=_("remove one of your own"))
        parser.add_argument("-o", "--output", type=OutputFile, metavar="FILE", help=_("where --share copies it to"))
        if self is BOARDS:
            group.add_argument(
                "--nudge", type=InputFile, metavar="TABLE", help=_("fit a calibrated table's board to its print")
            )
            parser.add_argument("--name", default="own", metavar="WORD", help=_("what --nudge calls it (default: own)"))

    def run(self, options: argparse.Namespace) -> int:
        """Do what the options ask of the shelf, print what came of it, and return 0."""
        from companion.terminal import own_list

        if self is BOARDS and options.nudge:
            print(own_list.nudge(options.nudge, options.name))
        else:
            print(own_list.answer(options, own_list.LISTINGS[self.NAME]()))
        return 0


BOARDS = ShelfCommand(
    "boards", mark("list the boards; check, add, share or remove your own"), ABOUT_BOARDS, "wwii-alpine-ana"
)
DECKS = ShelfCommand(
    "decks", mark("list the decks of the card game; check, add, share or remove your own"), ABOUT_DECKS, "foxes"
)
BATTLES = ShelfCommand(
    "battles", mark("list the battles of Sonae; check, add, share or remove your own"), ABOUT_BATTLES, "ford"
)


class Trace:
    """The command `gunbai trace`: traces a board from a photo."""

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
        """Trace the board; return the app's exit status, or with --headless 0 if the board is complete, 1 if not."""
        from companion.bootstrap import show_tracer
        from companion.terminal.tracing import trace

        return trace(options, show_tracer)
