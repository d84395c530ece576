"""Settings, in layers: built in, the machine's file, the user's, the one $GUNBAI_SETTINGS names, the app's choices.

A later layer overrides an earlier one key by key. The files are TOML. What is chosen in the app goes to a file of its
own (`companion.chosen`), so that a file written by hand keeps its comments. Every key, with what holds without it:

    language = "en"
    table = "/home/pi/kitchen-table.npz"
    camera = "0"
    evidence = true       # keep small pictures of what each turn changed, and the last frames, beside the game

    [screen]
    size = "800x480"      # left out: the whole screen
    rotation = 0          # 0, 90, 180 or 270, clockwise
    diagonal_inches = 7.0 # of the screen itself, 3 to 40: so that 12 mm on the glass are 12 mm
    layout = "one"        # "one" side, or "two" halves that face a player each
    theme = "dark"        # "dark", "light" or "contrast"
    palette = "standard"  # "standard", "deuteranopia", "protanopia" or "tritanopia"
    text_scale = 1.0      # 0.8 to 1.6
    motion = true         # false: nothing moves or fades
    dim_after_s = 300     # seconds without a touch until the screen goes dark, 0: never
    keep_awake = true     # the desktop's own screen saver stays off while Gunbai runs

    [sound]
    on = true
    volume = 60           # 0 to 100

    [clock]
    minutes = 0           # thinking time for each player, 0: no clock
    warn_s = 120          # the clock warns when less is left

    [automatic]           # what goes on by itself; false: the players do it by hand
    turns = true          # offer turns that the camera saw
    ticks = true          # tick off by the camera what hands had to do on the board
    dice = true           # offer dice that the camera read
    learning = true       # learn from confirmed turns how this table looks
    cards = true          # ask whether a card is played, when one may be
    hands = true          # after a step, list what hands do on the board
    forecast = true       # before a step, show what it would do
    score = true          # show the score by itself when the game ends

    [map]                 # what is drawn over the board
    supply = true         # lines of supply, and where they are cut
    changes = true        # what the last turn changed
    names = true          # names of areas
    points = false        # points that each area brings now

    [colours]             # of the drawn board: any of its colours by name
    water = "#2c5d7c"

    [readings]            # house rules where the book is silent: what a new game starts from
    empty-target = "other"

    [players]             # names for new games, by faction
    red = "Ana"
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import platformdirs

from companion.drawing import COLOURS
from companion.errors import SettingsError, UsageError

SETTINGS_VARIABLE = "GUNBAI_SETTINGS"
FILE_NAME = "settings.toml"
ROTATIONS = (0, 90, 180, 270)
SIZE_FORM = re.compile(r"(\d{2,5})[x×](\d{2,5})")
SMALLEST_PX = (320, 240)
COLOUR_FORM = re.compile(r"#[0-9a-fA-F]{6}")
ANSWERS = ("default", "other")
LAYOUTS = ("one", "two")
THEMES = ("dark", "light", "contrast")
PALETTES = ("standard", "deuteranopia", "protanopia", "tritanopia")
INCHES = (3.0, 40.0)
TEXT_SCALE = (0.8, 1.6)
MOST_S = 24 * 60 * 60
MOST_MINUTES = 600


@dataclass(frozen=True, slots=True)
class Settings:
    """What the owner may choose; `screen_size_px` is (width, height), None for the whole screen."""

    screen_size_px: tuple[int, int] | None = None
    rotation_degrees: int = 0
    diagonal_inches: float = 7.0
    layout: str = "one"
    theme: str = "dark"
    palette: str = "standard"
    text_scale: float = 1.0
    motion: bool = True
    dim_after_s: int = 300
    keep_awake: bool = True
    sound: bool = True
    volume: int = 60
    clock_minutes: int = 0
    clock_warn_s: int = 120
    propose_turns: bool = True
    tick_by_camera: bool = True
    camera_dice: bool = True
    learning: bool = True
    ask_cards: bool = True
    list_hands: bool = True
    forecast: bool = True
    score_at_end: bool = True
    show_supply: bool = True
    show_changes: bool = True
    show_names: bool = True
    show_points: bool = False
    language: str = "en"
    table: Path | None = None
    camera: str | None = None
    evidence: bool = True
    colours: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)


def size_px(text: str) -> tuple[int, int]:
    """(width, height) of "800x480"; UsageError for anything else, or a screen too small to use.

    >>> size_px("800x480")
    (800, 480)
    """
    form = SIZE_FORM.fullmatch(text.strip())
    if not form:
        raise UsageError(f"a size is WIDTHxHEIGHT in pixels, such as 800x480, not {text!r}")
    width, height = int(form[1]), int(form[2])
    if width < SMALLEST_PX[0] or height < SMALLEST_PX[1]:
        raise UsageError(f"a screen of {text} is too small: at least {SMALLEST_PX[0]}x{SMALLEST_PX[1]}")
    return width, height


def _size(value: object) -> tuple[int, int]:
    return size_px(_text(value))


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise UsageError(f"a text is expected, not {value!r}")
    return value


def _rotation(value: object) -> int:
    if isinstance(value, bool) or value not in ROTATIONS:
        raise UsageError(f"one of {', '.join(map(str, ROTATIONS))} is expected, not {value!r}")
    return int(str(value))


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"true or false is expected, not {value!r}")
    return value


def _one_of(*names: str) -> Callable[[object], str]:
    """A reader of one of these names."""

    def read(value: object) -> str:
        if value not in names:
            raise UsageError(f"one of {', '.join(names)} is expected, not {value!r}")
        return str(value)

    return read


def _number(least: float, most: float) -> Callable[[object], float]:
    """A reader of a number within bounds, these included."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise UsageError(f"a number from {least:g} to {most:g} is expected, not {value!r}")
        return float(value)

    return read


def _whole(most: int) -> Callable[[object], int]:
    """A reader of a whole number from 0 on."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise UsageError(f"a whole number from 0 to {most} is expected, not {value!r}")
        return value

    return read


def _path(value: object) -> Path:
    return Path(_text(value)).expanduser()


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise UsageError(f"a section of names and texts is expected, not {value!r}")
    return {name: _text(one) for name, one in value.items()}


def _names(value: object) -> dict[str, str]:
    """Texts of which "" is one: the name of somebody who has none."""
    if not isinstance(value, dict):
        return _texts(value)
    return {who: name if name == "" else _text(name) for who, name in value.items()}


def _colours(value: object) -> dict[str, str]:
    colours = _texts(value)
    for name, colour in colours.items():
        if name not in COLOURS:
            raise UsageError(f"the drawn board has no {name!r}; its colours are {', '.join(COLOURS)}")
        if not COLOUR_FORM.fullmatch(colour):
            raise UsageError(f'{name} is expected as "#rrggbb", not {colour!r}')
    return colours


def _answers(value: object) -> dict[str, str]:
    answers = _texts(value)
    for name, answer in answers.items():
        if answer not in ANSWERS:
            raise UsageError(f'{name} is answered by "default" or "other", not {answer!r}')
    return answers


# key in the file -> (field of Settings, how it is read)
KEYS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "screen.size": ("screen_size_px", _size),
    "screen.rotation": ("rotation_degrees", _rotation),
    "screen.diagonal_inches": ("diagonal_inches", _number(*INCHES)),
    "screen.layout": ("layout", _one_of(*LAYOUTS)),
    "screen.theme": ("theme", _one_of(*THEMES)),
    "screen.palette": ("palette", _one_of(*PALETTES)),
    "screen.text_scale": ("text_scale", _number(*TEXT_SCALE)),
    "screen.motion": ("motion", _switch),
    "screen.dim_after_s": ("dim_after_s", _whole(MOST_S)),
    "screen.keep_awake": ("keep_awake", _switch),
    "sound.on": ("sound", _switch),
    "sound.volume": ("volume", _whole(100)),
    "clock.minutes": ("clock_minutes", _whole(MOST_MINUTES)),
    "clock.warn_s": ("clock_warn_s", _whole(MOST_S)),
    "automatic.turns": ("propose_turns", _switch),
    "automatic.ticks": ("tick_by_camera", _switch),
    "automatic.dice": ("camera_dice", _switch),
    "automatic.learning": ("learning", _switch),
    "automatic.cards": ("ask_cards", _switch),
    "automatic.hands": ("list_hands", _switch),
    "automatic.forecast": ("forecast", _switch),
    "automatic.score": ("score_at_end", _switch),
    "map.supply": ("show_supply", _switch),
    "map.changes": ("show_changes", _switch),
    "map.names": ("show_names", _switch),
    "map.points": ("show_points", _switch),
    "language": ("language", _text),
    "table": ("table", _path),
    "camera": ("camera", _text),
    "evidence": ("evidence", _switch),
    "colours": ("colours", _colours),
    "readings": ("readings", _answers),
    "players": ("players", _names),
}
SECTIONS = frozenset(key.split(".")[0] for key in KEYS if "." in key)
KEY_OF: Mapping[str, str] = {name: key for key, (name, _reader) in KEYS.items()}
MERGED: Mapping[str, str] = {"colours": "", "readings": "default", "players": ""}  # and what takes an entry back


def _flat(data: Mapping[str, object]) -> dict[str, object]:
    """{"screen": {"size": ...}} -> {"screen.size": ...}, for the sections that hold keys of ours."""
    flat: dict[str, object] = {}
    for name, value in data.items():
        if name in SECTIONS and isinstance(value, dict):
            flat.update({f"{name}.{inner}": one for inner, one in value.items()})
        else:
            flat[name] = value
    return flat


def read_key(key: str, value: object) -> tuple[str, Any]:
    """(field, value) of a key as a file has it; UsageError where it is unknown, or its value is none."""
    if key not in KEYS:
        near = get_close_matches(key, KEYS, 1)
        raise UsageError("no such key" + (f"; is {near[0]} meant?" if near else ""))
    name, reader = KEYS[key]
    return name, reader(value)


def layer(path: Path) -> dict[str, Any]:
    """One file's fields of Settings; SettingsError with every fault it has, in one line."""
    try:
        data = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}") from error
    found: dict[str, object] = {}
    faults = []
    for key, value in _flat(data).items():
        try:
            name, one = read_key(key, value)
        except UsageError as error:
            faults.append(f"{key}: {error}")
        else:
            found[name] = one
    if faults:
        raise SettingsError(f"{path}: {'; '.join(faults)}")
    return found


def _merge(settings: Settings, layer: Mapping[str, Any]) -> Settings:
    changes: dict[str, Any] = dict(layer)
    for name in MERGED.keys() & layer.keys():
        changes[name] = {**getattr(settings, name), **layer[name]}
    return replace(settings, **changes)


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """The settings with these fields changed; UsageError, naming the key, for a value that no file might have.

    Of colours, readings and players, what is not named any more is taken back.
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
    """A field's value as a file has it."""
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    return str(value) if isinstance(value, Path) else value


def hand_written() -> tuple[Path, ...]:
    """The files that people write, the weakest first."""
    named = os.environ.get(SETTINGS_VARIABLE)
    usual = (platformdirs.site_config_path("gunbai") / FILE_NAME, platformdirs.user_config_path("gunbai") / FILE_NAME)
    return (*usual, Path(named)) if named else usual


def chosen_file() -> Path:
    """The file of what was chosen in the app, beside the strongest one that people write."""
    strongest = hand_written()[-1]
    return strongest.with_name("chosen.toml" if strongest.name == FILE_NAME else f"{strongest.stem}.chosen.toml")


def settings_files() -> tuple[Path, ...]:
    """The files that are looked for, the weakest first."""
    return (*hand_written(), chosen_file())


def _named_missing() -> SettingsError | None:
    """The fault of a file that $GUNBAI_SETTINGS names and that is not there."""
    named = os.environ.get(SETTINGS_VARIABLE)
    if not named or Path(named).exists():
        return None
    return SettingsError(f"{named}: no such settings file (named by ${SETTINGS_VARIABLE})")


def load(files: Iterable[Path] | None = None) -> Settings:
    """The settings of all layers; a missing file is passed over, a broken one is a SettingsError.

    A file that $GUNBAI_SETTINGS names must be there.
    """
    missing = _named_missing() if files is None else None
    if missing:
        raise missing
    settings = Settings()
    for path in settings_files() if files is None else files:
        if path.exists():
            settings = _merge(settings, layer(path))
    return settings


@dataclass(frozen=True, slots=True)
class Broken:
    """A settings file that does not count, and why: its path (None where it is not there) and one sentence."""

    path: Path | None
    message: str


def load_sound() -> tuple[Settings, tuple[Broken, ...]]:
    """The settings of all layers that are sound, and those that are not: an app has to start anyway."""
    missing = _named_missing()
    broken = [Broken(None, str(missing))] if missing else []
    settings = Settings()
    for path in settings_files():
        try:
            settings = _merge(settings, layer(path) if path.exists() else {})
        except SettingsError as error:
            broken.append(Broken(path, str(error)))
    return settings, tuple(broken)
