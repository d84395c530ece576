"""The keyboard, the typed line and the coach on a sheet, without a screen."""

from __future__ import annotations

from companion.scenes.base.typing import Typed
from companion.ui.screen import Coach, Intent, TextLine
from companion.view.blocks.controls import draw_keys, draw_text_line
from companion.view.blocks.slips import draw_coach
from companion.view.kit.sheet import Rect, Sheet


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
