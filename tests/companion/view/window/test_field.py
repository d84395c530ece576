"""A field on the glass: where it lies, what of it is drawn again, and what is drawn before it is asked for."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.settings.layers import Settings
from companion.ui.battlefield_picture import FieldPicture
from companion.view.kit.glass import glass_of
from companion.view.page.marks import Shapes
from companion.view.window.panes import DrawingAhead, Shown, bare_table
from tests.companion.view.window.test_motion import field, moved, shown, sizes

TALL = (526, 720)  # what is between two players on a screen of 1280×720
__all__ = ["field"]


def place(one: Shown) -> tuple[int, ...]:
    """Where the field is on the glass, in pixels."""
    k = one.canvas.px_per_pt
    xs, ys = zip(*((x * k, y * k) for x, y in one.canvas.sheet.pieces["board"]), strict=True)
    box = pygame.Rect(round(min(xs)), round(min(ys)), round(max(xs) - min(xs)), round(max(ys) - min(ys)))
    return tuple(one.pane.outer(box))


def shapes(one: Shown) -> set[Shapes]:
    return {mark for mark in one.canvas.marks if isinstance(mark, Shapes)}


@sizes
def test_between_two_players_it_lies_in_one_place_whoever_is_asked_about_whatever(
    field: FieldPicture, size_px: tuple[int, int]
) -> None:
    tall, close = (size_px[0] // 2, size_px[1]), replace(field, focus=field.units[0].place)
    near = place(shown(field, tall))
    for shown_pane in (shown(close, tall), shown(field, tall, far=True), shown(close, tall, far=True)):
        assert place(shown_pane) == pytest.approx(near, abs=1)


def test_where_one_base_goes_no_other_is_drawn_again(field: FieldPicture) -> None:
    before, after = shapes(shown(field)), shapes(shown(moved(field)))
    assert len(before) > len(field.units)
    assert len(before - after) == len(after - before) == 1


@pytest.mark.parametrize("sign", ["normal", "camp"])
@pytest.mark.parametrize("mark", ["", "live", "chosen", "target"])
def test_all_of_a_base_lies_where_it_is_painted(field: FieldPicture, sign: str, mark: str) -> None:
    bare = replace(field, units=())
    for facing_deg in (0.0, 30.0, 45.0):
        unit = replace(field.units[0], sign=sign, mark=mark, place=(12.0, 9.0), facing_deg=facing_deg)
        unit = replace(unit, status="brittle", fatigued=True)
        (drawn,) = shapes(shown(replace(bare, units=(unit,)))) - shapes(shown(bare))
        left, top, wide, high = drawn.box
        whole = Shapes((left - 20, top - 20, wide + 40, high + 40), drawn.svg, drawn.px_per_pt)
        assert pygame.Rect(20, 20, wide, high).contains(whole.surfaces()[0][0].get_bounding_rect())


def test_its_ground_is_drawn_for_the_other_player_before_that_one_is_asked(field: FieldPicture) -> None:
    glass, ahead = glass_of(Settings()), DrawingAhead()
    bare = bare_table([shown(field, TALL)])
    assert bare is not None
    assert bare == FieldPicture(field.size, field.grounds, ())
    assert bare_table([]) is None
    assert ahead.go_on(bare, glass, (1280, 720), True)
    turns = 0
    while ahead.go_on(bare, glass, (1280, 720), True):
        turns += 1
    assert turns < 20
    assert not ahead.go_on(bare, glass, (1280, 720), True), "it is drawn once"
