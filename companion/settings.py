"""Settings, in layers: built in, then the machine's file, then the user's, then the one $GUNBAI_SETTINGS names.

A later layer overrides an earlier one key by key. The files are TOML:

    language = "en"
    table = "/home/pi/kitchen-table.npz"
    camera = "0"
    evidence = true       # keep small pictures of what each turn changed, and the last frames, beside the game

    [screen]
    size = "800x480"      # left out: the whole screen
    rotation = 180        # 0, 90, 180 or 270, clockwise

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
from dataclasses import dataclass, field, fields, replace
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


@dataclass(frozen=True, slots=True)
class Settings:
    """What the owner may choose; `screen_size_px` is (width, height), None for the whole screen."""

    screen_size_px: tuple[int, int] | None = None
    rotation_degrees: int = 0
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


def _path(value: object) -> Path:
    return Path(_text(value)).expanduser()


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise UsageError(f"a section of names and texts is expected, not {value!r}")
    return {name: _text(one) for name, one in value.items()}


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
    "language": ("language", _text),
    "table": ("table", _path),
    "camera": ("camera", _text),
    "evidence": ("evidence", _switch),
    "colours": ("colours", _colours),
    "readings": ("readings", _answers),
    "players": ("players", _texts),
}
SECTIONS = frozenset(key.split(".")[0] for key in KEYS if "." in key)
MERGED = frozenset(one.name for one in fields(Settings) if one.name in ("colours", "readings", "players"))


def _flat(data: Mapping[str, object]) -> dict[str, object]:
    """{"screen": {"size": ...}} -> {"screen.size": ...}, for the sections that hold keys of ours."""
    flat: dict[str, object] = {}
    for name, value in data.items():
        if name in SECTIONS and isinstance(value, dict):
            flat.update({f"{name}.{inner}": one for inner, one in value.items()})
        else:
            flat[name] = value
    return flat


def _read_key(key: str, value: object) -> tuple[str, Any]:
    if key not in KEYS:
        raise UsageError(f"no such key; known are {', '.join(KEYS)}")
    name, reader = KEYS[key]
    return name, reader(value)


def _layer(path: Path) -> dict[str, object]:
    """One file's fields of Settings; SettingsError with every fault it has, in one line."""
    try:
        data = tomllib.loads(path.read_bytes().decode())
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}") from error
    found: dict[str, object] = {}
    faults = []
    for key, value in _flat(data).items():
        try:
            name, one = _read_key(key, value)
        except UsageError as error:
            faults.append(f"{key}: {error}")
        else:
            found[name] = one
    if faults:
        raise SettingsError(f"{path}: {'; '.join(faults)}")
    return found


def _merge(settings: Settings, layer: Mapping[str, Any]) -> Settings:
    changes: dict[str, Any] = dict(layer)
    for name in MERGED & layer.keys():
        changes[name] = {**getattr(settings, name), **layer[name]}
    return replace(settings, **changes)


def settings_files() -> tuple[Path, ...]:
    """The files that are looked for, the weakest first."""
    named = os.environ.get(SETTINGS_VARIABLE)
    usual = (platformdirs.site_config_path("gunbai") / FILE_NAME, platformdirs.user_config_path("gunbai") / FILE_NAME)
    return (*usual, Path(named)) if named else usual


def load(files: Iterable[Path] | None = None) -> Settings:
    """The settings of all layers; a missing file is passed over, a broken one is a SettingsError.

    A file that $GUNBAI_SETTINGS names must be there.
    """
    named = os.environ.get(SETTINGS_VARIABLE)
    if files is None and named and not Path(named).exists():
        raise SettingsError(f"{named}: no such settings file (named by ${SETTINGS_VARIABLE})")
    settings = Settings()
    for path in settings_files() if files is None else files:
        if path.exists():
            settings = _merge(settings, _layer(path))
    return settings
