"""The app itself: its start over whatever lies in the data folder, and events that come while it is on."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.app.app import App
from companion.core import storage
from companion.core.storage import games_dir
from companion.games.match import GameSession, Match, open_game
from companion.settings import layers
from companion.view.page.canvas import lay_out
from companion.view.window import window
from hardware import wire
from hardware.events import Ailing, Chord, CodeRead, Event, Plugged, Press, Thrown, Turned
from tests.companion.other_games import BEGIN
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.fuzz import packs
from tests.fuzz.packs import as_tar
from tests.fuzz.target import Target, Work, hold, hold_same, named
from tests.fuzz.targets.commands import hold_told, ran
from tests.fuzz.targets.desk import TAG
from tests.fuzz.targets.packs import copied
from tests.fuzz.targets.shelf import SMALL_PX
from tests.fuzz.targets.shelves import DECK
from tests.fuzz.trees import as_json

# ---- the start --------------------------------------------------------------------------------


def _data_folder() -> bytes:
    """Return a data folder and settings as a tar."""
    copied()
    deck = storage.data_dir() / "decks" / "foxes.toml"
    deck.write_text(DECK)
    (storage.data_dir() / "games" / "index.json").write_text("{}")
    (storage.data_dir() / "tables").mkdir()
    (storage.data_dir() / "tables" / "camera").write_text("0")
    (layers.hand_written()[1]).write_text('theme = 3\n[screen]\ntheme = "light"\n'.partition("\n")[2])
    top = storage.data_dir().parent
    files = [path for part in ("data", "config") for path in sorted((top / part).rglob("*")) if path.is_file()]
    return packs.tar_of([(str(path.relative_to(top)), 0o644, path.read_bytes()) for path in files])


ANEW = ("index.json", "lock")
"""What every start may write."""


def elsewhere() -> Path:
    """Return a file that is none of Gunbai's, beside the user's folder; links lead to it."""
    return Path(os.environ["HOME"]).parent / "elsewhere"


def _contents(top: Path) -> set[tuple[str, bytes]]:
    """Return the folder and the content of each plain file below the data folder and the settings."""
    found = (path for part in ("data", "config") for path in (top / part).rglob("*"))
    plain = (path for path in found if path.is_file() and not path.is_symlink() and path.name not in ANEW)
    return {(str(path.parent), path.read_bytes()) for path in plain}


def _laid(data: bytes, top: Path) -> bool:
    """Lay a tar's files, folders, links and pipes below a folder, under the names that they have."""
    for part in ("data", "config"):
        shutil.rmtree(top / part, ignore_errors=True)
        (top / part).mkdir()
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:", errors="surrogateescape") as tar:
        for member in tar.getmembers()[:60]:
            path = top / member.name
            if ".." not in path.parts and path.is_relative_to(top) and member.name.startswith(("data/", "config/")):
                _lay(tar, member, path)
    return True


def _lay(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if member.isfifo():
        os.mkfifo(path)
    elif member.isdir():
        path.mkdir()
    elif member.issym() or member.islnk():
        path.symlink_to(elsewhere() if member.linkname.startswith("/") else member.linkname or path.name)
    else:
        file = tar.extractfile(member)
        path.write_bytes(file.read() if file is not None and member.size < 4_000_000 else b"")


def _start(folder: Path) -> Work:
    """Prepare to check that the app starts and shows its home, whatever lies in the data folder and in the settings."""
    honest, top = _data_folder(), storage.data_dir().parent

    def shown(app: App, _size_px: tuple[int, int] | None) -> int:
        app.tick(0.0)
        lay_out(app.screen(), SMALL_PX)
        return 0

    vars(window)["run_window"] = shown
    elsewhere().write_text("x")

    def read(data: bytes) -> bool:
        try:
            _laid(data, top)
        except Exception:  # noqa: BLE001 - no folder that could lie anywhere; a spoiled tar may break Python's reader
            return False
        before = _contents(top)
        found = ran(["play"])
        hold(found.status == 0, f"the app starts: {found.err}")
        hold_told(found)
        lost = before - _contents(top)
        hold(not lost, f"nothing is lost: {sorted(lost)[:1]}")
        hold_same(elsewhere().read_text(), "x", "what is none of ours")
        return True

    return Work((honest,), read)


# ---- events at the table ----------------------------------------------------------------------

_EVENTS: dict[str, Callable[..., Event]] = {
    "press": Press,
    "turned": Turned,
    "code": CodeRead,
    "thrown": lambda dice, at_s: Thrown(tuple(dice), at_s),
    "plugged": Plugged,
    "ailing": Ailing,
    "chord": lambda controls, at_s: Chord(frozenset(controls), at_s),
}
_TYPES: dict[str, tuple[type, ...]] = {
    "press": (str, str),
    "turned": (int,),
    "code": (str, str),
    "thrown": (list,),
    "plugged": (str, bool),
    "ailing": (str, str, str),
    "chord": (list,),
}


def _events_of(data: bytes) -> Iterator[Event]:
    """Events as devices may tell them: of the right types, with anything in them that a frame can hold."""
    try:
        rows = json.loads(data)
    except (ValueError, RecursionError):
        return
    for number, row in enumerate(rows[:12] if isinstance(rows, list) else ()):
        kind, *facts = row if isinstance(row, list) and row else [None]
        types = _TYPES.get(kind) if isinstance(kind, str) else None
        if types is None or len(facts) != len(types) or not all(map(_is_sound, facts, types)):
            continue
        yield _EVENTS[str(kind)](*facts, float(number))


def _is_sound(fact: Any, kind: type) -> bool:
    if kind is list:
        whole = isinstance(fact, list) and len(fact) <= wire.MOST_DICE
        return whole and all(isinstance(part, int | str) and not isinstance(part, bool) for part in fact)
    return isinstance(fact, kind)


def _apps() -> list[App]:
    """Return an app at home, and one at the table of each system."""
    match = Match.start(games_dir() / "events.jsonl", BOARD, "red", BONUSES)
    for step in played()[0][:49]:
        hold(match.offer(step).legal, "the recorded game is legal")
    mode = match.board.mode
    app = App(match=match)
    app.stage.desk.tags.bind(mode, TAG, next(iter(mode.cards)))
    return [App(), app, *(App(match=_other(system)) for system in BEGIN)]


def _other(system: str) -> Any:
    path = games_dir() / f"events-{system}.jsonl"
    GameSession.begin(path, BEGIN[system]).close()
    return open_game(path)


def _events(folder: Path) -> Work:
    """Events beside the table: a sentence at most comes of them, whatever codes and numbers they bring."""
    seeds = [
        [["code", "reader", TAG], ["thrown", [1, 0, 2]], ["press", "confirm-one", "short"]],
        [["plugged", "controller", False], ["ailing", "reader", "noise", "reader"], ["turned", -3]],
        [["chord", ["confirm-one", "undo-two"]], ["code", "reader", "4006381333931"], ["thrown", []]],
    ]
    apps = _apps()
    clock = [0.0]

    def read(data: bytes) -> bool:
        events = list(_events_of(data))
        for app in apps:
            for event in events:
                clock[0] += 61.0
                app.hearing.hear(event)
                app.tick(clock[0])
            screen = app.screen()
            hold(screen.title is not None, "there is something to see")
            app.scene = app.table or app.home
        return bool(events)

    return Work(tuple(json.dumps(seed).encode() for seed in seeds), read)


TARGETS = named(
    (
        Target(
            "start", _start, as_tar, (), ("companion.bootstrap", "companion.perception.cameras"), 0.05, 5.0, chunk=300
        ),
        Target("events", _events, as_json, (), ("companion.app.desk_events",), share=0.2),
    )
)
