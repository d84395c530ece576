"""Switches, the ruler, the ring, crosses, the keyboard: drawn so that a finger and an eye can use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.app import App
from companion.scenes.base.typing import Typed
from companion.scenes.home.start import BrokenScene
from companion.settings.layers import Broken
from companion.ui.screen import Coach, Crosses, Hold, Intent, Ruler, Sample, StatusRow, Switch, TextLine
from companion.view.blocks import controls
from companion.view.blocks.controls import draw_keys, draw_text_line
from companion.view.blocks.slips import draw_coach
from companion.view.kit.sheet import Rect, Sheet
from tests.companion.touching import Hand

PLACE = Rect(10, 20, 440, 300)


def sheet(touch: float = 60.0) -> Sheet:
    return Sheet(lambda text, size, bold: len(text) * size / 2, touch=touch)


def switched(on: bool) -> Sheet:
    drawn = sheet()
    controls.draw_switch(drawn, Switch("Dice", "Dice that the camera reads.", on, Intent("flip", "dice")), PLACE)
    return drawn


def test_a_switch_tells_by_its_shape_how_it_stands() -> None:
    on, off = switched(True), switched(False)
    assert len(on.shapes) > len(off.shapes)  # a tick, not a colour alone
    assert [label.text for label in on.labels] == [label.text for label in off.labels]
    (target,) = on.targets
    assert target.intent == Intent("flip", "dice")
    assert target.rect.h >= 60
    assert target.rect.w == PLACE.w


def test_a_narrow_switch_grows_with_its_sentence() -> None:
    told = Switch("Dice", "Fills in the dice the camera reads; touch to confirm.", True, Intent("flip"))
    assert controls.draw_switch(sheet(), told, PLACE._replace(w=180)) > controls.draw_switch(sheet(), told, PLACE)


@pytest.mark.parametrize("touch", [60.0, 30.0])
def test_the_ruler_has_a_centimetre_as_long_as_the_screen_makes_it(touch: float) -> None:
    drawn = sheet(touch)
    controls.draw_ruler(drawn, Ruler("Hold a ruler."), PLACE)
    centimetre = touch / 12 * 10
    numbers = [label for label in drawn.labels if label.text.isdigit()]
    assert len(numbers) == int((PLACE.w - 12) / centimetre) + 1
    first, second, third = (label.rect.centre[0] for label in numbers[:3])
    assert third - second == pytest.approx(centimetre)
    assert first < second


@pytest.mark.parametrize("part", [0.0, 0.3, 0.7, 1.0])
def test_the_ring_is_held_and_fills(part: float) -> None:
    drawn = sheet()
    controls.draw_hold(drawn, Hold("Hold to unlock", Intent("unlock"), part), PLACE)
    (target,) = drawn.targets
    assert target.drag
    assert min(target.rect.w, target.rect.h) >= 60
    arcs = [shape for shape in drawn.shapes if " A " in shape]
    assert bool(arcs) == (0 < part < 1)
    assert all((" 1 1 " in arc) == (part > 0.5) for arc in arcs)


def test_crosses_stand_in_the_corners_and_the_middle() -> None:
    drawn = sheet()
    controls.draw_crosses(drawn, Crosses("cross", (True, False, False, False, False)), PLACE)
    assert [target.intent for target in drawn.targets] == [Intent("cross", "", n) for n in range(5)]
    assert drawn.targets[0].rect[:2] == PLACE[:2]
    assert (drawn.targets[3].rect.right, drawn.targets[3].rect.bottom) == (PLACE.right, PLACE.bottom)
    assert drawn.targets[4].rect.centre == PLACE.centre


def test_things_and_samples_differ_in_more_than_colour() -> None:
    looks = []
    for state in ("ok", "note", "bad"):
        drawn = sheet()
        controls.draw_thing(drawn, StatusRow(state, "Disk", "much room", "Do it."), PLACE)
        looks.append(tuple(label.text for label in drawn.labels))
    assert len(set(looks)) == 3
    drawn = sheet()
    controls.draw_sample(drawn, Sample("Allowed", "Not allowed"), PLACE)
    assert [label.text for label in drawn.labels] == ["Allowed", "Not allowed"]


# ---- files that cannot be set aside ---------------------------------------------------------------


def test_a_file_that_cannot_be_set_aside_is_told_once_more(tmp_path: Path) -> None:
    good = tmp_path / "settings.toml"
    good.write_text("language = 3")
    app = App()
    home = app.scene
    app.scene = BrokenScene((Broken(good, "one"), Broken(tmp_path / "gone.toml", "two"), Broken(None, "three")), home)
    hand = Hand(app).press("Set it aside")
    assert not good.exists()
    assert "The file can't be set aside." in hand.text()
    assert [button.label for button in hand.all_buttons()] == ["Details", "Continue without it"]
    assert "gone.toml: can't be set aside" in hand.press("Details").text()
    hand.press("Back")
    app.touch(Intent("page", "", 1))
    hand.press("Continue without it")
    assert app.scene is home


# ---- the keyboard --------------------------------------------------------------------------------


def measure(text: str, size: float, _bold: bool) -> float:
    return len(text) * size * 0.6


def labels(sheet: Sheet) -> list[str]:
    return [label.text for label in sheet.labels]


def test_a_wide_place_has_the_letters_of_a_typewriter() -> None:
    sheet = Sheet(measure)
    high = draw_keys(sheet, Typed().keys(), Rect(0, 0, 784, 300))
    assert high == 4 * max(sheet.touch, 56.0)
    assert labels(sheet)[:10] == list("qwertyuiop")
    assert all(target.rect.w >= sheet.touch for target in sheet.targets)


def test_a_narrow_place_has_them_in_their_order() -> None:
    sheet = Sheet(measure)
    draw_keys(sheet, Typed().keys(), Rect(0, 0, 464, 500))
    assert labels(sheet)[:6] == list("abcdef")
    assert all(min(target.rect.w, target.rect.h) >= sheet.touch for target in sheet.targets)


def test_every_key_is_touched_without_a_gap() -> None:
    sheet = Sheet(measure)
    draw_keys(sheet, Typed().keys(), Rect(0, 0, 784, 300))
    first, second = sheet.targets[0].rect, sheet.targets[1].rect
    assert first.right == second.x
    found = sheet.hit(second.centre)
    assert found is not None
    assert found.intent == Intent("type", "w")


def test_a_long_line_shows_its_end() -> None:
    sheet = Sheet(measure)
    draw_text_line(sheet, TextLine("a name that is much too long for it"), Rect(0, 0, 200, 60))
    [shown] = labels(sheet)
    assert "a name that is much too long for it".endswith(shown)
    assert measure(shown, 22.0, False) <= 200


def test_an_empty_line_shows_what_belongs_there() -> None:
    sheet = Sheet(measure)
    draw_text_line(sheet, TextLine("", "Ana vs Bia"), Rect(0, 0, 300, 60))
    assert labels(sheet) == ["Ana vs Bia"]


def test_the_coach_speaks_as_large_as_there_is_room() -> None:
    block = Coach("1/16 · Advance", "A turn is one commander on one action space. " * 3, large=True)
    sizes, fits = [], []
    for high in (400.0, 130.0, 60.0):
        sheet = Sheet(measure)
        fits.append(draw_coach(sheet, block, Rect(0, 0, 400, high)) <= high)
        sizes.append(sheet.labels[-1].size)
    assert fits == [True, True, False], "smaller than the smallest letters it does not become"
    assert sizes[0] > sizes[1] > sizes[2]
