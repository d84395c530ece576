"""`gunbai install`: this tree as an appliance that starts with the machine."""

import argparse

NAME = "install"
HELP = "install this tree as an appliance that starts by itself (asks first; needs root)"
DESCRIPTION = """\
Installs Gunbai on a Raspberry Pi so that it starts with the machine: a copy of this tree with an environment of its
own in /opt/gunbai, a user of its own, and links to its units, rules and command. Everything is shown before it is
done, and undone where a part of it fails. Doing it again mends or renews what is there.

examples:
  sudo ./gunbai install
  ./gunbai install --dry-run               show what would be done, and stop
  sudo ./gunbai install --yes --anyway     ask nothing, and go on where this is no Raspberry Pi"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """[--yes] [--dry-run] [--anyway] [--no-start] [--unsigned] [--root DIR]."""
    asking(parser)
    parser.add_argument("--anyway", action="store_true", help="go on where the machine differs from a Raspberry Pi")
    parser.add_argument("--no-start", action="store_true", help="the app is started with the machine, not now")
    unsigned(parser)


def unsigned(parser: argparse.ArgumentParser) -> None:
    """What both commands have that lay down a release."""
    parser.add_argument("--unsigned", action="store_true", help="take it without a signature where one is asked for")


def asking(parser: argparse.ArgumentParser) -> None:
    """What all commands have that change the system."""
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done, and stop")
    parser.add_argument("--root", metavar="DIR", help="a mounted system instead of the one that runs")
    parser.set_defaults(command=parser.prog.rpartition(" ")[2])


def run(options: argparse.Namespace) -> int:
    """0 when it is installed, 1 where the answer was no."""
    from companion.appliance import running

    return running.install(options)
