"""How the demo's player of the card game rates a table: by what lasts, whoever looks."""

from __future__ import annotations

from typing import Any

import pytest

from companion.demo.generals_player import rate_position, threat
from engine.generals.position import Position
from tests.engine.generals.case import at, position, side


def met(**this_turn: Any) -> Position:
    """Return a horse before the foxes of the other side, one of which is on guard, and one beside it."""
    return position(side(at("horse", "siege", **this_turn)), side(at("fox-1", "outside", **this_turn), at("fox-2")))


def test_generals_threaten_with_the_points_that_they_keep() -> None:
    plain = met()
    assert threat(plain, 0) > threat(plain, 1) > 0
    for more in ({"military": 4}, {"intelligence": 4}, {"military": -1}):
        assert [threat(met(**more), side_at) for side_at in (0, 1)] == [threat(plain, side_at) for side_at in (0, 1)]
        assert rate_position(met(**more), 0) == pytest.approx(rate_position(plain, 0))
    armed = position(side(at("horse", "siege", item="sword")), plain.sides[1])
    assert threat(armed, 0) > threat(plain, 0)
