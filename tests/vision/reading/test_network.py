"""The piece network: what goes in, what its heat maps mean, what looking again makes of them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tables import four_areas, pictures, there
from vision.geometry import Camera, Grid, Picture, board_from_image, rectify, up_field
from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.reading.network import (
    CLASSES,
    LOOKS,
    OUTPUTS,
    STACKED,
    STEP,
    STRIDE,
    Detections,
    PieceNetwork,
    decode_scores,
    gains,
    looks_of,
    window_of,
)
from vision.reading.pieces import NOT_AGAIN, Candidate
from vision.reading.second_look import (
    MOST,
    SIDE_PX,
    TURNS,
    Turn,
    candidate_doubt,
    doubtful_places,
    look_again,
    turned_views,
    windows_about,
)
from vision.reading.setting import PreparedTable, board_image, network, prepare_table
from vision.registration.register import register
from vision.simulation.camera import Lens, SimulatedCamera
from vision.simulation.table import Moment, PlacedPiece, Scene, Studio

SIZE_MM = (120.0, 120.0)
PIECES = (
    PlacedPiece("troop", "red", "a1", (35.0, 40.0)),
    PlacedPiece("troop", "black", "a1", (60.0, 40.0)),
    PlacedPiece("troop", "black", "a1", (60.0, 56.0)),
    PlacedPiece("commander", "red", "a1", (90.0, 40.0)),
    PlacedPiece("ship", "black", "a1", (35.0, 80.0)),
    PlacedPiece("ship", "red", "a1", (85.0, 85.0), 0.6),
)


def one_area() -> BoardPlan:
    outline = ((5.0, 5.0), (115.0, 5.0), (115.0, 115.0), (5.0, 115.0))
    area, space = AreaPlan("a1", "land", outline, ((60.0, 60.0),)), SpacePlan("advance:a1", "a1", (90.0, 40.0))
    return BoardPlan("test-one", SIZE_MM, (area,), (space,), 6.5, ("red",), (), ())


def scores_with_peak(row: float, column: float, which: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Raw scores of a grid of 40 x 40 mm with one peak of class `which`."""
    grid = Grid((40.0, 40.0))
    rows, columns = (-(-side // 4) for side in grid.shape)
    ys, xs = np.mgrid[:rows, :columns]
    heat = 0.9 * np.exp(-((ys - row) ** 2 + (xs - column) ** 2) / 2.6)
    scores = np.full((OUTPUTS, rows, columns), -9.0, np.float32)
    scores[which] = np.log(heat / (1 - heat) + 1e-9)
    return scores


def found(scores: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Detections:
    grid = Grid((40.0, 40.0))
    return decode_scores(scores, grid, (slice(0, grid.shape[0]), slice(0, grid.shape[1])))


def test_a_peak_is_a_piece_at_its_place_on_the_board() -> None:
    (find,) = found(scores_with_peak(12.3, 8.7, CLASSES.index(("black", "ship")))).peaks(0.3)
    assert (find.faction, find.kind) == ("black", "ship")
    expected = np.array([8.7, 12.3]) * 4 + 1.5
    assert np.allclose(find.at_mm, expected / 2 - 8, atol=0.15)
    assert find.heat == pytest.approx(0.85, abs=0.06)
    assert find.stacked == 0.0
    (on_rim,) = found(scores_with_peak(0, 0, 0)).peaks(0.3)
    assert np.allclose(on_rim.at_mm, (0.75 - 8, 0.75 - 8)), "it has no neighbour to lean on"
    stacked = scores_with_peak(10, 10, CLASSES.index(("red", "troop")))
    stacked[STACKED] = 4.0
    assert found(stacked).peaks(0.3)[0].stacked == pytest.approx(0.98, abs=0.01)


def test_a_window_holds_its_points_with_room_about_them() -> None:
    grid = Grid((100.0, 60.0))
    rows, columns = window_of(grid, [(40.0, 20.0), (60.0, 30.0)])
    assert (rows.start % 8, columns.start % 8) == (0, 0)
    assert (columns.start, columns.stop) == (72, 160)
    assert (rows.start, rows.stop) == (32, 104)
    assert window_of(grid, [(0.0, 0.0), (100.0, 60.0)]) == (slice(0, 152), slice(0, 232))


def test_what_a_window_shows_stands_in_its_place_on_the_whole() -> None:
    grid = Grid((40.0, 40.0))
    whole = decode_scores(scores_with_peak(12, 9, 0), grid, (slice(0, 112), slice(0, 112)))
    window = (slice(32, 72), slice(16, 64))
    part = decode_scores(scores_with_peak(12, 9, 0)[:, 8:18, 4:16], grid, window)
    assert part.peaks(0.3)[0].at_mm == whole.peaks(0.3)[0].at_mm
    assert part.heat[:, :8].max() == 0 == part.covered[:, 16:].max()


def test_two_classes_at_one_place_are_rivals() -> None:
    scores = scores_with_peak(10, 10, 0)
    scores[1] = scores[0] - 1.0
    one, other = found(scores).peaks(0.3)
    assert (one.faction, one.kind) == CLASSES[0]
    assert (other.faction, other.kind) == CLASSES[1]
    assert one.rival == pytest.approx(other.heat)
    assert other.rival == pytest.approx(one.heat)


def test_two_peaks_closer_than_pieces_can_be_are_one_and_weak_ones_none() -> None:
    scores = np.maximum(scores_with_peak(10, 10, 0), scores_with_peak(10, 13, 0) - 0.3)
    assert len(found(scores).peaks(0.3)) == 1
    apart = np.maximum(scores_with_peak(10, 10, 0), scores_with_peak(10, 16, 0) - 0.3)
    assert len(found(apart).peaks(0.3)) == 2
    assert found(scores_with_peak(10, 10, 0)).peaks(0.95) == ()
    assert found(np.full((OUTPUTS, 28, 28), -9.0, np.float32)).peaks(0.3) == ()


def test_the_frame_takes_the_references_colours() -> None:
    rng = np.random.default_rng(1)
    reference = rng.integers(40, 160, (60, 60, 3)).astype(np.uint8)
    board = np.clip(reference * np.array([0.6, 0.8, 1.2]), 0, 255).astype(np.uint8)
    board_gain, reference_gain = gains(board, reference)
    assert np.allclose(board * board_gain, reference * reference_gain, atol=0.05)


def test_looks_are_means_at_single_pieces_kind_by_kind() -> None:
    near, far = np.zeros((24, 8, 8), np.float32), np.zeros((48, 4, 4), np.float32)
    near[:, 2:5, 2:5], far[:, 1, 1] = 2.0, 3.0
    told = looks_of(near, far, np.array([[3.2, 2.9, CLASSES.index(("black", "troop"))]]))[0]
    assert told.shape == (LOOKS,)
    third = told[2 * 73 : 3 * 73]
    assert np.allclose(third, [2.0] * 24 + [3.0] * 48 + [1.0])
    assert np.count_nonzero(told) == 73


def simulated(grid: Grid, tilt_deg: float) -> tuple[Detections, Detections]:
    """Return the network's answers on a simulated table with pieces and without."""
    camera = SimulatedCamera((60.0, 60.0), 250.0, tilt_deg, size_px=(640, 480))
    scene = Scene(camera=camera, lens=Lens(noise=1.0), clutter_seed=None)
    studio = Studio(one_area(), scene)
    centre = studio.camera_at(Moment()).centre_mm
    up = up_field(Camera((float(centre[0]), float(centre[1]), float(centre[2])), 640.0), grid)
    reference = studio.shoot(())
    pictures = []
    for pieces in (PIECES, ()):
        shot = studio.shoot(pieces, Moment(seed=3))
        pictures.append(rectify(shot.picture, board_from_image(shot.truth["corners_px"], SIZE_MM), grid))
    empty = rectify(reference.picture, board_from_image(reference.truth["corners_px"], SIZE_MM), grid)
    network = PieceNetwork()
    printed = network.prepare_board(empty, up, grid)
    return network.find(pictures[0], printed), network.find(pictures[1], printed)


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
@pytest.mark.parametrize("grid", [Grid(SIZE_MM), Grid(SIZE_MM, 1.8, 11.0)])
def test_the_packaged_weights_find_simulated_pieces_at_their_bases(grid: Grid, tilt_deg: float) -> None:
    answer, empty = simulated(grid, tilt_deg)
    finds = [find for find in answer.peaks(0.4) if find.heat >= 0.4]  # others are things of a doubted colour
    assert sorted((find.faction, find.kind) for find in finds) == sorted((p.faction, p.kind) for p in PIECES)
    for find in finds:
        same = [p.at_mm for p in PIECES if (p.faction, p.kind) == (find.faction, find.kind)]
        assert min(np.hypot(find.at_mm[0] - x, find.at_mm[1] - y) for x, y in same) < 2.5
    assert all(find.heat < 0.4 for find in empty.peaks(0.4))
    assert answer.covered.max() < 0.5


turns = st.builds(Turn, st.booleans(), st.booleans(), st.booleans())
MODELS = {"troop": (0.0, 1.0), "upper": (0.0, 1.0)}
SIZE = (320, 240)


def a_troop(heat: float, stacked: float | None = None, x_mm: float = 0.0) -> Candidate:
    upper = None if stacked is None else (1.0, stacked)
    return Candidate("red", "troop", "a1", (x_mm, 0.0), (1.0, heat), upper)


# --- what is in doubt -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piece", "doubt"),
    [
        *((a_troop(heat), doubt) for heat, doubt in ((9.0, 0.0), (-9.0, 0.0), (0.0, 0.5), (2.0, 0.119))),
        (a_troop(9.0, 0.0), 0.5),
        (a_troop(9.0, NOT_AGAIN), 0.047),
        (a_troop(-6.0, 0.0), 0.003),
    ],
)
def test_a_piece_is_in_doubt_by_how_far_it_and_another_on_it_are_from_sure(piece: Candidate, doubt: float) -> None:
    assert candidate_doubt(piece, MODELS) == pytest.approx(doubt, abs=0.001)
    found = [a_troop(2.0, x_mm=1.0), a_troop(9.0, x_mm=2.0), a_troop(0.1, x_mm=3.0)]
    assert doubtful_places(found, MODELS) == [(3.0, 0.0), (1.0, 0.0)], "the most doubtful first"


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
    assert windows_about(np.zeros((0, 2)), SIZE) == []


# --- turns ------------------------------------------------------------------------------


@given(turns)
def test_what_is_laid_and_undone_is_as_it_was(turn: Turn) -> None:
    picture = np.arange(6 * 4 * 3, dtype=np.float32).reshape(6, 4, 3)
    layers = turn.apply(picture).transpose(2, 0, 1)
    assert np.array_equal(turn.undo(layers).transpose(1, 2, 0), picture)
    assert len({Turn(False, False, False), *TURNS}) == len(TURNS) + 1, "no view is the board as it lies"


@given(turns)
def test_a_window_is_laid_as_the_picture_is(turn: Turn) -> None:
    picture = np.arange(8 * 6, dtype=np.float32).reshape(8, 6, 1)
    row, column = turn.places(np.array([[4, 2]]), (8, 6), side=2)[0].astype(int)
    laid = turn.apply(picture)[row : row + 2, column : column + 2]
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
    found = there(register(setting.anchors, shot.later.picture))
    board = board_image(shot.table, shot.later.picture, found)
    return setting, board, network().find(board, setting.printed, setting.looks)


def test_looking_again_changes_windows_alone_and_agrees_where_the_first_look_was_sure() -> None:
    setting, board, first = first_look()
    at_mm = np.array([four_areas().area("a1").centres_mm[0]])
    again = look_again(first, at_mm, board, setting.again, network())
    changed = np.abs(first.heat - again.heat).max(axis=0) > 1e-4
    assert max(changed.any(axis=1).sum(), changed.any(axis=0).sum()) <= SIDE_PX // STRIDE
    assert np.abs(again.heat - first.heat).max() < 0.6
    sure = first.heat > 0.9
    assert sure.any()
    assert again.heat[sure].min() > 0.7


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
