"""`gunbai backup`: a copy of the saved games."""

import argparse

from companion.commands.parsing import FolderOrStream
from companion.core.language import _, plural
from engine.words import mark

NAME = "backup"
HELP = mark("copy the saved games, boards, decks, battles, tables and choices into one file")
DESCRIPTION = mark("""\
Copies the saved games, the trash, owners' boards, decks and battles, calibrated tables, tags and choices made in the
app into one file, and reads it back. Writes nothing if nothing has changed since the last copy, keeps the latest
copies, and never fills the disk. Pictures beside games are left out; anything else that can't be copied is listed. You
can play meanwhile.

examples:
  gunbai backup --to /media/stick
  gunbai backup --to - | ssh desk gunbai backup --stdin --to copies
  sudo gunbai backup --to /media/stick     on the appliance: the service's games""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add [--to DIR] [--keep N] [--stdin]."""
    parser.add_argument(
        "--to",
        type=FolderOrStream,
        metavar="DIR",
        help=_("the folder for the copies (default: backups beside the games), or - for standard output"),
    )
    parser.add_argument("--keep", metavar="N", type=int, default=14, help=_("how many copies to keep (default: 14)"))
    parser.add_argument("--stdin", action="store_true", help=_("keep the copy arriving on standard input"))


def run(options: argparse.Namespace) -> int:
    """Copy everything that can be copied, name what cannot, and return 0."""
    import sys
    from pathlib import Path

    from companion.appliance.backing_up import back_up, default_folder, keep, stream
    from companion.core.errors import UsageError
    from companion.core.progress import progress

    if options.keep < 1:
        raise UsageError("--keep: must be at least 1")
    if options.to == "-":
        if options.stdin:
            raise UsageError("--stdin: needs a folder after --to")
        _tell_left_out(stream(sys.stdout.buffer))
        return 0
    folder = Path(options.to) if options.to else default_folder()
    with progress(str(folder)):
        copied = keep(sys.stdin.buffer, folder, options.keep) if options.stdin else back_up(folder, options.keep)
    _tell_left_out(copied.left_out)
    from intake.text import one_line

    place = one_line(str(copied.path))
    if copied.path is None:
        print(_("no saved games to copy"))
    elif copied.made:
        form = plural("{place}: {n} file, verified", "{place}: {n} files, verified", copied.files, place=place)
        print(form)
        if copied.gone:
            print(_("old copies deleted: {names}").format(names=", ".join(copied.gone)))
    else:
        print(_("{place}: nothing has changed since").format(place=place))
    return 0


def _tell_left_out(left_out: tuple[tuple[str, str], ...]) -> None:
    from companion.core.log import tell

    for name, why in left_out:
        tell("warning", _("left out: {name} ({why})").format(name=name, why=why))
