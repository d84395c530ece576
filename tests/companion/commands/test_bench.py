"""`gunbai bench`: folders and bundles in, figures out; what strangers' folders hold is refused in a line."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.cli import main
from companion.content.shelves import BOARDS
from companion.demo.table import SimulatedTable
from companion.evidence.bundle_file import Bundle, BundleFrame, bundle_bytes, read_bundle
from companion.perception.adapters import plan_of
from companion.terminal.bench import _leaders, open_source
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Deploy
from tests.companion.commands.terminal import Capture, fault, printed
from tests.companion.owned import own_rivers
from tests.companion.sample_games import BOARD, game_file, played
from tests.vision.tables import write_table
from vision.frame import jpeg_of
from vision.table import Table

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the small simulated table in a folder of its own."""
    return write_table(tmp_path_factory.mktemp("photos") / "one")


@pytest.fixture
def folder(small: Path, tmp_path: Path) -> Path:
    """Return a copy of the small table's folder, which a test may spoil."""
    return shutil.copytree(small, tmp_path / "photos" / "one").parent


def changed(path: Path, change: Change) -> None:
    """Change the object in a JSON file."""
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def more_in_b1(truth: dict[str, Any]) -> None:
    truth["frame-01"]["units"]["b1"]["red"] = {"troop": 2}


def test_a_folder_is_scored(folder: Path, capsys: Capture) -> None:
    said = printed(capsys, "bench", str(folder), "--areas", "1", "--silent", "0")
    assert said.startswith(
        "one: areas right: 4 of 4 (100.0%); frames right: 1 of 1\n  in clear sight: 4 of 4 (100.0%) right, "
    )
    assert "\n  sure and wrong: 0 (0 in clear sight)\n" in said
    assert "\n  3 red troops: 0 missed, 0 invented\n" in said
    assert "\n  commanders: 1 of 1 found, 0 invented\n" in said
    assert "all tables" not in said, "one table is all of them"


def test_several_tables_are_added_up(folder: Path, capsys: Capture) -> None:
    shutil.copytree(folder / "one", folder / "more" / "two")
    heads = [line for line in printed(capsys, "bench", str(folder)).splitlines() if not line.startswith(" ")]
    assert heads == [
        "more/two: areas right: 4 of 4 (100.0%); frames right: 1 of 1",
        "one: areas right: 4 of 4 (100.0%); frames right: 1 of 1",
        "all tables: areas right: 8 of 8 (100.0%); frames right: 2 of 2",
    ]


@pytest.mark.long
def test_what_is_wrong_is_listed_and_misses_the_mark(folder: Path, capsys: Capture) -> None:
    changed(folder / "one" / "truth.json", more_in_b1)
    said = printed(capsys, "bench", str(folder), "--list")
    assert "  one/frame-01 b1: wanted 3 black troops, 2 red troops, read 3 black troops, 1 red troop, " in said
    assert "4 red troops: 1 missed, 0 invented" in said
    changed(folder / "one" / "truth.json", lambda truth: truth["frame-01"].update(occluded=["b1"]))
    said = printed(capsys, "bench", str(folder), "--list")
    assert "  one/frame-01 b1 (covered): wanted 3 black troops, 2 red troops, " in said
    assert "sure and wrong: 1 (0 in clear sight)" in said
    assert main(["bench", str(folder), "--areas", "0.75"]) == 0
    assert main(["bench", str(folder), "--areas", "0.76"]) == 1
    assert main(["bench", str(folder), "--silent", "1"]) == 0
    assert main(["bench", str(folder), "--silent", "0"]) == 1


def test_json_is_a_line_for_each_table_and_one_for_all(folder: Path, capsys: Capture) -> None:
    changed(folder / "one" / "truth.json", more_in_b1)
    table, total = map(json.loads, printed(capsys, "bench", str(folder), "--json", "--list").splitlines())
    assert (table["table"], total["table"]) == ("one", None)
    assert (table["areas"], table["right"], table["silent"], table["frames"]) == (4, 3, 1, 1)
    assert [(miss["place"], miss["want"]) for miss in table["wrong"]] == [
        ("b1", {"black": {"troop": 3}, "red": {"troop": 2}})
    ]
    assert {key: total[key] for key in table.keys() - {"table", "wrong"}} == {
        key: table[key] for key in table.keys() - {"table", "wrong"}
    }


def test_the_photo_of_the_start_may_be_missing_or_left_out(folder: Path) -> None:
    assert open_source(folder / "one").table.start_bgr is not None
    assert open_source(folder / "one", with_start=False).table.start_bgr is None
    assert main(["bench", str(folder / "one"), "--no-start"]) == 0
    (folder / "one" / "start.jpg").unlink()
    assert open_source(folder / "one").table.start_bgr is None


def test_an_owners_board_lies_beside_the_photos_and_not_on_the_shelf(folder: Path) -> None:
    table = folder / "one"
    (table / "plan.json").unlink()
    (table / "start.jpg").unlink()
    (table / "truth.json").write_text(json.dumps({"frame-01": {"units": {"c4": {"red": {"troop": 1}}}}}))
    (table / "board.toml").write_text(own_rivers("sengoku-rivers-ana"))
    known = open_source(table)
    assert (known.table.plan.board, len(known.table.plan.areas)) == ("sengoku-rivers-ana", 22)
    assert BOARDS.names() == ()
    (table / "board.toml").unlink()
    changed(table / "table.json", lambda head: head.update(board=BOARD))
    assert open_source(table).table.plan.board == BOARD


def test_a_picture_without_truth_is_left_out(folder: Path, capsys: Capture) -> None:
    shutil.copy(folder / "one" / "frame-01.jpg", folder / "one" / "frame-02.jpg")
    assert main(["bench", str(folder)]) == 0
    told = f"gunbai: note: {folder / 'one'}: 1 picture left out: not confirmed\n"
    assert capsys.readouterr().err == told


# ---- what strangers send ------------------------------------------------------------------------

FRAME: dict[str, Any] = {"units": {}}


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("truth.json", lambda truth: truth.clear(), "1 to 1000 frames"),
        ("truth.json", lambda truth: truth.update({f"f-{n}": FRAME for n in range(1001)}), "1 to 1000 frames"),
        ("truth.json", lambda truth: truth.update({"frame-02": FRAME}), "frame-02: there is no such picture"),
        ("truth.json", lambda truth: truth.update({"../one/frame-01": FRAME}), "the name of a picture beside it"),
        ("truth.json", lambda truth: truth.update({"/etc/passwd": FRAME}), "the name of a picture beside it"),
        ("truth.json", lambda truth: truth.update({"..": FRAME}), "..: "),
        ("truth.json", lambda truth: truth.update({"a\x1b[2J": FRAME}), "expected a name"),
        ("truth.json", lambda truth: truth.update({"x" * 5000: FRAME}), "expected a name"),
        ("truth.json", lambda truth: truth["frame-01"].update(units={"q9": {}}), "'q9': expected an area of test-four"),
        ("table.json", lambda head: head.update(corners_px=[[1, 2]]), "corners_px: expected four corners"),
        ("table.json", lambda head: head.update(corners_px=[[1e308, "x"]] * 4), "corners_px: expected a number"),
        ("table.json", lambda head: head.update(corners_px=[[1, 1]] * 4), "proper quadrilateral"),
        ("plan.json", lambda plan: plan.update(areas=[]), "the board's plan is broken"),
    ],
)
def test_what_is_wrong_with_a_folder_is_one_line(
    name: str, change: Change, told: str, folder: Path, capsys: Capture
) -> None:
    changed(folder / "one" / name, change)
    line = fault(capsys, "bench", str(folder))
    assert told in line
    assert str(folder / "one") in line


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("truth.json", b"[" * 100_000, "nested too deeply"),
        ("truth.json", b"[]", "not a JSON object"),
        ("truth.json", b" " * 5_000_000, "longer than 4 MB"),
        ("table.json", b"\xff", "not a text file"),
        ("plan.json", b"{", "not JSON"),
        ("reference.jpg", b"GIF89a", "not a readable picture"),
        ("start.jpg", b"", "the file is empty"),
        ("frame-01.jpg", b"\xff\xd8\xff", "not a readable picture"),
    ],
)
def test_a_broken_file_is_named(name: str, data: bytes, told: str, folder: Path, capsys: Capture) -> None:
    (folder / "one" / name).write_bytes(data)
    line = fault(capsys, "bench", str(folder))
    assert told in line
    assert str(folder / "one" / name) in line


def test_what_is_missing_is_named(folder: Path, capsys: Capture) -> None:
    (folder / "one" / "reference.jpg").unlink()
    assert fault(capsys, "bench", str(folder)) == f"{folder / 'one'}: no reference.jpg, the photo of the empty board"
    (folder / "one" / "plan.json").unlink()
    assert fault(capsys, "bench", str(folder)) == f"{folder / 'one' / 'table.json'}: board: expected a name"
    (folder / "one" / "table.json").unlink()
    assert "table.json: can't be read" in fault(capsys, "bench", str(folder))
    (folder / "one" / "truth.json").unlink()
    told = "no table with a truth.json and no bundle in it"
    assert fault(capsys, "bench", str(folder)) == f"{folder}: {told}"
    assert fault(capsys, "bench", str(folder / "none")) == f"{folder / 'none'}: no such file or folder"


@pytest.mark.parametrize(
    "options", [["--areas", "1.5"], ["--areas", "nan"], ["--areas", "x"], ["--silent", "x"], ["--silent", "-1"]]
)
def test_marks_that_make_no_sense_are_refused(options: list[str], folder: Path, capsys: Capture) -> None:
    assert f"argument {options[0]}" in fault(capsys, "bench", str(folder), *options)


# ---- bundles ------------------------------------------------------------------------------------

STEPS = (0, 4, 9)


@pytest.fixture(scope="module")
def game_of_photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a table, a saved game, and a photo of the table after each of its steps."""
    folder, simulated = tmp_path_factory.mktemp("game"), SimulatedTable(load_board(BOARD), 1)
    simulated.calibrated().save(folder / "kitchen.table")
    for step in STEPS:
        simulated.lay(played()[1][step])
        (folder / f"after-{step}.jpg").write_bytes(jpeg_of(simulated.photo(), 95))
    game_file(folder, steps=12)
    return folder


def test_commanders_on_a_support_board_in_sight_are_part_of_the_truth() -> None:
    plan, position = plan_of(load_board(BOARD)), game.apply(played()[1][0], Deploy("plan:1", draw=1))
    table = Table(plan, np.zeros((48, 64, 3), np.uint8), ((0.0, 0.0), (60.0, 0.0), (60.0, 40.0), (0.0, 40.0)))
    mover = played()[1][0].to_move_name
    assert _leaders(table, position) == frozenset()
    assert _leaders(replace(table, support_px=(("plan:1", (5.0, 5.0)),)), position) == {("plan:1", mover)}
    assert _leaders(replace(table, support_px=(("plan:2", (5.0, 5.0)),)), position) == frozenset()


@pytest.mark.long
def test_a_game_and_the_steps_of_its_photos_are_the_truth(
    game_of_photos: Path, tmp_path: Path, capsys: Capture
) -> None:
    photos = [str(game_of_photos / f"after-{step}.jpg") for step in STEPS]
    packed = tmp_path / "photos.zip"
    command = ["bundle", str(game_of_photos / "game.jsonl"), *photos, "--steps", " ".join(map(str, STEPS))]
    assert main([*command, "--table", str(game_of_photos / "kitchen.table"), "-o", str(packed)]) == 0
    assert [frame.step for frame in read_bundle(packed).frames] == list(STEPS)
    known = open_source(packed)
    for step, frame in zip(STEPS, known.frames, strict=True):
        position = played()[1][step]
        spaces = [space for space in position.board.spaces if space.area is not None]
        led = frozenset((space.name, who) for space in spaces for who in position.commanders_on(space.name))
        assert frame.truth.commanders == led
    capsys.readouterr()
    table, total = map(
        json.loads, printed(capsys, "bench", str(tmp_path), "--json", "--silent", "0", "--areas", "0.95").splitlines()
    )
    assert (table["table"], table["frames"], table["areas"]) == ("photos.zip", 3, 66)
    assert total["commanders"] >= 5
    assert open_source(packed, with_start=False).table.start_bgr is None


@pytest.mark.long
def test_pictures_that_nobody_confirmed_are_left_out(game_of_photos: Path, tmp_path: Path, capsys: Capture) -> None:
    photos, packed = [str(game_of_photos / f"after-{step}.jpg") for step in STEPS[:2]], tmp_path / "photos.zip"
    table, game = str(game_of_photos / "kitchen.table"), str(game_of_photos / "game.jsonl")
    assert main(["bundle", *photos, "--table", table, "-o", str(packed)]) == 0
    capsys.readouterr()
    told = f"{packed}: nobody has confirmed what was on the board in its pictures"
    assert fault(capsys, "bench", str(packed)) == told
    state = tmp_path / "start.jsonl"
    state.write_bytes(Path(game).read_bytes().splitlines(keepends=True)[0])
    assert main(["bundle", *photos, "--truth", str(state), "--table", table, "-o", str(packed)]) == 0
    capsys.readouterr()
    assert main(["bench", str(packed)]) == 0
    out, err = capsys.readouterr()
    assert "; frames right: 1 of 1" in out
    assert "commanders" not in out, "a position was given, and no game with this step"
    assert err == f"gunbai: note: {packed}: 1 picture left out: not confirmed\n"


@pytest.mark.parametrize(
    ("steps", "told"),
    [("0", "for each picture"), ("0 13", "from 0 to 12"), ("0 x", "a number"), ("0 -1", "a number"), ("", "a number")],
)
def test_steps_that_the_game_has_not_are_refused(steps: str, told: str, tmp_path: Path, capsys: Capture) -> None:
    command = ["bundle", str(game_file(tmp_path, steps=12)), "a.jpg", "b.jpg", "-o", "x.zip", "--steps", steps]
    assert told in fault(capsys, *command)


def test_steps_need_a_game_and_no_other_truth(tmp_path: Path, capsys: Capture) -> None:
    told = "--steps: needs a saved game, and no --truth"
    assert fault(capsys, "bundle", "a.jpg", "-o", "x.zip", "--steps", "0") == told
    game = str(game_file(tmp_path))
    assert fault(capsys, "bundle", game, "a.jpg", "-o", "x.zip", "--steps", "0", "--truth", game) == told


def test_a_hostile_bundle_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    packed = tmp_path / "photos.zip"
    reading: dict[str, Any] = {"units": {}, "commanders": {}, "confidence": {}, "unreadable": []}
    frame = BundleFrame(jpeg_of(np.zeros((480, 640, 3), np.uint8)), reading, confirmed={})
    packed.write_bytes(bundle_bytes(Bundle(BOARD, b"no table", (frame,))))
    assert fault(capsys, "bench", str(tmp_path)).startswith(f"{packed}: table.gunbai: not a table file")
    with zipfile.ZipFile(tmp_path / "empty.table", "w") as table:
        table.writestr("table.json", "{}")
    packed.write_bytes(bundle_bytes(Bundle(BOARD, (tmp_path / "empty.table").read_bytes(), (frame,))))
    assert fault(capsys, "bench", str(tmp_path)).startswith(f"{packed}: table.gunbai: ")
