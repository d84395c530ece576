"""`gunbai boards`, `decks` and `battles`: what there is to play with, and the shelf of owners' files of each kind."""

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
    """The command over one shelf, in the form of a command's module (see the package)."""

    def __init__(self, name: str, told: str, about: str, example: str) -> None:
        self.NAME = name
        self.HELP = told
        self.about = about
        self.example = example

    @property
    def DESCRIPTION(self) -> str:  # noqa: N802 - as the modules have it
        """What is listed, and the examples, in the language in use."""
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
        """Do what the options ask of the shelf, and return 0 when it is done, or the checked file is sound."""
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
