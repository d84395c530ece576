"""What is read ahead of everything else: settings, choices, tags, the environment, catalogues of texts."""

from __future__ import annotations

import os
import shutil
from dataclasses import asdict
from pathlib import Path

from companion.app.failure_screen import page, what_happened
from companion.appliance.layout import Layout
from companion.core import language, storage
from companion.core.errors import SettingsError, TagsError
from companion.core.log import is_journal
from companion.desk.tags import Tags, file_of
from companion.perception.camera_watch import service_folder
from companion.settings import layers
from companion.settings.layers import Settings
from engine.orders.board import load_board
from hardware.notify import from_environment
from tests.fuzz.spoil import as_bytes, as_text
from tests.fuzz.target import Target, Work, hold, hold_again, hold_line, hold_same, named
from tests.fuzz.trees import as_toml

WHOLE = Settings(
    screen_size_px=(800, 480),
    rotation_degrees=90,
    theme="light",
    text_scale=1.25,
    language="pt_BR",
    table=Path("kitchen.table"),
    camera="0",
    readers=("/dev/serial/by-id/usb-reader", "scanner:/dev/ttyACM0"),
    reader_sides={"/dev/serial/by-id/usb-reader": "one"},
    controller="/dev/serial/by-id/usb-pico",
    pins={"confirm_one": 5},
    colours={"water": "#2c5d7c"},
    readings={"empty-target": "other"},
    players={"red": "Ana", "black": "Jô"},
)
BY_HAND = b"""\
# by hand
language = "en"
readers = []

[screen]
size = "1280x800"
diagonal_inches = 7.0
motion = false

[desk]
pins = true
readers = ["/dev/ttyUSB0"]

[players]
red = "Ana"
"""


def _all() -> dict[str, object]:
    return {name: value for name in layers.KEY_OF if (value := getattr(WHOLE, name)) is not None}


def _settings(folder: Path) -> Work:
    path, again = folder / "settings.toml", folder / "again.toml"

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        found = layers.layer(path)
        again.write_text(layers.to_toml(found), encoding="utf-8")
        hold_again(found, lambda: layers.layer(again), "settings written and read again")
        layers.load([path])
        return True

    return Work((layers.to_toml(_all()).encode(), BY_HAND.replace(b"readers = []\n", b"", 1), b""), read)


def _chosen(folder: Path) -> Work:
    """Prepare to check the app's own file: whatever it holds, a choice is kept, and a damaged file is laid aside."""
    place = folder / "config"
    choices = layers.Choices(place / "chosen.toml")

    def read(data: bytes) -> bool:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        choices.path.write_bytes(data)
        choices.keep(WHOLE, ["theme"])
        hold_same(layers.layer(choices.path)["theme"], "light", "the choice")
        aside = [path for path in place.iterdir() if path != choices.path]
        hold(not aside or aside[0].read_bytes() == data, "a damaged file is kept as it was")
        return not aside

    return Work((layers.to_toml(_all()).encode(), b'[screen]\ntheme = "dark"\n'), read)


def _tags(folder: Path) -> Work:
    """Cards' tags: a damaged file is set aside, then the deck has none; what was read is written and read again."""
    mode = load_board("sengoku-rivers").mode
    path = file_of(mode)
    tags = Tags()
    for number, card in enumerate(list(mode.cards)[:4]):
        tags.bind(mode, f"0F00A1B2C{number}", card)
    honest = path.read_bytes()

    def read(data: bytes) -> bool:
        shutil.rmtree(path.parent)
        path.parent.mkdir()
        path.write_bytes(data)
        try:
            found = dict(Tags().of(mode))
        except TagsError:
            hold_same([file.read_bytes() for file in path.parent.iterdir()], [data], "what was set aside")
            hold_same(dict(Tags().of(mode)), {}, "tags after a damaged file")
            raise
        Tags().unbind(mode, "no such code")
        hold_again(found, lambda: dict(Tags().of(mode)), "tags written and read again")
        return True

    return Work((honest, b"[tags]\n", b""), read)


VARIABLES = {
    "GUNBAI_SETTINGS": "settings.toml",
    "GUNBAI_DATA": "data",
    "GUNBAI_CAMERA_DIR": "/run/gunbai-camera",
    "NOTIFY_SOCKET": "@gunbai",
    "WATCHDOG_USEC": "10000000",
    "WATCHDOG_PID": "1",
    "JOURNAL_STREAM": "9:1234",
    "MONITOR_SERVICE_RESULT": "exit-code",
    "MONITOR_EXIT_STATUS": "1",
    "XDG_CONFIG_HOME": "config",
    "HOME": "home",
}


def _environment(folder: Path) -> Work:
    """Variables, each a line: they name files that are there, or are none, and pass for nothing else."""
    (folder / "settings.toml").write_bytes(BY_HAND.replace(b"readers = []\n", b"", 1))
    seeds = ["\n".join(f"{name}={value}" for name, value in VARIABLES.items()), "GUNBAI_SETTINGS=settings.toml"]
    usual = dict(os.environ)

    def read(data: bytes) -> bool:
        pairs = (line.partition(b"=") for line in data.replace(b"\0", b"").split(b"\n") if b"=" in line[1:])
        given = {os.fsdecode(name): os.fsdecode(value) for name, _equals, value in pairs}
        from_environment(given)
        service_folder(given)
        with Path(os.devnull).open() as stream:
            is_journal(stream, given)
        page(what_happened(given), ("", ""), 80)
        os.environ.update({name: value for name, value in given.items() if name.startswith(("GUNBAI", "XDG", "HOME"))})
        try:
            return _start()
        finally:
            os.environ.clear()
            os.environ.update(usual)

    return Work(tuple(seed.encode() for seed in seeds), read)


def _start() -> bool:
    """Check that all that reads the environment at a start copes with the settings."""
    found, broken = layers.load_sound()
    for fault in broken:
        hold_line(fault.message)
    storage.is_there(storage.data_dir() / "games")
    language.use_language(found.language)
    hold(Layout().home.is_absolute(), "the layout stays")
    asdict(found)
    layers.load()
    return True


def _locale(folder: Path) -> Work:
    """Prepare to check a damaged catalogue: the texts are then English."""
    honest = (language.CATALOGUES / "pt_BR" / language.FILE).read_bytes()
    path = folder / "locale" / "pt_BR" / language.FILE
    path.parent.mkdir(parents=True)
    language.CATALOGUES = folder / "locale"

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        language.languages.cache_clear()
        codes = language.languages()
        hold(codes["en"] == "English", "English is always there")
        language.use_language("pt_BR")
        texts = [language._("Undo"), language.plural("{n} card", "{n} cards", 2), language._("")]
        hold(all(isinstance(text, str) for text in texts), "texts are texts")
        return language._("Undo") != "Undo"

    return Work((honest,), read)


TARGETS = named(
    (
        Target(
            "settings", _settings, as_toml, (SettingsError,), ("companion.settings.layers", "companion.settings.values")
        ),
        Target("chosen", _chosen, as_toml, (), ("companion.settings.layers",), share=0.5),
        Target("tags", _tags, as_toml, (TagsError,), ("companion.desk.tags",)),
        Target("environment", _environment, as_text, (SettingsError,), ("hardware.notify",)),
        Target("locale", _locale, as_bytes, (), ("companion.core.language",), share=0.5),
    )
)
