"""Root's command for each test."""

from pathlib import Path

import pytest

from tests.systemd.units.unit_files import Command


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)
