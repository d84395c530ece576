"""A camera service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.perception import camera_service
from tests.companion.perception.service.services import App


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setattr(camera_service, "AGAIN_S", 0.01)
    monkeypatch.setattr(camera_service, "LOOK_S", 0.01)
    made = App(tmp_path / "run")
    yield made
    made.link.close()
