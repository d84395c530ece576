"""The hexes are found, or pointed out."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest

from companion.core.errors import OwnFileError
from companion.scenes.trace.begin import (
    GridScene,
    ResumeScene,
    TraceCornersScene,
    resume_tracing,
)
from companion.scenes.trace.trace import TraceScene
from companion.tracing import eye
from companion.tracing.draft_file import draft_path, save_draft
from companion.tracing.work import reopen_draft
from companion.ui.screen import Intent
from tests.companion.tracing.photos import empty, rivers, seeing
from tests.companion.tracing.rivers import GRID
from tests.companion.tracing.scenes.touches import HOME, middle, press, tap
from vision.errors import VisionError


class TestTheGrid:
    def test_it_is_found_through_touched_hexes(self) -> None:
        with seeing(sees=False):
            scene = GridScene(empty(), HOME, HOME)
            scene.work.wait()
            scene.tick(0.0)
            assert scene.work.look is not None
            assert scene.work.look.grid is None
            for area in ("b2", "b3"):
                tap(scene, middle(area))
            scene.work.wait()
            scene.tick(0.0)
            assert scene.work.look.grid == GRID
            tap(scene, middle("c5"))
            scene.work.wait()
            scene.tick(0.0)
            tap(scene, middle("c5"))
            assert len(scene.touched_mm) == 1
            press(scene, "Zoom in")
            press(scene, "Look again")
            assert scene.touched_mm == []
            assert press(scene, "Back") is HOME

    def test_a_fault_of_the_eye_is_told(self) -> None:
        work = empty()
        with mock.patch.object(
            eye, "find_grid_on", side_effect=VisionError("the corners don't form a proper quadrilateral")
        ):
            scene = GridScene(work, HOME, HOME)
            work.wait()
            scene.tick(0.0)
        assert scene.show().banner == "the corners don't form a proper quadrilateral"

    def test_a_draft_is_gone_on_with(self) -> None:
        work = rivers()
        work.put(replace(work.draft, symmetry="mirror"))
        with seeing():
            again = resume_tracing(work.draft.name, HOME)
            assert isinstance(again, ResumeScene)
            assert again.show().title == work.draft.name
            again.work.wait()
            tracing = again.tick(0.0)
            assert isinstance(tracing, TraceScene)
            assert tracing.work.draft == work.draft
            assert again.touch(Intent("else")) is None
            assert again.touch(Intent("back")) is HOME
        save_draft(replace(work.draft, grid=None))
        assert isinstance(resume_tracing(work.draft.name, HOME), TraceCornersScene)
        draft_path(work.draft.name).with_name("photo.jpg").unlink()
        with pytest.raises(OwnFileError, match="can't be read"):
            reopen_draft(work.draft.name)
