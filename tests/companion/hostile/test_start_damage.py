"""The shelf, what lies beside a game, and the camera's table: whatever becomes of one of their files, the window opens.

`test_hostile_files` does the same with all that has a reader of its own, and opens what home leads to.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pygame
import pytest

from companion.cli import main
from companion.core import storage
from companion.games.match import Match
from companion.games.saved.shelf import call, saved_games, throw_away
from companion.perception.cameras import own_table, remember_camera
from companion.perception.learning import experience_path
from companion.view.window import window
from companion.view.window.window import Window
from engine.orders.wire import step_from_json
from tests.companion.commands.terminal import Capture
from tests.companion.hostile.test_files import held, live_in
from tests.companion.other_games import file_of
from tests.companion.sample_eye import sample_eye, save_sample_table
from tests.companion.sample_games import BOARD, BONUSES, OPENING
from tests.companion.touching import Hand
from tests.hostile import STRANGE, put
from tests.patience import PATIENCE_S
from vision.frame import jpeg_of
from vision.reading.experience import Experience, experience_text
from vision.table import mark_of_table

pytestmark = pytest.mark.long

TABLE = "data/tables/sengoku-rivers.table"
FILES = (
    "data/games/game.jsonl",
    "data/games/game.jsonl.undone",
    "data/games/generals.jsonl",
    "data/games/sonae.jsonl",
    "data/games/index.json",
    "data/games/labels.json",
    "data/games/trash/thrown.jsonl",
    "data/games/trash/labels.json",
    "data/tables/camera",
    TABLE,
    f"{TABLE}.experience.json",
)
TOLD = (TABLE, f"{TABLE}.experience.json")
"""What is needed at the start: whoever starts it hears that it is not."""
ENDLESS = ("a device", "a pipe")
OPEN = {TABLE: ENDLESS}
"""What is not yet read within limits."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with games of every system, one taken back and one thrown away, and a table with its camera."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        live_in(folder, patch)
        _use(folder)
    return folder


def _use(folder: Path) -> None:
    match = Match.start(storage.games_dir() / "game.jsonl", BOARD, "red", BONUSES, {"red": "Ana", "black": "Bo"})
    match.offer(step_from_json(OPENING))
    match.undo()
    match.close()
    call(match.path, "A rainy evening")
    for system in ("sonae", "generals"):
        file_of(storage.games_dir(), system, name=system)
    throw_away(file_of(storage.games_dir(), "generals", name="thrown"))
    saved_games()
    table = own_table(BOARD)
    table.parent.mkdir()
    save_sample_table(table)
    known = {"table": mark_of_table(table), "experience": experience_text(Experience())}
    experience_path(table).write_text(json.dumps(known))
    (folder / "pictures").mkdir()
    (folder / "pictures" / "1.jpg").write_bytes(jpeg_of(sample_eye().look(match.position).picture))
    remember_camera(str(folder / "pictures"))


def test_these_are_all_files_there_are(whole: Path) -> None:
    found = {str(path.relative_to(whole)) for path in (whole / "data").rglob("*") if path.is_file()}
    assert found == set(FILES)


class WaitsForEver(BaseException):
    """Nobody takes it for a fault of a file."""


@contextmanager
def in_time() -> Iterator[None]:
    """Interrupt with an error whatever waits for ever meanwhile."""

    def wake(number: int, frame: FrameType | None) -> None:
        raise WaitsForEver

    before = signal.signal(signal.SIGALRM, wake)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


Start = Callable[[], tuple[int, list[str], str]]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Start:
    """Return a function that runs the app in its window for three turns.

    It returns the exit status, each turn's scene and words, and what the app said.
    """
    seen: list[str] = []

    def sitting(app_window: Window) -> Callable[[], list[pygame.event.Event]]:
        turns = iter(range(3))

        def events() -> list[pygame.event.Event]:
            seen.append(
                f"{type(app_window.app.scene).__name__}: {app_window.app.screen().banner} {Hand(app_window.app).text()}"
            )
            app_window.app.running = next(turns) < 2
            return []

        return events

    def started() -> tuple[int, list[str], str]:
        seen.clear()
        with in_time():
            status = main(["play", "--size", "800x480"])
        return status, seen, capsys.readouterr().err

    run = window.run_window
    monkeypatch.setattr(window, "run_window", lambda app, size_px: run(app, size_px, sitting))
    return started


@pytest.mark.parametrize("name", FILES)
def test_the_window_opens_and_nothing_else_is_lost(
    name: str, whole: Path, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    live_in(home, monkeypatch)
    for kind in (kind for kind in STRANGE if kind not in OPEN.get(name, ())):
        shutil.copytree(whole, home)
        if "tables" not in name:
            own_table(BOARD).unlink()  # a camera that watches is slow to begin
        put(kind, home / name)
        before = held(home)
        status, shown, err = start()
        assert (status, [line.partition(":")[0] for line in shown]) == (0, ["HomeScene"] * 3), (kind, err)
        assert "a fault of its own" not in err, (kind, err)
        assert kind == "nothing" or name not in TOLD or Path(name).name in err + shown[-1], (kind, err)
        after = held(home)
        assert {path for path in before if path != name and after.get(path) != before[path]} == set(), kind
        left = [end for end in ("", ".broken-1") if os.path.lexists(f"{home / name}{end}")]
        assert left or kind == "nothing", kind
        shutil.rmtree(home)
