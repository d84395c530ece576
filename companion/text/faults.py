"""The messages of faults in the language of the table. Exceptions speak English, as the command line does."""

from __future__ import annotations

import errno
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from companion.core.errors import SettingsError
from companion.core.language import _
from companion.text.orders import sentence
from engine.words import mark

if TYPE_CHECKING:
    from companion.perception.sync_monitor import SyncState

FAULTS = (
    mark("{place}: the camera gave no picture in time"),
    mark("{place}: the camera gave no picture"),
    mark("{place}: the camera's process has ended"),
    mark("{place}: what came is no frame"),
    mark("{place}: {name} cannot be run ({why})"),
    mark("it is too dark to see the board"),
    mark("the board cannot be found in the camera's picture: is it where it was, and in sight?"),
    mark("the camera's service is not running"),
    mark("another Gunbai has the camera"),
    mark("{place}: no camera that can be opened"),
    mark("{place}: there is no such camera"),
    mark("{place}: no camera's number, device, or folder of pictures"),
    mark("{place}: no picture (.jpg or .png) in this folder"),
    mark("{place}: the pictures are gone"),
    mark("{place}: no picture that can be read"),
    mark("{place}: {size} pixels are too few; 640x480 is the least that reads well"),
    mark("{place}: {size} pixels, but the table was calibrated at {other}"),
    mark("{place}: a table of the board {other}, not of {board}"),
    mark("{place}: no table file, or cut off ({why})"),
    mark("{place}: a broken table file ({why})"),
    mark("the corners are no convex quadrilateral"),
    mark("the corners enclose too little of the picture to read a board from"),
    mark("the camera process sent what is no message"),
    mark("looking at the table failed again and again and was given up: start the app anew to try again"),
    mark("the game is played on {board}, the table is of {other}"),
    mark("{place}: what was learned of the table is lost ({why})"),
    mark("{place}: no saved game: {fault}"),
    mark("no saved game: {fault}"),
    mark("{place}: begun with a newer Gunbai ({why})"),
    mark("{place}: there is a file of that name already"),
    mark("{place}: this game is open in another gunbai"),
    mark("{place}: the step could not be saved ({why})"),
    mark("{place}: the step could not be taken back ({why})"),
    mark("it is only to be looked at"),
    mark("{place}: cannot be read ({why})"),
    mark("{place}: cannot be written ({why})"),
    mark("{place}: cannot be opened ({why})"),
    mark("{place}: cannot be looked into ({why})"),
    mark("the file is empty"),
    mark("a fault of Gunbai's own ({name})"),
    mark("the step on line {number} is against the rules: {why}"),
    mark("line {number} is no step that this Gunbai knows ({why})"),
    mark("line {number} is beyond the steps that are read"),
    mark("begun with a newer Gunbai ({why})"),
    mark("a newer Gunbai wrote it"),
    mark("line {number} is cut off"),
    mark("line {number} is broken ({why})"),
    mark("its check value tells that it was changed"),
    mark("not text in UTF-8"),
    mark("{place}: a file of the board {name} is called {other}"),
    mark("{place}: cannot be deleted ({why})"),
    mark("all copies of {card} have a tag: {n}"),
    mark("{place}: set aside as {aside}, bind the tags anew ({why})"),
    mark("the pins need the package {name}, which is not installed"),
    mark("this machine is no Raspberry Pi, so it has no pins: {why}"),
    mark("this user may not have the pins, is it in the group gpio? {why}"),
    mark("{name} cannot have pin {n}, is something else using it? {why}"),
    mark("{name} cannot be on pin {n}: the header brings out BCM 2 to 27, and 0 is not wired"),
    mark("{name} and {other} are both on pin {n}"),
    mark("{name} is wired and {other} is not: an encoder needs both"),
    mark("nothing called {name} can be wired; what can is: {names}"),
    mark("there is no {place}"),
    mark("this user may not open {place}: it belongs to a group such as dialout"),
    mark("{place} is in use by another program"),
    mark("{place} cannot be opened: {why}"),
    mark("{key}: one of {names} is expected, not {value}"),
    mark("{key}: true or false is expected, not {value}"),
    mark("{key}: a text is expected, not {value}"),
    mark("{key}: no such key"),
    mark("{key}: no such key; is {near} meant?"),
    mark("not a plain file"),
    mark("not a text file (byte {n} is not UTF-8)"),
    mark("longer than {size}, the most that is read"),
    mark("nested too deeply"),
    mark("a number with too many digits"),
    mark("a number beyond 64 bits"),
    mark("a shorter text is expected"),
    mark("{place}: {why}"),
)
"""The messages that may reach the screen, with their places, the particular before the general."""


def fault_words(fault: BaseException | str) -> str:
    """A fault's message in the language of the table; as it is where nobody foresaw it."""
    told = str(fault)
    for template, form in _forms():
        if found := form.fullmatch(told):
            return _(template).format(**{key: fault_words(part) for key, part in found.groupdict().items()})
    return told


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each message with what finds it and the texts in its places."""
    return tuple((text, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(text)))) for text in FAULTS)


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
