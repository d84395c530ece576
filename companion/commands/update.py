"""`gunbai update`: another release from a file, without network, and the way back."""

import argparse

from companion.commands.install import asking, unsigned

NAME = "update"
HELP = "change to the release in a file, without network, or back (asks first; needs root)"
DESCRIPTION = """\
Takes a file that `gunbai pack` made, from a memory stick, say. All of it is checked first; the new release is
laid beside the one in use and plays a turn by itself; the saved games are copied; then it takes over. Where it does
not start, the release before it is put back by itself.

examples:
  sudo gunbai update /media/stick/gunbai-0.3.0.update
  sudo gunbai update --back                the release before this one"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """FILE [--older] [--unsigned] | --back, [--yes] [--dry-run] [--root DIR]."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the update")
    asking(parser)
    parser.add_argument("--back", action="store_true", help="change back to the release before this one")
    parser.add_argument("--older", action="store_true", help="take an update that is older than what is in use")
    unsigned(parser)


def run(options: argparse.Namespace) -> int:
    """0 when the other release is in use, 1 where the answer was no, or where it had to be taken back."""
    from companion.appliance import running

    return running.update(options)
