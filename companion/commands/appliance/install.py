"""`gunbai install`: this tree as an appliance that starts with the machine."""

import argparse

from companion.core.language import _
from engine.words import mark

NAME = "install"
HELP = mark("install this tree as an appliance that starts by itself (asks first; needs root)")
DESCRIPTION = mark("""\
Installs Gunbai on a Raspberry Pi so that it starts with the machine: a copy of this tree with its own environment in
/opt/gunbai, its own user, and links to its units, rules and command. Shows everything first, and undoes it if a part
fails. Running it again repairs or renews an installation.

examples:
  sudo ./gunbai install
  ./gunbai install --dry-run               only show what would be done
  sudo ./gunbai install --yes --anyway     don't ask, and continue on other machines than a Raspberry Pi""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add [--yes] [--dry-run] [--anyway] [--no-start] [--unsigned] [--root DIR]."""
    asking(parser)
    parser.add_argument("--anyway", action="store_true", help=_("continue on a machine that isn't a Raspberry Pi"))
    parser.add_argument("--no-start", action="store_true", help=_("start the app at the next boot, not now"))
    unsigned(parser)


def unsigned(parser: argparse.ArgumentParser) -> None:
    """Add the option shared by both commands that install a release."""
    parser.add_argument("--unsigned", action="store_true", help=_("accept it without the required signature"))


def asking(parser: argparse.ArgumentParser) -> None:
    """Add the options shared by all commands that change the system."""
    parser.add_argument("--yes", action="store_true", help=_("don't ask"))
    parser.add_argument("--dry-run", action="store_true", help=_("only show what would be done"))
    parser.add_argument("--root", metavar="DIR", help=_("a mounted system instead of the running one"))
    parser.set_defaults(command=parser.prog.rpartition(" ")[2])


def run(options: argparse.Namespace) -> int:
    """Install the release; return 0, or 1 where the answer was no."""
    from companion.appliance import running

    return running.install(options)
