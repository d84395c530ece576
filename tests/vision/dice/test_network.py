"""The dice network: windows turned and cut so that a top looks alike from everywhere, and the tops found in them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.network import (
    CELLS,
    CENTRE_PX,
    CLASSES,
    PX_PER_MM,
    STRIDE,
    TOP_MM,
    UNREADABLE,
    WINDOW_PX,
    DiceNetwork,
    blob,
    cut_window,
    tops_of,
    window_at,
)
from vision.errors import VisionError
from vision.geometry import Camera, Matrix, Picture, apply
from vision.simulation.camera import SimulatedCamera

BOARD = np.array([[0.0, 0, 0], [150, 0, 0], [150, 140, 0], [0, 140, 0]])
PLACES = [(-30.0, 20.0), (180.0, 30.0), (70.0, 170.0)]


def seen_by(camera: SimulatedCamera) -> tuple[Camera, Matrix]:
    """Return the eye's camera and the matrix image <- board of a simulated one."""
    x, y, z = camera.centre_mm
    warp = cv2.getPerspectiveTransform(BOARD[:, :2].astype(np.float32), camera.px(BOARD).astype(np.float32))
    return Camera((float(x), float(y), float(z)), camera.focal * camera.size_px[0]), np.asarray(warp, np.float64)


@pytest.mark.parametrize("side", [0, 100, 215])
@pytest.mark.parametrize("at", PLACES)
def test_a_top_is_in_the_middle_and_higher_is_further_up(side: float, at: tuple[float, float]) -> None:
    camera = SimulatedCamera(target_mm=(75, 70), distance_mm=400, tilt_deg=30, side_deg=side, size_px=(640, 480))
    window = window_at(at, *seen_by(camera))
    back = np.asarray(np.linalg.inv(window.image_from_window), np.float64)
    points = np.array([[*at, TOP_MM], [*at, TOP_MM + 10], [at[0] + 6, at[1], TOP_MM]])
    top, higher, beside = apply(back, camera.px(points))
    assert top == pytest.approx([CENTRE_PX, CENTRE_PX], abs=0.3)
    assert abs(higher[0] - top[0]) < 1.0
    assert higher[1] - top[1] == pytest.approx(-10 * PX_PER_MM * window.lean, rel=0.1)
    assert np.hypot(*(beside - top)) == pytest.approx(6 * PX_PER_MM, rel=0.02)
    assert window.mm([beside])[0] == pytest.approx([at[0] + 6, at[1]], abs=0.2)


def test_windows_are_not_mirrored() -> None:
    camera = SimulatedCamera(target_mm=(75, 70), distance_mm=400, tilt_deg=20, size_px=(640, 480))
    window = window_at((-30.0, 20.0), *seen_by(camera))
    assert np.linalg.det(window.image_from_window[:2, :2]) > 0


def fine_picture(scale: int) -> Picture:
    """Return a pattern that is wide in mm, as a camera of this many pixels sees it."""
    rows, columns = np.mgrid[: 480 * scale, : 640 * scale] / scale
    waves = 128 + 60 * np.sin(columns / 9) + 50 * np.cos(rows / 7)
    return np.repeat(waves[..., None], 3, axis=2).astype(np.uint8)


def test_a_finer_picture_gives_the_same_window() -> None:
    cuts = []
    for scale in (1, 5):
        camera = SimulatedCamera(target_mm=(75, 70), tilt_deg=20, size_px=(640 * scale, 480 * scale))
        cuts.append(cut_window(fine_picture(scale), window_at((60.0, 80.0), *seen_by(camera))).astype(int))
    assert cuts[0].shape == (WINDOW_PX, WINDOW_PX, 3)
    assert np.abs(cuts[0] - cuts[1]).mean() < 3


def test_outside_the_picture_its_border_goes_on() -> None:
    camera = SimulatedCamera(target_mm=(75, 70), tilt_deg=0, size_px=(3200, 2400))
    picture = np.full((2400, 3200, 3), 77, np.uint8)
    assert (cut_window(picture, window_at((-900.0, 70.0), *seen_by(camera))) == 77).all()


def raw(*peaks: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Scores with a peak of a class at each (row, column, class)."""
    scores = np.full((2 + UNREADABLE, CELLS, CELLS), -8.0, np.float32)
    for row, column, kind in peaks:
        scores[0, row, column] = 3.0
        scores[1 + kind, row, column] = 4.0
    return scores


def test_each_peak_is_a_top_with_its_class() -> None:
    found = tops_of(raw((8, 9, 1), (14, 15, UNREADABLE)), 0.5)
    assert len(found) == 2
    by_place = {round(top.px[0]): top for top in found}
    top = by_place[round(9 * STRIDE + 1.5)]
    assert top.px == pytest.approx((9 * STRIDE + 1.5, 8 * STRIDE + 1.5), abs=0.1)
    assert CLASSES[int(np.argmax(top.chances))] == 1
    assert sum(top.chances) == pytest.approx(1)
    assert top.score == pytest.approx(0.953, abs=0.001)


def test_a_peak_between_two_cells_is_placed_between_them() -> None:
    scores = raw((10, 10, 0))
    scores[0, 10, 11] = 2.5
    (top,) = tops_of(scores, 0.5)
    assert 10 * STRIDE + 1.5 < top.px[0] < 11 * STRIDE + 1.5


def test_weak_peaks_and_those_at_the_edge_are_left_out() -> None:
    assert tops_of(raw((1, 12, 1), (12, CELLS - 1, 1)), 0.5) == []
    assert tops_of(raw((12, 12, 1)), 0.99) == []


def test_input_is_even_in_light() -> None:
    rng = np.random.default_rng(1)
    window = rng.integers(60, 120, (WINDOW_PX, WINDOW_PX, 3)).astype(np.uint8)
    lighter = (window.astype(int) + 90).astype(np.uint8)
    full = blob([window, lighter], [0.1, 0.6])
    assert full.shape == (2, 4, WINDOW_PX, WINDOW_PX)
    assert np.abs(full[0, :3] - full[1, :3]).max() < 0.01
    assert full[:, 3, 0, 0] == pytest.approx([0.1, 0.6])


def test_no_windows_no_tops() -> None:
    assert DiceNetwork().find([], [], 0.5) == []


def test_the_packaged_weights_answer_for_any_number_of_windows() -> None:
    network = DiceNetwork()
    blank = np.full((WINDOW_PX, WINDOW_PX, 3), 120, np.uint8)
    assert network.find([blank] * 3, [0.2] * 3, 0.3) == [[], [], []]
    assert network.find([blank], [0.2], 0.3) == [[]]


def test_broken_weights_are_told() -> None:
    with pytest.raises(VisionError, match="weights"):
        DiceNetwork(b"no weights").find([np.zeros((WINDOW_PX, WINDOW_PX, 3), np.uint8)], [0.0], 0.5)
