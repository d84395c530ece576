"""The simulated table and the show: pieces that stay, the real eye, pictures, the printed game and its score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import dist
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from companion.cli import main
from companion.core import errors
from companion.demo import game_demo, show
from companion.demo.game_demo import DemoOptions, run_demo
from companion.demo.player import DemoPlayer, SimulatedEye, set_up
from companion.demo.show import DEMO, SeenTurn, difference_text, play_turns, turn_text, verdict_text
from companion.demo.table import SimulatedTable, marks_of
from companion.games.match import Match
from companion.grounds.store import NO_GROUNDS
from companion.perception.adapters import Difference, plan_of
from companion.terminal.eye import PhotoScore
from companion.text.score import board_outcome
from companion.view.layers.map import use_board_colours
from companion.view.page import canvas
from engine.orders.board import Board, load_board
from engine.orders.game import owed
from engine.orders.position import Position
from tests.companion.demo.eyes import ClearEye
from tests.companion.sample_games import BOARD, BONUSES, played
from vision.calibration.calibrate import calibrate
from vision.errors import VisionError
from vision.frame import load_picture
from vision.simulation.placing import Placer
from vision.table import Table

pytestmark = pytest.mark.long


def piles(table: SimulatedTable) -> Counter[tuple[str, str, str]]:
    return Counter((piece.space or piece.area, piece.faction, piece.kind) for piece in table.pieces)


def expected(position: Position) -> Counter[tuple[str, str, str]]:
    counted: Counter[tuple[str, str, str]] = Counter()
    for area in position.board.areas:
        for faction, units in position.units_in(area.name).items():
            counted.update({(area.name, faction, unit): n for unit, n in units.items()})
    for space in position.board.spaces:
        for faction in position.commanders_on(space.name)[: 1 if space.area else 0]:
            counted[(space.name, faction, "commander")] = 1
    return counted


# ---- the simulated table ------------------------------------------------------------------------


def test_the_drawn_board_carries_what_the_printed_one_says() -> None:
    marks = marks_of(load_board(BOARD))
    assert sum(marks.points.values()) == 13
    assert marks.headquarters == {"a3": "black", "e3": "red"}
    assert set(marks.slots) == {"sun", "moon", "star"}
    assert marks.ports["c4"] == ("b4", "c3", "d4")


@pytest.mark.parametrize("seed", [5, 6])
def test_the_table_shows_the_game_and_untouched_pieces_stay(seed: int) -> None:
    table = SimulatedTable(load_board(BOARD), seed)
    moved = total = 0
    for position in (position for position in played(seed)[1] if position.turn is None):
        before = set(table.pieces)
        table.lay(position)
        assert piles(table) == expected(position)
        moved += len(before - set(table.pieces))
        total += len(before)
    assert moved < total / 8


def test_a_commander_pushes_aside_what_stands_on_its_space() -> None:
    table = SimulatedTable(load_board(BOARD), 1)
    for position in (position for position in played(5)[1] if position.turn is None):
        table.lay(position)
        spots = [piece.at_mm for piece in table.pieces if piece.kind == "commander"]
        units = [piece.at_mm for piece in table.pieces if piece.kind != "commander"]
        assert min((dist(spot, unit) for spot in spots for unit in units), default=99.0) > 10


def test_an_area_without_room_is_laid_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    table = SimulatedTable(load_board(BOARD), 1)
    real, asked = Placer.area, []

    def area(self: Placer, name: str, wanted: Sequence[tuple[str, str]]) -> None:
        asked.append(name)
        if asked.count("b3") == 1 and name == "b3":
            raise VisionError("no room")
        real(self, name, wanted)

    position = played(5)[1][0]
    table.lay(position)
    untouched = tuple(piece for piece in table.pieces if piece.area != "b3")
    table.pieces = (*untouched, next(piece for piece in table.pieces if piece.area == "b3"))
    monkeypatch.setattr(Placer, "area", area)
    table.lay(position)
    assert piles(table) == expected(position)
    assert set(untouched) <= set(table.pieces)
    assert asked.count("b3") == 2


def test_the_same_seed_lays_and_takes_the_same_picture() -> None:
    one, other = (SimulatedTable(load_board(BOARD), 3) for _ in range(2))
    for table in (one, other):
        table.lay(played(5)[1][-1])
    assert one.pieces == other.pieces
    assert np.array_equal(one.photo(), other.photo())


# ---- the real eye over it -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def eye() -> SimulatedEye:
    return SimulatedEye(1)


def test_the_eye_is_calibrated_from_photos_and_reads_the_start(eye: SimulatedEye) -> None:
    look = eye.look(played(5)[1][0])
    areas = [difference for difference in look.differences if ":" not in difference.area]
    assert len(areas) == 22
    assert not [area for area in areas if area.state == "differs"]
    assert sum(area.state == "agrees" for area in areas) >= 15
    assert eye.look(played(5)[1][0]) is look


# ---- the show -----------------------------------------------------------------------------------


class PerfectEye(ClearEye):
    """An eye that sees at once what is so, and has a table for the app's own eye."""

    def table_for(self, board: Board) -> tuple[SimulatedTable, Table]:  # type: ignore[override]
        empty = np.zeros((960, 1280, 3), np.uint8)
        corners = [(200, 50), (1000, 50), (1000, 900), (200, 900)]
        return SimulatedTable(board, 1), calibrate(empty, plan_of(board), corners)


def started(folder: Path) -> Match:
    return Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)


def test_a_game_is_told_turn_by_turn(tmp_path: Path) -> None:
    match, eye = started(tmp_path), PerfectEye(1)
    told = list(play_turns(match, DemoPlayer(3, turns=5), eye))
    assert [turn.number for turn in told] == [1, 2, 3, 4, 5]
    assert [turn.before.to_move_name for turn in told] == ["red", "black", "red", "black", "red"]
    lines = [turn_text(turn, turn.look) for turn in told]
    assert lines[0] == f"R1 turn  1  red    {told[0].text} · eye: 22 of 22 agree, 40 ms"
    assert not any("\n" in line for line in lines)


def test_what_is_right_agrees_however_sure_the_eye_is() -> None:
    position = played(5)[1][0]
    look = PerfectEye(1).look(position)
    right = Difference("c4", "hidden", {"red": {"troop": 2}}, {"red": {"troop": 2}}, 0.89)
    turn = SeenTurn(12, position, "passes", replace(look, differences=(right, *look.differences)))
    assert turn_text(turn, look) == "R1 turn 12  red    passes · eye: 23 of 23 agree, 40 ms"
    told = turn_text(turn, look, verbose=True).splitlines()
    assert told[0].endswith("eye: 22 of 23 agree, 1 unsure, 40 ms")
    assert told[1].strip() == "c4: the eye is not sure (89%): 2 red troops, the game has 2 red troops"


def doubt(state: str, confidence: float = 0.97) -> Difference:
    return Difference("c4", state, {"red": {"troop": 2}}, {"red": {"troop": 3}}, confidence)  # type: ignore[arg-type]


def test_what_the_eye_sees_otherwise_or_is_not_sure_of_is_said_once() -> None:
    position = played(5)[1][0]
    look = PerfectEye(1).look(position)
    wrong = replace(look, differences=(doubt("differs"), *look.differences))
    turn = SeenTurn(12, position, "passes", wrong)
    first = turn_text(turn, look).splitlines()
    assert first[0].startswith("R1 turn 12  red    passes · eye: 22 of 23 agree, 1 wrong")
    assert first[1].strip() == "c4: the eye sees 3 red troops (97% sure), the game has 2 red troops"
    trembling = replace(look, differences=(doubt("differs", 0.91), *look.differences))
    assert len(turn_text(turn, trembling).splitlines()) == 1
    missed = Difference("advance:c4", "differs", {"red": {"commander": 1}}, {}, 0.95)
    told = difference_text(missed)
    assert told == "advance:c4: the eye sees nothing, the game has 1 red commander", "how sure it is is of the area"
    told = difference_text(doubt("hidden", 0.62))
    assert told == "c4: the eye is not sure (62%): 3 red troops, the game has 2 red troops"


def test_the_two_scores_are_held_against_each_other() -> None:
    end, start = board_outcome(played(5)[1][-1]), board_outcome(played(5)[1][0])
    assert verdict_text(end, end).startswith("the game's own score is the same: ")
    assert verdict_text(end, start).startswith("the game's own score is another: ")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the show its minutes: all stays as it is, but a perfect eye sees at once what is so."""
    monkeypatch.setattr(show, "SimulatedEye", PerfectEye)


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, Position]]:
    """Return what the last picture would be scored as, folder and position, instead of scoring it."""
    found: list[tuple[Path, Position]] = []

    def note(folder: Path, position: Position) -> int:
        found.append((folder, position))
        return 0

    monkeypatch.setattr(show, "_score_table", note)
    return found


def options(**changes: object) -> DemoOptions:
    return replace(DemoOptions(BOARD, seed=2, turns=1, headless=True), **changes)  # type: ignore[arg-type]


def test_a_short_demo_with_the_real_eye_prints_turns_writes_pictures_and_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, eye: SimulatedEye
) -> None:
    monkeypatch.setattr(show, "SimulatedEye", lambda seed: eye)  # real, and calibrated already
    assert run_demo(options(board="", turns=2, pictures=tmp_path / "shots")) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("sengoku-rivers, seed 2, ")
    assert [line[:10] for line in out if line.startswith("R1 turn")] == ["R1 turn  1", "R1 turn  2"]
    assert all("· eye: " in line for line in out if line.startswith("R1 turn"))
    assert any(line.startswith("the game's own score is ") for line in out)
    assert out[-1] == f"pictures, the game and its table are in {tmp_path / 'shots'}"
    names = sorted(path.name for path in (tmp_path / "shots").iterdir())
    pictures = ["final-screen.png", "final-table.png", "turn-01-screen.png", "turn-01-table.png"]
    assert names == ["demo.table", *pictures[:2], "game.jsonl", "game.jsonl.evidence", "photos", *pictures[2:]]
    shapes = [load_picture(tmp_path / "shots" / name).shape for name in pictures]
    assert shapes == [(720, 1280, 3), (960, 1280, 3)] * 2


def test_the_owners_colours_are_in_the_demos_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, scored: object
) -> None:
    def water(colour: str) -> bool:
        (tmp_path / "settings.toml").write_text(f'[colours]\nwater = "{colour}"\n')
        monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "settings.toml"))
        assert run_demo(options(pictures=tmp_path / "shots")) == 0
        blue, green, red = (int(colour[i : i + 2], 16) for i in (5, 3, 1))
        picture = load_picture(tmp_path / "shots" / "final-screen.png")
        return bool((picture == (blue, green, red)).all(axis=2).sum() > 5000)

    try:
        with mock.patch.object(canvas, "painted_grounds", return_value=NO_GROUNDS):  # paint has no one colour
            assert water("#0a6b3c")
            assert water("#7a2b6c")
    finally:
        use_board_colours({})


def test_the_command_line_says_what_the_demo_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[DemoOptions] = []

    def note(options: DemoOptions) -> int:
        asked.append(options)
        return 0

    monkeypatch.setattr(game_demo, "run_demo", note)
    assert main(["demo"]) == 0
    given = ["--headless", "--seed", "7", "--turns", "3", "--pictures", str(tmp_path), "--size", "800x480"]
    assert main(["demo", "--board", BOARD, "--system", "orders", *given]) == 0
    assert main(["demo", "--practice", str(tmp_path)]) == 0
    assert asked == [
        DemoOptions("", seed=1),
        DemoOptions(BOARD, 7, 3, True, tmp_path, (800, 480)),
        DemoOptions("", 1, 10, headless=True, pictures=tmp_path, practice=True),
    ]


def test_the_demo_names_the_folder_it_chose_and_replaces_the_game_before(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    quick: None,
    scored: object,
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr(show, "_save_pictures", lambda *given: None)
    for _ in range(2):
        assert run_demo(options()) == 0
    assert f"are in {tmp_path / 'demo'}" in capsys.readouterr().out
    assert (tmp_path / "demo" / "game.jsonl").read_text().count("deploy") == 1


def test_a_last_picture_that_cannot_be_scored_is_the_answer_no(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(table: str, frame: str, game: str) -> PhotoScore:
        raise errors.AdapterError("what the eye saw can't be a position of the game: units")

    monkeypatch.setattr(show, "photo_score", refuse)
    assert show._score_table(tmp_path, started(tmp_path).position) == 1
    assert "couldn't score the last picture: what the eye saw" in capsys.readouterr().err


def test_with_a_screen_the_demo_is_watched_and_scored_when_the_window_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None, scored: list[tuple[Path, Position]]
) -> None:
    from companion.view.window import display, window

    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    seen: list[object] = []

    def run_window(app: object, size_px: tuple[int, int] | None) -> int:
        for second in range(6):
            app.tick(second * 2.0)  # type: ignore[attr-defined]
        seen.append(size_px)
        return 0

    monkeypatch.setattr(display, "has_screen", lambda: True)
    monkeypatch.setattr(window, "run_window", run_window)
    assert run_demo(options(headless=False, size=(800, 480))) == 0
    assert seen == [(800, 480)]
    games = list((tmp_path / "games").iterdir())
    assert [path.name for path in games] == ["demo-2.jsonl"]
    assert games[0].read_text().count("deploy") == 1
    ((folder, _position),) = scored
    assert folder == tmp_path / "demo"
    assert (folder / "game.jsonl").read_bytes() == games[0].read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["demo.table", "final-table.png", "game.jsonl"]


def test_a_turn_that_the_window_left_unfinished_is_not_scored(
    tmp_path: Path, quick: None, scored: list[tuple[Path, Position]]
) -> None:
    match, player = started(tmp_path), DemoPlayer(3)
    while owed(match.position) is None:
        player.act(match)
    shots = tmp_path / "shots"
    shots.mkdir()
    assert show._scored_after(match, PerfectEye(1), shots / "game.jsonl") == 0
    assert scored == [(shots, match.positions[-2])]
    lines = (shots / "game.jsonl").read_bytes().splitlines()
    assert lines == match.path.read_bytes().splitlines()[:-1]


def test_a_demonstration_plays_and_is_looked_at_from_the_set_up_of_its_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    board = load_board(BOARD)
    match, autoplay, watcher = DEMO.demonstration(4, board)
    assert autoplay is not None
    assert isinstance(match, Match)
    assert match.path.name == "demo-4.jsonl"
    initiative, tokens = set_up(board, 4)
    assert match.position.initiative_name == initiative
    assert dict(zip(board.slots, match.position.bonuses, strict=True)) == tokens
    assert autoplay.act(match)
    assert watcher is not None
    assert watcher(match) is not None
