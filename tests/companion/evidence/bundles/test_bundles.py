"""A bundle is made, sent and checked; those in tests/bundles are still read; a stranger's is refused in one line."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.content.shelves import BOARDS
from companion.core import outputs
from companion.core.errors import BundleError, MatchError, OutputError
from companion.evidence import bundle_file
from companion.evidence.bundle import BugReports, check_bundle, check_text
from companion.evidence.bundle_file import BOARD as BOARD_FILE
from companion.evidence.bundle_file import (
    GAME,
    HEAD,
    TABLE,
    Bundle,
    BundleFrame,
    bundle_bytes,
    parse_bundle,
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
from tests.companion.commands.terminal import Capture, fault, printed
from tests.companion.evidence.bundles.conftest import PICTURE, READING, TINY, TINY_TABLE, zipped
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


OTHER = own_rivers("sengoku-rivers-ana").replace("size_mm = [260.8,", "size_mm = [260.9,")


def test_a_whole_bundle_comes_back_as_it_was() -> None:
    frame = BundleFrame(PICTURE, READING, READING, 3, {"c4": {"red": {"troop": 2}}})
    bundle = Bundle(BOARD, TINY_TABLE, (frame, BundleFrame(PICTURE, READING)), lines_of(REQUEST))
    assert parse_bundle(bundle_bytes(bundle), "b.zip") == bundle


def test_a_board_on_the_shelf_is_the_same_one_after_another_of_its_name_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    name = "sengoku-rivers-ana"
    packed = bundle_bytes(Bundle(name, TINY_TABLE, TINY.frames, lines_of({**REQUEST, "board": name}), OTHER.encode()))
    with shelves():
        BOARDS.save(name, own_rivers(name))
        mine = load_board(name)
        assert parse_bundle(packed, "b.zip").own_board == OTHER.encode()
        assert load_board(name) is mine


def head(**changes: Any) -> bytes:
    frame = {"file": "frames/01.jpg", "reading": READING}
    whole = {"kind": "gunbai-bundle", "version": 1, "board": BOARD, "frames": [frame]}
    return json.dumps({**whole, **changes}).encode()


def with_frame(**changes: Any) -> bytes:
    return head(frames=[{"file": "frames/01.jpg", "reading": READING, **changes}])


def with_reading(**changes: Any) -> bytes:
    return with_frame(reading={**READING, **changes})


WHOLE = {HEAD: head(), TABLE: TINY_TABLE, "frames/01.jpg": PICTURE}

HUGE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (60_000).to_bytes(4, "big") * 2


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({**WHOLE, "../evil": b""}, "doesn't belong in a bundle"),
        ({**WHOLE, "/etc/passwd": b""}, "doesn't belong"),
        ({**WHOLE, "frames/../../x.jpg": b""}, "doesn't belong"),
        ({**WHOLE, "frames/": b""}, "doesn't belong"),
        ({HEAD: head()}, "table.gunbai is missing"),
        ({TABLE: TINY_TABLE}, "bundle.json is missing"),
        ({**WHOLE, **{f"frames/{n:02}.jpg": PICTURE for n in range(17)}}, "more than 16 frames"),
        ({**WHOLE, HEAD: b"{" + b" " * 5_000_000}, "too large"),
        ({**WHOLE, HEAD: b"\xff"}, "not JSON"),
        ({**WHOLE, HEAD: b"[" * 100_000}, "not JSON"),
        ({**WHOLE, HEAD: b"[]"}, "not a JSON object"),
        ({**WHOLE, HEAD: head(kind="x")}, "not a bundle's"),
        ({**WHOLE, HEAD: head(version=2)}, "version 2; this program reads 1"),
        ({**WHOLE, HEAD: head(board=1)}, "board: expected a name"),
        ({**WHOLE, HEAD: head(board="sengoku-moon")}, "board: "),
        ({**WHOLE, HEAD: head(frames=[])}, "of at least one"),
        ({**WHOLE, HEAD: head(frames=[1])}, "an object each"),
        ({**WHOLE, HEAD: with_frame(file="frames/02.jpg")}, "isn't one of its pictures"),
        ({**WHOLE, HEAD: with_frame(file=TABLE)}, "isn't one of its pictures"),
        ({**WHOLE, HEAD: with_frame(file=[])}, "isn't one of its pictures"),
        ({**WHOLE, "frames/02.jpg": PICTURE}, "expected each picture of the bundle once"),
        ({**WHOLE, "frames/01.jpg": b"GIF89a"}, "not a JPEG or PNG"),
        ({**WHOLE, "frames/01.jpg": HUGE}, "60000x60000 pixels"),
        ({**WHOLE, HEAD: with_frame(step=-1)}, "step: expected a number from 0"),
        ({**WHOLE, HEAD: with_frame(step=True)}, "step: expected a number from 0"),
        ({**WHOLE, HEAD: with_frame(reading=[])}, "reading: expected an object"),
        ({**WHOLE, HEAD: with_frame(shown={})}, "shown: commanders"),
        ({**WHOLE, HEAD: with_frame(confirmed=3)}, "confirmed: expected an object"),
        ({**WHOLE, HEAD: with_reading(units={"q9": {}})}, "'q9': expected an area"),
        ({**WHOLE, HEAD: with_reading(units={"c4": {"blue": {}}})}, "c4: expected factions"),
        ({**WHOLE, HEAD: with_reading(units={"c4": {"red": {"troop": 1e9}}})}, "c4: expected factions"),
        ({**WHOLE, HEAD: with_reading(units={"c4": {"red": {"troop": -1}}})}, "c4: expected factions"),
        ({**WHOLE, HEAD: with_reading(units={"c4": {"red": {"elephant": 1}}})}, "c4: expected factions"),
        ({**WHOLE, HEAD: with_reading(commanders={"advance:c4": "blue"})}, "commanders: "),
        ({**WHOLE, HEAD: with_reading(commanders={"advance:c4": []})}, "commanders: "),
        ({**WHOLE, HEAD: with_reading(confidence={"c4": 1.5})}, "confidence: "),
        ({**WHOLE, HEAD: with_reading(confidence={"c4": float("nan")})}, "not JSON"),
        ({**WHOLE, HEAD: with_reading(unreadable=[["c4"]])}, "unreadable: "),
        ({**WHOLE, GAME: b""}, "game.jsonl: not a saved game"),
        ({**WHOLE, GAME: lines_of({**REQUEST, "board": "x"})}, "game.jsonl: not a saved game"),
        ({**WHOLE, BOARD_FILE: b"\xff"}, "board.toml: not a text file"),
        ({**WHOLE, BOARD_FILE: b"board = 1"}, "board.toml: board"),
        ({**WHOLE, BOARD_FILE: own_rivers(BOARD).encode()}, "comes with the engine"),
        ({**WHOLE, BOARD_FILE: b"x" * 1_000_000}, "board.toml: too large"),
        ({**WHOLE, TABLE: b"no zip"}, "table.gunbai: not a table file"),
        ({**WHOLE, TABLE: zipped({f"{n}.json": b"" for n in range(20)})}, "too large inside"),
        ({**WHOLE, TABLE: zipped({"table.json": bytes(70_000_000)})}, "too large inside"),
        ({**WHOLE, TABLE: zipped({"reference.png": HUGE})}, "60000x60000 pixels"),
    ],
)
def test_what_is_wrong_with_a_bundle_is_one_clear_line(
    members: dict[str, bytes], told: str, tmp_path: Path, capsys: Capture
) -> None:
    report = tmp_path / "report.zip"
    report.write_bytes(zipped(members))
    line = fault(capsys, "bundle", "--check", str(report))
    assert told in line
    assert str(report) in line


def test_a_table_of_zeros_is_no_table(tmp_path: Path) -> None:
    write_bundle(tmp_path / "b.zip", TINY)
    with pytest.raises(BundleError, match=r"b\.zip: table\.gunbai: "):
        check_bundle(tmp_path / "b.zip")


def test_a_zip_that_lies_about_sizes_is_refused() -> None:
    data = bytearray(bundle_bytes(TINY))
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"PK\x01\x02"))
    for offset in (20, 24):
        data[at + offset : at + offset + 4] = (5).to_bytes(4, "little")
    with pytest.raises(BundleError):
        parse_bundle(bytes(data), "b.zip")


def test_other_ways_of_packing_are_refused() -> None:
    with pytest.raises(BundleError, match="packed in a way"):
        parse_bundle(zipped(WHOLE, zipfile.ZIP_LZMA), "b.zip")


def test_two_files_of_one_name_are_refused() -> None:
    both = bundle_bytes(Bundle(BOARD, TINY_TABLE, (*TINY.frames, *TINY.frames))).replace(
        b"frames/02.jpg", b"frames/01.jpg"
    )
    with pytest.raises(BundleError, match="two files with the same name"):
        parse_bundle(both, "b.zip")


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_a_bundle_that_was_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(BundleError, match="not a bundle, or cut off"):
        parse_bundle(bundle_bytes(TINY)[:cut], "b.zip")


def test_a_file_too_large_for_any_bundle_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(bytes(100))
    monkeypatch.setattr(bundle_file, "WHOLE_LIMIT", 99)
    with pytest.raises(BundleError, match="larger than"):
        read_bundle(path)
    with pytest.raises(BundleError, match="can't be read"):
        read_bundle(tmp_path / "none.zip")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give a saved game or pictures"),
        (["a.jpg"], "give a saved game or pictures"),
        (["--check", "b.zip", "a.jpg"], "--check takes a bundle"),
        (["a.jsonl", "b.jsonl", "-o", "x.zip"], "one saved game"),
        (["a.jpg", "--truth", "1", "--truth", "2", "-o", "x.zip"], "more positions than pictures"),
        (["a.jpg", "-o", "x.zip"], "--table TABLE is needed"),
    ],
)
def test_what_is_asked_wrongly_is_told(arguments: list[str], told: str, capsys: Capture) -> None:
    assert told in fault(capsys, "bundle", *arguments)


@pytest.mark.parametrize(
    ("data", "told"),
    [(PICTURE, "too few"), (PICTURE[:60], "photo.jpg"), (b"", "not a JPEG"), (HUGE, "60000")],
    ids=["small", "cut off", "empty", "huge"],
)
def test_a_picture_that_cannot_be_read_is_told(
    data: bytes, told: str, table: Path, tmp_path: Path, capsys: Capture
) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(data)
    assert told in fault(capsys, "bundle", str(photo), "--table", str(table), "-o", "x.zip")
