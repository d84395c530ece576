"""A table to make bundles of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.companion.sample_eye import save_sample_table


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_sample_table(tmp_path_factory.mktemp("eye") / "demo.table")
