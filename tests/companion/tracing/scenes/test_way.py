"""The whole way from a photo to a board on the shelf, and where its photo comes from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest

from companion.content.decks import deck_toml
from companion.content.shelves import BOARDS
from companion.core.errors import OwnFileError
from companion.core.storage import data_dir
from companion.perception.calibration import Judged
from companion.scenes.base.typing import TypingScene
from companion.scenes.home.own_boards import DraftScene, OneBoardScene, OwnBoardsScene
from companion.scenes.trace.begin import (
    CameraPhotoScene,
    GridScene,
    ModeScene,
    ResumeScene,
    SourceScene,
    TraceCornersScene,
    resume_tracing,
)
from companion.scenes.trace.trace import SavedBoardScene, TraceScene
from companion.tracing import eye
from companion.tracing.draft_file import draft_path, drafts, save_draft
from companion.tracing.edits import Tool
from companion.tracing.work import free_name, reopen_draft
from companion.ui.screen import Intent, Slip
from companion.view.page.canvas import lay_out
from engine.orders.board import load_board, own_board_names
from tests.companion.tracing.photos import CORNERS, GRID, empty, island, photo, rivers, seeing
from tests.companion.tracing.scenes.touches import HOME, all_buttons, middle, page, press, tap
from tests.engine.generals.case import deck
from vision.errors import VisionError
from vision.table import Table


class TestTheWay:
    """From nothing to a board that can be played."""

    def test_from_a_photo_file_to_the_areas(self, shelf: Path) -> None:
        (shelf / "photos").mkdir()
        cv2.imwrite(str(shelf / "photos" / "board.png"), photo())
        modes = ModeScene(None, HOME)
        typing = press(modes, "Sengoku Jidai: Rivers")
        assert isinstance(typing, TypingScene)
        for letter in "Ana!":
            typing.touch(Intent("type", letter))
        with mock.patch(
            "companion.perception.photo_reader.platformdirs.user_pictures_path", return_value=shelf / "none"
        ):
            source = press(typing, "Done")
        assert isinstance(source, SourceScene)
        assert source.named == ("sengoku-rivers", "ana")
        corners = press(source, "board.png")
        assert isinstance(corners, TraceCornersScene)
        x, y = corners.corners[0]
        for n, at in enumerate(((x + 0.01, y), (0.12, 0.1), (0.11, 0.1))):
            corners.touch(Intent("corner", n=n, at=at))
            assert (corners.show().photo or mock.Mock(held=1)).held == (0 if n < 2 else None)
        assert corners.corners[0] == pytest.approx((0.1, 0.1))
        corners.corners = list(CORNERS)
        with seeing():
            grid = press(corners, "Next")
            assert isinstance(grid, GridScene)
            assert press(grid, "They fit") is grid  # the eye is still at work
            grid.work.wait()
            assert grid.tick(0.0) is grid
        tracing = press(grid, "They fit")
        assert isinstance(tracing, TraceScene)
        assert (len(tracing.work.draft.patches), len(tracing.work.draft.spots)) == (22, 34)
        assert tracing.work.history.touches == 1  # the corners
        assert drafts() == ("sengoku-rivers-ana",)
        assert {spot.action for spot in tracing.work.draft.spots} == {"advance", "shell", "sail", "bombard"}

    def test_the_pages_come_one_after_the_other(self) -> None:
        scene = page("areas")
        assert scene.touch(Intent("back")) is HOME
        titles = [scene.show().title]
        for _ in range(7):
            press(scene, "Next")
            titles.append(scene.show().title)
        assert titles == ["Areas", "Points", "Printed symbols", "Starting units", "Action spaces", "Support board",
                          "Cards", "Check"]  # fmt: skip
        saved = press(scene, "Save")
        assert isinstance(saved, SavedBoardScene)
        assert load_board("sengoku-rivers-ana").known == "owner"
        assert BOARDS.path_of("sengoku-rivers-ana").is_file()
        assert press(saved, "Back") is HOME
        assert saved.touch(Intent("else")) is None

    def test_what_is_missing_is_led_to_and_what_the_engine_refuses_is_a_sentence(self) -> None:
        scene = page("check", island())
        assert press(scene, "Save") is scene
        assert scene.banner == "The aircraft section of the teal zone is missing."
        slips = [block for block in scene.show().blocks if isinstance(block, Slip)]
        assert slips[0].title == scene.banner
        assert slips[0].intent is not None
        scene.touch(slips[0].intent)
        assert (scene.page, scene.chosen) == ("zones", "teal")
        press(scene, "Zoom in")
        scene.touch(Intent("fault", "", 99))
        work = rivers()
        work.put(replace(work.draft, name="sengoku-rivers"))
        with pytest.raises(OwnFileError, match="comes with the engine"):
            work.save_board()


def cameras() -> mock.Mock:
    """Return what stands for the cameras of a table, of whose picture nothing is known until it is looked at."""
    live = mock.Mock(shown=None, judged=None, empty=photo(), corners=CORNERS)

    def look(_now_s: float) -> bool:
        live.judged = Judged(photo(), CORNERS, (), True)
        return True

    live.look, live.take_empty = look, lambda: live.judged is not None
    return mock.Mock(live=live, names=lambda: {"0": "A webcam (video0)"}, begin=lambda _camera: live)


class TestSources:
    def test_a_picture_of_the_camera(self) -> None:
        found = cameras()
        source = SourceScene(("wwii-alpine", "ana"), found, HOME)
        scene = press(source, "Take a photo now")
        assert isinstance(scene, CameraPhotoScene)
        assert press(scene, "Take the photo") is scene
        assert scene.tick(0.0) is scene
        corners = press(scene, "Take the photo")
        assert isinstance(corners, TraceCornersScene)
        found.live.close.assert_called_once()
        before = list(corners.corners)
        press(corners, "Rotate")
        assert corners.corners[1] == before[0]
        corners.touch(Intent("corner", at=(0.5, 0.5)))
        assert corners.held is None
        assert press(corners, "Back") is HOME
        assert press(CameraPhotoScene(found.live, source), "Cancel") is source

    def test_a_calibrated_table(self, shelf: Path) -> None:
        (shelf / "tables").mkdir()
        (shelf / "tables" / "wwii-alpine.table").write_bytes(b"")
        source = SourceScene(("wwii-alpine", "ana"), None, HOME)
        assert press(source, "Camera set-up: wwii-alpine") is source
        assert "table" in source.banner
        table = mock.Mock(reference_bgr=photo(), corners_px=np.array([(65, 74), (587, 74), (587, 666), (65, 666)]))
        with mock.patch.object(Table, "load", return_value=table):
            corners = press(source, "Camera set-up: wwii-alpine")
        assert isinstance(corners, TraceCornersScene)
        assert corners.corners[0] == pytest.approx((0.0997, 0.1), abs=1e-3)
        assert press(source, "Back") is HOME


class TestTheShelf:
    def test_boards_and_drafts(self, shelf: Path) -> None:
        board = BOARDS.save("sengoku-rivers-ana", rivers().text())
        save_draft(replace(empty().draft, name="wwii-alpine-bob"))
        (shelf / "shared").mkdir()
        other = rivers().text().replace("sengoku-rivers-ana", "sengoku-rivers-dora")
        (shelf / "shared" / "sengoku-rivers-dora.toml").write_text(other)
        (shelf / "shared" / "foxes.toml").write_text(deck_toml(deck()))
        scene = OwnBoardsScene(None, HOME)
        press(scene, "sengoku-rivers-dora")
        assert "sengoku-rivers-dora" in own_board_names()
        labels = [button.label for button in all_buttons(scene.show())]
        assert "foxes.toml" not in labels, "a deck that was shared isn't a board"
        soon_broken = shelf / "shared" / "sengoku-rivers-eve.toml"
        soon_broken.write_text(other.replace("dora", "eve"))
        scene.show()
        soon_broken.write_text("x")
        assert scene.touch(Intent("take", str(soon_broken))) is None
        assert scene.banner
        one = press(scene, "Sengoku Jidai: Rivers · ana")
        assert isinstance(one, OneBoardScene)
        press(one, "Share")
        assert (data_dir() / "shared" / f"{board.name}.toml").is_file()
        press(one, "Remove")
        assert press(one, "Remove") is scene
        assert board.name not in own_board_names()
        assert one.touch(Intent("back")) is scene
        draft = press(scene, "World War II: Alpine · bob")
        assert isinstance(draft, DraftScene)
        press(draft, "Delete")
        assert press(draft, "Delete") is scene
        assert drafts() == ()
        assert draft.touch(Intent("back")) is scene
        assert isinstance(press(scene, "Scan a board"), ModeScene)
        scene.touch(Intent("page", n=1))
        assert press(scene, "Back") is HOME

    def test_going_on_with_a_draft(self) -> None:
        work = empty()
        work.put(replace(work.draft, symmetry="mirror"))
        assert isinstance(DraftScene(work.draft.name, HOME).touch(Intent("go")), TraceCornersScene)
        assert BOARDS.new_files(OwnBoardsScene(None, HOME).folders()) == []
        save_draft(replace(work.draft, name="wwii-alpine-ana"))
        assert free_name("wwii-alpine", "ana") == "ana2", "a name that is taken gets a number"
        assert ModeScene(None, HOME).touch(Intent("back")) is HOME


def test_the_tracer_is_drawn() -> None:
    """What is cut off by the edge of a closer look is left out."""
    scene = page("spaces", island())
    press(scene, "Zoom in")
    scene.held = Tool("space", "fly")
    assert lay_out(scene.show(), (800, 480)).sheet.targets


class TestTheGrid:
    def test_it_is_found_through_touched_hexes(self) -> None:
        with seeing(sees=False):
            scene = GridScene(empty(), HOME, HOME)
            scene.work.wait()
            scene.tick(0.0)
            assert scene.work.look is not None
            assert scene.work.look.grid is None
            for area in ("b2", "b3"):
                tap(scene, middle(area))
            scene.work.wait()
            scene.tick(0.0)
            assert scene.work.look.grid == GRID
            tap(scene, middle("c5"))
            scene.work.wait()
            scene.tick(0.0)
            tap(scene, middle("c5"))
            assert len(scene.touched_mm) == 1
            press(scene, "Zoom in")
            press(scene, "Look again")
            assert scene.touched_mm == []
            assert press(scene, "Back") is HOME

    def test_a_fault_of_the_eye_is_told(self) -> None:
        work = empty()
        with mock.patch.object(
            eye, "find_grid_on", side_effect=VisionError("the corners don't form a proper quadrilateral")
        ):
            scene = GridScene(work, HOME, HOME)
            work.wait()
            scene.tick(0.0)
        assert scene.show().banner == "the corners don't form a proper quadrilateral"

    def test_a_draft_is_gone_on_with(self) -> None:
        work = rivers()
        work.put(replace(work.draft, symmetry="mirror"))
        with seeing():
            again = resume_tracing(work.draft.name, HOME)
            assert isinstance(again, ResumeScene)
            assert again.show().title == work.draft.name
            again.work.wait()
            tracing = again.tick(0.0)
            assert isinstance(tracing, TraceScene)
            assert tracing.work.draft == work.draft
            assert again.touch(Intent("else")) is None
            assert again.touch(Intent("back")) is HOME
        save_draft(replace(work.draft, grid=None))
        assert isinstance(resume_tracing(work.draft.name, HOME), TraceCornersScene)
        draft_path(work.draft.name).with_name("photo.jpg").unlink()
        with pytest.raises(OwnFileError, match="can't be read"):
            reopen_draft(work.draft.name)
