"""`gunbai restore`: the saved games of a copy, beside what is there."""

import argparse

NAME = "restore"
HELP = "put the saved games of a copy back; no newer game is overwritten"
DESCRIPTION = """\
Puts back what a copy by `gunbai backup` holds and is missing here. A game that has more steps here stays; one that goes
on otherwise here stays too, and the copy's is put beside it; one that has lost steps is replaced, and kept beside. A
copy may be a stranger's: what is not what Gunbai writes is left out and named, and the exit status is 1.

examples:
  gunbai restore gunbai-000012-2026-11-21.tar.gz --dry-run
  sudo gunbai restore /media/stick/gunbai-000012-2026-11-21.tar.gz"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """FILE [--dry-run]."""
    parser.add_argument("file", metavar="FILE", help="the copy; - for one that comes on standard input")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done, and stop")


def run(options: argparse.Namespace) -> int:
    """0 when all is as the copy has it, or newer; 1 where something in it was left out."""
    import sys
    from pathlib import Path

    from companion.appliance import copies, owners, restoring
    from companion.core import storage

    piped = options.file == "-"
    with copies.piped(sys.stdin.buffer) if piped else copies.opened(Path(options.file)) as file:
        owners.become_owner(storage.data_dir())
        surveyed = restoring.survey(file)
        for line in surveyed.told:
            print(line)
        if not options.dry_run:
            restoring.restore(file, surveyed)
    return 1 if surveyed.left_out else 0
