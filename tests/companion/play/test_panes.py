"""The field or the battlefield of cards between two players: where it stands, whose touches they are, how it lies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.split_screen import shared_picture
from companion.scenes.settings.lock import LockScene
from companion.ui.table_pictures import TablePicture
from companion.view.kit.glass import glass_of
from companion.view.window.keyboard import first_pane
from companion.view.window.panes import PANEL_PART, Shown
from tests.companion.gallery.gallery import draw_glass
from tests.companion.play.conftest import Desk

SIZES = [(800, 480), (1280, 720), (720, 1280)]


def panes_of(desk: Desk, size_px: tuple[int, int]) -> tuple[Shown, ...]:
    """Return the panes on a screen of that size with a half for each player."""
    stage = desk.app.stage
    stage.settings = replace(stage.settings, layout="two")
    return draw_glass(desk.app.faces(), size_px, glass_of(stage.settings))[1]


@pytest.mark.parametrize("size_px", SIZES)
def test_the_table_stands_between_the_panels(desk: Desk, size_px: tuple[int, int]) -> None:
    near, far, middle = panes_of(desk, size_px)
    assert isinstance(middle.pane.between, TablePicture)
    assert (near.pane.seat, far.pane.seat) == desk.table.sides
    assert far.pane.turned
    assert not near.pane.turned
    assert middle.pane.seat == desk.table.asked_side
    assert middle.pane.turned == (desk.table.asked_side == far.pane.seat)
    along = 0 if size_px[0] > size_px[1] else 1
    for panel in (near, far):
        assert panel.pane.rect_px.size[along] >= PANEL_PART * size_px[along] - 1
    assert (
        sum(shown_pane.pane.rect_px.w * shown_pane.pane.rect_px.h for shown_pane in (near, far, middle))
        == size_px[0] * size_px[1]
    )


def test_a_touch_between_is_of_whoever_is_asked(desk: Desk) -> None:
    _near, _far, middle = panes_of(desk, (1280, 720))
    targets = middle.canvas.sheet.targets
    if desk.system == "generals":
        assert {target.intent.verb for target in targets} >= {"zone"}
    for target in targets:
        found = middle.target_at(middle.box_px(target).center)
        assert found is not None
        assert middle.pane.intent(found).seat == desk.table.asked_side


def test_the_ring_begins_with_whoever_is_asked(desk: Desk) -> None:
    shown = panes_of(desk, (800, 480))
    assert shown[first_pane(shown)].pane.seat == desk.table.asked_side


def test_the_lock_leaves_the_table_between_the_players(desk: Desk) -> None:
    desk.app.scene = LockScene(desk.app.stage, desk.table)
    near, far, middle = panes_of(desk, (800, 480))
    assert middle.pane.between is not None
    assert {shown_pane.canvas.sheet.targets[0].intent.verb for shown_pane in (near, far)} <= {
        "unlock",
        "menu",
        "lock",
        "side",
    }


def test_what_is_no_table_does_not_stand_between(desk: Desk) -> None:
    desk.touch("menu")
    assert shared_picture(desk.screen) is None
    near, far = panes_of(desk, (800, 480))
    assert (near.pane.between, far.pane.between) == (None, None)
