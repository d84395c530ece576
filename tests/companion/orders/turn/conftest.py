"""A table in the middle of a game."""

from __future__ import annotations

import pytest

from tests.companion.touching import Hand


@pytest.fixture
def table(hand: Hand) -> Hand:
    return hand.start(tokens=("sun/barracks", "moon/war_room", "star/shipyard"))
