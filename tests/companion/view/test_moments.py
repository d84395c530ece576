"""The curve of a game, the winner's card, and points side by side, as they are drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.scenes.review.log import LogScene, MomentScene
from companion.ui.screen import ChanceCurve, Curve, CurveSide, Intent, Laurels, Screen, Tally, TallySide
from companion.view.kit.sheet import Label, Sheet
from companion.view.page.canvas import draw
from companion.view.window.input import InputEvent, Kind
from companion.view.window.window import Window
from tests.companion.gallery.sheet_checks import faults
from tests.companion.plain_tables import laid
from tests.companion.touching import Hand


@pytest.fixture
def hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Hand(App())


SIDES = (CurveSide("red", "Ana", (0, 2, 2, 5)), CurveSide("black", "Bo", (0, 2, 4, 4)))
CURVE = Curve("Points", SIDES, ((0, "1"), (2, "2")), fights=(2,), turning=3)


def label(sheet: Sheet, text: str) -> Label:
    return next(caption for caption in sheet.labels if caption.text == text)


@pytest.mark.parametrize("size_px", [(800, 480), (240, 480)])
def test_a_curve_has_its_rounds_and_its_last_numbers(size_px: tuple[int, int]) -> None:
    canvas = draw(Screen(blocks=(CURVE,)), size_px)
    texts = [caption.text for caption in canvas.sheet.labels]
    assert texts == ["Points", "1", "2", "5", "4"]
    assert label(canvas.sheet, "5").rect.y < label(canvas.sheet, "4").rect.y
    assert faults(canvas) == []


def test_a_moment_within_a_turn_has_its_own_numbers() -> None:
    texts = [
        caption.text for caption in draw(Screen(blocks=(replace(CURVE, at=1, now=(7, 9)),)), (800, 480)).sheet.labels
    ]
    assert texts[-2:] == ["7", "9"]
    texts = [caption.text for caption in draw(Screen(blocks=(replace(CURVE, at=1),)), (800, 480)).sheet.labels]
    assert texts[-2:] == ["2", "2"]


def test_equal_numbers_lie_beside_one_another_and_rounds_without_room_have_no_name() -> None:
    even = tuple(replace(side, values=(0,) * 41) for side in SIDES)
    rounds = tuple((n, str(n)) for n in range(40))
    canvas = draw(Screen(blocks=(Curve("", (even[0], even[1]), rounds),)), (240, 480))
    assert faults(canvas) == []
    named = [caption.text for caption in canvas.sheet.labels[:-2]]
    assert 2 < len(named) < 40


def test_a_game_of_one_moment_is_a_curve_too() -> None:
    single = tuple(replace(side, values=(3,)) for side in SIDES)
    assert faults(draw(Screen(blocks=(Curve("", (single[0], single[1]), ()),)), (800, 480))) == []


@pytest.mark.parametrize("size_px", [(800, 480), (240, 480)])
def test_laurels_and_a_low_tally_fit(size_px: tuple[int, int]) -> None:
    tally = Tally((TallySide("red", "Ana", 3, False, "−2"), TallySide("black", "Bo", 12, False, "+10")), low=True)
    canvas = draw(Screen(blocks=(Laurels("red", "Ana wins!", "Ana has 12 points, Bo has 3 points."), tally)), size_px)
    assert faults(canvas) == []
    assert {"Ana wins!", "−2", "+10"} <= {caption.text for caption in canvas.sheet.labels}


@pytest.mark.parametrize("system", ["sonae", "generals"])
def test_a_finger_on_the_curve_looks_at_moments(display: pygame.Surface, hand: Hand, system: str) -> None:
    table = laid(hand, system, 30)
    scene = MomentScene(table, 30, table)
    hand.app.show_scene("", scene)
    window = Window(hand.app, display)
    (target,) = (target for target in window.canvas.sheet.targets if target.intent == Intent("scrub"))
    box = window.canvas.box_px(target)
    turns, seen = len(scene.course.turns), []
    touches: tuple[tuple[Kind, int], ...] = (
        ("down", box.right - 2),
        ("move", box.left + round(box.w * 0.3)),
        ("up", box.left - 40),
    )
    for kind, x in touches:
        window.handle(InputEvent(kind, (x, box.centery)))
        window.refresh()
        seen.append(scene.course.turn_of(scene.number))
    assert seen == [turns, round(turns * 0.3), 0]


def test_the_arrow_keys_stay_for_the_buttons(display: pygame.Surface, hand: Hand) -> None:
    table = laid(hand, "generals", 30)
    hand.app.show_scene("", LogScene(table, table))
    window = Window(hand.app, display)
    window.handle(InputEvent("key", key="right"))
    window.handle(InputEvent("key", key="right"))
    assert window.keyboard.at is not None, "the focus moved"


def test_a_finger_that_leaves_the_curve_of_the_log_opens_that_moment(display: pygame.Surface, hand: Hand) -> None:
    table = laid(hand, "generals", 30)
    scene = LogScene(table, table)
    hand.app.show_scene("", scene)
    hand.app.touch(Intent("scrub", "", 0, (0.5, 0.0)))
    assert hand.app.scene is scene
    (found,) = (block for block in hand.screen.blocks if isinstance(block, Curve))
    assert found.at == round(len(scene.course.turns) / 2)
    assert found.now == table.presenter.standing(table.match.positions[scene.course.step_at(0.5)])
    hand.app.touch(Intent("scrub", "", 2, (0.5, 0.0)))
    moment = hand.app.scene
    assert isinstance(moment, MomentScene)
    assert moment.number == scene.course.step_at(0.5)
    hand.press("Back")
    (again,) = (block for block in hand.screen.blocks if isinstance(block, Curve))
    assert again.at == len(scene.course.turns), "back at the end"


@pytest.mark.parametrize("size_px", [(800, 480), (240, 480)])
def test_a_curve_of_chances_numbers_the_turns_that_count(size_px: tuple[int, int]) -> None:
    block = ChanceCurve("Chances", ("red", "black"), (0.5, 0.0, 1.0, 0.4), ((0, "1"), (2, "2")), (1, 3), at=3)
    canvas = draw(Screen(blocks=(block,)), size_px)
    assert [caption.text for caption in canvas.sheet.labels] == ["Chances", "1", "2", "1", "2"]
    low, high = label(canvas.sheet, "Chances"), canvas.sheet.labels[-2]
    assert high.rect.y > low.rect.y
    assert faults(canvas) == []


def test_a_curve_of_chances_with_nothing_in_it_is_drawn_too() -> None:
    block = ChanceCurve("Chances", ("red", "black"), (0.5,), at=0, intent=Intent("scrub"))
    assert faults(draw(Screen(blocks=(block,)), (800, 480))) == []
