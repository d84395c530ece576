"""What lies outside the program's folders: sticks, cards, an update's log, the settings of the bridge, the note."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from companion.appliance.bringing import find_imports, import_find
from companion.appliance.cards.first_start import LAYOUTS, LOCALES, ZONES, faults_of
from companion.appliance.cards.preparing import NEEDED, check_card
from companion.appliance.cards.wishes import NETWORK, USER_DATA, Wishes, small_files
from companion.appliance.layout import Layout
from companion.appliance.sticks import StickWork
from companion.commands.installing import read_public_key
from companion.content.decks import DECKS
from companion.core.errors import ApplianceError, OwnFileError, SettingsError
from companion.core.storage import GAME_SUFFIX, data_dir
from companion.following.bridge import read_settings
from companion.games.live_note import read_note
from engine.errors import BadTable
from tests.companion.appliance.machines import Rehearsed
from tests.companion.appliance.some_card import ISSUE, make_card
from tests.fuzz.spoil import as_bytes, as_text
from tests.fuzz.target import Target, Work, hold, hold_line, hold_same, named
from tests.fuzz.targets.games import games
from tests.fuzz.targets.shelves import DECK
from tests.fuzz.trees import as_json, as_toml


def _stick(folder: Path) -> Work:
    """Prepare to check a file on a stick under each kind of name: what is offered can be imported whole."""
    stick = folder / "stick"
    stick.mkdir()

    def read(data: bytes) -> bool:
        shutil.rmtree(stick)
        stick.mkdir()
        for place in (data_dir() / "games", DECKS.path_of("x").parent):
            shutil.rmtree(place, ignore_errors=True)
        for name in (f"stranger{GAME_SUFFIX}", "stranger.toml"):
            (stick / name).write_bytes(data)
        offered = find_imports(stick)
        for offer in offered:
            import_find(offer)
            if offer.what == "game":
                hold_same((data_dir() / "games" / offer.path.name).read_bytes(), data, "the game that was brought in")
        return bool(offered)

    return Work((*games(), DECK.encode()), read)


def _update_log(folder: Path) -> Work:
    """Prepare to check an update's log: its lines are shown, and at a start the release that it names."""
    log = folder / "update.log"
    work = StickWork(Rehearsed(Layout(folder / "root")), log)
    release = "1.1.0-0123456789"

    def read(data: bytes) -> bool:
        log.write_bytes(data)
        return work.switched_to() == release

    done = f"x: Gunbai {release}, complete\n  done: /opt/gunbai/current → releases/{release}\n"
    return Work((done.encode(),), read)


def _card(folder: Path) -> Work:
    """Prepare to check the text by which a card says what it is."""
    card = folder / "card"
    make_card(card)

    def read(data: bytes) -> bool:
        (card / "issue.txt").write_bytes(data)
        check_card(card)
        hold(all((card / name).is_file() for name in NEEDED), "the card is as it was")
        return True

    return Work((ISSUE.encode(),), read)


def _card_files(folder: Path) -> Work:
    """Prepare to check a card's files as an owner may have changed them: one line says what is wrong with each."""
    root = folder / "root"
    (root / ZONES / "Etc").mkdir(parents=True)
    (root / ZONES / "Etc" / "UTC").touch()
    for name, text in ((LAYOUTS, "! layout\n  us  English\n! variant\n"), (LOCALES, "en_GB.UTF-8 UTF-8\n")):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
    honest, host = small_files(Wishes(), "1.0.0"), Rehearsed(Layout(root))

    def read(data: bytes) -> bool:
        for name in (USER_DATA, NETWORK):
            (folder / name).write_bytes(data)
        found = faults_of(folder, host)
        for fault in found:
            hold_line(str(fault), "a card's fault")
            hold(0 <= fault.line <= data.count(b"\n") + data.count(b"\r") + 1, "its line is in the file")
        return not found

    return Work((honest[USER_DATA],), read)


def _key(folder: Path) -> Work:
    """Prepare to check a public key for the card, as a file."""
    path = folder / "id.pub"

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        return bool(read_public_key(str(path)))

    return Work((b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB0 me\n",), read)


BRIDGE = b"""\
broker = "broker.local"
port = 8883
table = "kitchen"
user = "gunbai"
tls = true
names = true
home_assistant = ""
"""


def _bridge(folder: Path) -> Work:
    """Prepare to check the bridge's settings."""
    path = folder / "mqtt.toml"

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        found = read_settings(path)
        hold(0 < found.port < 65536, "the port is one")
        for word in (found.broker, found.table, found.topics):
            hold_line(word, "a word of the settings")
        return True

    return Work((BRIDGE, b'broker = "10.0.0.2"\n'), read)


def _note(folder: Path) -> Work:
    """Prepare to check the note of a running app."""
    path = folder / "live.json"
    honest = {"game": "/var/lib/gunbai/games/one.jsonl", "camera": "sync", "pid": os.getpid()}

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        note = read_note(path)
        hold(note is None or len(note.camera) <= 40, "what the camera says is short")
        return note is not None

    return Work((json.dumps(honest).encode(),), read)


CARD_FILES = ("companion.appliance.cards.first_start", "companion.appliance.cards.first_start")
BRINGING = ("companion.appliance.bringing",)
TARGETS = named(
    (
        Target("stick", _stick, as_bytes, (ApplianceError, OwnFileError, BadTable), BRINGING, share=0.3),
        Target("update-log", _update_log, as_text, (), ("companion.appliance.sticks",), share=0.3),
        Target("card", _card, as_text, (ApplianceError,), ("companion.appliance.cards.preparing",), share=0.3),
        Target("card-files", _card_files, as_text, (), CARD_FILES, share=0.3),
        Target("key", _key, as_text, (ApplianceError,), ("companion.commands.installing",), share=0.2),
        Target("bridge", _bridge, as_toml, (SettingsError,), ("companion.following.bridge",), share=0.5),
        Target("note", _note, as_json, (), ("companion.games.live_note",), share=0.3),
    )
)
