"""The self-check: what Gunbai stands on, thing by thing, each OK or with what to do. It changes nothing.

`Parts` says where to look, so that the command, the screen and the tests ask the same questions.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from companion import __version__, settings, storage
from companion.board_choice import board_of, boards
from companion.cameras import own_camera, own_table
from companion.errors import MatchError
from companion.fault_words import fault_words
from companion.journal import read_journal
from companion.language import _, plural
from companion.live import cameras_found
from engine.errors import EngineError
from engine.orders.game import new_game
from vision.errors import VisionError

State = Literal["ok", "note", "bad"]
MB = 1_000_000
LEAST_MB, FEW_MB = 20, 500
LIBRARIES = ("pygame-ce", "numpy", "opencv-python-headless", "platformdirs")
INPUTS = Path("/sys/class/input")
TOUCH_BIT = 0x35  # ABS_MT_POSITION_X of the kernel's input event codes: a place for each finger


@dataclass(frozen=True, slots=True)
class Check:
    """One thing: its short name, its title, how it stands, the facts, and what to do where it is not OK.

    "note" is worth knowing, and no fault: everything works, or works without it.
    """

    name: str
    title: str
    state: State
    told: str
    remedy: str = ""


Looked = tuple[State, str, str]
"""How it stands, the facts, what to do."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What only the window knows: how the screen, the letters and the loudspeaker stand."""

    screen: Callable[[], Looked]
    fonts: Callable[[], Looked]
    sound: Callable[[], Looked]


def checks(parts: Parts) -> tuple[Check, ...]:
    """Everything, in the order in which it is needed."""
    asked: tuple[tuple[str, str, Callable[[], Looked]], ...] = (
        ("versions", _("Versions"), versions),
        ("data", _("Rules and boards"), data),
        ("screen", _("Screen"), parts.screen),
        ("touch", _("Touch"), touch),
        ("fonts", _("Letters"), parts.fonts),
        ("sound", _("Sound"), parts.sound),
        ("disk", _("Disk"), disk),
        ("games", _("Saved games"), games),
        ("settings", _("Settings"), settings_files),
        ("camera", _("Camera"), camera),
        ("table", _("Table of the camera"), table),
    )
    return tuple(Check(name, title, *look()) for name, title, look in asked)


def is_well(found: Iterable[Check]) -> bool:
    """Whether nothing has to be done."""
    return all(check.state != "bad" for check in found)


def as_json(found: Iterable[Check]) -> dict[str, Any]:
    """The checks as one JSON object."""
    listed = tuple(found)
    return {"well": is_well(listed), "checks": [asdict(check) for check in listed]}


def versions() -> Looked:
    """Gunbai's own version, Python's, and those of the libraries; a library that is missing is bad."""
    import platform

    told = [f"Gunbai {__version__}", f"Python {platform.python_version()}"]
    missing = []
    for name in LIBRARIES:
        try:
            told.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return "bad", _("missing: {names}").format(names=", ".join(missing)), _("Install Gunbai again.")
    return "ok", ", ".join(told), ""


def data() -> Looked:
    """Whether the rules and the board can be read and a game begins."""
    used = board_of(settings.load_sound()[0])
    try:
        for board in boards():
            tokens = dict(zip(board.slots, board.mode.tokens, strict=False))
            new_game(board.name, board.factions[0], tokens)
    except (EngineError, OSError) as error:
        return "bad", str(error), _("Install Gunbai again: a file of it is missing or damaged.")
    form = _("{title}: {areas} areas, {cards} cards")
    told = form.format(title=used.mode.title, areas=len(used.areas), cards=len(used.mode.cards))
    return "ok", told, ""


def touch(inputs: Path = INPUTS) -> Looked:
    """The touch screens that the system knows; without one a mouse and a keyboard do all of it."""
    found = [_text(device / "name") for device in sorted(inputs.glob("event*/device")) if _takes_fingers(device)]
    if not found:
        return "note", _("No touch screen was found."), _("A mouse and a keyboard do all that a finger does.")
    return "ok", ", ".join(found), ""


def _takes_fingers(device: Path) -> bool:
    """Whether an input device tells where fingers are: its bits stand in words of 64, the highest first."""
    words = _text(device / "capabilities" / "abs").split()
    try:
        bits = sum(int(word, 16) << (64 * place) for place, word in enumerate(reversed(words)))
    except ValueError:
        return False
    return bool(bits >> TOUCH_BIT & 1)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def disk() -> Looked:
    """Whether a game can be written, by writing, and how much room is left."""
    folder = storage.data_dir()
    probe = folder / f"check-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        storage.create(probe, b"written\n")
        same = probe.read_bytes() == b"written\n"
        probe.unlink()
        free_mb = shutil.disk_usage(folder).free // MB
    except OSError as error:
        told = f"{folder}: {error.strerror}"
        return "bad", told, _("Make room, or make the folder writable: no step can be saved now.")
    if not same:
        return "bad", f"{folder}", _("What is written comes back as something else: replace the disk.")
    told = _("{n} MB free in {folder}").format(n=free_mb, folder=folder)
    if free_mb < LEAST_MB:
        return "bad", told, _("Make room: no step can be saved soon.")
    return ("note", told, _("Make room before long.")) if free_mb < FEW_MB else ("ok", told, "")


def games() -> Looked:
    """Whether the saved games can be read to their end."""
    paths = sorted((storage.data_dir() / "games").glob(f"*{storage.GAME_SUFFIX}"))
    damaged = [path.name for path in paths if not _whole(path)]
    if damaged:
        told = _("damaged: {names}").format(names=", ".join(damaged))
        return "note", told, _("Open it: it goes on from its last good step, and the rest is kept beside it.")
    return "ok", plural("{n} game", "{n} games", len(paths)), ""


def _whole(path: Path) -> bool:
    try:
        return read_journal(path).fault is None
    except MatchError:
        return False


def settings_files() -> Looked:
    """Which layers there are, and whether each can be read."""
    _settings, broken = settings.load_sound()
    if broken:
        told = "; ".join(one.message for one in broken)
        return "bad", told, _("Mend the file, or set it aside when Gunbai starts; it runs without it.")
    found = [str(path) for path in settings.settings_files() if path.exists()]
    return "ok", ", ".join(found) or _("as Gunbai came"), ""


def camera() -> Looked:
    """Which cameras there are; the one that is set up has to be among them."""
    found, wanted = cameras_found(), settings.load_sound()[0].camera or own_camera()
    if wanted and wanted.isdigit() and wanted not in found:
        told = _("Camera {name} is set up, and not there.").format(name=wanted)
        return "bad", told, _("Plug it in, or set up another one from the home screen.")
    if not found and not wanted:
        return "note", _("No camera was found."), _("Everything works by touch without one.")
    return "ok", _("found: {names}").format(names=", ".join(found) or wanted), ""


def table() -> Looked:
    """Whether the calibrated table can be read."""
    path = settings.load_sound()[0].table or own_table(board_of(settings.load_sound()[0]).name)
    if not path.exists():
        return "note", _("No table is set up."), _("Set up the camera from the home screen, or play by touch.")
    from vision.table import Table

    try:
        plan = Table.load(path).plan
    except (VisionError, OSError) as error:
        return "bad", fault_words(error), _("Set up the camera anew from the home screen.")
    return "ok", f"{path} ({plan.board})", ""


def words(state: State) -> str:
    """How a thing stands, in a word."""
    named: Mapping[State, str] = {"ok": _("OK"), "note": _("note"), "bad": _("to do")}
    return named[state]


def line(check: Check) -> str:
    """One thing on a line, and what to do on the next."""
    told = f"{words(check.state):<6} {check.title}: {check.told}"
    return f"{told}\n{'':7}{check.remedy}" if check.remedy else told
