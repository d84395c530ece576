"""The piece network: what goes in, what its heat maps mean, and that the packaged weights find simulated pieces."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Camera, Grid, board_from_image, rectify, up_field
from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.reading.network import (
    CLASSES,
    COVERED,
    LOOKS,
    OUTPUTS,
    STACKED,
    Detections,
    PieceNetwork,
    cells_of,
    decode_scores,
    gains,
    looks_of,
    window_of,
)
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


def test_cells_and_mm_are_each_others_inverse() -> None:
    answer = found(scores_with_peak(5, 5, 0))
    points = np.array([[3.0, 4.0], [20.0, 31.0]])
    cells = cells_of(points, answer.grid)
    assert np.allclose(answer.mm(cells[:, 0], cells[:, 1]), points)


def test_a_second_troop_is_read_from_the_stack_map() -> None:
    scores = scores_with_peak(10, 10, CLASSES.index(("red", "troop")))
    scores[STACKED] = 4.0
    assert found(scores).peaks(0.3)[0].stacked == pytest.approx(0.98, abs=0.01)


def test_two_classes_at_one_place_are_rivals() -> None:
    scores = scores_with_peak(10, 10, 0)
    scores[1] = scores[0] - 1.0
    one, other = found(scores).peaks(0.3)
    assert (one.faction, one.kind) == CLASSES[0]
    assert (other.faction, other.kind) == CLASSES[1]
    assert one.rival == pytest.approx(other.heat)
    assert other.rival == pytest.approx(one.heat)


def test_two_peaks_of_one_class_closer_than_pieces_can_be_are_one() -> None:
    scores = np.maximum(scores_with_peak(10, 10, 0), scores_with_peak(10, 13, 0) - 0.3)
    assert len(found(scores).peaks(0.3)) == 1
    apart = np.maximum(scores_with_peak(10, 10, 0), scores_with_peak(10, 16, 0) - 0.3)
    assert len(found(apart).peaks(0.3)) == 2


def test_weak_peaks_and_flat_maps_are_nothing() -> None:
    assert found(scores_with_peak(10, 10, 0)).peaks(0.95) == ()
    assert found(np.full((OUTPUTS, 28, 28), -9.0, np.float32)).peaks(0.3) == ()


def test_a_peak_on_the_rim_has_no_neighbour_to_lean_on() -> None:
    (find,) = found(scores_with_peak(0, 0, 0)).peaks(0.3)
    assert np.allclose(find.at_mm, (0.75 - 8, 0.75 - 8))


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
    printed = network.printed(empty, up, grid)
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


def test_channels_beyond_the_classes_are_cover_and_stacks() -> None:
    assert (COVERED, STACKED) == (6, 7)
