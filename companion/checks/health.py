"""The health check: everything that Gunbai depends on, each OK or with what to do. It changes nothing.

`Parts` says where to look, so that the command, the screen and the tests ask the same questions; the looks at the
machine are in `companion.checks`. An app that runs is not disturbed: what it has open is told, and is no fault.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.checks import machine as machines
from companion.checks.check_result import CheckResult, Machine, State
from companion.checks.desk import DeskLooks
from companion.checks.machine import disk
from companion.content.board_choice import board_of, boards
from companion.core import storage
from companion.core.errors import MatchError
from companion.core.language import _, language_tag, plural
from companion.core.speech import INSTALL, Speech, find_voice
from companion.games.journal import read_game
from companion.perception.cameras import own_camera, own_table
from companion.settings import layers
from companion.settings.layers import Settings
from companion.text.faults import fault_words
from engine.errors import EngineError
from engine.orders.game import new_game
from engine.words import count_words
from intake.text import one_line
from vision.errors import VisionError

if TYPE_CHECKING:
    from companion.checks.camera import Live, Shot
    from hardware.device import Health


LIBRARIES = ("pygame-ce", "numpy", "opencv-python-headless", "onnxruntime", "platformdirs", "gpiozero", "pyserial")
INPUTS = "sys/class/input/event*/device"
LOOK_EVERY_S = 0.02  # until a word is turned into speech
TOUCH_BIT = 0x35  # ABS_MT_POSITION_X of the kernel's input event codes: a place for each finger


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The outcome of one check. told: the facts; remedy: what to do if it is not OK.

    state: "note" is worth knowing but no fault, as everything works without it. shot: the camera's picture.
    """

    name: str
    title: str
    state: State
    told: str
    remedy: str = ""
    shot: Shot | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """The checks that only the window can make: screen, fonts and loudspeaker."""

    screen: Callable[[], CheckResult]
    fonts: Callable[[], CheckResult]
    sound: Callable[[], CheckResult]


@dataclass(frozen=True, slots=True)
class Around:
    """What the app knows, if the checks run in its process: its desk's health, its camera, the times when it began.

    pictures: a folder for the camera's picture; None keeps none.
    """

    machine: Machine = field(default_factory=Machine)
    desk: Callable[[], tuple[Health, ...]] | None = None
    live: Callable[[], Live | None] | None = None
    began: machines.Times | None = None
    pictures: Path | None = None


def checks(parts: Parts, around: Around | None = None) -> Iterator[HealthCheck]:
    """Yield the outcome of every check, in the order in which they matter.

    The window's checks run in this call; the others, run as they are yielded, may take seconds: use another thread.
    """
    seen = {"screen": parts.screen(), "fonts": parts.fonts(), "sound": parts.sound()}
    return _checks(seen, around or Around())


def _checks(seen: Mapping[str, CheckResult], around: Around) -> Iterator[HealthCheck]:
    machine = around.machine
    desk = DeskLooks(layers.load_sound()[0], around.desk, lambda: machines.is_active(machine))
    now = machines.times()
    asked: tuple[tuple[str, str, Callable[[], CheckResult]], ...] = (
        ("versions", _("Versions"), versions),
        ("machine", _("Machine"), lambda: machines.model(machine)),
        ("data", _("Rules and boards"), data),
        ("screen", _("Screen"), lambda: seen["screen"]),
        ("touch", _("Touch"), lambda: touch(machine)),
        ("fonts", _("Fonts"), lambda: seen["fonts"]),
        ("sound", _("Sound"), lambda: seen["sound"]),
        ("voice", _("Voice"), lambda: voice(layers.load_sound()[0])),
        ("pins", _("Pins"), desk.pins),
        ("serial", _("Readers and controller"), desk.serial),
        ("power", _("Power and heat"), lambda: machines.power(machine)),
        ("clock", _("Clock"), lambda: machines.clock(machine, now, around.began)),
        ("disk", _("Disk"), lambda: disk(machine)),
        ("games", _("Saved games"), games),
        ("backups", _("Backups"), lambda: machines.backups(machine, now.wall_s)),
        ("settings", _("Settings"), settings_files),
        ("service", _("Service"), lambda: machines.units(machine)),
        ("table", _("Camera set-up"), table),
    )
    yield from (HealthCheck(name, title, *look()) for name, title, look in asked)
    yield camera(around)


def camera(around: Around) -> HealthCheck:
    """Check the camera, its picture, and whether the light differs from the calibration's."""
    from companion.checks.camera import CameraLooks, judge_light, save_picture

    used = layers.load_sound()[0]
    live = around.live() if around.live is not None else None
    looks = CameraLooks(used.camera or own_camera(), board_of(used), live, machine=around.machine)
    state, told, remedy = looks.look(busy=around.live is None and machines.is_active(around.machine))
    if around.pictures is not None and looks.picture is not None:
        told = f"{told}; {save_picture(around.pictures, looks.picture)}"
    table = used.table or own_table(board_of(used).name)
    if state == "ok" and looks.picture is not None and table.exists() and (light := judge_light(looks.picture, table)):
        again = _("Photograph it again (10 s): touch the camera's sign beside the round, then Photograph it again.")
        state, told, remedy = "note", f"{told}; {light}", again
    return HealthCheck("camera", _("Camera"), state, told, remedy, looks.shot)


TOLD = ("name", "title", "state", "told", "remedy")


def is_well(found: Iterable[HealthCheck]) -> bool:
    """Return whether no check is "bad"."""
    return all(check.state != "bad" for check in found)


def as_json(found: Iterable[HealthCheck]) -> dict[str, Any]:
    """Return the checks as one JSON object."""
    listed = tuple(found)
    return {"well": is_well(listed), "checks": [{name: getattr(check, name) for name in TOLD} for check in listed]}


def versions() -> CheckResult:
    """List the versions of Gunbai, Python and the libraries; "bad" if a library is missing."""
    import platform
    from importlib import metadata  # brings a dozen modules, for this line alone

    told = [f"Gunbai {__version__}", f"Python {platform.python_version()}"]
    missing = []
    for name in LIBRARIES:
        try:
            told.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return "bad", _("missing: {names}").format(names=", ".join(missing)), _("Reinstall Gunbai.")
    return "ok", ", ".join(told), ""


def data() -> CheckResult:
    """Check that the rules and all boards can be read, by starting a game on each."""
    used = board_of(layers.load_sound()[0])
    try:
        for board in boards():
            tokens = dict(zip(board.slots, board.mode.tokens, strict=False))
            new_game(board.name, board.factions[0], tokens)
    except (EngineError, OSError) as error:
        return "bad", str(error), _("Reinstall Gunbai: one of its files is missing or damaged.")
    areas = plural("{n} area", "{n} areas", len(used.areas))
    told = f"{used.mode.title}: {areas}, {count_words(len(used.mode.cards), 'card')}"
    return "ok", told, ""


def touch(machine: Machine) -> CheckResult:
    """List the touchscreens that the system knows; "note" if there is none."""
    devices = machine.find_paths(INPUTS)
    found = [machine.text(device / "name") for device in devices if _takes_fingers(machine, device)]
    if not found:
        return "note", _("No touchscreen found."), _("A mouse and keyboard do everything a finger does.")
    return "ok", ", ".join(found), ""


def _takes_fingers(machine: Machine, device: Path) -> bool:
    """Return whether an input device reports the places of several fingers."""
    words = machine.text(device / "capabilities/abs").split()
    try:  # the kernel prints its bits in 64-bit words, high to low
        bits = sum(int(word, 16) << (64 * place) for place, word in enumerate(reversed(words)))
    except ValueError:
        return False
    return bool(bits >> TOUCH_BIT & 1)


def voice(settings: Settings) -> CheckResult:
    """Check that a sentence can be turned into speech; "note" if not, as all works without a voice."""
    if not settings.voice:
        return "note", _("The voice is off."), ""
    found = find_voice(language_tag())
    if found is None:
        return "note", _("The voice isn't installed."), INSTALL
    fault = _try()
    if fault:
        return "note", _("The voice doesn't work ({fault}).").format(fault=fault), _("Gunbai plays on without it.")
    return "ok", found.program, ""


def _try() -> str:
    """Turn a word into speech, without playing it, and return what went wrong; "" if nothing did."""
    speech = Speech()
    speech.begin(_("OK"), language_tag(), time.monotonic())
    while speech.busy:
        time.sleep(LOOK_EVERY_S)
        speech.fetch(time.monotonic())
    speech.close()
    return speech.fault


def games() -> CheckResult:
    """Check that all saved games can be read to their end."""
    paths = sorted((storage.data_dir() / "games").glob(f"*{storage.GAME_SUFFIX}"))
    damaged = [path.name for path in paths if not _is_whole(path)]
    if damaged:
        told = _("damaged: {names}").format(names=", ".join(damaged))
        return (
            "note",
            told,
            _("Open it: it continues from the last good step, and the rest is kept in a separate file."),
        )
    return "ok", plural("{n} game", "{n} games", len(paths)), ""


def _is_whole(path: Path) -> bool:
    try:
        journal = read_game(path)
        return journal.fault is None or journal.look_only
    except MatchError:
        return False


def settings_files() -> CheckResult:
    """List the settings files in use; "bad" if one can't be read."""
    _settings, broken = layers.load_sound()
    if broken:
        told = "; ".join(fault.message for fault in broken)
        return "bad", told, _("Fix the file, or set it aside when Gunbai starts; it runs without it.")
    found = [str(path) for path in layers.settings_files() if path.exists()]
    return "ok", ", ".join(found) or _("defaults"), ""


def table() -> CheckResult:
    """Check that the calibrated table can be read; "note" if there is none."""
    path = layers.load_sound()[0].table or own_table(board_of(layers.load_sound()[0]).name)
    if not path.exists():
        return "note", _("The camera isn't set up."), _("Set up the camera from the home screen, or play by touch.")
    from vision.table import Table

    try:
        plan = Table.load(path).plan
    except (VisionError, OSError) as error:
        return "bad", fault_words(error), _("Set up the camera again from the home screen.")
    return "ok", f"{path} ({plan.board})", ""


def line(check: HealthCheck) -> str:
    """Return a check as a line of text, with what to do about it on a second one."""
    words: Mapping[State, str] = {"ok": _("OK"), "note": _("note"), "bad": _("to do")}
    told = f"{words[check.state]:<6} {check.title}: {one_line(check.told)}"
    return f"{told}\n{'':7}{one_line(check.remedy)}" if check.remedy else told
