"""Faults in words for the people at the table, with what to do; a disk's own words are for nobody's dinner table."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from companion.core.errors import SettingsError
from companion.core.language import _
from companion.text.faults import fault_words
from companion.text.orders import sentence

if TYPE_CHECKING:
    from companion.perception.sync_monitor import SyncState


def table_fault_words(error: BaseException) -> str:
    """A fault in a sentence or two: what to do where the disk is at fault, else the fault's own message."""
    why = _of_disk(error)
    if why and isinstance(error, SettingsError):
        return _("{why} What you chose holds until Gunbai ends.").format(why=why)
    return why or fault_words(error)


def lost_words(sense: SyncState) -> str:
    """What to say once when the camera is of no use any more: what is wrong, and that the game goes on."""
    fault = fault_words(sense.fault)
    if sense.blind:
        return _("{fault} Everything works by touch meanwhile.").format(fault=sentence(fault))
    form = _("The camera is lost ({fault}). Look at its cable; everything works by touch meanwhile.")
    return form.format(fault=fault)


def _of_disk(error: BaseException) -> str:
    """What to do about a disk that is full, read-only or worn out; "" for any other fault."""
    number = _number(error)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return _("The disk is full: make room on it.")
    if number == errno.EROFS:
        return _("The disk can only be read: see that it is not locked.")
    if number == errno.EIO:
        return _("The disk failed: copy your games from it and replace it.")
    return ""


def _number(error: BaseException | None) -> int | None:
    """The system's number of the fault that is at the bottom of this one."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        error = error.__cause__
    return None
