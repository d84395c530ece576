from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tracing.traced import (
    JOINED,
    OFF_MAP,
    SIDE_MM,
    SIZE_MM,
    WATER_ROWS,
    found,
    hex_plan,
    map_cells,
    photo,
    sheet,
    true_grid,
)
from vision.errors import CornersError
from vision.plan import BoardPlan
from vision.tracing.hexes import Cell, pair_of, regular
from vision.tracing.trace import (
    FoundGrid,
    HexGrid,
    Sheet,
    find_grid,
    find_spaces,
    grid_by_touches,
    nudge,
    open_sheet,
    propose,
    refit_grid,
    snap,
)


def seen_cell(grid: HexGrid, cell: Cell) -> Cell:
    return grid.cell_at(true_grid().centre(cell))


def worst_mm(grid: HexGrid) -> float:
    gaps = [np.subtract(grid.centre(seen_cell(grid, c)), true_grid().centre(c)) for c in map_cells()]
    return float(np.linalg.norm(gaps, axis=1).max())


def plain_sheet() -> Sheet:
    noise = np.random.default_rng(1).normal(128, 12, (600, 600, 3))
    picture = np.clip(cv2.GaussianBlur(noise, (0, 0), 3.0), 0, 255).astype(np.uint8)
    return open_sheet(picture, [[40, 40], [560, 40], [560, 560], [40, 560]], SIZE_MM)


@pytest.mark.long
def test_the_grid_is_found_by_itself() -> None:
    assert found().grid.flat
    assert found().grid.side_mm == pytest.approx(SIDE_MM, rel=0.01)
    assert worst_mm(found().grid) < 1.0
    assert found().confidence > 0.5


@pytest.mark.long
def test_cells_on_the_map_are_told_from_those_beside_it() -> None:
    grid = found().grid
    here = {cell for cell, chance in found().on_map.items() if chance > 0.5}
    assert here == {seen_cell(grid, cell) for cell in map_cells()}
    assert all(found().on_map.get(seen_cell(grid, cell), 0.0) < 0.5 for cell in OFF_MAP)


@pytest.mark.long
def test_where_no_grid_is_printed_none_is_surely_found() -> None:
    nothing = find_grid(plain_sheet())
    assert nothing is None or nothing.confidence < 0.5


@pytest.mark.long
def test_a_grid_moved_by_hand_settles_on_the_print() -> None:
    moved = regular((42.2, 32.6), SIDE_MM * 1.008)
    assert worst_mm(refit_grid(sheet(), moved).grid) < 1.0


@pytest.mark.long
def test_two_touched_middles_are_enough_for_a_grid() -> None:
    middles = [true_grid().centre((1, 1)), true_grid().centre((2, 1))]
    by_hand = grid_by_touches(sheet(), [(x + 0.8, y - 0.5) for x, y in middles])
    assert by_hand is not None
    assert by_hand.grid.flat
    assert worst_mm(by_hand.grid) < 1.0


def test_one_touched_middle_is_no_grid() -> None:
    assert grid_by_touches(sheet(), [(50.0, 50.0)]) is None


def test_borders_are_proposed_but_within_an_area() -> None:
    proposal = propose(found())
    grid = found().grid
    one, other = (seen_cell(grid, cell) for cell in JOINED)
    assert proposal.borders[pair_of(one, other)] < 0.5
    assert sum(chance < 0.5 for chance in proposal.borders.values()) == 1
    assert tuple(sorted((one, other))) in proposal.areas
    assert len(proposal.areas) == len(hex_plan().areas)


def test_the_bluer_ground_is_proposed_as_water() -> None:
    proposal, grid = propose(found()), found().grid
    for cell in map_cells():
        kinds = proposal.kinds[seen_cell(grid, cell)]
        assert (kinds["water"] > kinds["land"]) == (cell[1] in WATER_ROWS)
        assert sum(kinds.values()) == pytest.approx(1.0)


@pytest.mark.long
def test_spaces_are_found_where_they_are_printed() -> None:
    spaces = find_spaces(found())
    truth = np.array([space.at_mm for space in hex_plan().spaces])
    for space in spaces:
        assert np.linalg.norm(truth - np.array(space.at_mm), axis=1).min() < 1.5
    assert len(spaces) >= len(truth) - 1


@pytest.mark.long
def test_a_touch_snaps_to_the_nearest_printed_space() -> None:
    spaces = find_spaces(found(), least=0.0)
    x, y = hex_plan().spaces[0].at_mm
    near = snap(spaces, (x + 2.0, y + 2.0))
    assert near is not None
    assert np.hypot(near.at_mm[0] - x, near.at_mm[1] - y) < 1.5
    assert snap(spaces, (-40.0, -40.0)) is None
    assert snap((), (x, y)) is None


@pytest.mark.long
def test_no_space_is_found_where_nothing_is_on_the_map() -> None:
    empty = FoundGrid(found().sheet, found().grid, 0.9, {})
    assert find_spaces(empty) == ()
    assert propose(empty).areas == ()


def displaced(plan: BoardPlan) -> BoardPlan:
    from dataclasses import replace

    def off(point: tuple[float, float]) -> tuple[float, float]:
        return point[0] * 1.01 + 0.9, point[1] * 1.008 - 1.6

    areas = tuple(
        replace(a, polygon_mm=tuple(map(off, a.polygon_mm)), centres_mm=tuple(map(off, a.centres_mm)))
        for a in plan.areas
    )
    return replace(plan, areas=areas, spaces=tuple(replace(s, at_mm=off(s.at_mm)) for s in plan.spaces))


@pytest.mark.long
def test_a_drawing_is_nudged_onto_a_print_that_differs() -> None:
    exact = np.array([[90, 70], [800, 95], [825, 850], [60, 830]], np.float64)
    moved = nudge(photo().picture, exact, displaced(hex_plan()))
    assert moved.taken
    assert moved.after > moved.before + 0.1
    assert 0.5 < moved.moved_mm < 5.0
    for space in hex_plan().spaces:
        assert np.hypot(*np.subtract(moved.spaces[space.name], space.at_mm)) < 0.8


def test_a_nudge_is_left_where_the_print_says_nothing() -> None:
    blank = plain_sheet()
    same = nudge(blank.picture_bgr, blank.corners_px, hex_plan())
    assert not same.taken or same.after > same.before
    assert same.confidence < 0.5
    if not same.taken:
        assert same.areas[hex_plan().areas[0].name] == tuple(
            (round(x, 3), round(y, 3)) for x, y in hex_plan().areas[0].polygon_mm
        )


def test_corners_that_make_no_sense_are_refused() -> None:
    with pytest.raises(CornersError):
        open_sheet(photo().picture, [[0, 0], [1, 1], [2, 2], [3, 3]], SIZE_MM)
