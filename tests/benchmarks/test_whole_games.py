"""A few turns of a recorded game by the only player who presses, by the camera's process, and by the soak's people."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.soak.play import choose_seen
from benchmarks.whole_games.__main__ import main
from benchmarks.whole_games.figures import GameNotes, save_worst, summary
from benchmarks.whole_games.hands import CardsFaceUp, Sitting, one_by_one, record_game
from benchmarks.whole_games.player import LonePlayer, Way
from benchmarks.whole_games.recording import (
    AT_REST,
    GAME,
    HOME,
    MOMENTS,
    MOVING,
    OVER,
    TABLE,
    Moment,
    Recording,
    TurnNotes,
    recordings_in,
    turns_in,
)
from companion.app.app import App
from companion.core.errors import InputError
from companion.demo.table import SimulatedTable
from companion.drill.camera import PictureFolder
from companion.games.match import Match
from companion.perception.camera_watch import CameraWatch
from companion.scenes.orders.proposal import ChoicePanel, ProposalPanel
from companion.scenes.orders.turn import TurnPanel
from companion.terminal.bench import object_in
from engine.orders.board import load_board
from engine.orders.steps import Deploy, Pass, Step
from tests.companion.fingers import Fingers
from tests.companion.orders.camera.desk import ADVANCE, Desk
from tests.companion.orders.camera.test_out_of_sync import choosing
from tests.companion.touching import Hand
from tests.patience import until
from vision.bases.markers import marker_picture
from vision.frame import jpeg_of, load_picture
from vision.geometry import Picture
from vision.live.printed import NUMBER, find_cards
from vision.simulation.camera import SimulatedCamera
from vision.simulation.placing import PlacedPiece
from vision.simulation.table import Scene

TURNS = 2


def piece(kind: str, area: str, x: float, faction: str = "red") -> PlacedPiece:
    return PlacedPiece(kind, faction, area, (x, 0.0))


def test_hands_put_the_commander_first_and_move_a_piece_at_a_time() -> None:
    stays, goes, falls = piece("troop", "b2", 0), piece("troop", "b2", 20), piece("troop", "c3", 40, "black")
    comes, commander = piece("troop", "c3", 60), piece("commander", "c3", 80)
    boards = list(one_by_one((stays, goes, falls), (stays, comes, commander)))
    assert boards == [(stays, goes, falls, commander), (stays, falls, commander, comes), (stays, commander, comes)]


def test_a_turn_is_what_leads_to_its_rest_and_the_way_home_after_it() -> None:
    told = [(0, AT_REST), (0, MOVING), (0, OVER), (2, AT_REST), (2, HOME), (2, AT_REST), (2, MOVING), (3, AT_REST)]
    moments = [Moment(f"{n}.jpg", 1.0, steps, hands) for n, (steps, hands) in enumerate(told)]
    first, second = turns_in(moments)
    assert [moment.picture for moment in (*first.between, first.done, *first.after)] == [
        f"{n}.jpg" for n in range(1, 6)
    ]
    assert (second.number, second.between, second.done, second.after) == (2, (moments[6],), moments[7], ())


def test_cards_lie_face_up_beside_the_board_with_their_codes() -> None:
    board = load_board("sengoku-rivers")
    camera = SimulatedCamera(distance_mm=700.0)
    table = SimulatedTable(board, 1, scene=Scene(camera=camera, clutter_seed=None))
    corners = np.array([(0, 0), (200, 0), (200, 200), (0, 200)], np.float32)
    seen = np.asarray(camera.px([(*corner, 0.0) for corner in corners]), np.float32)
    board_from_frame = cv2.getPerspectiveTransform(seen, corners)
    face_up = CardsFaceUp(table.studio, 1)
    cards = face_up.lay(7, face_up.lay(3, ()))
    picture = table.photo()
    face_up.draw(picture, cards)
    found = find_cards(picture, np.asarray(board_from_frame, np.float64))
    assert [card.number for card in found] == [3, 7]
    width, height = table.plan.size_mm
    assert all(max(-x, x - width, -y, y - height) > 0 for _number, (x, y) in found)


def test_figures_tell_what_turns_cost_and_why() -> None:
    easy = TurnNotes(1, 1, "0001.jpg", "a walk", ["advance"], touches=1, sentence_s=1.5, half=["", "right"])
    dear = TurnNotes(2, 1, "0002.jpg", "a plan", ["plan"], touches=3, by_hand=True, half=["wrong turn"])
    meant = TurnNotes(3, 1, "0003.jpg", "a touch", ["sail"], touches=9, meant=True)
    text = "\n".join(summary([GameNotes("one", Path(), "pressed", (easy, dear, meant), is_record_true=True)]))
    assert "50.0 %" in text
    assert "100.0 %" in text, "without the plan, which no camera sees"
    assert "    2 touches in   1 turns  by hand: plan" in text
    assert "3 touches, one/0002.jpg, turn 2: a plan\n    why: by hand" in text


def test_the_pictures_of_the_worst_turns_are_kept(tmp_path: Path) -> None:
    seen = np.full((480, 640, 3), 90, np.uint8)
    (tmp_path / "0002.jpg").write_bytes(jpeg_of(seen, 95))
    easy = TurnNotes(1, 1, "0001.jpg", "a walk", ["advance"], touches=1)
    dear = TurnNotes(2, 1, "0002.jpg", "a plan", ["plan"], touches=3, by_hand=True)
    told = save_worst([GameNotes("one", tmp_path, "pressed", (easy, dear), is_record_true=True)], tmp_path / "worst")
    assert [path.name for path in (tmp_path / "worst").iterdir()] == ["01-one-pressed-0002.png"]
    assert load_picture(tmp_path / "worst" / "01-one-pressed-0002.png").shape == seen.shape
    assert told == ["01-one-pressed-0002.png: 3 touches, one/0002.jpg, turn 2: a plan", "    why: by hand"]


def test_a_folder_that_is_no_recording_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no recorded game"):
        list(recordings_in([tmp_path]))
    (tmp_path / MOMENTS).write_text('{"picture": "0000.jpg"}\n')
    with pytest.raises(InputError, match=MOMENTS):
        Recording.load(tmp_path)
    monkeypatch.setattr("sys.argv", ["whole_games", str(tmp_path)])
    assert main() == 2


# ---- a few turns --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return record_game(tmp_path_factory.mktemp("game"), Sitting(load_board("sengoku-rivers"), 1, (960, 720), TURNS))


@pytest.mark.long
def test_the_same_seed_records_the_same_game(recording: Recording, tmp_path: Path) -> None:
    again = record_game(tmp_path, Sitting(load_board("sengoku-rivers"), 1, (960, 720), 1))
    assert again.moments == recording.moments[: len(again.moments)]
    name = again.moments[-1].picture
    assert (tmp_path / name).read_bytes() == (recording.folder / name).read_bytes()
    assert (recording.folder / GAME).read_text().startswith((tmp_path / GAME).read_text())


@pytest.mark.long
@pytest.mark.parametrize("way", ["touched", "power-cut", "two-turns", "todays-board"])
def test_a_few_turns_become_a_true_record(
    recording: Recording, way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.whole_games.player.CUT_EVERY", 2)
    player = LonePlayer(recording, tmp_path, way)
    notes = player.play()
    assert player.is_record_true
    assert sum(note.turns for note in notes) == TURNS
    assert [note.meant for note in notes] == ([False, True] if way == "touched" else [False] * len(notes))
    assert all(note.is_one_touch for note in notes if not note.meant), notes
    assert not any(note.alarms or note.surely_wrong or note.faults for note in notes)
    told = GameNotes("game", recording.folder, way, tuple(notes), is_record_true=True).as_json()
    assert json.loads(json.dumps(told))["way"] == way


@pytest.mark.long
def test_the_camera_process_sees_the_turn_too(recording: Recording, tmp_path: Path) -> None:
    path, camera = tmp_path / "played.jsonl", PictureFolder(tmp_path / "camera")
    path.write_bytes(recording.game.lines[0])
    recording.calibrated().save(str(tmp_path / "kitchen.table"))
    first, *_ = turns_in(recording.moments)
    camera.take(recording.picture(first.done))
    watch = CameraWatch(str(camera.path), tmp_path / "kitchen.table")
    app, now_s = App(watcher=watch.glimpse, match=Match.open(path)), iter(range(1_000_000))

    def is_offered() -> bool:
        app.tick(float(next(now_s)))
        return "take" in [button.intent.verb for button in Hand(app).all_buttons()]

    try:
        assert until(is_offered)
    finally:
        watch.close()
    Hand(app).press("Yes, that's right")
    assert Hand(app).position == recording.game.positions[first.done.steps]


SIDE_PX = 72


def with_square(picture: Picture, recording: Recording, covered: bool = False) -> Picture:
    """Return the picture with the printed “Yes” in the corner farthest from the board, perhaps under a hand."""
    height, width = picture.shape[:2]
    room = SIDE_PX // 2 + 24
    corners = [(x, y) for x in (room, width - room) for y in (room, height - room)]
    board = np.array(object_in(recording.folder / TABLE)["corners_px"], np.float32)
    x, y = min(corners, key=lambda at: cv2.pointPolygonTest(board, at, True))
    shown, half, rim = picture.copy(), SIDE_PX // 2, SIDE_PX // 2 + 18
    shown[y - rim : y + rim, x - rim : x + rim] = 225
    shown[y - half : y + half, x - half : x + half] = marker_picture(NUMBER, SIDE_PX)[..., None]
    return np.asarray(cv2.circle(shown, (x, y), half, (120, 160, 210), -1), np.uint8) if covered else shown


@pytest.mark.long
def test_a_hand_on_the_printed_yes_takes_the_turn(recording: Recording, tmp_path: Path) -> None:
    first, *_ = turns_in(recording.moments)
    player = LonePlayer(recording, tmp_path)
    start, done = (recording.picture(moment) for moment in (recording.moments[0], first.done))
    player._wait(with_square(start, recording), 6.0)
    player._wait(with_square(done, recording), 6.0)
    assert isinstance(player._panel, ProposalPanel)
    player._wait(with_square(done, recording, covered=True), 1.5)
    assert not player._match.steps, "not before the hand is gone"
    player._wait(with_square(done, recording), 2.0)
    assert player._match.position == recording.game.positions[first.done.steps]
    assert player._fingers.touches == 0


SIZE_PX = (800, 480)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Desk(tmp_path / "game.jsonl")


@pytest.mark.parametrize(
    ("done", "taken"),
    [(ADVANCE, (ADVANCE,)), (Pass(), (Pass(),)), (Deploy("plan:1", draw=2), ())],
    ids=["the first", "the second", "none of them"],
)
def test_of_a_few_turns_the_one_that_was_done_is_touched(done: Step, taken: tuple[Step, ...], desk: Desk) -> None:
    choosing(desk, 2)
    assert isinstance(desk.panel, ChoicePanel)
    choose_seen(desk.panel, done, Fingers(desk.app, SIZE_PX, looks=False))
    assert desk.match.steps == taken
    assert isinstance(desk.panel, TurnPanel) or taken
