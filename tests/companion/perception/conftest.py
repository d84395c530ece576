"""A table and its match for each test."""

from __future__ import annotations

import pytest

from companion.games.match import Match
from tests.companion.perception.sync.table import Table


@pytest.fixture
def table(match: Match) -> Table:
    return Table(match)
