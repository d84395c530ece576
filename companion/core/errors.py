"""What can go wrong in the companion, as one small tree below `CompanionError`; some rooms add their own leaf.

The message is one clear sentence saying what and where; the command line prints it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from intake.errors import Unreadable
from intake.text import one_line


class CompanionError(Exception):
    """Anything the companion refuses; the message is one clear sentence saying what and where."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class UsageError(CompanionError):
    """An invalid argument of the command line, or an invalid key or value of a setting."""


class InputError(CompanionError):
    """A file that is not what it should be."""


class OutputError(CompanionError):
    """A file that a command cannot write, or must not: no plain file, or one of those that it reads."""


class MatchError(CompanionError):
    """A saved game that cannot be opened, written or shared."""


class SettingsError(CompanionError):
    """A settings file with a fault: the file, the key and what was expected."""


class BundleError(CompanionError):
    """A bundle of a bug report that is broken, too large or of another version."""


class AdapterError(CompanionError):
    """A board, a table and a reading that do not belong together."""


class CalibrationError(CompanionError):
    """A camera or a table that cannot be set up."""


class TagsError(CompanionError):
    """A file of cards' tags that is damaged or cannot be written, or a tag that cannot be bound."""


class OwnFileError(CompanionError):
    """A file of an owner's board, deck or battle that cannot be read, written or taken over."""


class ApplianceError(CompanionError):
    """An installation, an update or a backup that cannot be made, or is not what it should be."""


def reason(error: Exception) -> str:
    """Return an error's reason without the file's name: for an OSError the system's words."""
    return str((isinstance(error, OSError) and error.strerror) or error)


@contextmanager
def blame_file(path: Path | str, fault: type[CompanionError]) -> Iterator[None]:
    """Raise OSError and Unreadable from the block as `fault`, with a message that begins with the path."""
    try:
        yield
    except OSError as error:
        raise fault(f"{path}: can't be read ({reason(error)})") from error
    except Unreadable as error:
        raise fault(f"{path}: {error}") from error
