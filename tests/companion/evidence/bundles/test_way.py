"""A bundle is made, sent and checked, and those that lie in tests/bundles are still read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.content.shelves import BOARDS
from companion.core import outputs
from companion.core.errors import MatchError, OutputError
from companion.evidence.bundle import BugReports, check_bundle, check_text
from companion.evidence.bundle_file import (
    Bundle,
    BundleFrame,
    read_bundle,
    write_bundle,
)
from companion.evidence.pictures import Name, folder_of, keep
from companion.evidence.recorder import Recorder, units_of
from companion.games.match import Match
from companion.perception.cameras import CameraSession, Setup, Watching
from companion.perception.sync.status import TableView
from engine.orders.board import load_board
from engine.orders.game import new_game
from engine.orders.wire import position_to_json, step_from_json
from tests.companion.commands.terminal import Capture, printed
from tests.companion.evidence.bundles.conftest import READING, TINY
from tests.companion.owned import own_rivers, shelves
from tests.companion.refusing import refusing
from tests.companion.sample_eye import sample_eye
from tests.companion.sample_games import BOARD, BONUSES, OPENING, REQUEST, lines_of
from vision.frame import jpeg_of
from vision.table import Table

SHIPPED = sorted((Path(__file__).parents[3] / "bundles").glob("*.zip"))

START = new_game(BOARD, "red", BONUSES)


def test_there_is_a_bundle_to_read() -> None:
    assert SHIPPED


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_bundle_is_read_no_worse_than_when_it_was_made(path: Path) -> None:
    for check in check_bundle(path):
        assert check.good, check_text(check)


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("eye") / "start.jpg"
    path.write_bytes(jpeg_of(sample_eye().look(START).picture, 95))
    return path


class Blind(Watching):
    """A watch that sees nothing, of a table."""

    def __init__(self, path: Path) -> None:
        self.table = Table.load(path)

    def glimpse(self, match: Match) -> TableView:
        return TableView("waiting")

    def close(self) -> None:
        pass


@pytest.fixture
def state(tmp_path: Path) -> Path:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(position_to_json(START)))
    return path


@pytest.mark.long
def test_a_picture_and_its_truth_become_a_bundle_that_can_be_checked(
    table: Path, photo: Path, state: Path, tmp_path: Path, capsys: Capture
) -> None:
    report = tmp_path / "report.zip"
    command = ["bundle", str(photo), "--table", str(table), "--truth", str(state), "-o", str(report)]
    assert "1 picture, the table" in printed(capsys, *command)
    bundle = read_bundle(report)
    assert bundle.frames[0].data == photo.read_bytes()
    assert bundle.frames[0].confirmed == units_of(START)
    assert "nothing differs" in printed(capsys, "bundle", "--check", str(report))
    told = json.loads(printed(capsys, "bundle", "--check", str(report), "--json"))
    assert (told["good"], told["changes"], told["silent"]) == (True, {}, [])
    assert told["right"] == told["was_right"] > 15


@pytest.mark.long
def test_what_got_worse_is_told(table: Path, photo: Path, state: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.zip"
    main(["bundle", str(photo), "--table", str(table), "--truth", str(state), "-o", str(report)])
    bundle = read_bundle(report)
    frame = bundle.frames[0]
    sure = next(area for area, chance in frame.reading["confidence"].items() if chance > 0.9)
    lie = {**units_of(START), sure: {"red": {"troop": 4}, "black": {"troop": 1}}}
    write_bundle(report, Bundle(bundle.board, bundle.table, (BundleFrame(frame.data, frame.reading, confirmed=lie),)))
    (check,) = check_bundle(report)
    assert check.silent == (sure,)
    assert not check.good
    assert f"{sure}: sure and wrong" in check_text(check)
    assert main(["bundle", "--check", str(report)]) == 1
    old = {**frame.reading, "units": {}, "commanders": {"advance:c4": "red"}, "unreadable": ["a1"]}
    write_bundle(report, Bundle(bundle.board, bundle.table, (BundleFrame(frame.data, old),)))
    (check,) = check_bundle(report)
    told = check_text(check)
    assert check.good, "nobody confirmed anything"
    assert "a1: then hidden; now" in told
    assert "advance:c4: then red; now nobody" in told


@pytest.mark.long
def test_a_game_brings_the_frames_that_were_kept_beside_it(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    match, recorder = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES), Recorder()
    report = BugReports(CameraSession(lambda setup: Blind(table), Setup(table, None)), recorder)
    with pytest.raises(MatchError, match="no picture"):
        report(match, True)
    assert main(["bundle", str(match.path), "--table", str(table), "-o", str(tmp_path / "x.zip")]) == 2
    assert recorder.latest(match) is None
    for step in (None, OPENING):
        if step is not None:
            assert match.offer(step_from_json(step)).legal
        look = sample_eye().look(match.position)
        assert look.reading is not None
        recorder.see(match, look.reading, look.picture)
    recorder.close()
    told = report(match, True)
    bundle = read_bundle(Path(told.removeprefix("Written to ")))
    assert [frame.step for frame in bundle.frames] == [1], "the last picture is not in it twice"
    assert bundle.frames[0].confirmed == units_of(match.position)
    assert bundle.game == match.path.read_bytes()
    capsys.readouterr()
    out = printed(capsys, "bundle", str(match.path), "--table", str(table), "-o", str(tmp_path / "y.zip"))
    assert "1 picture, the table, the game" in out
    (frame,) = read_bundle(tmp_path / "y.zip").frames
    assert frame.shown is not None
    assert (frame.step, frame.confirmed) == (1, units_of(match.position))
    match.close()


@pytest.mark.long
def test_people_may_say_that_the_board_was_always_as_played(table: Path, photo: Path, tmp_path: Path) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    keep(folder_of(match.path), Name("frame", 0, match.mark(0)), photo.read_bytes(), {"reading": {**READING}})
    match.close()
    command = ["bundle", str(match.path), "--table", str(table), "-o", str(tmp_path / "x.zip")]
    for options, truth in (([], None), (["--as-played"], units_of(START))):
        assert main([*command, *options]) == 0
        (frame,) = read_bundle(tmp_path / "x.zip").frames
        assert (frame.step, frame.confirmed) == (0, truth)


@pytest.mark.long
def test_an_owners_board_goes_along_and_is_not_needed_elsewhere(
    photo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    name, calibrated = "sengoku-rivers-ana", sample_eye().table_for(load_board(BOARD))[1]
    replace(calibrated, plan=replace(calibrated.plan, board=name)).save(tmp_path / "ana.table")
    with shelves():
        BOARDS.save(name, own_rivers(name))
        game = tmp_path / "game.jsonl"
        game.write_bytes(lines_of({**REQUEST, "board": name}))
        command = ["bundle", str(game), str(photo), "--steps", "0", "--table", str(tmp_path / "ana.table")]
        assert "1 picture, the table, your board, the game" in printed(capsys, *command, "-o", str(tmp_path / "x.zip"))
        assert name in BOARDS.names()
    BOARDS.path_of(name).unlink()
    bundle = read_bundle(tmp_path / "x.zip")
    assert bundle.own_board == own_rivers(name).encode()
    assert main(["bundle", "--check", str(tmp_path / "x.zip")]) == 0
    assert main(["bench", str(tmp_path / "x.zip"), "--areas", "0.9"]) == 0
    assert BOARDS.names() == ()


def test_without_a_table_there_is_no_report(tmp_path: Path) -> None:
    match, recorder = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES), Recorder()
    with pytest.raises(MatchError, match="set up the camera"):
        BugReports(CameraSession(lambda setup: None, Setup(None, None)), recorder)(match, True)
    recorder.close()


def test_a_disk_that_is_full_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "_put_in_place", refusing())
    with pytest.raises(OutputError, match="No space left"):
        write_bundle(tmp_path / "b.zip", TINY)
