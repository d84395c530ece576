"""`gunbai uninstall`: everything of the appliance goes, but the saved games."""

import argparse

from companion.commands.appliance.install import asking
from companion.core.language import _
from engine.words import mark

NAME = "uninstall"
HELP = mark("remove the appliance; the saved games stay (asks first; needs root)")
DESCRIPTION = mark("""\
Stops Gunbai and removes what `gunbai install` made: units, rules, the command, /opt/gunbai and its user. The saved
games in /var/lib/gunbai, their copies and /etc/gunbai stay, unless --purge is given. Debian packages always stay.

examples:
  sudo gunbai uninstall
  sudo gunbai uninstall --purge            saved games too; one last copy stays in /var/backups/gunbai""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add [--purge] [--yes] [--dry-run] [--root DIR]."""
    asking(parser)
    parser.add_argument("--purge", action="store_true", help=_("remove saved games, copies and settings too"))


def run(options: argparse.Namespace) -> int:
    """Uninstall the app; return 0, or 1 where the answer was no, or nothing is installed."""
    from companion.appliance import running

    return running.uninstall(options)
