"""Settings, in layers: built in, the machine's file, the user's, the one $GUNBAI_SETTINGS names, the app's choices.

A later layer overrides an earlier one key by key. The files are TOML. What is chosen in the app goes to a file of its
own, written anew with each choice in one go: files written by hand keep their comments and are never touched. To go
back to what these say, choose "as in the file" in the app, or delete `chosen.toml`. docs/playing.md lists all keys.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import platformdirs

from companion.core import storage
from companion.core.errors import SettingsError, UsageError, blame_file
from companion.core.toml_values import toml_value
from companion.settings import values
from companion.settings.marking import HEIGHTS, MARKINGS
from intake.files import read_text
from intake.toml_text import MOST_BYTES, parse_toml

SETTINGS_VARIABLE = "GUNBAI_SETTINGS"
FILE_NAME = "settings.toml"
LAYOUTS = ("one", "two")
THEMES = ("dark", "light", "contrast")
PALETTES = ("standard", "deuteranopia", "protanopia", "tritanopia")
EDITIONS = ("en", "pt")
PACES = ("usual", "long")
INCHES = (3.0, 40.0)
TEXT_SCALE = (0.8, 1.6)
MOST_S = 24 * 60 * 60
MOST_MINUTES = 600
LONG_PRESS_S = (0.3, 3.0)
MOST_READERS = 8
MOST_INVERTED = 20
MOST_FAULTS = 20
MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Settings:
    """All that the owner may set; `screen_size_px` is (width, height), None for the whole screen."""

    screen_size_px: tuple[int, int] | None = None
    rotation_degrees: int = 0
    diagonal_inches: float = 7.0  # of the screen itself: so that 12 mm on the glass are 12 mm
    layout: str = "one"  # "two": halves that face a player each
    theme: str = "dark"
    palette: str = "standard"
    text_scale: float = 1.0
    motion: bool = True  # False: nothing moves or fades
    dim_after_s: int = 300  # without a touch, until the screen goes dark; 0: never
    keep_awake: bool = True  # the desktop's own screen saver stays off while Gunbai runs
    sound: bool = True
    volume: int = 60
    voice: bool = False  # turns, rulings, dice and round ends are said aloud (needs espeak-ng or piper)
    clock_minutes: int = 0  # thinking time for each player; 0: no clock
    clock_warn_s: int = 120  # the clock warns when less is left
    propose_turns: bool = True  # offer turns that the camera saw
    tick_by_camera: bool = True  # tick off tasks on the board that the camera sees done
    camera_dice: bool = True  # offer dice that the camera read
    learning: bool = True  # learn from confirmed turns how this table looks
    ask_cards: bool = True  # ask whether a card is played, when one may be
    list_hands: bool = True  # after a step, list the tasks on the board
    forecast: bool = True  # before a step, show what it would do
    score_at_end: bool = True  # show the score by itself when the game ends
    round_end: bool = True  # after a round, show a card with what comes before the next
    show_supply: bool = True  # lines of supply, and where they are cut
    show_changes: bool = True  # what the last turn changed
    show_names: bool = True
    show_points: bool = False  # what each area brings now
    show_camera: bool = True
    language: str = "en"
    board: str = "sengoku-rivers"  # what a new game starts from; set by itself when a game begins
    opponent_pace: str = "usual"  # "long": it thinks until somebody touches "Play now"
    edition: str = "en"  # of the book whose sections and pages are cited, where there are two
    base_marking: str = "middle"  # as the markers of battles' bases were printed
    base_height: float | None = None  # of a base's top, in base widths; None: not known
    table: Path | None = None
    camera: str | None = None  # by its stable name: "0" may be another one tomorrow
    evidence: bool = True  # keep small pictures of what each turn changed, and the last frames, beside the game
    desk_pins: bool = False  # buttons and lamps are wired to the pins of this machine
    long_press_s: float = 0.7  # how long a button has to be held for a long press
    readers: tuple[str, ...] = ()  # card readers and scanners, by stable names
    reader_sides: Mapping[str, str] = field(
        default_factory=dict
    )  # whose a reader is, "one" or "two"; one that is not named is for both
    controller: str = ""  # a table controller, by its stable name; "": none
    pins: Mapping[str, int] = field(default_factory=dict)  # BCM numbers that differ from the usual wiring; 0: not wired
    inverted: tuple[str, ...] = ()  # lamps lit by a low level, buttons that rest closed
    colours: Mapping[str, str] = field(default_factory=dict)  # of the drawn board, by name
    readings: Mapping[str, str] = field(
        default_factory=dict
    )  # house rules where the book is silent: what a new game starts from
    players: Mapping[str, str] = field(default_factory=dict)  # names for new games, by faction


# key in the file -> (field of Settings, how it is read)
KEYS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "screen.size": ("screen_size_px", values.size),
    "screen.rotation": ("rotation_degrees", values.rotation),
    "screen.diagonal_inches": ("diagonal_inches", values.number(*INCHES)),
    "screen.layout": ("layout", values.one_of(*LAYOUTS)),
    "screen.theme": ("theme", values.one_of(*THEMES)),
    "screen.palette": ("palette", values.one_of(*PALETTES)),
    "screen.text_scale": ("text_scale", values.number(*TEXT_SCALE)),
    "screen.motion": ("motion", values.switch),
    "screen.dim_after_s": ("dim_after_s", values.whole(MOST_S)),
    "screen.keep_awake": ("keep_awake", values.switch),
    "sound.on": ("sound", values.switch),
    "sound.volume": ("volume", values.whole(100)),
    "sound.voice": ("voice", values.switch),
    "clock.minutes": ("clock_minutes", values.whole(MOST_MINUTES)),
    "clock.warn_s": ("clock_warn_s", values.whole(MOST_S)),
    "automatic.turns": ("propose_turns", values.switch),
    "automatic.ticks": ("tick_by_camera", values.switch),
    "automatic.dice": ("camera_dice", values.switch),
    "automatic.learning": ("learning", values.switch),
    "automatic.cards": ("ask_cards", values.switch),
    "automatic.hands": ("list_hands", values.switch),
    "automatic.forecast": ("forecast", values.switch),
    "automatic.score": ("score_at_end", values.switch),
    "automatic.rounds": ("round_end", values.switch),
    "map.supply": ("show_supply", values.switch),
    "map.changes": ("show_changes", values.switch),
    "map.names": ("show_names", values.switch),
    "map.points": ("show_points", values.switch),
    "map.camera": ("show_camera", values.switch),
    "language": ("language", values.language),
    "board": ("board", values.text),
    "opponent.pace": ("opponent_pace", values.one_of(*PACES)),
    "edition": ("edition", values.one_of(*EDITIONS)),
    "bases.marking": ("base_marking", values.one_of(*MARKINGS)),
    "bases.height": ("base_height", values.number(*HEIGHTS)),
    "table": ("table", values.path),
    "camera": ("camera", values.text),
    "evidence": ("evidence", values.switch),
    "desk.pins": ("desk_pins", values.switch),
    "desk.long_press_s": ("long_press_s", values.number(*LONG_PRESS_S)),
    "desk.readers": ("readers", values.text_list(MOST_READERS)),
    "desk.reader_sides": ("reader_sides", values.sides),
    "desk.controller": ("controller", values.maybe),
    "desk.inverted": ("inverted", values.text_list(MOST_INVERTED)),
    "pins": ("pins", values.pins),
    "colours": ("colours", values.colours),
    "readings": ("readings", values.answers),
    "players": ("players", values.names),
}
SECTIONS = frozenset(key.split(".")[0] for key in KEYS if "." in key)
KEY_OF: Mapping[str, str] = {name: key for key, (name, _reader) in KEYS.items()}
MERGED: Mapping[str, object] = {  # fields that are merged entry by entry, and the value that resets an entry
    "colours": "", "readings": "default", "players": "", "reader_sides": "", "pins": 0,
}  # fmt: skip


def _flat(data: Mapping[str, object]) -> dict[str, object]:
    """Flatten {"screen": {"size": ...}} to {"screen.size": ...}, for the sections that hold keys of ours."""
    flat: dict[str, object] = {}
    for name, value in data.items():
        if name in SECTIONS and isinstance(value, dict):
            flat.update({f"{name}.{inner}": item for inner, item in value.items()})
        else:
            flat[name] = value
    return flat


def read_key(key: str, value: object) -> tuple[str, Any]:
    """Return the field of Settings that a file's key stands for, and its checked value; UsageError if invalid."""
    if key not in KEYS:
        near = get_close_matches(key[:MOST_SHOWN], KEYS, 1)
        raise UsageError(f"no such key; did you mean {near[0]}?" if near else "no such key")
    name, reader = KEYS[key]
    return name, reader(value)


def layer(path: Path) -> dict[str, Any]:
    """Read {field of Settings: value} from a settings file; SettingsError lists its faults on one line."""
    with blame_file(path, SettingsError):
        data = parse_toml(read_text(path, MOST_BYTES))
    try:
        return fields_of(data)
    except UsageError as error:
        raise SettingsError(f"{path}: {error}") from error


def fields_of(data: Mapping[str, object]) -> dict[str, Any]:
    """Return {field of Settings: value} of a file's table; UsageError lists its faults on one line.

    At most `MOST_FAULTS` are listed.
    """
    found: dict[str, object] = {}
    faults: list[str] = []
    for key, value in _flat(data).items():
        if len(faults) == MOST_FAULTS:
            faults.append("and more")
            break
        try:
            name, parsed = read_key(key, value)
        except UsageError as error:
            faults.append(f"{key[:MOST_SHOWN]}: {error}")
        else:
            found[name] = parsed
    if faults:
        raise UsageError("; ".join(faults))
    return found


def _merge(settings: Settings, layer: Mapping[str, Any]) -> Settings:
    changes: dict[str, Any] = dict(layer)
    for name in MERGED.keys() & layer.keys():
        changes[name] = {**getattr(settings, name), **layer[name]}
    return replace(settings, **changes)


def with_changes(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return the settings with these {field: value} changed; UsageError names the key of an invalid value.

    A value is invalid if no file could have it. In fields that are mappings, such as players, entries that the new
    value lacks are reset.
    """
    taken: dict[str, Any] = {}
    for name, wished in changes.items():
        gone = dict.fromkeys(getattr(settings, name), MERGED[name]) if name in MERGED else {}
        value = {**gone, **wished} if gone else wished
        try:
            taken[name] = value if value is None else read_key(KEY_OF[name], plain(value))[1]
        except UsageError as error:
            raise UsageError(f"{KEY_OF[name]}: {error}") from error
    return replace(settings, **taken)


def plain(value: object) -> object:
    """Return a field's value in the form that a settings file has: sizes and paths as strings."""
    if isinstance(value, tuple):
        return list(value) if all(isinstance(item, str) for item in value) else "x".join(map(str, value))
    return str(value) if isinstance(value, Path) else value


def hand_written() -> tuple[Path, ...]:
    """Return the paths of the settings files that people write, the weakest first; they need not exist."""
    named = os.environ.get(SETTINGS_VARIABLE)
    usual = (platformdirs.site_config_path("gunbai") / FILE_NAME, platformdirs.user_config_path("gunbai") / FILE_NAME)
    return (*usual, Path(named)) if named else usual


def chosen_file() -> Path:
    """Return the path of the file with the choices made in the app, beside the strongest hand-written one."""
    strongest = hand_written()[-1]
    if not strongest.name:  # the root folder was named by mistake
        return strongest / "chosen.toml"
    return strongest.with_name("chosen.toml" if strongest.name == FILE_NAME else f"{strongest.stem}.chosen.toml")


def settings_files() -> tuple[Path, ...]:
    """Return the paths of all settings files, the weakest first; they need not exist."""
    return (*hand_written(), chosen_file())


def _named_missing() -> SettingsError | None:
    """Return the error for a missing file that $GUNBAI_SETTINGS names; None if it isn't missing."""
    named = os.environ.get(SETTINGS_VARIABLE)
    if not named or os.path.lexists(named):
        return None
    return SettingsError(f"{named}: no such settings file (named by ${SETTINGS_VARIABLE})")


def load(files: Iterable[Path] | None = None) -> Settings:
    """Load the settings of all layers; missing files are skipped, SettingsError for a broken one.

    SettingsError, too, if the file that $GUNBAI_SETTINGS names is missing.
    """
    missing = _named_missing() if files is None else None
    if missing:
        raise missing
    settings = Settings()
    for path in settings_files() if files is None else files:
        if os.path.lexists(path):
            settings = _merge(settings, layer(path))
    return settings


@dataclass(frozen=True, slots=True)
class Broken:
    """A settings file that is ignored: its path (None if it doesn't exist), and a sentence that says why."""

    path: Path | None
    message: str


def load_sound() -> tuple[Settings, tuple[Broken, ...]]:
    """Load the settings of all valid files, and return them with those ignored; it never raises SettingsError."""
    missing = _named_missing()
    broken = [Broken(None, str(missing))] if missing else []
    settings = Settings()
    for path in settings_files():
        try:
            settings = _merge(settings, layer(path) if os.path.lexists(path) else {})
        except SettingsError as error:
            broken.append(Broken(path, str(error)))
    return settings, tuple(broken)


# ---- what is chosen in the app ---------------------------------------------------------------------


CHOSEN_HEAD = """\
# Chosen in the app, and written anew with each choice.
# What you write by hand belongs into settings.toml; what stands here counts more. Delete this file to go back to that.
"""


class Choices:
    """The file that keeps the choices made in the app."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, settings: Settings, names: Iterable[str]) -> None:
        """Save these fields of the settings, beside those chosen before; SettingsError if the disk refuses.

        A field that is None is removed from the file. A broken file is set aside first.
        """
        kept = self._read_saved()
        kept.update({name: getattr(settings, name) for name in names})
        named = {name: value for name, value in kept.items() if value is not None}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            storage.atomic_write(self.path, to_toml(named).encode())
        except OSError as error:
            raise SettingsError(f"{self.path}: can't be written ({error.strerror})") from error

    def forget(self) -> Settings:
        """Delete the file of choices and return the settings without it; SettingsError if the disk refuses."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise SettingsError(f"{self.path}: can't be removed ({error.strerror})") from error
        return load_sound()[0]

    def _read_saved(self) -> dict[str, Any]:
        if not os.path.lexists(self.path):
            return {}
        try:
            return layer(self.path)
        except SettingsError:
            set_aside(self.path)
            return {}


def set_aside(path: Path) -> Path:
    """Rename a broken settings file to `FILE.broken-N` and return that path; SettingsError if the disk refuses."""
    try:
        return storage.set_aside(path)
    except OSError as error:
        raise SettingsError(f"{path}: can't be set aside ({error.strerror})") from error


def to_toml(kept: Mapping[str, Any]) -> str:
    """Return {field: value} as the text of a settings file, in the order of KEYS."""
    lines = [f"{key} = {toml_value(plain(kept[name]))}" for key, (name, _reader) in KEYS.items() if name in kept]
    return "\n".join([CHOSEN_HEAD, *lines, ""])
