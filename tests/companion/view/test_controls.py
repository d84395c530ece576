"""Switches, the ruler, the ring, crosses: drawn so that a finger and an eye can use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.app import App
from companion.scenes.home.start import BrokenScene
from companion.settings.layers import Broken
from companion.ui.screen import Crosses, Hold, Intent, Ruler, Sample, StatusRow, Switch
from companion.view.blocks import controls
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
