"""`gunbai backup`: a copy of the saved games."""

import argparse

NAME = "backup"
HELP = "copy the saved games, boards, decks, battles, tables and choices into one file"
DESCRIPTION = """\
Copies the saved games, the trash, owners' boards, decks and battles, calibrated tables, tags and what was chosen in
the app into one file, and reads it again. Nothing is written where nothing has changed since the last copy; of old
copies the last ones are kept, and a disk is never filled. Pictures that were kept beside games are left out. A game may
be played meanwhile.

examples:
  gunbai backup --to /media/stick
  sudo gunbai backup --to /media/stick     on the appliance: the games of its service"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """[--to DIR] [--keep N]."""
    parser.add_argument("--to", metavar="DIR", help="the folder of the copies (default: backups beside the games)")
    parser.add_argument("--keep", metavar="N", type=int, default=14, help="how many copies stay (default: 14)")


def run(options: argparse.Namespace) -> int:
    """0 when there is a copy of all that there is."""
    from pathlib import Path

    from companion.appliance.backing_up import back_up, default_folder
    from companion.errors import UsageError
    from companion.wording import counted

    if options.keep < 1:
        raise UsageError("--keep: at least 1 is expected")
    copied = back_up(Path(options.to) if options.to else default_folder(), options.keep)
    if copied is None:
        print("no saved games to copy")
    elif copied.made:
        print(f"{copied.path}: {counted(copied.files, 'file')}, read again")
        if copied.gone:
            print(f"thinned out: {', '.join(copied.gone)}")
    else:
        print(f"{copied.path}: nothing has changed since")
    return 0
