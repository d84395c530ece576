"""The commands over pictures: a table made from photos, frames read, a photo scored; every fault in one line."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.core.errors import UsageError
from companion.demo.table import SimulatedTable
from companion.perception import table_file
from companion.perception.adapters import reading_json
from companion.perception.table_file import load_table
from companion.terminal.eye import parse_corners, parse_support, photo_score, reading_text, unsure_text
from engine.orders.board import board_names, load_board
from engine.orders.game import new_game
from tests.companion.commands.terminal import Capture, fault, printed
from tests.companion.sample_games import BOARD, BONUSES, game_file, played
from vision.reading.read import Reading
from vision.simulation.table import Moment

pytestmark = pytest.mark.long

SMALL = (640, 480)


class Photos:
    """Photos of a simulated table: the empty board, the start, the end of a game; and the corners in the first."""

    def __init__(self, folder: Path) -> None:
        table = SimulatedTable(load_board(BOARD), 1)
        empty = table.studio.shoot((), Moment(seed=1))
        self.corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in empty.truth["corners_px"])
        self.reference = self._save(folder / "empty.png", empty.picture)
        table.lay(new_game(BOARD, "red", BONUSES))
        self.start = self._save(folder / "start.png", whole := table.photo())
        self.dim = self._save(folder / "dim.png", (whole * 0.22).astype(np.uint8))
        self.alone = {}
        for side in ("red", "black"):
            table.pieces = tuple(piece for piece in table.pieces if piece.faction == side)
            self.alone[side] = self._save(folder / f"{side}.png", table.photo())
            table.lay(new_game(BOARD, "red", BONUSES))
        table.lay(played()[1][-1])
        self.end = self._save(folder / "end.png", table.photo())
        self.small = self._save(folder / "small.png", np.zeros((SMALL[1], SMALL[0], 3), np.uint8))
        self.tiny = self._save(folder / "tiny.png", np.zeros((100, 100, 3), np.uint8))
        self.broken = str(folder / "broken.jpg")
        Path(self.broken).write_bytes(Path(self.end).read_bytes()[:40])
        self.table = str(folder / "kitchen.table")

    def _save(self, path: Path, picture: np.ndarray) -> str:
        path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        return str(path)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Photos:
    """Return the photos, with a table made from them by the command itself."""
    made = Photos(tmp_path_factory.mktemp("photos"))
    argv = ["calibrate", made.reference, "--board", BOARD, "--corners", made.corners, "--start", made.start]
    assert main([*argv, "-o", made.table]) == 0
    return made


# ---- calibrate ----------------------------------------------------------------------------------


def test_a_table_is_made_and_told_and_photos_without_fault_are_not_spoken_of(
    photos: Photos, tmp_path: Path, capsys: Capture
) -> None:
    output = str(tmp_path / "new.table")
    argv = ["calibrate", photos.reference, "--board", BOARD, "--corners", photos.corners, "-o", output]
    out = printed(capsys, *argv)
    assert out.startswith(f"{output}: sengoku-rivers, 1280x960 pixels, corners as given, usual pieces (a photo with")
    assert load_table(output).plan.board == BOARD
    assert calibrated(photos, photos.reference, photos.start, tmp_path / "new.table") == 0
    assert capsys.readouterr().err == ""


def calibrated(photos: Photos, reference: str, start: str, output: Path) -> int:
    argv = ["calibrate", reference, "--board", BOARD, "--corners", photos.corners, "--start", start]
    return main([*argv, "-o", str(output)])


def test_the_support_board_is_learnt_where_its_spaces_are_named(
    photos: Photos, tmp_path: Path, capsys: Capture
) -> None:
    output = str(tmp_path / "new.table")
    argv = ["calibrate", photos.reference, "--board", BOARD, "--corners", photos.corners, "-o", output]
    out = printed(capsys, *argv, "--support", "plan:1 1200,200 plan:2 1200,280.5")
    assert "corners as given, 2 spaces of the support board, usual pieces" in out
    assert load_table(output).support_px == (("plan:1", (1200.0, 200.0)), ("plan:2", (1200.0, 280.5)))
    line = fault(capsys, *argv, "--support", "plan:1 1500,200")
    assert line == f"{photos.reference}: plan:1 of the support board is outside the picture of 1280x960 pixels"


def test_what_are_no_support_spaces_is_told() -> None:
    form = '--support: expected "reinforce:1 x,y reinforce:2 x,y", in pixels, not'
    for text in ("", "plan:1", "plan:1 3", "plan:1 1,2 plan:2", "1,2 plan:1", "plan:1 1,2 plan:2 x,y"):
        with pytest.raises(UsageError, match=form):
            parse_support(text, load_board(BOARD))
    other = "'take_off:1' isn't a space of the support board; choose from: reinforce:1, reinf"
    with pytest.raises(UsageError, match=other):
        parse_support("take_off:1 4,5", load_board(BOARD))


def test_a_side_that_the_eye_cannot_find_and_a_dark_photo_are_told_as_in_the_app(
    photos: Photos, tmp_path: Path, capsys: Capture
) -> None:
    """The table is written all the same; the areas that differ from the printed start are told too."""
    told = ((photos.alone[side], f"{other}: no pieces found.") for side, other in (("red", "Black"), ("black", "Red")))
    for photo, fault_of_it in (*told, (photos.dim, "Too dark. Turn on a lamp.\n")):
        output = tmp_path / "new.table"
        assert calibrated(photos, photos.reference, photo, output) == 0
        assert f"gunbai: {photo}: {fault_of_it}" in capsys.readouterr().err
        assert load_table(str(output)).start_bgr is not None


def test_two_photos_that_show_the_same_make_no_table(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    rest = ["--board", BOARD, "--corners", photos.corners, "--start", photos.reference, "-o", str(tmp_path / "never")]
    line = fault(capsys, "calibrate", photos.reference, *rest)
    assert line.startswith(f"{photos.reference}, {photos.reference}: Both photos look the same.")
    assert not (tmp_path / "never").exists()


def test_corners_are_found_where_none_are_given(
    photos: Photos, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = np.array(parse_corners(photos.corners))
    monkeypatch.setattr("vision.calibration.calibrate.find_corners", lambda picture, plan: found)
    told = re.search(
        "board found at ([-\\d ,]+), usual pieces",
        printed(capsys, "calibrate", photos.reference, "--board", BOARD, "-o", str(tmp_path / "t")),
    )
    assert told
    assert np.allclose(parse_corners(told[1]), found, atol=8), "as found, or set right by what the picture shows"


@pytest.mark.parametrize("text", ["", "1,2", "1,2 3,4 5,6", "1,2 3,4 5,6 7,x", "1 2 3 4 5 6 7 8", "1,2 3,4 5,6 7,nan"])
def test_what_are_no_corners_is_told(text: str) -> None:
    with pytest.raises(UsageError, match='--corners: expected "x,y x,y x,y x,y", in pixels, not'):
        parse_corners(text)


@pytest.mark.parametrize(
    ("corners", "told"),
    [
        ("10,10 20,10", '--corners: expected "x,y x,y x,y x,y"'),
        ("100,100 900,800 900,100 100,800", "{reference}: the corners don't form a proper quadrilateral"),
        ("100,100 100,800 900,800 900,100", "{reference}: the corners run the wrong way round"),
        ("100,100 90000,100 90000,800 100,800", "{reference}: a corner is far outside the picture"),
        ("100,100 101,100 101,101 100,101", "{reference}: the corners enclose too small a part"),
        ("100,100 500,500 900,900 100,900", "{reference}: the corners don't form a proper quadrilateral: three"),
    ],
)
def test_corners_that_cannot_be_are_told(corners: str, told: str, photos: Photos, capsys: Capture) -> None:
    told = told.format(reference=photos.reference)
    line = fault(capsys, "calibrate", photos.reference, "--board", BOARD, "--corners", corners, "-o", "never.table")
    assert line.startswith(told)
    for command in ("read", "score"):
        assert fault(capsys, command, "--table", photos.table, photos.reference, "--corners", corners).startswith(told)


def test_pictures_that_cannot_be_used_for_calibration_are_named(
    photos: Photos, tmp_path: Path, capsys: Capture
) -> None:
    rest = ["--board", BOARD, "--corners", photos.corners, "-o", str(tmp_path / "t")]
    assert fault(capsys, "calibrate", "gone.jpg", *rest) == "gone.jpg: can't be read (No such file or directory)"
    assert fault(capsys, "calibrate", photos.broken, *rest) == f"{photos.broken}: not a readable picture"
    assert fault(capsys, "calibrate", photos.tiny, *rest).startswith(f"{photos.tiny}: 100x100 pixels are too few")
    line = fault(capsys, "calibrate", photos.reference, "--start", photos.small, *rest)
    assert line.startswith(f"{photos.reference}, {photos.small}: ")


def test_a_table_for_an_unknown_board_or_a_place_that_is_not_there(photos: Photos, capsys: Capture) -> None:
    argv = ["calibrate", photos.reference, "--corners", photos.corners]
    line = fault(capsys, *argv, "--board", "sengoku-lakes", "-o", "t")
    assert line == f"no board named 'sengoku-lakes'; there is {', '.join(board_names())}"
    line = fault(capsys, *argv, "--board", BOARD, "-o", "/nowhere/at/all.table")
    assert line == "/nowhere/at/all.table: can't be written (No such file or directory)"


# ---- read ---------------------------------------------------------------------------------------


def test_a_frame_is_read_as_one_json_line(photos: Photos, capsys: Capture) -> None:
    first, second = map(
        json.loads, printed(capsys, "read", "--table", photos.table, photos.start, photos.end, "--json").splitlines()
    )
    assert list(first) == ["frame", "units", "commanders", "confidence", "unreadable", "ms", "why", "light"]
    assert set(first["why"]) == {area for area, sure in first["confidence"].items() if sure < 0.99}
    assert first["light"]["other"] is False
    assert (first["frame"], second["frame"]) == (photos.start, photos.end)
    assert set(first["confidence"]) == {area.name for area in load_board(BOARD).areas}
    assert first["ms"] > 0
    start = new_game(BOARD, "red", BONUSES)
    right = [area for area in first["confidence"] if first["units"].get(area, {}) == start.units_in(area)]
    assert len(right) >= 18


def test_a_frame_is_read_for_people(photos: Photos, capsys: Capture) -> None:
    lines = printed(capsys, "read", "--table", photos.table, photos.start).splitlines()
    assert lines[0].startswith(f"{photos.start}: ")
    assert " of 22 areas read for sure, " in lines[0]
    assert any(line.startswith("  e3 ") and "red troops" in line for line in lines)
    assert lines[-1] == "  commanders: none"


def test_a_board_is_read_where_its_corners_are_shown(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    """Roughly, beginning with any of them, in a picture of another size."""
    whole, half = cv2.imread(photos.end), str(tmp_path / "half.png")
    assert whole is not None
    cv2.imwrite(half, cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    shown = np.roll(parse_corners(photos.corners), 1, axis=0) + np.array([[9, -7], [-8, 8], [6, 9], [-9, -6]])
    units = []
    for picture, scale in ((photos.end, None), (photos.end, 1.0), (half, 0.5)):
        corners = [] if scale is None else ["--corners", " ".join(f"{x:.1f},{y:.1f}" for x, y in scale * shown)]
        assert main(["read", "--table", photos.table, picture, "--json", *corners]) == 0
        out, err = capsys.readouterr()
        assert not err
        units.append(json.loads(out)["units"])
    assert units[0] == units[1]
    assert sum(units[0].get(area) == units[2].get(area) for area in units[0]) >= len(units[0]) - 2


@pytest.mark.parametrize("command", ["read", "score"])
def test_a_board_that_is_not_found_or_not_there_is_told(command: str, photos: Photos, capsys: Capture) -> None:
    asked = [command, "--table", photos.table]
    assert main([*asked, photos.small]) == 0
    told = f'{photos.small}: board not found; show its corners: --corners "x,y x,y x,y x,y"'
    assert capsys.readouterr().err == f"gunbai: {told}\n"
    beside = " ".join(f"{x + 60:.0f},{y + 60:.0f}" for x, y in parse_corners(photos.corners))
    line = fault(capsys, *asked, photos.end, "--corners", beside)
    assert line == f"{photos.end}: --corners: the board's print isn't there, or too little of it shows"


def test_corners_of_a_position_are_refused(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    line = fault(capsys, "score", str(game_file(tmp_path)), "--corners", photos.corners)
    assert line == "--corners goes with --table: it is the board's place in a picture"


def test_frames_that_cannot_be_read_are_named(photos: Photos, capsys: Capture) -> None:
    table = ["--table", photos.table]
    assert fault(capsys, "read", *table, "gone.jpg") == "gone.jpg: can't be read (No such file or directory)"
    assert fault(capsys, "read", *table, photos.broken) == f"{photos.broken}: not a readable picture"
    line = fault(capsys, "read", *table, photos.tiny)
    assert line.startswith(f"{photos.tiny}: 100x100 pixels are too few")
    tall = Path(photos.small).with_name("tall.png")
    tall.write_bytes(cv2.imencode(".png", np.zeros((900, 640, 3), np.uint8))[1].tobytes())
    line = fault(capsys, "read", *table, str(tall))
    assert line == f"{tall}: the frame: 640x900 pixels, but the table was calibrated at 1280x960"
    assert main(["read", *table, photos.start, photos.broken, "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["frame"] == photos.start, "pictures before a broken one are still told"
    assert err == f"gunbai: {photos.broken}: not a readable picture\n"


def test_broken_table_files_are_named(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    gone, cut, other = tmp_path / "gone", tmp_path / "cut.table", tmp_path / "other.table"
    cut.write_bytes(Path(photos.table).read_bytes()[:3000])
    other.write_text("{}")
    assert fault(capsys, "read", "--table", str(gone), photos.end).startswith(f"{gone}: can't be read")
    assert fault(capsys, "read", "--table", str(cut), photos.end).startswith(f"{cut}: not a table file, or cut off")
    assert fault(capsys, "read", "--table", str(other), photos.end).startswith(f"{other}: not a table file, or cut off")


def test_a_table_whose_board_is_another_is_refused(
    photos: Photos, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = load_table(photos.table)
    plan, gone = table.plan, table.plan.areas[0].name
    object.__setattr__(plan, "areas", plan.areas[1:])
    object.__setattr__(plan, "spaces", tuple(space for space in plan.spaces if space.area != gone))
    object.__setattr__(plan, "start", tuple(row for row in plan.start if row[0] != gone))
    table.save(tmp_path / "few.table")
    line = fault(capsys, "read", "--table", str(tmp_path / "few.table"), photos.end)
    assert line == f"{tmp_path}/few.table: its sengoku-rivers has other areas than the rules know: calibrate again"
    object.__setattr__(table.plan, "board", "sengoku-lakes")
    table.save(tmp_path / "lakes.table")
    line = fault(capsys, "read", "--table", str(tmp_path / "lakes.table"), photos.end)
    assert line.startswith(f"{tmp_path}/lakes.table: a table for another board: no board named 'sengoku-lakes'")


# ---- score --------------------------------------------------------------------------------------


def test_a_photo_is_scored_with_what_the_eye_was_unsure_of(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    game = str(game_file(tmp_path))
    out = printed(capsys, "score", "--table", photos.table, photos.end, "--game", game)
    end = played()[1][-1]
    assert out.startswith(f"as read from the picture; round 4, initiative {end.initiative_name}, from {game}")
    assert " wins\n" in out
    assert "the eye was " in out
    found = json.loads(printed(capsys, "score", "--table", photos.table, photos.end, "--game", game, "--json"))
    assert set(found) >= {"vp", "areas", "winner", "reason", "supply", "cut", "units", "confidence", "unsure", "frame"}


Units = dict[str, dict[str, dict[str, int]]]


def reading_of(units: Units, **doubts: float) -> Reading:
    names = [area.name for area in load_board(BOARD).areas]
    hidden = tuple(area for area, sure in doubts.items() if sure == 0)
    return Reading(units, {}, dict.fromkeys(names, 0.99) | doubts, hidden, 30.0)


HOMES: Units = {"a3": {"black": {"troop": 3}}, "e3": {"red": {"troop": 3}}}


def seen(monkeypatch: pytest.MonkeyPatch, reading: Reading) -> None:
    monkeypatch.setattr(table_file, "read", lambda table, picture, found: reading)


def test_what_is_at_an_edge_is_said_and_told() -> None:
    reading = replace(reading_of(HOMES, a1=0.0, b1=0.0), cut_off=("a1",), at_a_line=("c5", "c6"))
    lines = [" ".join(line.split()) for line in reading_text("x.jpg", reading).splitlines()]
    assert {"a1 out of the picture nothing", "b1 hidden nothing"} <= set(lines)
    assert lines[-1] == "a piece stands on a border: c5, c6"
    told = reading_json("x.jpg", reading)
    assert (told["cut_off"], told["at_a_line"], "strange" in told) == (["a1"], ["c5", "c6"], False)


def test_without_a_game_a_tie_is_left_to_the_initiative(
    photos: Photos, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    seen(monkeypatch, reading_of(HOMES))
    out = printed(capsys, "score", "--table", photos.table, photos.end)
    assert out.startswith("as read from the picture; round and initiative are not known\n")
    assert "a tie\n  both have 0 points: whoever holds the initiative wins (give the game with --game" in out
    assert out.endswith("the eye was sure of every area\n")
    found = json.loads(printed(capsys, "score", "--table", photos.table, photos.end, "--json"))
    assert (found["winner"], found["reason"], found["unsure"]) == (None, "tie", {})


@pytest.mark.parametrize(
    ("units", "winner", "why"),
    [
        (HOMES | {"d4": {"red": {"ship": 1}}}, "red", "Red leads with 1 point to 0"),
        ({"e3": HOMES["e3"]}, "red", "black has no units left in its headquarters"),
        ({}, None, "both headquarters are empty:"),
    ],
)
def test_without_a_game_points_and_headquarters_decide(
    units: Units, winner: str | None, why: str, photos: Photos, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen(monkeypatch, reading_of(units))
    ended = photo_score(photos.table, photos.end, None).ended
    assert ended.winner == winner
    assert ended.why[0].startswith(why)


def test_hidden_headquarters_are_warned_of(photos: Photos, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen(monkeypatch, reading_of({"a3": HOMES["a3"]}, e3=0.0, c4=0.62))
    found = photo_score(photos.table, photos.end, str(game_file(tmp_path)))
    assert found.ended.why[-1] == ("red's headquarters e3 could not be read for sure, which may decide the game")
    assert found.text.endswith(
        "the eye was unsure of 2 areas:\n  e3: hidden, taken as nothing\n  c4: 62% sure of nothing"
    )


def test_a_game_that_is_cut_off_is_used_and_said(photos: Photos, tmp_path: Path, capsys: Capture) -> None:
    path = game_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-6])
    assert main(["score", "--table", photos.table, photos.end, "--game", str(path)]) == 0
    assert "is cut off; opened up to step" in capsys.readouterr().err


def test_what_cannot_be_a_position_is_told(photos: Photos, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    seen(monkeypatch, reading_of({"c6": {"red": {"ship": 30}}}))
    line = fault(capsys, "score", "--table", photos.table, photos.end)
    assert line == "what the eye saw can't be a position of the game: units: red has only 10 ships in the box"


# ---- in words and numbers -----------------------------------------------------------------------


def test_a_reading_in_words(photos: Photos) -> None:
    reading = reading_of({"c4": {"red": {"troop": 1}}, "b3": {"black": {"troop": 2}}}, c4=0.62, d1=0.0)
    object.__setattr__(reading, "commanders", {"sail:c6": "black", "advance:c4": "red"})
    lines = reading_text("x.jpg", reading).splitlines()
    assert lines[0] == "x.jpg: 20 of 22 areas read for sure, 30 ms"
    assert [line.split(maxsplit=1)[0] for line in lines[1:-1]] == ["area", "b3", "c4", "d1"]
    assert lines[2].split() == ["b3", "99%", "2", "black", "troops"]
    assert lines[3].split() == ["c4", "62%", "?", "1", "red", "troop"]
    assert lines[4].split() == ["d1", "hidden", "nothing"]
    assert lines[5] == "  commanders: red on advance:c4, black on sail:c6"
    assert reading_json("x.jpg", reading)["unreadable"] == ["d1"]
    assert "unsure of 2 areas" in unsure_text(load_table(photos.table), reading)
