"""A camera and its table through the process of their own, from the pictures in a folder to the app's glimpse."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.demo.table import SimulatedTable
from companion.drill.camera import PictureFolder
from companion.games.match import Match
from companion.perception import camera_process
from companion.perception.adapters import compare
from companion.perception.camera_watch import FAILED, NOBODY, TAKEN, CameraWatch
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.map_picture import verdict
from companion.text import faults
from engine.orders.board import load_board
from intake.jpeg import size_px
from tests.companion.perception.test_camera_process import ended
from tests.companion.sample_games import BOARD, played
from tests.patience import PATIENCE_S, until
from vision.dice.reader import DiceReading
from vision.errors import TableError
from vision.live.camera import FROZEN
from vision.live.messages import Message, MessageError, dice_data, reading_message
from vision.live.printed import LaidCard
from vision.live.watcher import DARK, LOST, LOST_BECAUSE, OTHER_SIZE, Nudge
from vision.reading.read import Reading
from vision.table import Table

pytestmark = pytest.mark.long


class Photographed:
    """A simulated table: its file, and the pictures of the start and of the end of a game."""

    def __init__(self, folder: Path) -> None:
        table = SimulatedTable(load_board(BOARD), 1)
        self.path = folder / "kitchen.table"
        table.calibrated().save(self.path)
        table.lay(played()[1][0])
        self.start = table.photo()
        table.lay(played()[1][-1])
        self.end = table.photo()


@pytest.fixture(scope="module")
def photographed(tmp_path_factory: pytest.TempPathFactory) -> Photographed:
    return Photographed(tmp_path_factory.mktemp("photographed"))


@pytest.fixture
def folder(tmp_path: Path) -> PictureFolder:
    return PictureFolder(tmp_path / "camera")


Begin = Callable[..., CameraWatch]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    monkeypatch.setattr(camera_process, "STARTING_S", PATIENCE_S)
    monkeypatch.setattr(camera_process, "SILENT_S", PATIENCE_S)
    begun: list[CameraWatch] = []

    def watch(camera: Path, table: Path | None = None) -> CameraWatch:
        begun.append(CameraWatch(str(camera), table))
        return begun[-1]

    yield watch
    for camera_watch in begun:
        camera_watch.close()
        camera_watch.close()


def settles(watch: CameraWatch, match: Match, besides: Reading | None = None) -> Reading:
    """Return the reading that settles next."""
    assert until(lambda: watch.state == "settled" and watch.glimpse(match).reading is not besides), watch.state
    reading = watch.glimpse(match).reading
    assert reading is not None
    return reading


@pytest.mark.long
def test_a_table_is_watched_through_kill_and_unplugging(
    photographed: Photographed, folder: PictureFolder, begin: Begin, match: Match
) -> None:
    folder.take(photographed.start)
    watch = begin(folder.path, photographed.path)
    assert watch.glimpse(match).reading is None
    reading = settles(watch, match)
    assert sum(difference.state == "agrees" for difference in compare(played()[1][0], reading)) >= 15
    glimpse = watch.glimpse(match)
    assert (glimpse.state, glimpse.fault) == ("settled", "")
    assert glimpse.frame is not None
    assert size_px(glimpse.frame) == photographed.start.shape[1::-1]
    assert glimpse.dice is not None
    assert watch.glimpse(match).reading is reading, "the same until a newer one settles"

    first = watch.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert until(lambda: watch.pid != first)
    folder.take(photographed.end)
    reading = settles(watch, match, reading)
    assert watch.latest() is not None

    folder.unplug()
    assert until(lambda: watch.state == "no-camera")
    assert watch.glimpse(match).state == "lost"
    assert str(folder.path) in watch.glimpse(match).fault
    assert watch.latest() is None
    assert watch.glimpse(match).reading is reading, "what was seen last stays"
    folder.plug_in()
    assert until(lambda: watch.state == "settled")
    assert watch.fault is None

    last = watch.pid
    watch.close()
    assert last is not None
    assert until(lambda: ended(last))
    assert watch.latest() is None


def test_without_a_table_there_are_live_pictures_only(folder: PictureFolder, begin: Begin, match: Match) -> None:
    watch = begin(folder.path)
    watch.ask("empty")
    assert until(lambda: watch.fault)
    assert watch.fault == f"{folder.path}: no picture (.jpg or .png) in this folder"
    folder.take(np.full((480, 640, 3), 70, np.uint8))
    assert until(lambda: watch.latest() is not None)
    picture = watch.latest()
    assert picture is not None
    assert picture.shape == (480, 640, 3)
    assert watch.fault is None
    assert watch.glimpse(match).state == "waiting"


def test_a_table_that_cannot_be_read_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="can't be read"):
        CameraWatch(str(tmp_path), tmp_path / "gone.table")


# ---- what it makes of what it is told -------------------------------------------------------------


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, begin: Begin) -> CameraWatch:
    """Return a watch whose process is never started: the test tells in its place."""
    monkeypatch.setattr(camera_process.CameraProcess, "_work", lambda self: None)
    return begin(tmp_path)


def state(watch: CameraWatch, name: str, fault: str = "") -> None:
    watch._take(Message({"told": "state", "state": name, "fault": fault}))


@pytest.mark.parametrize(
    ("name", "shown"),
    [("steady", "moving"), ("nudged", "moving"), ("hand", "hand"), ("dark", "lost"), ("starting", "waiting")],
)
def test_states_as_the_app_knows_them(told: CameraWatch, match: Match, name: str, shown: str) -> None:
    state(told, name)
    assert told.glimpse(match).state == shown
    assert told.state == name


@pytest.mark.parametrize(("name", "blind"), [("dark", True), ("lost", True), ("no-camera", False), ("settled", False)])
def test_a_camera_that_sees_no_board_is_no_lost_camera(told: CameraWatch, match: Match, name: str, blind: bool) -> None:
    state(told, name, "why")
    assert told.glimpse(match).blind is blind


@pytest.mark.parametrize(
    "fault",
    [
        DARK,
        LOST,
        *LOST_BECAUSE.values(),
        OTHER_SIZE.format(size="640x360", other="1280x960"),
        FROZEN,
        FAILED,
        NOBODY,
        TAKEN,
        "csi:0: the camera gave no picture in time",
        "csi:0: received something that isn't a picture",
        "csi:0: the camera's process has ended",
        "csi:0: there is no such camera",
        "csi:0: /usr/bin/rpicam-vid can't be run (Permission denied)",
        "csi:0 is in use by another program",
    ],
)
def test_what_is_wrong_with_the_view_is_told_in_the_language_of_the_table(fault: str) -> None:
    assert faults._foreseen(fault)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (LOST, "Board not in view"),
        (DARK, "Too dark to see the board"),
        (LOST_BECAUSE["twofold"], "Can't tell how the board lies"),
        (LOST_BECAUSE["mirrored"], "Picture mirrored"),
        (OTHER_SIZE.format(size="640x360", other="1280x960"), "Picture of another size"),
    ],
)
def test_the_sign_says_in_a_few_words_why_the_board_is_not_seen(fault: str, words: str) -> None:
    assert verdict(SyncStatus("lost", fault, blind=True)) == ("lost", words)


def test_a_process_that_was_given_up_is_said_in_a_sentence(told: CameraWatch, match: Match) -> None:
    state(told, "failed")
    assert (told.glimpse(match).state, told.glimpse(match).fault) == ("lost", FAILED)
    assert told.latest() is None


def test_dice_alone_leave_the_reading_as_it_is(told: CameraWatch, match: Match) -> None:
    told._take(reading_message(Reading({}, {}, {"a1": 0.9}, (), 1.0), b"jpeg", None))
    before = told.glimpse(match)
    told._take(Message({"told": "dice", "dice": dice_data(DiceReading((), ms=3.0))}))
    after = told.glimpse(match)
    assert after.reading is before.reading
    assert (before.dice, after.dice) == (None, DiceReading((), ms=3.0))
    assert after.frame == b"jpeg"


def test_presses_of_the_printed_yes_are_counted(told: CameraWatch, match: Match) -> None:
    assert told.glimpse(match).yes == 0
    for _ in range(2):
        told._take(Message({"told": "yes"}))
    assert told.glimpse(match).yes == 2


def test_the_cards_that_lie_face_up_are_kept_until_others_lie_there(told: CameraWatch, match: Match) -> None:
    assert told.glimpse(match).cards == ()
    told._take(Message({"told": "cards", "cards": [[3, [320.0, 40.5]]]}))
    told._take(Message({"told": "yes"}))
    assert told.glimpse(match).cards == (LaidCard(3, (320.0, 40.5)),)
    with pytest.raises(MessageError):
        told._take(Message({"told": "cards", "cards": [["ambush", [320.0, 40.5]]]}))
    told._take(Message({"told": "cards", "cards": []}))
    assert told.glimpse(match).cards == ()


def test_a_knock_is_kept(told: CameraWatch) -> None:
    assert told.nudge is None
    told._take(Message({"told": "nudge", "mm": 3.5, "deg": -0.4}))
    assert told.nudge == Nudge(3.5, -0.4)


def test_what_it_does_not_know_is_left_alone(told: CameraWatch) -> None:
    told._take(Message({"told": "weather"}))
    assert told.state == "starting"


@pytest.mark.parametrize("holed", [{"told": "state"}, {"told": "nudge"}, {"told": "nudge", "mm": "far", "deg": 0}])
def test_a_message_with_holes_is_nonsense(told: CameraWatch, holed: dict[str, object]) -> None:
    with pytest.raises(MessageError):
        told._take(Message(holed))
    with pytest.raises(MessageError):
        told._take(Message({"told": "dice", "dice": {"dice": [[1, 2]]}}))
    assert told.state == "starting"


def test_a_table_of_another_board_sees_nothing_of_this_game(
    told: CameraWatch, match: Match, photographed: Photographed
) -> None:
    told.table = Table.load(photographed.path)
    assert told.glimpse(match).state == "waiting"
    object.__setattr__(told.table.plan, "board", "sengoku-fortress")
    assert (
        told.glimpse(match).fault
        == "the game is played on sengoku-rivers, but the table is set up for sengoku-fortress"
    )
