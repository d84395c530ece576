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
    mark("{place}: received something that isn't a picture"),
    mark("{place}: {name} can't be run ({why})"),
    mark("it is too dark to see the board"),
    mark("can't find the board in the camera's picture: is it where it was, and in view?"),
    mark("the camera's service is not running"),
    mark("another Gunbai is using the camera"),
    mark("{place}: no working camera"),
    mark("{place}: there is no such camera"),
    mark("{place}: not a camera number, device or folder of pictures"),
    mark("{place}: no picture (.jpg or .png) in this folder"),
    mark("{place}: the pictures are gone"),
    mark("{place}: not a readable picture"),
    mark("{place}: {size} pixels are too few; 640x480 is the minimum"),
    mark("{place}: {size} pixels, but the table was calibrated at {other}"),
    mark("{place}: a table set up for {other}, not {board}"),
    mark("{place}: not a table file, or cut off ({why})"),
    mark("{place}: damaged table file ({why})"),
    mark("the corners don't form a proper quadrilateral"),
    mark("the corners enclose too small a part of the picture to read a board"),
    mark("the camera process sent an invalid message"),
    mark("reading the table kept failing, so it was turned off: restart the app to try again"),
    mark("the game is played on {board}, but the table is set up for {other}"),
    mark("{place}: lost what was learned about the table ({why})"),
    mark("{place}: not a saved game: {fault}"),
    mark("not a saved game: {fault}"),
    mark("{place}: started in a newer Gunbai ({why})"),
    mark("{place}: a file with that name already exists"),
    mark("{place}: this game is open in another Gunbai"),
    mark("{place}: couldn't save the step ({why})"),
    mark("{place}: couldn't undo the step ({why})"),
    mark("it is view-only"),
    mark("{place}: can't be read ({why})"),
    mark("{place}: can't be written ({why})"),
    mark("{place}: can't be opened ({why})"),
    mark("{place}: can't be listed ({why})"),
    mark("the file is empty"),
    mark("an error in Gunbai ({name})"),
    mark("the step on line {number} is against the rules: {why}"),
    mark("line {number} isn't a step this Gunbai knows ({why})"),
    mark("line {number} comes after the last step Gunbai reads"),
    mark("started in a newer Gunbai ({why})"),
    mark("written by a newer Gunbai"),
    mark("line {number} is cut off"),
    mark("line {number} is broken ({why})"),
    mark("its check value doesn't match"),
    mark("not UTF-8 text"),
    mark("{place}: a file for the board {name} must be named {other}"),
    mark("{place}: can't be deleted ({why})"),
    mark("all copies of {card} already have a tag: {n}"),
    mark("{place}: set aside as {aside}, tag the cards again ({why})"),
    mark("the pins need the package {name}, which isn't installed"),
    mark("this machine isn't a Raspberry Pi, so it has no pins: {why}"),
    mark("this user can't use the pins; is it in the group gpio? {why}"),
    mark("{name} can't use pin {n}; is something else using it? {why}"),
    mark("{name} can't be on pin {n}: the header has BCM 2 to 27, and 0 means not wired"),
    mark("{name} and {other} are both on pin {n}"),
    mark("{name} is wired but {other} isn't: an encoder needs both"),
    mark("nothing called {name} can be wired; choose from: {names}"),
    mark("there is no {place}"),
    mark("this user isn't allowed to open {place}: add them to its group, such as dialout"),
    mark("{place} is in use by another program"),
    mark("{place} can't be opened: {why}"),
    mark("{key}: expected one of {names}, not {value}"),
    mark("{key}: expected true or false, not {value}"),
    mark("{key}: expected a text, not {value}"),
    mark("{key}: no such key"),
    mark("{key}: no such key; did you mean {near}?"),
    mark("nothing to save yet"),
    mark("{place}: still in use"),
    mark("{place}: missing; it has to name whose updates are accepted from a memory stick"),
    mark("{place}: not signed, and {other} asks for it ({why})"),
    mark("{place}: signed by nobody listed in {other}: {why}"),
    mark("{place}: {name} is older than {other}"),
    mark("{why}; {name} stays in use"),
    mark("{place}: the disk is nearly full ({size} free): no copy was made"),
    mark("not a plain file"),
    mark("not a text file (byte {n} is not UTF-8)"),
    mark("longer than {size}, the limit"),
    mark("nested too deeply"),
    mark("a number with too many digits"),
    mark("a number beyond 64 bits"),
    mark("expected a shorter text"),
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
        return _("{why} Your choice lasts until you quit Gunbai.").format(why=why)
    return why or fault_words(error)


def lost_words(sense: SyncState) -> str:
    """What to say once when the camera is of no use any more: what is wrong, and that the game goes on."""
    fault = fault_words(sense.fault)
    if sense.blind:
        return _("{fault} Meanwhile, you can play by touch.").format(fault=sentence(fault))
    form = _("Lost the camera ({fault}). Check its cable; meanwhile, you can play by touch.")
    return form.format(fault=fault)


def _of_disk(error: BaseException) -> str:
    """What to do about a disk that is full, read-only or worn out; "" for any other fault."""
    number = _number(error)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return _("The disk is full: free some space.")
    if number == errno.EROFS:
        return _("The disk is read-only: check that it isn't locked.")
    if number == errno.EIO:
        return _("The disk failed: back up your games and replace it.")
    return ""


def _number(error: BaseException | None) -> int | None:
    """The system's number of the fault that is at the bottom of this one."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        error = error.__cause__
    return None
