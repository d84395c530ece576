"""The tools of a traced board: what a touch draws, takes away and counts."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import resources

import pytest

from companion.scenes.base.typing import TypingScene
from companion.scenes.trace.numbers import OwnCardScene, cards_of, support_of
from companion.scenes.trace.pages import MOST_POINTS
from companion.scenes.trace.trace import symmetry_name
from companion.tracing.draft import Patch
from companion.tracing.hexes import Cell
from companion.tracing.work import TraceWork
from companion.ui.screen import Intent, Steppers
from engine.orders.board import board_from
from tests.companion.tracing.photos import CORNERS, GRID, RIVERS, cells_of, empty, island, photo, rivers, seeing
from tests.companion.tracing.scenes.touches import HOME, all_buttons, middle, page, press, tap


def patch_at(work: TraceWork, cell: Cell | str) -> Patch:
    """Return what is traced at a hex, or at the first one of an area."""
    patch = work.draft.patch_at(cells_of(RIVERS.area(cell))[0] if isinstance(cell, str) else cell)
    assert patch is not None
    return patch


class TestTools:
    def test_a_border_goes_and_comes(self) -> None:
        scene = page("areas")
        low, high = (GRID.centre(cell) for cell in cells_of(RIVERS.area("a1")))
        border = (low[0], (low[1] + high[1]) / 2)
        for hexes in (1, 2):
            tap(scene, border)
            assert len(patch_at(scene.work, "a1").cells) == hexes
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
        assert patch_at(scene.work, "c4")

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
        patch = patch_at(scene.work, "b1")
        assert (patch.vp, patch.slot) == (MOST_POINTS, "sun")

    def test_a_pier_by_its_border(self) -> None:
        scene = page("marks")
        press(scene, "Pier")
        (x0, y0), (x1, y1) = middle("c5"), middle("c4")
        tap(scene, ((x0 + x1) / 2, (y0 + y1) / 2 + 1))  # between land and land: nothing
        before = [patch.piers for patch in scene.work.draft.patches]
        (x0, y0), (x1, y1) = middle("b5"), middle("b4")
        tap(scene, (x0, y0 + (y1 - y0) * 0.47))
        assert [patch.piers for patch in scene.work.draft.patches] != before

    def test_units_and_spaces(self) -> None:
        scene = page("start")
        press(scene, "Black · troops")
        press(scene, "4")
        tap(scene, middle("c5"))
        assert patch_at(scene.work, "c5").start == (("black", "troop", 4),)
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
        assert getattr(scene.show().board, "loupe", b"")

    def test_sections_and_zones(self) -> None:
        scene = page("zones", island())
        press(scene, "Section")
        press(scene, "Teal")
        for n, at in enumerate(((0.7, 0.8), (0.8, 0.85), (0.9, 0.95))):
            scene.touch(Intent("trace", n=n, at=at))
        section = scene.work.draft.section_of("teal")
        assert section is not None
        assert section.size_mm == pytest.approx((0.2 * 260.8, 0.15 * 296.5))
        press(scene, "Land")
        tap(scene, GRID.centre((3, 2)))
        assert patch_at(scene.work, (3, 2)).zone == "teal"
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
        press(scene, "Teal")
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
        assert scene.window.board_mm(scene.window.place((99.0, 88.0))) == pytest.approx((99.0, 88.0))
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
        assert not any(space.amounts for space in scene.work.draft.support)
        fortress = TraceWork(replace(scene.work.draft, mode="sengoku-fortress", support=()), scene.work.photo_bgr)
        fortress.look = scene.work.look
        before = support_of(fortress.draft, fortress.mode)["reinforce:1"].siege
        page("support", fortress).touch(Intent("support", "reinforce:1/siege", 1))
        siege = support_of(fortress.draft, fortress.mode)["reinforce:1"].siege
        assert siege == before + 1, "siege weapons have a number of their own"

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
        assert press(scene, "Back") is tracing
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
        for button in [button for button in all_buttons(scene.show()) if button.intent.what.startswith("verb/")]:
            scene.touch(button.intent)
            keys = ("verb", "action", "moment", "by", "unit", "copies", "amount")
            row = {"title": "", "text": "", "condition": "", **{key: getattr(scene.card, key) for key in keys}}
            assert board_from({**printed, "cards": {"a": row}}).mode.cards["a"]
            assert (scene.card.unit != "") == (scene.card.verb in ("place", "join"))
