"""A board taken down by touches on the screen, from the photo to the shelf, with an eye that sees at once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest

from companion.content.boards import BOARDS
from companion.content.decks import deck_toml
from companion.core.errors import OwnFileError
from companion.core.storage import data_dir
from companion.perception.calibration import Judged
from companion.scenes.base.stage import Scene
from companion.scenes.base.typing import TypingScene
from companion.scenes.home.own_boards import DraftScene, OneBoardScene, OwnBoardsScene
from companion.scenes.trace.begin import (
    CameraPhotoScene,
    GridScene,
    ModeScene,
    ResumeScene,
    SourceScene,
    TraceCornersScene,
    free_name,
    resume_tracing,
)
from companion.scenes.trace.check import SavedBoardScene
from companion.scenes.trace.numbers import OwnCardScene, cards_of, support_of
from companion.scenes.trace.tools import MOST_POINTS
from companion.scenes.trace.trace import TraceScene, symmetry_name
from companion.tracing import eye
from companion.tracing.draft_file import draft_path, drafts, save_draft
from companion.tracing.edits import Tool
from companion.tracing.hexes import Point
from companion.tracing.work import TraceWork, reopen_draft
from companion.ui.screen import Button, Buttons, Choice, Intent, Screen, Slip, Steppers
from companion.view.page.canvas import draw
from engine.orders.board import board_from, load_board, own_board_names, remove_board
from tests.companion.tracing.photos import CORNERS, empty, island, photo, rivers, seeing
from tests.companion.tracing.rivers import GRID, RIVERS, cells_of
from tests.engine.generals.case import deck
from vision.errors import VisionError
from vision.table import Table


class Home:
    """Where a scene comes from."""

    def show(self) -> Screen:
        return Screen()

    def touch(self, intent: Intent) -> Scene | None:
        del intent
        return None


HOME = Home()


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    yield tmp_path
    for name in own_board_names():
        remove_board(name)


def all_buttons(screen: Screen) -> list[Button]:
    rows = [block.buttons for block in screen.blocks if isinstance(block, (Buttons, Choice))]
    return [button for row in (*rows, screen.actions) for button in row]


def press(scene: Scene, label: str) -> Scene:
    """Touch the button of that name; the scene that follows."""
    found = next(button for button in all_buttons(scene.show()) if button.label.startswith(label))
    return scene.touch(found.intent) or scene


def tap(scene: TraceScene | GridScene, at_mm: Point) -> None:
    at = scene.window.place(at_mm)
    scene.touch(Intent("trace", at=at))
    scene.touch(Intent("trace", n=2, at=at))


def middle(area: str) -> Point:
    return GRID.centre(cells_of(RIVERS.area(area))[0])


def page(name: str, work: TraceWork | None = None) -> TraceScene:
    return TraceScene(work or rivers(), HOME, HOME, name)


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
        assert press(saved, "Done") is HOME
        assert saved.touch(Intent("else")) is None

    def test_what_is_missing_is_led_to(self) -> None:
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

    def test_what_the_engine_refuses_is_a_sentence(self) -> None:
        work = rivers()
        work.put(replace(work.draft, name="sengoku-rivers"))
        with pytest.raises(OwnFileError, match="comes with the engine"):
            work.save_board()


class TestTools:
    def test_a_border_goes_and_comes(self) -> None:
        scene = page("areas")
        low, high = (GRID.centre(cell) for cell in cells_of(RIVERS.area("a1")))
        border = (low[0], (low[1] + high[1]) / 2)
        for hexes in (1, 2):
            tap(scene, border)
            patch = scene.work.draft.patch_at(GRID.cell_at(low))
            assert patch is not None
            assert len(patch.cells) == hexes
        press(scene, "Undo")
        press(scene, "Redo")
        assert len(scene.work.draft.patches) == 22

    def test_kinds(self) -> None:
        scene = page("areas")
        press(scene, "Water")
        tap(scene, middle("c5"))
        press(scene, "Off the map")
        tap(scene, middle("c4"))
        kinds = [patch.kind for patch in scene.work.draft.patches]
        assert (len(kinds), kinds.count("water")) == (21, 9)
        press(scene, "Land")
        tap(scene, middle("c4"))
        assert scene.work.draft.patch_at(GRID.cell_at(middle("c4"))) is not None

    def test_land_and_water_change_places(self) -> None:
        with seeing():
            work = empty()
            work.find_grid(CORNERS)
            work.wait()
            assert work.fetch()
        work.take_proposal()
        before, spots = [patch.kind for patch in work.draft.patches], work.draft.spots
        scene = page("areas", work)
        press(scene, "Swap land and water")
        assert [patch.kind for patch in work.draft.patches] == [
            {"land": "water", "water": "land"}[kind] for kind in before
        ]
        actions = {spot.action for spot in work.draft.spots if spot.on == work.draft.patches[0].cells[0]}
        assert actions <= ({"sail", "bombard"} if work.draft.patches[0].kind == "water" else {"advance", "shell"})
        press(scene, "Swap land and water")
        assert set(work.draft.spots) == set(spots)

    def test_symmetry_fills_the_other_half(self) -> None:
        work = rivers()
        left = [patch for patch in work.draft.patches if patch.cells[0][0] <= 2]
        cells = {cell for patch in left for cell in patch.cells}
        spots = tuple(spot for spot in work.draft.spots if spot.on in cells)
        whole = work.draft
        right = [patch for patch in whole.patches if patch not in left and patch.hq]
        hq = [replace(patch, vp=0, start=(), piers=()) for patch in right]
        work.put(replace(whole, patches=(*left, *hq), spots=spots))
        scene = page("areas", work)
        assert press(scene, symmetry_name("")) is scene
        done = scene.work.draft
        assert done.symmetry == "mirror"
        assert {frozenset(patch.cells) for patch in done.patches} == {frozenset(patch.cells) for patch in whole.patches}
        assert {(spot.action, spot.on) for spot in done.spots} == {(spot.action, spot.on) for spot in whole.spots}
        for _ in range(3):
            press(scene, symmetry_name(scene.work.draft.symmetry))
        assert scene.work.draft.symmetry == ""

    def test_points_and_signs(self) -> None:
        scene = page("points")
        press(scene, str(MOST_POINTS))
        tap(scene, middle("b1"))
        press(scene, "Next")
        press(scene, "Sun")
        tap(scene, middle("b1"))
        patch = scene.work.draft.patch_at(GRID.cell_at(middle("b1")))
        assert patch is not None
        assert (patch.vp, patch.slot) == (MOST_POINTS, "sun")

    def test_a_pier_by_its_border(self) -> None:
        scene = page("marks")
        press(scene, "Pier")
        (x0, y0), (x1, y1) = middle("c5"), middle("c4")
        tap(scene, ((x0 + x1) / 2, (y0 + y1) / 2 + 1))  # between land and land: nothing
        before = [patch.piers for patch in scene.work.draft.patches]
        (x1, y1) = middle("b4")
        (x0, y0) = middle("b5")
        tap(scene, (x0, y0 + (y1 - y0) * 0.47))
        assert [patch.piers for patch in scene.work.draft.patches] != before

    def test_units_and_spaces(self) -> None:
        scene = page("start")
        press(scene, "Black · troops")
        press(scene, "4")
        tap(scene, middle("c5"))
        patch = scene.work.draft.patch_at(GRID.cell_at(middle("c5")))
        assert patch is not None
        assert patch.start == (("black", "troop", 4),)
        press(scene, "Next")
        press(scene, "Shell")
        with seeing():
            scene.work.settle(GRID)
            scene.work.wait()
            assert scene.work.fetch()
        x, y = next(space.at_mm for space in RIVERS.spaces if space.name == "advance:c5") or (0.0, 0.0)
        tap(scene, (x + 3.0, y - 2.0))
        shell = next(spot for spot in scene.work.draft.spots if spot.action == "shell" and spot.at_mm == (x, y))
        assert shell.faction == ""
        scene.touch(Intent("trace", at=(0.5, 0.5)))
        board = scene.show().board
        assert board is not None
        assert getattr(board, "loupe", b"")

    def test_sections_and_zones(self) -> None:
        scene = page("zones", island())
        press(scene, "Section")
        press(scene, "teal")
        for n, at in enumerate(((0.7, 0.8), (0.8, 0.85), (0.9, 0.95))):
            scene.touch(Intent("trace", n=n, at=at))
        section = scene.work.draft.section_of("teal")
        assert section is not None
        assert section.size_mm == pytest.approx((0.2 * 260.8, 0.15 * 296.5))
        press(scene, "Land")
        tap(scene, GRID.centre((3, 2)))
        patch = scene.work.draft.patch_at((3, 2))
        assert patch is not None
        assert patch.zone == "teal"
        press(scene, "Border")
        tap(scene, GRID.centre((0, 1)))
        assert [*scene.work.draft.links] == [("green", "teal")]
        tap(scene, GRID.centre((0, 1)))
        assert not scene.work.draft.links
        press(scene, "Next")
        tap(scene, section.centre_mm)
        scene.touch(Intent("tool", "start/aircraft/blue", 3))
        tap(scene, section.centre_mm)
        press(scene, "Next")
        scene.touch(Intent("tool", "space/fly/"))
        tap(scene, section.centre_mm)
        assert [(spot.action, spot.on) for spot in scene.work.draft.spots] == [("fly", "teal")]
        press(scene, "Back")
        press(scene, "Back")
        press(scene, "Section")
        press(scene, "teal")
        tap(scene, (5.0, 5.0))
        assert scene.work.draft.section_of("teal") is None

    def test_a_closer_look_is_drawn_along_with_the_finger(self) -> None:
        scene = page("areas")
        press(scene, "Zoom in")
        before, draft = scene.window, scene.work.draft
        for n, at in enumerate(((0.5, 0.5), (0.4, 0.4), (0.3, 0.3))):
            scene.touch(Intent("trace", n=n, at=at))
        assert scene.window.left_mm > before.left_mm
        assert scene.work.draft == draft
        assert scene.window.mm(scene.window.place((99.0, 88.0))) == pytest.approx((99.0, 88.0))
        press(scene, "Zoom out")
        assert not scene.window.is_zoomed
        scene.touch(Intent("trace", n=2, at=(0.5, 0.5)))  # a finger that never came down
        scene.touch(Intent("page", n=1))
        scene.touch(Intent("unknown"))


class TestNumbers:
    def test_the_support_board(self) -> None:
        scene = page("support")
        steppers = next(block for block in scene.show().blocks if isinstance(block, Steppers)).steppers
        scene.touch(Intent("support", steppers[0].what, 1))
        usual = RIVERS.mode.support["reinforce:1"].amount
        assert support_of(scene.work.draft, scene.work.mode)["reinforce:1"].amount == usual + 1
        scene.touch(Intent("differs"))
        scene.touch(Intent("support", "reinforce:1/red", -1))
        row = support_of(scene.work.draft, scene.work.mode)["reinforce:1"]
        assert row.amounts == (("red", usual), ("black", usual + 1))
        board = scene.work.save_board()
        assert board.space("reinforce:1").amount_for("red") == usual
        scene.touch(Intent("differs"))
        assert not any(one.amounts for one in scene.work.draft.support)

    def test_siege_weapons_have_a_number_of_their_own(self) -> None:
        work = rivers()
        work.put(replace(work.draft, mode="sengoku-fortress"))
        fortress = TraceWork(work.draft, work.photo_bgr)
        fortress.look = work.look
        scene = page("support", fortress)
        before = support_of(fortress.draft, fortress.mode)["reinforce:1"].siege
        scene.touch(Intent("support", "reinforce:1/siege", 1))
        assert support_of(fortress.draft, fortress.mode)["reinforce:1"].siege == before + 1

    def test_a_card(self) -> None:
        tracing = page("cards")
        scene = tracing.touch(Intent("card", "ambush"))
        assert isinstance(scene, OwnCardScene)
        press(scene, "more units")
        assert (scene.card.moment, scene.card.action, scene.card.unit) == ("join", "reinforce", "troop")
        press(scene, "Embark")
        assert scene.card.unit == "ship"
        for what in ("copies", "amount"):
            scene.touch(Intent("n", what, 1))
        assert (scene.card.copies, scene.card.amount) == (4, 3)
        typing = press(scene, "Enter its text")
        assert isinstance(typing, TypingScene)
        typing.touch(Intent("type", "x"))
        assert press(typing, "Done") is scene
        assert scene.card.text.endswith("x")
        scene.touch(Intent("page", n=1))
        assert press(scene, "Done") is tracing
        board = tracing.work.save_board()
        assert board.mode.cards["ambush"].unit == "ship"
        assert len(board.mode.cards) == len(RIVERS.mode.cards)
        press(scene, "players resolve it")
        assert tracing.work.save_board().mode.cards["ambush"].verb == "table"
        assert cards_of(tracing.work.draft, tracing.work.mode)["ambush"].moment == "any"

    @pytest.mark.parametrize("mode", ["sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island"])
    def test_every_card_that_can_be_made_is_one_that_the_engine_takes(self, mode: str) -> None:
        work = TraceWork(replace(empty().draft, mode=mode), photo())
        work.put(replace(work.draft, patches=rivers().draft.patches))
        scene = OwnCardScene(work, next(iter(work.mode.cards)), HOME)
        file = resources.files("engine") / "data" / "boards" / f"{mode}.toml"
        printed = tomllib.loads(file.read_text(encoding="utf-8"))
        for button in [one for one in all_buttons(scene.show()) if one.intent.what.startswith("verb/")]:
            scene.touch(button.intent)
            keys = ("verb", "action", "moment", "by", "unit", "copies", "amount")
            row = {"title": "", "text": "", "condition": "", **{key: getattr(scene.card, key) for key in keys}}
            assert board_from({**printed, "cards": {"a": row}}).mode.cards["a"]
            assert (scene.card.unit != "") == (scene.card.verb in ("place", "join"))


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
            assert len(scene.touched) == 1
            press(scene, "Zoom in")
            press(scene, "Look again")
            assert scene.touched == []
            assert press(scene, "Back") is HOME

    def test_a_fault_of_the_eye_is_told(self) -> None:
        work = empty()
        with mock.patch.object(eye, "look", side_effect=VisionError("the corners don't form a proper quadrilateral")):
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


class Live:
    """A camera for calibrations, as far as the tracer asks it."""

    def __init__(self) -> None:
        self.shown = self.judged = self.empty = None
        self.corners = CORNERS
        self.closed = False

    def look(self, now_s: float) -> bool:
        del now_s
        self.judged = Judged(photo(), CORNERS, (), True)  # type: ignore[assignment]
        return True

    def take_empty(self) -> bool:
        self.empty = photo()  # type: ignore[assignment]
        return self.judged is not None

    def close(self) -> None:
        self.closed = True


class Cameras:
    ready = True

    def __init__(self) -> None:
        self.live = Live()

    def names(self) -> tuple[str, ...]:
        return ("0",)

    def begin(self, camera: str) -> Live:
        del camera
        return self.live


class TestSources:
    def test_a_picture_of_the_camera(self) -> None:
        cameras = Cameras()
        source = SourceScene(("wwii-alpine", "ana"), cameras, HOME)  # type: ignore[arg-type]
        scene = press(source, "Take a photo now")
        assert isinstance(scene, CameraPhotoScene)
        assert press(scene, "Take the photo") is scene
        assert scene.tick(0.0) is scene
        corners = press(scene, "Take the photo")
        assert isinstance(corners, TraceCornersScene)
        assert cameras.live.closed
        before = list(corners.corners)
        press(corners, "Rotate")
        assert corners.corners[1] == before[0]
        corners.touch(Intent("corner", at=(0.5, 0.5)))
        assert corners.held is None
        assert press(corners, "Back") is HOME
        assert press(CameraPhotoScene(cameras.live, source), "Cancel") is source  # type: ignore[arg-type]

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

    def test_a_name_that_is_taken_gets_a_number(self) -> None:
        save_draft(replace(empty().draft, name="wwii-alpine-ana"))
        assert free_name("wwii-alpine", "ana") == "ana2"
        assert ModeScene(None, HOME).touch(Intent("back")) is HOME


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
        draft = press(scene, "wwii-alpine-bob")
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


def test_the_tracer_is_drawn() -> None:
    """What is cut off by the edge of a closer look is left out."""
    scene = page("spaces", island())
    press(scene, "Zoom in")
    scene.held = replace(scene.held, tool=Tool("space", "fly"))
    assert draw(scene.show(), (800, 480)).sheet.targets
