"""While the board is not seen, the diagnostic view shows what the camera sees instead."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.bootstrap import live_view
from companion.perception.camera_watch import CameraWatch
from companion.perception.cameras import CameraSession, Setup
from companion.perception.sync.status import TableView
from companion.scenes.camera.diagnosis import VIEW_EVERY_S
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.orders.camera.desk import Desk
from vision.live.preview import preview_of
from vision.live.watcher import LOST


def test_while_the_board_is_not_seen_the_camera_s_own_picture_is_shown(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game.jsonl")
    views = [preview_of(np.full((48, 64, 3), grey, np.uint8)) for grey in (10, 200)]
    equip(desk.app.stage, view=lambda: views[0])
    desk.wait().app.touch(Intent("live"))
    assert desk.screen.photo is None
    desk.eye.laid = TableView("lost", fault=LOST, blind=True)
    desk.wait().wait()
    assert desk.screen.photo is not None
    assert desk.screen.photo.data == views[0].jpeg
    assert "Can't find the board in the camera's picture" in desk.text()
    assert "set it up again" in desk.text()
    assert "Touch an area" not in desk.text(), "there is none to touch"
    equip(desk.app.stage, view=lambda: views[1])
    desk.wait(VIEW_EVERY_S)
    assert desk.screen.photo.data == views[1].jpeg
    desk.eye.follow()
    desk.wait().wait()
    assert desk.screen.photo is None


def test_without_a_camera_there_is_nothing_to_show() -> None:
    assert live_view(CameraSession(lambda setup: None, Setup(None, None))) is None


def test_the_camera_s_newest_picture_is_made_small() -> None:
    watch = CameraWatch.__new__(CameraWatch)
    watch.latest = lambda: np.full((1200, 1600, 3), 90, np.uint8)  # type: ignore[method-assign]
    view = live_view(CameraSession(lambda setup: watch, Setup(None, None)))
    assert view is not None
    assert view.of_px == (1600, 1200)
    assert max(view.size_px) == 900
