"""An app at home."""

from __future__ import annotations

import pytest

from companion.games.chance import Thrown
from tests.companion.equip import equip
from tests.companion.touching import Hand


@pytest.fixture
def hand(hand: Hand) -> Hand:
    equip(hand.app.stage, chance=Thrown(1))
    return hand
