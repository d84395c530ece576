from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracing.traced import SIZE_MM, photo, sheet
from vision.tracing.hexes import HexGrid, pair_of, regular
from vision.tracing.rim import edges_of, on_rim
from vision.tracing.sheet import terms_at


@pytest.mark.parametrize("flat", [True, False])
def test_neighbours_share_the_side_between_them(flat: bool) -> None:
    grid = regular((100.0, 100.0), 26.0, flat, 0.05)
    for cell in ((0, 0), (1, 2), (2, 1), (3, 3)):
        for other in grid.neighbours(cell):
            assert np.allclose(grid.side(cell, other), grid.side(other, cell)[::-1])
            assert pair_of(cell, other) == pair_of(other, cell)
        assert grid.cell_at(grid.centre(cell)) == cell
        assert grid.side_mm == pytest.approx(26.0)


def test_cells_of_a_board_reach_over_its_edge_but_whole_ones_do_not() -> None:
    grid = regular((30.0, 30.0), 20.0)
    assert grid.inside((0, 0), (100.0, 100.0))
    assert not grid.inside((0, -1), (100.0, 100.0))
    assert {(0, 0), (0, -1)} <= set(grid.cells((100.0, 100.0)))


def test_a_bend_is_told_in_half_sides_from_the_boards_middle() -> None:
    terms = terms_at([(40.0, 30.0), (0.0, 0.0), (80.0, 45.0)], (80.0, 60.0))
    assert terms.tolist() == [
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, -1, -1, 1, 1, 1, -1, -1, -1, -1],
        [1, 1, 0.5, 1, 0.5, 0.25, 1, 0.5, 0.25, 0.125],
    ]


def test_places_and_pixels_are_each_others_inverse_with_a_bend() -> None:
    bend = np.random.default_rng(2).normal(0, 0.5, (10, 2))
    bent = replace(sheet(), bend=bend)
    places = np.array([[10.0, 20.0], [90.0, 95.0], [170.0, 15.0]])
    assert np.allclose(bent.mm(bent.px(places)), places, atol=0.01)


def test_the_straight_board_has_its_own_size() -> None:
    assert sheet().flat(2.0).shape == (380, 360, 3)
    assert sheet().flat(2.0, 5.0).shape == (400, 380, 3)


def test_the_boards_edges_put_crooked_corners_right() -> None:
    wrong = sheet()
    grid = HexGrid((40.0, 31.0), (33.0, 0.0), (0.0, 38.1))
    better, _ = on_rim(wrong, grid)
    exact = np.array([[90, 70], [800, 95], [825, 850], [60, 830]], np.float64)
    own = np.array([[0.0, 0.0], [SIZE_MM[0], 0.0], list(SIZE_MM), [0.0, SIZE_MM[1]]])
    before = np.linalg.norm(wrong.px(own) - exact, axis=1).mean()
    assert np.linalg.norm(better.px(own) - exact, axis=1).mean() < before
    assert len(edges_of(better)) == 4
    assert photo().picture.shape == (920, 900, 3)
