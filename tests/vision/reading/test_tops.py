"""The top of a commander that is seen aslant, and units that stand behind and beside it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Grid
from vision.reading.pieces import Piece
from vision.reading.stacks import StackContext
from vision.reading.tops import CLEAR_MM, is_part_of, without_tops

GRID = Grid((80.0, 60.0))
BASE = (30.0, 30.0)
ASLANT = (0.0, -1.0)
"""For each mm of height a point moves up the board by one."""


@pytest.mark.parametrize(
    ("at_mm", "part"),
    [
        ((30.0, 18.5), True),
        ((31.5, 18.5), True),
        ((33.0, 18.5), False),
        ((30.0, 41.5), False),
        ((41.5, 30.0), False),
        ((30.0, 12.0), False),
        ((34.0, 35.0), True),
        ((31.0, 32.0), False),
    ],
    ids=["its top", "nearly", "beside", "before it", "abreast", "further off", "in its base", "the same piece"],
)
def test_a_top_lies_away_from_the_camera_as_far_as_a_commander_is_tall(at_mm: tuple[float, float], part: bool) -> None:
    assert is_part_of(at_mm, BASE, ASLANT) is part


def test_seen_from_above_a_commander_hides_nothing_beside_its_base() -> None:
    assert not is_part_of((30.0, 30.0 - CLEAR_MM), BASE, (0.0, -0.3))
    assert not is_part_of((30.0, 30.0 - CLEAR_MM), BASE, (0.0, 0.0))


def test_a_unit_is_as_much_less_likely_as_there_is_a_commander() -> None:
    empty = np.zeros((*GRID.shape, 3), np.uint8)
    ground = StackContext(empty, np.full((*GRID.shape, 2), ASLANT, np.float32), GRID)
    commander = Piece("red", "commander", "advance:b2", BASE, 0.75)
    top, apart = Piece("red", "troop", "b2", (30.0, 19.0), 0.8), Piece("red", "troop", "b2", (45.0, 30.0), 0.8)
    assert without_tops([commander, top, apart], ground) == [
        commander,
        Piece("red", "troop", "b2", (30.0, 19.0), 0.2),
        apart,
    ]
    assert without_tops([top, apart], ground) == [top, apart]
