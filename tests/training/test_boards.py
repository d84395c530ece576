"""Invented boards for training: every set of pieces, sections within the board, nothing where nothing can stand."""

from __future__ import annotations

import numpy as np
import pytest

from training.boards import GAMES, random_board
from training.render import game_of
from training.samples import GAME_SEEDS
from vision.reading.piece_sets import set_of

SEEDS = range(12)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_boards_hold_together(name: str, seed: int) -> None:
    plan, marks = random_board(seed, GAMES[name])
    names = {area.name for area in plan.areas}
    set_of(plan)
    for area in plan.areas:
        points = np.array(area.polygon_mm)
        assert (points >= 0).all()
        assert (points <= plan.size_mm).all()
    assert {space.area for space in plan.spaces} <= names
    assert {area for area, *_ in plan.start} <= names
    assert all(unit in plan.units_of(plan.area(area)) for area, _, unit, _ in plan.start)
    assert {faction for _, faction, _, _ in plan.start} <= set(plan.factions)
    assert set(marks.zones) | set(marks.forts) | set(marks.headquarters) <= names


@pytest.mark.parametrize("seed", SEEDS)
def test_sections_lie_apart_from_each_other_and_the_map(seed: int) -> None:
    plan, marks = random_board(seed, GAMES["aircraft"])
    boxes = [np.array(area.polygon_mm) for area in plan.areas if area.kind == "air"]
    edge = max(x for area in plan.areas if area.kind != "air" for x, _ in area.polygon_mm)
    assert bool(boxes) == bool(marks.zones)
    for index, box in enumerate(boxes):
        assert box[:, 0].min() > edge
        for other in boxes[:index]:
            apart = np.maximum(box.min(axis=0) - other.max(axis=0), other.min(axis=0) - box.max(axis=0))
            assert apart.max() > 0
    for space in plan.spaces:
        if plan.area(space.area).kind == "air":
            assert (np.array(space.at_mm) > np.array(plan.area(space.area).polygon_mm).min(axis=0)).all()


def test_a_tables_number_tells_whose_pieces_it_has() -> None:
    assert [game_of(seed) for seed in (0, 999_999, GAME_SEEDS, 2 * GAME_SEEDS + 5)] == [
        GAMES["ships"],
        GAMES["ships"],
        GAMES["siege"],
        GAMES["aircraft"],
    ]
