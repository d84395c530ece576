"""Every scene of the gallery, at every size and in every layout, theme and language: whole, apart, large enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.scenes import screen as scr
from companion.scenes.screen import Intent, Screen
from companion.view.canvas import draw
from companion.view.sheet import Label, Rect
from tests.companion.gallery import LAYOUTS, THEMES, Variant, drawn, hung, laid, scene, scenes, variants
from tests.companion.sheet_checks import crossing, cut_off, faint, on_top, too_small


@pytest.mark.parametrize("name", scenes())
def test_every_scene_fits(name: str) -> None:
    with hung(scenes()[name]) as hand:
        found = [f"{variant}: {fault}" for variant in variants() for fault in laid(hand, variant)]
    assert found == []


@pytest.mark.parametrize(("number", "name"), list(enumerate(scenes())))
def test_every_letter_stands_out(number: int, name: str) -> None:
    """Each scene in one of the themes in turn; `pictures` has them all."""
    variant = Variant(theme=THEMES[number % len(THEMES)], layout=LAYOUTS[number % len(LAYOUTS)])
    with hung(scenes()[name]) as hand:
        _picture, shown = drawn(hand, variant)
        assert [fault for one in shown for fault in faint(one.canvas)] == [], variant


def test_a_name_hangs_in_the_gallery_once() -> None:
    def menu(hand: object) -> None:
        del hand

    menu.__module__ = "elsewhere"
    assert "menu" in scenes()
    with pytest.raises(ValueError, match="menu hangs in the gallery twice"):
        scene(menu)


def test_the_checks_see_what_is_wrong() -> None:
    canvas = draw(Screen("Too long a title to fit", (scr.Text("a"),)), (800, 480))
    label = canvas.sheet.labels[0]
    canvas.sheet.labels.append(Label(label.rect._replace(w=20), "much too long for this", 16, False, "#ffffff", "left"))
    canvas.sheet.labels.append(label)
    canvas.sheet.labels.append(replace(label, colour=canvas.sheet.look.page))
    canvas.sheet.target(Rect(0, 0, 20, 50), Intent("small"))
    canvas.sheet.target(Rect(0, 0, 70, 70), Intent("large"))
    assert cut_off(canvas)
    assert on_top(canvas)
    assert faint(canvas)
    assert too_small(canvas) == ["small is only 3.8 by 9.5 mm"]
    assert crossing(canvas)
