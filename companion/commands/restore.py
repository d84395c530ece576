"""`gunbai restore`: the saved games of a copy, beside what is there."""

import argparse

NAME = "restore"
HELP = "put the saved games of a copy back; no newer game is overwritten"
DESCRIPTION = """\
Puts back what a copy by `gunbai backup` holds and is missing here. A game that has more steps here stays; one that goes
on otherwise here stays too, and the copy's is put beside it; one that has lost steps is replaced, and kept beside.

examples:
  gunbai restore gunbai-000012-2026-11-21.tar.gz --dry-run
  sudo gunbai restore /media/stick/gunbai-000012-2026-11-21.tar.gz"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """FILE [--dry-run]."""
    parser.add_argument("file", metavar="FILE", help="the copy")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done, and stop")


def run(options: argparse.Namespace) -> int:
    """0 when all is as the copy has it, or newer."""
    from pathlib import Path

    from companion import storage
    from companion.appliance import copies, owners, restoring

    files = copies.read(Path(options.file))
    owners.become_owner(storage.data_dir())
    planned = restoring.plans(files)
    for plan in planned:
        print(f"{plan.name}: {restoring.TOLD[plan.fate]}")
    if not options.dry_run:
        restoring.restore(files, planned)
    return 0
