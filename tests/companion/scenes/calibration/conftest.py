"""A newcomer with a camera."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.scenes.camera.calibration import EmptyScene
from tests.companion.perception.calibrating import Newcomer


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Newcomer:
    found = Newcomer(tmp_path, monkeypatch)
    found.scene = EmptyScene(found.work, found.back)
    return found
