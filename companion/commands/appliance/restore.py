"""`gunbai restore`: the saved games of a copy, beside what is there."""

import argparse

from companion.commands.parsing import InputFile
from companion.core.language import _
from engine.words import mark

NAME = "restore"
HELP = mark("restore saved games from a copy; no newer game is overwritten")
DESCRIPTION = mark("""\
Restores whatever is in a copy made by `gunbai backup` and missing here. A game with more steps here is kept; one that
continued differently here is kept too, with the copy's beside it; one that lost steps is replaced, and kept beside. A
copy may be a stranger's: anything that Gunbai doesn't write is left out and listed, with exit status 1.

examples:
  gunbai restore gunbai-000012-2026-11-21.tar.gz --dry-run
  sudo gunbai restore /media/stick/gunbai-000012-2026-11-21.tar.gz""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add FILE [--dry-run]."""
    parser.add_argument("file", type=InputFile, metavar="FILE", help=_("the copy, or - for standard input"))
    parser.add_argument("--dry-run", action="store_true", help=_("only show what would be done"))


def run(options: argparse.Namespace) -> int:
    """Restore the copy; return 0 when all is as the copy has it, or newer, and 1 where something was left out."""
    import sys
    from pathlib import Path

    from companion.appliance import copies, restoring, rights
    from companion.core import storage
    from companion.core.progress import progress

    piped = options.file == "-"
    with copies.open_piped_copy(sys.stdin.buffer) if piped else copies.open_copy(Path(options.file)) as file:
        rights.become_owner(storage.data_dir())
        surveyed = restoring.survey(file)
        for line in surveyed.lines:
            print(line)
        if not options.dry_run:
            with progress(options.file):
                restoring.restore(file, surveyed)
    return 1 if surveyed.left_out else 0
