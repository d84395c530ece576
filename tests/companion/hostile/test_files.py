"""Whatever lies in the place of any file of the data folder or of the settings, the app starts, and loses no other.

One folder has one of everything. In copies of it each file is replaced by each strange thing; the app starts, its
window is drawn, and what can be opened from home is opened.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.cli import main
from companion.content import deck_draft
from companion.content.decks import DECKS
from companion.content.shelves import BATTLES, BOARDS
from companion.core import language
from companion.core.errors import CompanionError, OwnFileError
from companion.desk.tags import Tags
from companion.evidence.pictures import folder_of, frames_beside
from companion.games.clock import GameClock
from companion.games.journal import of_orders, parse_journal
from companion.games.reviews import read_review
from companion.perception.cameras import own_camera
from companion.perception.learning import Learner
from companion.scenes.home.start import BrokenScene
from companion.settings.layers import layer
from companion.terminal import inputs
from companion.tracing.draft_file import draft_path, load_draft
from companion.tracing.work import reopen_draft
from companion.ui.screen import Intent
from companion.view.window import window
from engine.errors import EngineError
from engine.orders.game import new_game
from engine.systems import system_named
from intake import files
from tests.companion.commands.terminal import Capture
from tests.companion.hostile.house import MODE, OF_A_TABLE, OWN_BOARD, TABLE, furnished, live_in, write
from tests.companion.owned import shelves
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.situations import stands
from tests.companion.touching import words
from tests.companion.tracing.photos import begun
from tests.hostile import STRANGE, put
from vision.errors import VisionError

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def own_shelves() -> Iterator[None]:
    """Forget what is made known during a test."""
    with shelves():
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one of everything, a calibrated table with its camera too."""
    folder = tmp_path_factory.mktemp("whole") / "home"
    with pytest.MonkeyPatch.context() as patch, shelves():
        return furnished(folder, patch)


@pytest.fixture
def home(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of it without the table, as a camera that watches is slow to begin; the app lives in it."""
    return moved_in(live_in(tmp_path / "home", monkeypatch), whole)


def moved_in(home: Path, whole: Path, *, table: bool = False) -> Path:
    """Make the home a new copy, whatever it was."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(whole, home)
    for name in () if table else OF_A_TABLE:
        (home / name).unlink()
    return home


# ---- each reader by itself ---------------------------------------------------------------------

FAULTS = (CompanionError, EngineError, VisionError)
Reads = Callable[[Path], object]


def _review(path: Path) -> object:
    steps, positions = played()
    return read_review(path.with_name("game.jsonl"), "mark", positions[:4], steps[:3])


def _clock(path: Path) -> object:
    clock = GameClock()
    clock.minutes = 30
    clock.tick(stands(new_game(BOARD, "red", BONUSES), path.with_name("game.jsonl")), 0.0)
    return clock.face()


def _evidence(path: Path) -> object:
    game = path.parent.with_name("game.jsonl")
    return frames_beside(game, of_orders(parse_journal(game.read_bytes(), "game"), "game"))


def _experience(path: Path) -> object:
    write(path.with_name("x.table"), "a table")
    return Learner(path.with_name("x.table")).experience


def _texts(path: Path) -> object:
    before, language.CATALOGUES = language.CATALOGUES, path.parents[2]
    try:
        return language.catalogue_of("pt_BR").gettext("Undo")
    finally:
        language.CATALOGUES = before


DRAFT = begun().name
READERS: Mapping[str, tuple[str, Reads]] = {
    "settings": ("config/gunbai/settings.toml", layer),
    "tags": (f"data/tags/{MODE.name}.toml", lambda path: Tags().of(MODE)),
    "a board": (f"data/boards/{OWN_BOARD}.toml", BOARDS.load),
    "a deck": ("data/decks/hills.toml", DECKS.load),
    "a battle": ("data/scenarios/ford.toml", BATTLES.load),
    "a draft of a board": (f"data/boards/drafts/{DRAFT}/draft.toml", load_draft),
    "its photo": (f"data/boards/drafts/{DRAFT}/photo.jpg", lambda path: reopen_draft(DRAFT)),
    "a draft of a deck": ("data/decks/drafts/mine.json", deck_draft.load_draft),
    "a clock": ("data/games/game.jsonl.clock.json", _clock),
    "a review": ("data/games/game.jsonl.review.json", _review),
    "a kept picture": ("data/games/game.jsonl.evidence/FRAME", _evidence),
    "the camera": ("data/tables/camera", lambda path: own_camera()),
    "what a table taught": ("data/tables/x.table.experience.json", _experience),
    "a position": ("data/position.json", lambda path: inputs.load_any(str(path))),
    "steps": ("data/steps.json", lambda path: inputs.load_steps(str(path), system_named("orders"))),
    "texts": ("locale/pt_BR/LC_MESSAGES/gunbai.po", _texts),
}
SET_ASIDE = ("tags", "a clock", "what a table taught")
NO_FAULT = {"tags": ("nothing", "an empty file")}


def path_in(home: Path, where: str) -> Path:
    """Return the path of a file below the home folder."""
    frame = next(folder_of(home / "data" / "games" / "game.jsonl").iterdir()).name
    return home / where.replace("FRAME", frame)


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_gives_a_value_or_its_own_fault(reader: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, read = READERS[reader]
    path = path_in(home, where)
    monkeypatch.setattr(files, "PATIENCE_S", 0.01)  # for the pipes that nobody writes into
    for kind in STRANGE:
        put(kind, path)
        try:
            read(path)
        except FAULTS as fault:
            told = str(fault)
            assert path.name in told, (kind, told)
            assert "\n" not in told, (kind, told)
            assert len(told) < 5_000, (kind, len(told))


@pytest.mark.parametrize("reader", SET_ASIDE)
def test_what_would_be_written_over_is_set_aside_and_told(reader: str, home: Path, capsys: Capture) -> None:
    where, read = READERS[reader]
    path, aside = home / where, (home / where).with_name(f"{Path(where).name}.broken-1")
    for kind in STRANGE:
        put(kind, path)
        put("nothing", aside)
        before = os.lstat(path) if os.path.lexists(path) else None
        try:
            read(path)
        except FAULTS as fault:
            told = str(fault)
        else:
            told = capsys.readouterr().err
        if kind in NO_FAULT.get(reader, ("nothing",)):
            assert not os.path.lexists(aside), kind
        elif "can't be read" not in told:
            assert before is not None
            assert os.lstat(aside).st_ino == before.st_ino, (kind, told)
            assert path.name in told, (kind, told)


def test_a_draft_under_another_name_is_not_saved_over_that(home: Path) -> None:
    other = draft_path(f"{DRAFT}-again")
    write(other, draft_path(DRAFT).read_text(encoding="utf-8"))
    with pytest.raises(OwnFileError, match=f"draft.toml: a draft of {DRAFT}, not of {DRAFT}-again$"):
        reopen_draft(f"{DRAFT}-again")


# ---- the whole app -----------------------------------------------------------------------------

TOUCHED = ("/index.json", "games/lock")
"""What every start may write."""
NAMED = re.compile(r"(config|etc)/gunbai/|data/(boards|decks|scenarios)/[^/]*$")
"""Files whose loss is told at the start, on the screen or on standard error."""


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the texts on the screen while the app starts and is led through what it opens."""
    texts: list[str] = []

    def run_window(app: App, size_px: tuple[int, int] | None) -> int:
        window.Window(app, pygame.display.set_mode((800, 480))).refresh()
        texts.extend(_led(app))
        return 0

    monkeypatch.setattr(window, "run_window", run_window)
    return texts


def _led(app: App) -> Iterator[str]:
    """Yield the texts of the first screen, of the last game at its table, and of the owners' own things."""
    app.tick(0.0)
    yield _text(app)
    if isinstance(app.scene, BrokenScene):
        app.touch(Intent("details"))
        yield _text(app)
        app.touch(Intent("back"))
        app.touch(Intent("on"))
    start = app.scene
    for ways in (("resume",), ("more", "boards", "draft", "go"), ("more", "decks"), ("more", "battles")):
        app.scene = start
        for way in ways:
            app.touch(Intent(way, DRAFT if way == "draft" else ""))
            app.tick(1.0)
            yield _text(app)


def _text(app: App) -> str:
    screen = app.screen()
    return f"{screen.title} {words(screen.blocks)} {screen.banner}"


def held(home: Path) -> dict[str, bytes]:
    """{file: its content} of a house, but for what any start may write."""
    plain = (path for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    found = {str(path.relative_to(home)): path for path in plain}
    return {name: path.read_bytes() for name, path in found.items() if not name.endswith(TOUCHED)}


HOUSE = (
    "config/gunbai/chosen.toml",
    "config/gunbai/settings.toml",
    f"data/boards/drafts/{DRAFT}/draft.toml",
    f"data/boards/drafts/{DRAFT}/photo.jpg",
    f"data/boards/{OWN_BOARD}.toml",
    "data/decks/drafts/mine.json",
    "data/decks/hills.toml",
    "data/games/game.jsonl",
    "data/games/game.jsonl.clock.json",
    "data/games/game.jsonl.evidence/FRAME",
    "data/games/game.jsonl.review.json",
    "data/scenarios/ford.toml",
    "data/tables/camera",
    f"data/tags/{MODE.name}.toml",
    "etc/gunbai/settings.toml",
)
OF_THE_SHELF = (
    *("data/games/game.jsonl.undone", "data/games/generals.jsonl", "data/games/sonae.jsonl"),
    *("data/games/labels.json", "data/games/trash/thrown.jsonl", "data/games/trash/labels.json"),
)
ALL = (*HOUSE, *OF_THE_SHELF, "data/games/index.json", *OF_A_TABLE)


def test_a_sound_house_is_quiet(home: Path, shown: list[str], capsys: Capture) -> None:
    names = (*HOUSE, *OF_THE_SHELF)
    assert sorted(str(path_in(home, name).relative_to(home)) for name in names) == sorted(held(home))
    assert main(["play"]) == 0
    assert capsys.readouterr().err == ""
    for opened in ("Your boards", DRAFT, "Your decks", "Your battles", "Touch the map"):
        assert opened in " ".join(shown)


@pytest.mark.parametrize("number", range(len(ALL)))
def test_the_app_starts_and_loses_nothing_else(
    number: int, whole: Path, home: Path, shown: list[str], capsys: Capture
) -> None:
    """With every other strange thing, by turns, in a file's place, where its own reader is given all of them above."""
    name = str(path_in(home, ALL[number]).relative_to(home))
    kinds = list(STRANGE)[number % 2 :: 2] if ALL[number] in HOUSE else list(STRANGE)
    for kind in kinds:
        if name == TABLE and kind in ("a device", "a pipe"):
            continue  # not yet read within limits
        moved_in(home, whole, table=name in OF_A_TABLE)
        put(kind, home / name)
        before = held(home)
        shown.clear()
        assert main(["play"]) == 0, kind
        told = f"{capsys.readouterr().err} {' '.join(shown)}"
        assert "a fault of its own" not in told, (kind, told)
        after = held(home)
        lost = {path for path in before if path != name and after.get(path) != before[path]}
        assert {path for path in lost if not (kind == "nothing" and path.startswith(f"{name}.evidence"))} == set(), kind
        left = [end for end in ("", ".broken-1") if os.path.lexists(f"{home / name}{end}")]
        assert left or kind == "nothing", kind
        if kind != "nothing" and (name in OF_A_TABLE or (NAMED.search(name) and kind != "an empty file")):
            assert Path(name).name in told, (kind, told)


FOLDERS = (
    *("config", "config/gunbai", "data", "data/boards", "data/boards/drafts", f"data/boards/drafts/{DRAFT}"),
    *("data/decks", "data/decks/drafts", "data/games", "data/games/game.jsonl.evidence", "data/scenarios"),
    *("data/tables", "data/tags"),
)
NAMES = (b"caf\xe9.toml", b"\x1b[31mred\n.toml", b"." * 200 + b".toml", b"\xf0\x9f\x8e\xb2.toml", b"-.toml", b".toml")


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_app_starts_whatever_is_in_a_folders_place(folder: str, whole: Path, home: Path, shown: list[str]) -> None:
    for kind in ("nothing", "an empty file", "a pipe", "a device", "a link to itself", "a link to nowhere"):
        put(kind, moved_in(home, whole) / folder)
        before = held(home)
        assert main(["play"]) == 0, kind
        assert {name for name, data in before.items() if held(home).get(name) != data} == set(), kind
    assert shown


def test_the_app_starts_with_any_names_in_its_folders(home: Path, shown: list[str]) -> None:
    folders = [path for path in home.rglob("*") if path.is_dir()]
    for folder in folders:
        for name in NAMES:
            Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(b"x = 1\n")
            Path(os.fsdecode(os.fsencode(folder) + b"/folder-of-" + name)).mkdir()
    before = held(home)
    assert main(["play"]) == 0
    assert shown
    assert held(home) == before
