"""`gunbai install`, `update` and `uninstall`: this tree as an appliance, another release, and the way out."""

import argparse

from companion.commands.parsing import InputFile
from companion.core.language import _
from engine.words import mark


def _add_unsigned(parser: argparse.ArgumentParser) -> None:
    """Add the option shared by both commands that install a release."""
    parser.add_argument("--unsigned", action="store_true", help=_("accept it without the required signature"))


def _add_asking(parser: argparse.ArgumentParser) -> None:
    """Add the options shared by all commands that change the system."""
    parser.add_argument("--yes", action="store_true", help=_("don't ask"))
    parser.add_argument("--dry-run", action="store_true", help=_("only show what would be done"))
    parser.add_argument("--root", metavar="DIR", help=_("a mounted system instead of the running one"))
    parser.set_defaults(command=parser.prog.rpartition(" ")[2])


class Install:
    """This tree as an appliance that starts with the machine."""

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

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--yes] [--dry-run] [--anyway] [--no-start] [--unsigned] [--root DIR]."""
        _add_asking(parser)
        parser.add_argument("--anyway", action="store_true", help=_("continue on a machine that isn't a Raspberry Pi"))
        parser.add_argument("--no-start", action="store_true", help=_("start the app at the next boot, not now"))
        _add_unsigned(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Install the release; return 0, or 1 where the answer was no."""
        from companion.appliance import running

        return running.install(options)


class Update:
    """Another release from a file, without network, and the way back."""

    NAME = "update"
    HELP = mark("install the release in a file, without network, or go back (asks first; needs root)")
    DESCRIPTION = mark("""\
Installs a file made by `gunbai pack`, from a memory stick, say. The whole file is checked first; the new release is
unpacked beside the current one and plays a turn by itself; the saved games are copied; then it takes over. If it
doesn't start, the previous release is restored automatically.

examples:
  sudo gunbai update /media/stick/gunbai-0.3.0.update
  sudo gunbai update --back                the previous release
  sudo gunbai update --stick 0.3.0-0123456789""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add FILE [--older] [--unsigned] | --back | --stick RELEASE, [--yes] [--dry-run] [--root DIR]."""
        parser.add_argument("file", nargs="?", type=InputFile, metavar="FILE", help=_("the update"))
        _add_asking(parser)
        parser.add_argument("--back", action="store_true", help=_("go back to the previous release"))
        parser.add_argument("--older", action="store_true", help=_("accept an update older than the current release"))
        parser.add_argument(
            "--stick", metavar="RELEASE", help=_("find this release's file on a memory stick; must be signed")
        )
        _add_unsigned(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Change to the other release; return 0, or 1 where the answer was no, or it had to be taken back."""
        from companion.appliance import running

        return running.update(options)


class Uninstall:
    """Everything of the appliance goes, but the saved games."""

    NAME = "uninstall"
    HELP = mark("remove the appliance; the saved games stay (asks first; needs root)")
    DESCRIPTION = mark("""\
Stops Gunbai and removes what `gunbai install` made: units, rules, the command, /opt/gunbai and its user. The saved
games in /var/lib/gunbai, their copies and /etc/gunbai stay, unless --purge is given. Debian packages always stay.

examples:
  sudo gunbai uninstall
  sudo gunbai uninstall --purge            saved games too; one last copy stays in /var/backups/gunbai""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--purge] [--yes] [--dry-run] [--root DIR]."""
        _add_asking(parser)
        parser.add_argument("--purge", action="store_true", help=_("remove saved games, copies and settings too"))

    def run(self, options: argparse.Namespace) -> int:
        """Uninstall the app; return 0, or 1 where the answer was no, or nothing is installed."""
        from companion.appliance import running

        return running.uninstall(options)
