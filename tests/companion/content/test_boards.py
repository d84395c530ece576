"""The shelf of owners' boards, the command over it, and the boards made known at the start."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import cv2
import pytest

from companion.cli import main
from companion.content.shelves import BOARDS
from companion.perception.adapters import plan_of
from companion.tracing.draft_file import draft_path, load_draft
from companion.tracing.writer import text_with_places
from engine.orders.board import board_names, load_board, own_board_names, remove_board
from intake.toml_text import MOST_BYTES
from tests.companion.commands.terminal import Capture, fault, printed
from tests.companion.tracing.photos import photo, rivers, seeing
from vision.tracing.trace import NudgedPlan

TEXT = rivers().text()
NAME = "sengoku-rivers-ana"


@pytest.fixture(autouse=True)
def shelf(data: Path) -> Iterator[Path]:
    yield data
    for name in own_board_names():
        remove_board(name)


def file(folder: Path, name: str = NAME, text: str = TEXT) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_lies_there_is_made_known_and_broken_files_are_named(shelf: Path) -> None:
    BOARDS.save(NAME, TEXT)
    remove_board(NAME)
    folder = BOARDS.folder()
    file(folder, "sengoku-rivers-other")
    (folder / "bytes.toml").write_bytes(b"\xff\xfe")
    (folder / "long.toml").write_bytes(b"#" * (MOST_BYTES + 1))
    (folder / "folder.toml").mkdir()
    known = BOARDS.register()
    assert [board.name for board in known.things] == [NAME]
    assert NAME in board_names()
    assert [path.name for path, _why in known.broken] == [
        "bytes.toml", "folder.toml", "long.toml", "sengoku-rivers-other.toml",
    ]  # fmt: skip
    assert known.broken[0][1].endswith("bytes.toml: not a text file (byte 0 is not UTF-8)")
    assert known.broken[2][1].endswith("long.toml: longer than 800 kB, the limit")
    BOARDS.path_of(NAME).unlink()
    assert NAME not in [board.name for board in BOARDS.register().things]
    assert shelf.exists()


class TestCommand:
    def test_boards(self, shelf: Path, capsys: Capture) -> None:
        path = file(shelf)
        assert "sound" in printed(capsys, "boards", "--check", str(path))
        assert main(["boards", "--add", str(path)]) == 0
        (BOARDS.folder() / "broken.toml").write_text("x")
        assert main(["boards"]) == 0
        told = capsys.readouterr()
        assert f"{NAME} (Sengoku Jidai: Rivers): 22 areas, 34 spaces on the map; an owner's copy" in told.out
        assert "not read: " in told.out
        assert "broken.toml" in told.err

    @pytest.mark.parametrize("arguments", [["--share", NAME], ["--remove", "wwii-alpine"], ["--add", "none.toml"]])
    def test_what_cannot_be_done(self, arguments: list[str], capsys: Capture) -> None:
        fault(capsys, "boards", *arguments)

    def test_every_fault_of_a_file_at_once(self, shelf: Path, capsys: Capture) -> None:
        path = file(shelf, "broken", TEXT.replace("vp = 1", "vp = 99"))
        told = fault(capsys, "boards", "--check", str(path))
        assert told.count("is no int from 0 to 20") == TEXT.count("vp = 1\n")

    def test_the_referee_plays_on_an_owners_board(self, shelf: Path, capsys: Capture) -> None:
        BOARDS.import_file(file(shelf))
        steps = shelf / "steps.json"
        steps.write_text(json.dumps({"pass": True}))
        game = shelf / "game.jsonl"
        bonuses = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}
        game.write_text(json.dumps({"do": "new", "board": NAME, "initiative": "red", "bonuses": bonuses}) + "\n")
        remove_board(NAME)
        assert main(["check", str(game), str(steps)]) == 0
        assert capsys.readouterr().err == ""


class TestNudge:
    """The lines of a board laid on a print that differs from it."""

    def found(self, taken: bool) -> NudgedPlan:
        """Everything half a millimetre to the right and down."""
        plan = plan_of(load_board("sengoku-rivers"))
        areas = {area.name: tuple((x + 0.5, y + 0.5) for x, y in area.polygon_mm) for area in plan.areas}
        spaces = {space.name: (space.at_mm[0] + 0.5, space.at_mm[1] + 0.5) for space in plan.spaces}
        return NudgedPlan(areas, spaces, 0.7, 0.6, 0.9, 0.9, taken)

    def table(self) -> mock.Mock:
        return mock.Mock(plan=plan_of(load_board("sengoku-rivers")))

    def test_the_board_is_moved_and_nothing_else(self, capsys: Capture) -> None:
        with (
            mock.patch("companion.perception.table_file.load_table", return_value=self.table()),
            mock.patch("companion.tracing.writer.nudge", return_value=self.found(taken=True)),
        ):
            assert main(["boards", "--nudge", "kitchen.table", "--name", "kitchen"]) == 0
        assert "60% of the lines lay on print before, 90% now" in capsys.readouterr().out
        before, after = load_board("sengoku-rivers"), load_board("sengoku-rivers-kitchen")
        for area, other in zip(before.areas, after.areas, strict=True):
            assert (area.name, area.adjacent, area.start, area.ports) == (
                other.name, other.adjacent, other.start, other.ports,
            )  # fmt: skip
            for places in ("polygon_mm", "centres_mm"):
                pairs = zip(getattr(area, places), getattr(other, places), strict=True)
                assert all(v - y == pytest.approx(0.5, abs=0.02) for (_x, y), (_u, v) in pairs)
        at, to = before.space("advance:c4").at_mm, after.space("advance:c4").at_mm
        assert at is not None
        assert to == pytest.approx((at[0] + 0.5, at[1] + 0.5), abs=0.02)
        again = text_with_places(after, self.found(taken=True), "sengoku-rivers-b")
        assert 'board = "sengoku-rivers-b"' in again

    def test_nothing_better(self) -> None:
        with (
            mock.patch("companion.perception.table_file.load_table", return_value=self.table()),
            mock.patch("companion.tracing.writer.nudge", return_value=self.found(taken=False)),
        ):
            assert main(["boards", "--nudge", "kitchen.table"]) == 2
            assert main(["boards", "--nudge", "kitchen.table", "--name", "../a"]) == 2


class TestTrace:
    def picture(self, folder: Path) -> str:
        cv2.imwrite(str(folder / "photo.png"), photo())
        return str(folder / "photo.png")

    @pytest.mark.long
    def test_without_a_screen(self, shelf: Path, capsys: Capture) -> None:
        corners = "65,74 587,74 587,666 65,666"
        asked = ["trace", self.picture(shelf), "--board", "sengoku-rivers", "--name", "ana", "--headless"]
        with seeing():
            told = printed(capsys, *asked, "--corners", corners, "--mm", "260.8x296.5", status=1)
            assert "22 areas, 34 action spaces" in told
            assert "missing: Black has no headquarters." in told
            assert len(load_draft(draft_path(NAME)).patches) == 22
            assert main([*asked, "-o", str(shelf / "draft.toml")]) == 1
        assert load_draft(shelf / "draft.toml").grid is not None

    @pytest.mark.long
    def test_no_hexes(self, shelf: Path, capsys: Capture) -> None:
        with seeing(sees=False):
            assert main(["trace", self.picture(shelf), "--board", "wwii-alpine", "--headless"]) == 1
        assert "no hexes were seen" in capsys.readouterr().out

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--board", "chess"],
            ["--board", "wwii-alpine", "--name", "../a"],
            ["--board", "wwii-alpine", "--mm", "big"],
            ["--board", "wwii-alpine", "--corners", "1,2"],
            ["--board", "wwii-alpine", "--corners", "1,2 1,2 1,2 1,2", "--headless"],
        ],
    )
    def test_what_cannot_be_asked(self, shelf: Path, arguments: list[str], capsys: Capture) -> None:
        fault(capsys, "trace", self.picture(shelf), *arguments)

    def test_with_a_screen(self, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def run(_app: object, size: object) -> int:
            assert size == (800, 480)
            BOARDS.save(NAME, TEXT)
            return 0

        monkeypatch.setattr("companion.view.window.window.run_window", run)
        asked = ["trace", self.picture(shelf), "--board", "sengoku-rivers", "--name", "ana", "--size", "800x480"]
        assert main([*asked, "-o", str(shelf / "board.toml")]) == 0
        assert (shelf / "board.toml").read_text(encoding="utf-8") == TEXT

    @pytest.mark.long
    def test_a_disk_that_refuses(self, shelf: Path) -> None:
        with seeing():
            asked = ["trace", self.picture(shelf), "--board", "sengoku-rivers", "--headless"]
            assert main([*asked, "-o", str(shelf / "none" / "draft.toml")]) == 2


def test_a_name_of_nothing_is_none_on_the_shelf(tmp_path: Path, capsys: Capture) -> None:
    """Not as if nothing had been asked for: a script would believe that there is a copy."""
    for words in (["--share", "", "-o", str(tmp_path / "copy.toml")], ["--remove", ""]):
        assert "nothing of yours is named ''" in fault(capsys, "boards", *words)
