"""Looking again: what is in doubt, where windows are cut, how views are laid, and that their answers are weighed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tables import four_areas, pictures
from vision.geometry import Grid, Picture
from vision.reading.network import STEP, STRIDE, Detections
from vision.reading.pieces import NOT_AGAIN, Candidate
from vision.reading.read import board_image, prepare_table
from vision.reading.second_look import (
    DOUBT,
    EDGE_CELLS,
    MOST,
    SIDE_PX,
    TURNS,
    Turn,
    doubt_of,
    doubtful_places,
    look_again,
    turned_views,
    windows_about,
)
from vision.reading.setting import PreparedTable, network
from vision.registration.register import register

Cells = npt.NDArray[np.int64]

turns = st.builds(Turn, st.booleans(), st.booleans(), st.booleans())
MODELS = {"troop": (0.0, 1.0), "upper": (0.0, 1.0)}
SIZE = (320, 240)


def a_troop(heat: float, stacked: float | None = None, x_mm: float = 0.0) -> Candidate:
    upper = None if stacked is None else (1.0, stacked)
    return Candidate("red", "troop", "a1", (x_mm, 0.0), (1.0, heat), upper)


# --- what is in doubt -------------------------------------------------------------------


@pytest.mark.parametrize(("heat", "doubt"), [(9.0, 0.0), (-9.0, 0.0), (0.0, 0.5), (2.0, 0.119)])
def test_a_piece_is_in_doubt_by_how_far_it_is_from_sure(heat: float, doubt: float) -> None:
    assert doubt_of(a_troop(heat), MODELS) == pytest.approx(doubt, abs=0.001)


def test_a_sure_piece_is_in_doubt_where_another_may_stand_on_it() -> None:
    assert doubt_of(a_troop(9.0, 0.0), MODELS) == pytest.approx(0.5, abs=0.001)
    assert doubt_of(a_troop(9.0, NOT_AGAIN), MODELS) == pytest.approx(0.047, abs=0.001)


def test_a_second_disc_is_no_doubt_where_there_is_hardly_a_first() -> None:
    assert doubt_of(a_troop(-6.0, 0.0), MODELS) < DOUBT


def test_the_most_doubtful_come_first_and_sure_ones_not_at_all() -> None:
    found = [a_troop(2.0, x_mm=1.0), a_troop(9.0, x_mm=2.0), a_troop(0.1, x_mm=3.0)]
    assert doubtful_places(found, MODELS) == [(3.0, 0.0), (1.0, 0.0)]


# --- windows ----------------------------------------------------------------------------


points = st.lists(st.tuples(st.floats(0, SIZE[1]), st.floats(0, SIZE[0])), min_size=1, max_size=12)


@given(points)
def test_windows_lie_inside_at_whole_steps_and_show_the_first_points(at_px: list[tuple[float, float]]) -> None:
    corners = windows_about(np.array(at_px), SIZE)
    assert 1 <= len(corners) <= MOST
    for row, column in corners:
        assert row % STEP == 0
        assert column % STEP == 0
        assert 0 <= row <= SIZE[0] - SIDE_PX
        assert 0 <= column <= SIZE[1] - SIDE_PX
    (x, y), (row, column) = at_px[0], corners[0]
    assert column <= x <= column + SIDE_PX
    assert row <= y <= row + SIDE_PX


def test_points_near_each_other_share_a_window() -> None:
    assert len(windows_about(np.array([(100.0, 100.0), (120.0, 110.0), (95.0, 130.0)]), SIZE)) == 1
    assert len(windows_about(np.array([(40.0, 40.0), (200.0, 280.0)]), SIZE)) == 2


def test_without_points_there_is_no_window() -> None:
    assert windows_about(np.zeros((0, 2)), SIZE) == []


# --- turns ------------------------------------------------------------------------------


@given(turns)
def test_what_is_laid_and_undone_is_as_it_was(turn: Turn) -> None:
    picture = np.arange(6 * 4 * 3, dtype=np.float32).reshape(6, 4, 3)
    layers = turn.of(picture).transpose(2, 0, 1)
    assert np.array_equal(turn.undo(layers).transpose(1, 2, 0), picture)


@given(turns)
def test_a_place_is_laid_as_the_picture_is(turn: Turn) -> None:
    picture = np.zeros((8, 6, 1), np.float32)
    picture[5, 1] = 1
    row, column = turn.places(np.array([[5.0, 1.0]]), (8, 6))[0].astype(int)
    assert turn.of(picture)[row, column, 0] == 1


@given(turns)
def test_a_window_is_laid_as_the_picture_is(turn: Turn) -> None:
    picture = np.arange(8 * 6, dtype=np.float32).reshape(8, 6, 1)
    row, column = turn.places(np.array([[4, 2]]), (8, 6), side=2)[0].astype(int)
    laid = turn.of(picture)[row : row + 2, column : column + 2]
    assert np.array_equal(turn.undo(laid.transpose(2, 0, 1))[0], picture[4:6, 2:4, 0])


@given(turns)
def test_up_points_from_a_place_to_the_same_other_one(turn: Turn) -> None:
    """An up field that leads from each place to the place above it still does so where both are laid."""
    towards = np.zeros((9, 9, 2), np.float32)
    towards[4, 4] = (2, 1)
    middle, above = turn.places(np.array([[4.0, 4.0], [5.0, 6.0]]), (9, 9)).astype(int)
    assert np.array_equal(turn.up(towards)[middle[0], middle[1]], (above - middle)[::-1])


# --- weighing the answers ---------------------------------------------------------------


def first_look() -> tuple[PreparedTable, Picture, Detections]:
    """Return a table, the board image of a frame of it, and the network's first detections there."""
    shot = pictures()
    setting = prepare_table(shot.table)
    found = register(setting.anchors, shot.later.picture)
    assert found is not None
    board = board_image(shot.table, shot.later.picture, found)
    return setting, board, network().find(board, setting.printed, setting.looks)


def test_looking_again_changes_windows_alone_and_agrees_where_the_first_look_was_sure() -> None:
    setting, board, first = first_look()
    at_mm = np.array([four_areas().area("a1").centres_mm[0]])
    again = look_again(first, at_mm, board, setting.again, network())
    rows, columns = _changed(first, again)
    assert len(rows) <= SIDE_PX // STRIDE
    assert len(columns) <= SIDE_PX // STRIDE
    assert np.abs(again.heat - first.heat).max() < 0.6
    sure = first.heat > 0.9
    assert sure.any()
    assert again.heat[sure].min() > 0.7


def _changed(one: Detections, other: Detections) -> tuple[Cells, Cells]:
    """Return the rows and the columns of cells that differ."""
    apart = np.abs(one.heat - other.heat).max(axis=0) > 1e-4
    return np.flatnonzero(apart.any(axis=1)), np.flatnonzero(apart.any(axis=0))


def test_the_answer_is_the_mean_of_the_log_odds_of_all_looks() -> None:
    """No view leaves the first look as it was; a view that is there twice weighs twice."""
    setting, board, first = first_look()
    plain = replace(setting.again, views=setting.again.views[:0])
    at_mm = np.array([(75.0, 70.0)])
    none = look_again(first, at_mm, board, plain, network())
    assert np.allclose(none.heat, first.heat, atol=1e-5)
    one = look_again(first, at_mm, board, replace(plain, views=setting.again.views[:1]), network())
    two = look_again(first, at_mm, board, replace(plain, views=setting.again.views[:1] * 2), network())
    seen = one.scores() * 2 - first.scores()
    inside = (np.abs(first.scores()) < 12) & (np.abs(seen) < 12)
    assert np.allclose(two.scores()[inside], (first.scores() + 2 * seen)[inside] / 3, atol=1e-3)


def test_a_board_smaller_than_a_window_is_not_looked_at_again() -> None:
    shot = pictures()
    setting = prepare_table(shot.table)
    down, across = setting.again.window
    small = replace(setting.again, window=(slice(down.start, down.start + SIDE_PX - STEP), across))
    nothing = np.zeros((9, 9), np.float32)
    finds = Detections(np.stack([nothing] * 6), nothing, nothing, nothing, shot.table.grid)
    assert look_again(finds, np.array([(10.0, 10.0)]), setting.ground.image_bgr, small, network()) is finds


@pytest.mark.parametrize("sides", [(0, 1), (STEP - 1, 5 * STEP), (3 * STEP, 3 * STEP + 5)])
def test_the_part_that_is_looked_at_again_is_of_whole_steps_and_no_larger(sides: tuple[int, int]) -> None:
    plain: Any = SimpleNamespace(looks_again=False)
    picture, up = np.zeros((99, 120, 3), np.uint8), np.zeros((99, 120, 2), np.float32)
    window = slice(7, 7 + sides[0]), slice(9, 9 + sides[1])
    found = turned_views(picture, up, Grid((30.0, 30.0)), window, plain)
    assert found.views == ()
    assert found.size == tuple(side - side % STEP for side in sides)
    assert [side.start for side in found.window] == [7, 9]


def test_no_view_is_the_board_as_it_lies_and_all_differ() -> None:
    assert len(set(TURNS)) == len(TURNS)
    assert Turn(False, False, False) not in TURNS
    assert EDGE_CELLS * STRIDE * 2 < SIDE_PX
