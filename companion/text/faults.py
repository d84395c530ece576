"""The messages of faults in the language of the table, or of the command line. Exceptions speak English."""

from __future__ import annotations

import errno
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import SettingsError
from companion.core.language import _
from companion.core.sticks import PLACES
from companion.text.refusals import DRILL, DRILL_NUMBERS, NAMED, REFUSALS
from engine.words import mark

if TYPE_CHECKING:
    from companion.perception.sync.status import SyncStatus

_DEVICE = re.compile(r"^(?:/\S+|\d+|[^ :]+\.\w+): ")
"""What names a device or a file at the beginning of a fault."""
_PULLED = (errno.EIO, errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EACCES)
"""How the system says that a disk is gone: its folder is gone, or is root's as nothing is mounted there."""

APPLIANCE = (
    mark("gunbai {name} needs Linux, such as a Raspberry Pi's, and this is {other}"),
    mark("this changes the system, so it needs root: {name}"),
    mark("--root: {place} isn't a folder"),
    mark("give a FILE, or --back, or --stick RELEASE"),
    mark("--stick takes signed updates only"),
    mark("can't ask here: add --yes"),
    mark("another install or update is running; try again when it's done"),
    mark("{place}: {why}; pack the update with --for {name} alone"),
    mark("{n} MB are free, {more} MB are needed"),
    mark("{place}: a different processor or Python than here: install on that machine itself"),
    mark("this machine differs: {why} (to continue: --anyway)"),
    mark("{name} doesn't start: journalctl -u gunbai; {other} shows on the screen why"),
    mark("{place}: not as it was packed"),
    mark("{name}: can't make its environment: {why}"),
    mark("{name}: doesn't run: {why}"),
    mark("can't copy the saved games, so nothing was changed: {why}"),
    mark("{place}: Gunbai didn't make this file; move it away"),
    mark("{place}: couldn't remove all of it; is the disk read-only?"),
    mark("{place}: no copy of the saved games there, so nothing was removed"),
    mark(
        "there is no {place}: updates are for the appliance, and Gunbai isn't installed here as one "
        "(sudo ./gunbai install in its tree does that)"
    ),
    mark("{place}: made for {names}; this machine is {other}"),
    mark("{place}: made for {names}; the card needs {other}"),
    mark("{place}: it changed while being read"),
    mark("{place}: {name} is older than {other} (to install it anyway: --older)"),
    mark("{place}: {name} is an older build than {other} (to install it anyway: --older)"),
    mark("{place}: no release to go back to"),
    mark("{place}: not signed by that key"),
    mark("{place}: missing, but updates had to be signed before; put it back ({why})"),
    mark("{place}: ssh-keygen is missing, so its signature can't be checked (openssh-client has it)"),
    mark("{place}: {why}, so no update is accepted ({name})"),
    mark("to take it anyway: --unsigned"),
    mark("a link that leads nowhere"),
    mark("others than root may change it"),
    mark("names nobody"),
    mark("{place}: not there"),
    mark("{place}: there already"),
    mark("{place}: not a Gunbai update, or incomplete: {why}"),
    mark("{place}: not a Gunbai update"),
    mark("{place}: damaged: {name} is not as it was packed"),
    mark("{place}: damaged: {name} isn't the size its manifest says"),
    mark("{place}: cut off: {name} is missing ({n} in all)"),
    mark("this needs Gunbai's whole tree, which the Python package isn't: unpack its source and run ./gunbai there"),
    mark("this needs Gunbai's whole tree: run ./gunbai where it was cloned ({place} has no {names})"),
    mark("{place}: not everything is committed: {why}; commit it first"),
    mark("the packages for {name} can't be fetched: {why}"),
    mark("{place}: not a folder"),
    mark("{place}: not the boot partition of Raspberry Pi OS ({name} is missing)"),
    mark(
        "{place}: this Raspberry Pi OS has no cloud-init ({name} is missing): use version 13 of November 2025 or later"
    ),
    mark("{place}: not Raspberry Pi OS Lite (issue.txt names another, or a desktop)"),
    mark("{place}: this card has been started already: flash it afresh"),
    mark("{place}: expected packages for {name} (NAME_VERSION_{value}.deb)"),
    mark("{n} MB, and a card's boot partition has room for {most} MB"),
    mark("{place}, {name}: on a card they are the same name"),
    mark("{place}: a card can't have a file of this name"),
    mark("expected either CARD, a card's boot partition, or --zip FILE"),
    mark("--user: {name} is taken"),
    mark("{key}: {value} isn't one"),
    mark("expected a public key of OpenSSH on one line, such as id_ed25519.pub has"),
    mark("{place}: keeps changing: no copy was made"),
    mark("{place}: the disk didn't keep what was written: no copy was made"),
    mark("{place}: this game is being played; leave it and try again"),
    mark("{place}: no such saved game"),
    mark("{place}: nobody has won yet"),
    mark("the bridge needs paho-mqtt: pip install 'gunbai[mqtt]'"),
    mark("--keep: must be at least 1"),
    mark("--stdin: needs a folder after --to"),
    mark("done: {what}"),
    mark("{place}: the program"),
    mark("{place}: its environment, without network, tried out with a demo's turn as user {name}"),
    mark("copy of the saved games into {place}"),
    mark("links to it:"),
)
"""What `gunbai install` and the other commands of the appliance refuse, and how far an update is as its log says it."""

COMMAND_LINE = (
    mark("{what} (see {name} --help)"),
    mark("argument {name}: invalid choice: {value}; did you mean {near}?"),
    mark("argument {name}: invalid choice: {value} (choose from {names})"),
    mark("argument {name}: expected one argument"),
    mark("argument {name}: expected {n} or more, not {value}"),
    mark("the following arguments are required: {names}"),
    mark("unrecognized arguments: {value}; did you mean {near}?"),
    mark("unrecognized arguments: {value}"),
    mark("no board named {value}; there is {names}"),
)
"""What is wrong with a command, much of it in the words of Python's argparse."""

NOT_SEEN = {
    mark("it is too dark to see the board"): mark("Too dark to see the board"),
    mark("can't tell which way the board lies: uncover more of it, or set the camera up again"): mark(
        "Can't tell how the board lies"
    ),
    mark("the camera's picture is mirrored: turn mirroring off, or set the camera up again"): mark("Picture mirrored"),
    mark("the camera's pictures are {size} pixels now, not {other}: set the camera up again"): mark(
        "Picture of another size"
    ),
}
"""Why the board isn't seen though the camera gives pictures, where that is known, and a few words for it."""

FILES = (
    mark("{place}: not a plain file: nothing is written there"),
    mark("{place}: this command uses that file already: name another one to write"),
    mark("name the file or folder to write: it can't be - or empty"),
    mark("{place}: can't be made ({why})"),
    mark("{place}: this folder is on the card and will be replaced: name another one"),
    mark("{place}: not the game of a demo, and it stays as it is: choose another folder"),
    mark("{place}: not the photographs of a demo, and they stay as they are: choose another folder"),
    mark("{place}: too many turns for an animated picture ({n}, at most {other}): make a page of it instead (--html)"),
    mark("{place}: no such file or folder"),
    mark("standard output"),
    mark("Not a directory"),
    mark("Is a directory"),
    mark("File name too long"),
    mark("Too many levels of symbolic links"),
    mark("standard input can only be one of the files"),
    mark("--add: name a file: on the shelf it keeps its name"),
)
"""What commands refuse to write or read."""

FAULTS = (
    *FILES,
    *APPLIANCE,
    *COMMAND_LINE,
    *NOT_SEEN,
    mark("the camera keeps sending the very same picture"),
    mark("there is no screen here; without one, try `gunbai demo --headless`"),
    mark("couldn't open a screen ({why}); without one, try `gunbai demo --headless`"),
    mark("{place}: the camera gave no picture in time"),
    mark("{place}: the camera gave no picture"),
    mark("{place}: the camera's process has ended"),
    mark("{place}: received something that isn't a picture"),
    mark("{place}: {name} can't be run ({why})"),
    mark("can't find the board in the camera's picture: is it where it was, and in view?"),
    mark("the camera's service is not running"),
    mark("another Gunbai is using the camera"),
    mark("{place}: no working camera"),
    mark("{place}: there is no such camera"),
    mark("a live camera needs Linux; gunbai read and gunbai score read photographs here too"),
    mark("{place}: not a camera number, device or folder of pictures"),
    mark("{place}: no picture (.jpg or .png) in this folder"),
    mark("{place}: the pictures are gone"),
    mark("{place}: not a readable picture"),
    mark("{place}: {size} pixels are too few; 640x480 is the minimum"),
    mark("{place}: {size} pixels, but the table was calibrated at {other}"),
    mark("{place}: a table set up for {other}, not {board}"),
    mark("{place}: not a table file, or cut off ({why})"),
    mark("{place}: damaged table file ({why})"),
    mark("the corners don't form a proper quadrilateral: three of them lie in a line"),
    mark("the corners don't form a proper quadrilateral: lines between them cross"),
    mark("the corners don't form a proper quadrilateral"),
    mark("the corners enclose too small a part of the picture to read a board"),
    mark("the camera process sent an invalid message"),
    mark("the work was cut short: try again"),
    mark("reading the table kept failing, so it was turned off: restart Gunbai to try again"),
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
    mark("{place}: can't be mounted; it may be damaged"),
    mark("{place}: the system uses this disk, so it isn't taken for a memory stick"),
    mark("no memory stick has an update to {name}"),
    mark("{place}: not a release's name, such as 0.3.0-0123456789"),
    mark("{place}: missing; it has to name whose updates are accepted from a memory stick"),
    mark("{place}: not signed, and {other} asks for it ({why})"),
    mark("{place}: signed by nobody listed in {other}: {why}"),
    mark("{place}: {name} is older than {other}"),
    mark("{why}; {name} stays in use"),
    mark("{place}: the disk is nearly full ({size} free): no copy was made"),
    *DRILL,
    *REFUSALS,
    mark("not a plain file"),
    mark("not a text file (byte {n} is not UTF-8)"),
    mark("longer than {size}, the limit"),
    mark("nested too deeply"),
    mark("a number with too many digits"),
    mark("a number beyond 64 bits"),
    mark("expected a shorter text"),
    mark("No space left on device"),
    mark("Read-only file system"),
    mark("Input/output error"),
    mark("No such file or directory"),
    mark("Permission denied"),
    *DRILL_NUMBERS,
)
"""The messages that may reach the screen, with their places, the particular before the general."""


BEFORE = ": "
"""What stands between the place of a fault and the fault."""
PLACE = re.compile(r"\{\w+\}")
ANYTHING = ".+"
NO_PLACE = rf"(?:(?!{BEFORE}).)+"
"""Words with no place before them."""
MOST_PLACES = 8
"""A message that names more places one behind the other isn't ours."""


def fault_words(fault: BaseException | str) -> str:
    """Return a fault's message in the language of the table; an unforeseen one as it is."""
    if isinstance(fault, BaseException) and (why := _of_stick(fault)):
        return why
    told = message_of(fault)
    if not told:
        return ""
    starts = (0, *(found.end() for found in re.finditer(BEFORE, told)))
    for start in starts[:MOST_PLACES]:
        if words := _foreseen(told[start:]):
            place = told[:start].removesuffix(BEFORE)
            return BEFORE.join(filter(None, (_foreseen(place) or place, words)))
    return told


def _foreseen(told: str) -> str:
    """Return a message in the language of the table, with the texts in its places; "" where nobody foresaw it."""
    for template, place, words in _forms():
        if all(part in told for part in words) and (found := _form(template, place).fullmatch(told)):
            return _(template).format(**{key: fault_words(part) for key, part in found.groupdict().items()})
    return ""


def unseen_words(fault: str) -> str:
    """Say in a few words why no board is seen in the camera's pictures."""
    known = (words for template, words in NOT_SEEN.items() if _form(template).fullmatch(fault))
    return _(next(known, mark("Board not in view")))


def camera_words(fault: str) -> str:
    """Return a fault of the camera in words for players, without the device or file that it names first."""
    return _DEVICE.sub("", fault_words(fault))


def short_path(path: Path) -> str:
    """Return a path short enough for a screen: the folder's own name and the file's."""
    return f"{path.parent.name}/{path.name}"


def message_of(fault: BaseException | str) -> str:
    """Return a fault's message in English; for an OSError the file and the reason, without the error number."""
    if isinstance(fault, OSError) and fault.strerror:
        return f"{fault.filename}: {fault.strerror}" if fault.filename else fault.strerror
    return str(fault)


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return each message with the pattern of its places and the words between them."""
    placed = (*((text, ANYTHING) for text in FAULTS), *((text, NO_PLACE) for text in NAMED))
    return tuple((text, place, tuple(PLACE.split(text))) for text, place in placed)


@lru_cache
def _form(text: str, place: str = ANYTHING) -> re.Pattern[str]:
    """Return the pattern of a template whose places hold what this pattern says."""
    return re.compile(re.sub(r"\\{(\w+)\\}", rf"(?P<\1>{place})", re.escape(text)))


def table_fault_words(error: BaseException) -> str:
    """Return a fault in a sentence or two: what to do if the disk is at fault, else the fault's own message."""
    why = _of_disk(error)
    if why and isinstance(error, SettingsError):
        return _("{why} Your choice lasts until you quit Gunbai.").format(why=why)
    return why or fault_words(error)


def lost_words(sense: SyncStatus) -> str:
    """Say what is wrong with a camera that is lost or doesn't see the board, and that play can go on by touch."""
    from companion.text.orders import sentence  # needs packages, which `gunbai install` doesn't have yet

    fault = camera_words(sense.fault)
    if sense.blind:
        return _("{fault} Meanwhile, you can play by touch.").format(fault=sentence(fault))
    form = _("Lost the camera ({fault}). Check its cable; meanwhile, you can play by touch.")
    return form.format(fault=fault)


def _of_disk(error: BaseException) -> str:
    """Say what to do about a disk that is full, read-only or worn out; "" for any other fault."""
    number = _number(error)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return _("The disk is full: free some space.")
    if number == errno.EROFS:
        return _("The disk is read-only: check that it isn't locked.")
    if number == errno.EIO:
        return _("The disk failed: back up your games and replace it.")
    return ""


def _of_stick(error: BaseException) -> str:
    """Say what to do about a memory stick that refuses a file; "" for any other fault."""
    if not any(message_of(error).startswith(f"{place}/") for place in PLACES):
        return ""
    number = _number(error)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return _("The memory stick is full: free some space on it.")
    if number == errno.EROFS:
        return _("The memory stick is write-protected or damaged.")
    if number in _PULLED:
        return _("The memory stick was pulled out, or it's broken.")
    return ""


def _number(error: BaseException | None) -> int | None:
    """Return the system's number of the fault at the bottom of this one; None without such a number."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        error = error.__cause__
    return None
