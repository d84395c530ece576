"""`gunbai boards`, `decks` and `battles`: what there is to play with, and the shelf of owners' files of each kind."""

from __future__ import annotations

import argparse

ABOUT_BOARDS = """\
Lists the boards that games can be played on, and how each is known: printed, taken down by an owner, or made
for practice. An owner's board is one TOML file, made by gunbai trace or had from somebody else.

--nudge lays the lines of a calibrated table's board on what is printed on its photo, where print and drawing
differ, and puts that on the shelf as a board of its own."""
ABOUT_DECKS = """\
Lists the decks of the card game Generals Order. A deck of your own is one TOML file with its cards;
docs/generals.md has the form."""
ABOUT_BATTLES = """\
Lists the battles of Sonae. A battle of your own is one TOML file with its armies and its field; docs/sonae.md
has the form."""
SHELF = """\
{about}

--check reads a file as strictly as the app does at its start, and names every fault with its key.

examples:
  gunbai {name}
  gunbai {name} --check {example}.toml
  gunbai {name} --add {example}.toml
  gunbai {name} --share {example} -o copy.toml
  gunbai {name} --remove {example}"""


class ShelfCommand:
    """The command over one shelf, in the form of a command's module (see the package)."""

    def __init__(self, name: str, what: str, about: str, example: str) -> None:
        self.NAME = name
        self.HELP = f"the {what} there are; check, add, share or remove your own"
        self.DESCRIPTION = SHELF.format(about=about, name=name, example=example)

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """[--check FILE | --add FILE | --share NAME -o FILE | --remove NAME]; boards also have --nudge."""
        thing = self.NAME.removesuffix("s")
        one = parser.add_mutually_exclusive_group()
        one.add_argument(
            "--check", metavar="FILE", help=f"whether a file is a sound {thing}, and what is wrong with it"
        )
        one.add_argument("--add", metavar="FILE", help=f"put a {thing}'s file on the shelf")
        one.add_argument("--share", metavar="NAME", help="copy one of your own out of the shelf")
        one.add_argument("--remove", metavar="NAME", help="take one of your own off the shelf")
        parser.add_argument("-o", "--output", metavar="FILE", help="where --share copies it to")
        if self is BOARDS:
            one.add_argument("--nudge", metavar="TABLE", help="lay a calibrated table's board on its print")
            parser.add_argument("--name", default="own", metavar="WORD", help="what --nudge calls it (default: own)")

    def run(self, options: argparse.Namespace) -> int:
        """0 when it is done, or the file is sound."""
        from companion.terminal import own_list

        if self is BOARDS and options.nudge:
            print(own_list.nudge(options.nudge, options.name))
        else:
            print(own_list.answer(options, own_list.LISTINGS[self.NAME]()))
        return 0


BOARDS = ShelfCommand("boards", "boards", ABOUT_BOARDS, "wwii-alpine-ana")
DECKS = ShelfCommand("decks", "decks of the card game", ABOUT_DECKS, "foxes")
BATTLES = ShelfCommand("battles", "battles of Sonae", ABOUT_BATTLES, "ford")
BOARDS.DESCRIPTION += "\n  gunbai boards --nudge kitchen.table --name kitchen"
