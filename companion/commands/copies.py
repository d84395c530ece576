"""`gunbai backup` and `restore`: a copy of the saved games, and what is in it put back beside what is there."""

import argparse
import sys
from pathlib import Path

from companion.commands.parsing import FolderOrStream, InputFile
from companion.core.errors import UsageError
from companion.core.language import _, plural
from companion.core.log import tell
from engine.words import mark
from intake.text import one_line


def _tell_left_out(left_out: tuple[tuple[str, str], ...]) -> None:
    for name, why in left_out:
        tell("warning", _("left out: {name} ({why})").format(name=name, why=why))


class Backup:
    """The command `gunbai backup`: copies the saved games."""

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

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [--to DIR] [--keep N] [--stdin]."""
        parser.add_argument(
            "--to",
            type=FolderOrStream,
            metavar="DIR",
            help=_("the folder for the copies (default: backups beside the games), or - for standard output"),
        )
        parser.add_argument(
            "--keep", metavar="N", type=int, default=14, help=_("how many copies to keep (default: 14)")
        )
        parser.add_argument("--stdin", action="store_true", help=_("keep the copy arriving on standard input"))

    def run(self, options: argparse.Namespace) -> int:
        """Copy all that can be copied, or keep the copy on standard input; print what is left out, and return 0."""
        from companion.appliance.backing_up import back_up, default_folder, keep, stream
        from companion.core.printable import progress

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
        place = one_line(str(copied.path))
        if copied.path is None:
            print(_("no saved games to copy"))
        elif copied.made:
            print(plural("{place}: {n} file, verified", "{place}: {n} files, verified", copied.files, place=place))
            if copied.gone:
                print(_("old copies deleted: {names}").format(names=", ".join(copied.gone)))
        else:
            print(_("{place}: nothing has changed since").format(place=place))
        return 0


class Restore:
    """The command `gunbai restore`: restores saved games from a copy, beside those that are here."""

    NAME = "restore"
    HELP = mark("restore saved games from a copy; no newer game is overwritten")
    DESCRIPTION = mark("""\
Restores whatever is in a copy made by `gunbai backup` and missing here. A game with more steps here is kept; one that
continued differently here is kept too, with the copy's beside it; one that lost steps is replaced, and kept beside. A
copy may be a stranger's: anything that Gunbai doesn't write is left out and listed, with exit status 1.

examples:
  gunbai restore gunbai-000012-2026-11-21.tar.gz --dry-run
  sudo gunbai restore /media/stick/gunbai-000012-2026-11-21.tar.gz""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add FILE [--dry-run]."""
        parser.add_argument("file", type=InputFile, metavar="FILE", help=_("the copy, or - for standard input"))
        parser.add_argument("--dry-run", action="store_true", help=_("only show what would be done"))

    def run(self, options: argparse.Namespace) -> int:
        """Restore the copy; return 0, or 1 if something in it was left out."""
        from companion.appliance import copies, restoring, rights
        from companion.core import storage
        from companion.core.printable import progress

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
