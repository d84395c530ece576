"""The shelf of saved games: its index, what people call games, and names of files that anybody may have given."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.app.app import App
from companion.appliance import collecting
from companion.appliance.copies import digest_of
from companion.core import storage
from companion.games.saved import shelf
from companion.scenes.home.home import HomeScene
from companion.ui.screen import Intent
from companion.view.page.canvas import lay_out
from engine.systems import SYSTEMS
from tests.fuzz.spoil import as_text
from tests.fuzz.target import Target, Work, hold, hold_same, named
from tests.fuzz.targets.games import game_file
from tests.fuzz.trees import as_json

FIRST = "orders.jsonl"
SMALL_PX = (480, 320)
INDEXING = ("companion.games.saved.shelf", "companion.games.saved.index_file")
WHEN_S = 1_800_000_000
"""The index holds the files' times, and inputs have to be the same each time."""


def _filled() -> Path:
    """Return the folder of games, filled with one of each system."""
    folder = storage.games_dir()
    for system in SYSTEMS:
        os.utime(game_file(folder / f"{system}.jsonl", system), (WHEN_S, WHEN_S))
    return folder


def _seen() -> None:
    """Check what the app shows of a shelf: home with the last game, the list, and a game by itself."""
    app = App()
    hold(isinstance(app.scene, HomeScene), "the app begins at home")
    app.screen()
    app.touch(Intent("saved"))
    lay_out(app.screen(), SMALL_PX)
    app.touch(Intent("game", FIRST))
    app.screen()


def _beside(name: str) -> Callable[[Path], Work]:
    """Return a target for a file that the shelf keeps beside the games: whatever it holds, every game is there."""

    def begin(folder: Path) -> Work:
        games = _filled()
        shelf.set_label(games / FIRST, "Friday")
        shelf.saved_games()
        path = games / name
        honest = path.read_bytes()

        def read(data: bytes) -> bool:
            path.write_bytes(data)
            found = shelf.saved_games()
            hold_same(
                {game.path.name for game in found}, {f"{system}.jsonl" for system in SYSTEMS}, "the games on the shelf"
            )
            _seen()
            shelf.set_label(games / FIRST, "Saturday")
            again = {game.path.name: game.label for game in shelf.saved_games()}
            hold_same(again[FIRST], "Saturday", "what a game is called")
            return _is_object(data)

        return Work((honest,), read)

    return begin


def _is_object(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict)
    except (ValueError, RecursionError):
        return False


def _names(folder: Path) -> Work:
    """Prepare to check a file or folder of any name among the games: the shelf, the sweeping and the copies go on.

    The sweeping is the one at the start.
    """
    games = _filled()
    kept = {path.name: path.read_bytes() for path in games.iterdir()}
    seeds = (
        "friday.jsonl",
        "x.new-12",
        "café.jsonl",
        "orders.jsonl.undone",
        "orders.jsonl.broken-1",
        "a.jsonl.evidence",
    )

    def read(data: bytes) -> bool:
        name = os.fsdecode(data.replace(b"\0", b"").replace(b"/", b"_")[:250])
        if name in ("", ".", ".."):
            return False
        odd = games / name
        try:
            odd.mkdir() if len(data) % 4 == 0 else odd.write_bytes(kept[FIRST])
        except OSError:  # no file can have this name, or one has
            return False
        try:
            return _gone_through(kept)
        finally:
            for path in games.iterdir():
                if path.name not in kept:
                    with suppress(OSError):
                        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return Work(tuple(seed.encode() for seed in seeds), read)


def _gone_through(kept: dict[str, bytes]) -> bool:
    storage.sweep(storage.games_dir())
    found = {game.path.name for game in shelf.saved_games()}
    hold({f"{system}.jsonl" for system in SYSTEMS} <= found, "the games on the shelf")
    _seen()
    copied = collecting.find_files().digests
    hold(all(copied[f"games/{name}"] == digest_of(data) for name, data in kept.items()), "the games are copied")
    return True


TARGETS = named(
    (
        Target("index", _beside(shelf.INDEX), as_json, (), INDEXING, share=0.4),
        Target("labels", _beside(shelf.LABELS), as_json, (), ("companion.games.saved.shelf",), share=0.4),
        Target("names", _names, as_text, (), ("companion.core.storage", "companion.appliance.collecting"), share=0.2),
    )
)
