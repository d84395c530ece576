"""Simulated tables, painted grounds and printed sheets look as they did when somebody last looked at them."""

from __future__ import annotations

import pytest

from tests.pictures.drawn import DRAWN, sheet_and_size
from tests.pictures.sheets import changes


@pytest.mark.parametrize("name", DRAWN)
def test_it_looks_as_it_did(name: str) -> None:
    assert changes(sheet_and_size(name)[0], name, DRAWN[name]()) == []
