"""`gunbai boards`: the boards there are, and the shelf of owners' boards."""

import argparse

NAME = "boards"
HELP = "the boards there are; check, add, share or remove an owner's board"
DESCRIPTION = """\
Lists the boards that games can be played on, and how each is known: printed, taken down by an owner, or made
for practice. An owner's board is one TOML file, made by gunbai trace or had from somebody else.

--check reads a file as strictly as it is read at the start, and tells every fault of it with its key.
--nudge lays the lines of a calibrated table's board on what is printed on its photo, where print and drawing
differ, and puts that on the shelf as a board of its own.

examples:
  gunbai boards
  gunbai boards --check wwii-alpine-ana.toml
  gunbai boards --add wwii-alpine-ana.toml
  gunbai boards --share wwii-alpine-ana -o ana.toml
  gunbai boards --remove wwii-alpine-ana
  gunbai boards --nudge kitchen.table --name kitchen"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """[--check FILE | --add FILE | --share NAME -o FILE | --remove NAME | --nudge TABLE --name WORD]."""
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--check", metavar="FILE", help="whether a file is a sound board, and what is wrong with it")
    one.add_argument("--add", metavar="FILE", help="put a board's file on the shelf")
    one.add_argument("--share", metavar="NAME", help="copy an owner's board out of the shelf")
    one.add_argument("--remove", metavar="NAME", help="take an owner's board off the shelf")
    one.add_argument("--nudge", metavar="TABLE", help="lay a calibrated table's board on its print")
    parser.add_argument("--name", default="own", metavar="WORD", help="what --nudge calls it (default: own)")
    parser.add_argument("-o", "--output", metavar="FILE", help="where --share copies it to")


def run(options: argparse.Namespace) -> int:
    """0 when it is done, or the file is sound."""
    from companion.terminal import board_list

    print(board_list.done(options))
    return 0
