"""`gunbai update`: another release from a file, without network, and the way back."""

import argparse

from companion.commands.appliance.install import asking, unsigned
from companion.commands.parsing import InputFile
from companion.core.language import _
from engine.words import mark

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


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add FILE [--older] [--unsigned] | --back | --stick RELEASE, [--yes] [--dry-run] [--root DIR]."""
    parser.add_argument("file", nargs="?", type=InputFile, metavar="FILE", help=_("the update"))
    asking(parser)
    parser.add_argument("--back", action="store_true", help=_("go back to the previous release"))
    parser.add_argument("--older", action="store_true", help=_("accept an update older than the current release"))
    parser.add_argument(
        "--stick", metavar="RELEASE", help=_("find this release's file on a memory stick; must be signed")
    )
    unsigned(parser)


def run(options: argparse.Namespace) -> int:
    """Change to the other release; return 0, or 1 where the answer was no, or it had to be taken back."""
    from companion.appliance import running

    return running.update(options)
