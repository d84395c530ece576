"""Charts of chances and points: every part says whose it is and how likely, and a curve follows a finger."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.scenes.review.log import LogScene, MomentScene
from companion.settings.layers import THEMES
from companion.ui.screen import ChanceCurve, Curve, CurveSide, Intent, Odds, Screen, Share
from companion.view.blocks.charts import COLUMN_PT, draw_odds
from companion.view.kit.sheet import Label, Rect, Sheet
from companion.view.kit.theme import theme
from companion.view.page.canvas import lay_out
from companion.view.window.input import InputEvent, Kind
from companion.view.window.window import Window
from tests.companion.gallery.sheet_checks import faults
from tests.companion.plain_tables import laid
from tests.companion.touching import Hand

CONFLICT = Odds(
    "Conflict in c4",
    (
        Share("red", "Red keeps it", 0.9, "90%"),
        Share("nobody", "nobody", 0.09, "9%"),
        Share("black", "Black keeps it", 0.01, "1%"),
    ),
)
SHOT = Odds("2 dice", tuple(Share("", str(n), part, f"{part:.0%}") for n, part in enumerate((0.25, 0.5, 0.25))))


def sheet_for(name: str = "dark") -> Sheet:
    return Sheet(lambda text, size, bold: len(text) * size * 0.5, 1.0, look=theme(name))


@pytest.mark.parametrize("width", [218.0, 440.0, 700.0])
@pytest.mark.parametrize("name", THEMES)
def test_every_outcome_is_told_in_words_with_its_chance(name: str, width: float) -> None:
    sheet = sheet_for(name)
    high = draw_odds(sheet, CONFLICT, Rect(0, 0, width, 0))
    told = " ".join(label.text for label in sheet.labels)
    for share in CONFLICT.shares:
        assert share.label in told
        assert share.value in told
    assert max(label.rect.bottom for label in sheet.labels) <= high


def test_columns_are_as_high_as_their_chance_and_the_likeliest_stands_out() -> None:
    sheet = sheet_for()
    draw_odds(sheet, SHOT, Rect(0, 0, 440, 0))
    bars = [shape for shape in sheet.shapes if shape.startswith("<rect")]
    heights = [float(bar.split('height="')[1].split('"')[0]) for bar in bars]
    assert heights == [COLUMN_PT / 2, COLUMN_PT, COLUMN_PT / 2]
    assert [sheet.look.accent in bar.split("stroke")[0] for bar in bars] == [False, True, False]


def test_without_outcomes_only_the_line_stands_there() -> None:
    sheet = sheet_for()
    assert draw_odds(sheet, Odds("1 die, but nothing to hit", ()), Rect(0, 0, 440, 0)) > 0
    assert sheet.shapes == []


# ---- curves ---------------------------------------------------------------------------------------

SIDES = (CurveSide("red", "Ana", (0, 2, 2, 5)), CurveSide("black", "Bo", (0, 2, 4, 4)))
CURVE = Curve("Points", SIDES, ((0, "1"), (2, "2")), fights=(2,), turning=3)


def label(sheet: Sheet, text: str) -> Label:
    return next(caption for caption in sheet.labels if caption.text == text)


@pytest.mark.parametrize("size_px", [(800, 480), (240, 480)])
def test_a_curve_has_its_rounds_and_its_last_numbers(size_px: tuple[int, int]) -> None:
    canvas = lay_out(Screen(blocks=(CURVE,)), size_px)
    texts = [caption.text for caption in canvas.sheet.labels]
    assert texts == ["Points", "1", "2", "5", "4"]
    assert label(canvas.sheet, "5").rect.y < label(canvas.sheet, "4").rect.y
    assert faults(canvas) == []


@pytest.mark.parametrize(("at", "now", "shown"), [(1, (7, 9), ["7", "9"]), (1, None, ["2", "2"])])
def test_a_moment_within_a_turn_has_its_own_numbers(at: int, now: tuple[int, int] | None, shown: list[str]) -> None:
    sheet = lay_out(Screen(blocks=(replace(CURVE, at=at, now=now),)), (800, 480)).sheet
    assert [caption.text for caption in sheet.labels[-2:]] == shown


def test_a_game_of_one_moment_has_its_curves_too() -> None:
    red, black = (replace(side, values=(3,)) for side in SIDES)
    chances = ChanceCurve("Chances", ("red", "black"), (0.5,), at=0, intent=Intent("scrub"))
    for block in (Curve("", (red, black), ()), chances):
        assert faults(lay_out(Screen(blocks=(block,)), (800, 480))) == []


def test_equal_numbers_lie_beside_one_another_and_rounds_without_room_have_no_name() -> None:
    even = tuple(replace(side, values=(0,) * 41) for side in SIDES)
    rounds = tuple((n, str(n)) for n in range(40))
    canvas = lay_out(Screen(blocks=(Curve("", (even[0], even[1]), rounds),)), (240, 480))
    assert faults(canvas) == []
    named = [caption.text for caption in canvas.sheet.labels[:-2]]
    assert 2 < len(named) < 40


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
        seen.append(scene.course.turns_begun(scene.number))
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
    canvas = lay_out(Screen(blocks=(block,)), size_px)
    assert [caption.text for caption in canvas.sheet.labels] == ["Chances", "1", "2", "1", "2"]
    low, high = label(canvas.sheet, "Chances"), canvas.sheet.labels[-2]
    assert high.rect.y > low.rect.y
    assert faults(canvas) == []
