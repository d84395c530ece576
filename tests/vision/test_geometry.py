"""The board's plane: corners to homography, the board image, the camera's place, and corners that are none."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import CornersError
from vision.geometry import (
    Camera,
    Grid,
    apply,
    board_from_image,
    camera_of,
    checked_corners,
    rectification_maps,
    rectify,
    rectify_by_maps,
    up_field,
)

SIZE_MM = (200.0, 150.0)
CORNERS = [[100.0, 80.0], [540.0, 90.0], [560.0, 420.0], [80.0, 400.0]]


def seen_by(camera_mm: tuple[float, float, float], focal_px: float, points_mm: np.ndarray) -> np.ndarray:
    """Pixels, in a picture of 1280 x 960, of points on the board seen by a camera that looks at the board's middle."""
    eye, target = np.array(camera_mm), np.array([100.0, 75.0, 0.0])
    ahead = (target - eye) / np.linalg.norm(target - eye)
    across = np.cross(ahead, [0.0, -1.0, 0.0])
    across /= np.linalg.norm(across)
    axes = np.array([across, np.cross(ahead, across), ahead])
    local = (np.column_stack([points_mm, np.zeros(len(points_mm))]) - eye) @ axes.T
    return np.asarray(local[:, :2] / local[:, 2:] * focal_px + [639.5, 479.5])


def test_corners_go_to_the_boards_corners_and_the_grid_to_pixels_and_back() -> None:
    grid = Grid(SIZE_MM)
    assert grid.shape == (332, 432)
    assert np.allclose(grid.mm(grid.px([[10.0, 20.0]])), [[10.0, 20.0]])
    assert np.allclose(apply(grid.grid_from_board, [[10.0, 20.0]]), grid.px([[10.0, 20.0]]))
    assert np.allclose(grid.points_mm()[16, 16], [0.0, 0.0])
    found = apply(board_from_image(CORNERS, SIZE_MM), CORNERS)
    assert np.allclose(found, [[0, 0], [200, 0], [200, 150], [0, 150]], atol=1e-3)


def test_board_image_shows_the_board_upright() -> None:
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[:, 320:] = 200
    board = rectify(picture, board_from_image(CORNERS, SIZE_MM), Grid(SIZE_MM))
    assert board.shape == (332, 432, 3)
    assert board[170, 40].max() == 0
    assert board[170, 400].min() == 200


@pytest.mark.parametrize("eye", [(100.0, 300.0, 420.0), (320.0, 90.0, 380.0), (130.0, 60.0, 500.0)])
def test_camera_is_found_from_the_corners(eye: tuple[float, float, float]) -> None:
    corners = seen_by(eye, 1280.0, np.array([[0, 0], [200, 0], [200, 150], [0, 150.0]]))
    camera = camera_of(board_from_image(corners, SIZE_MM), (1280, 960))
    assert np.allclose(camera.centre_mm, eye, rtol=0.15, atol=12)


def test_height_is_seen_away_from_the_cameras_foot() -> None:
    camera = Camera((100.0, 75.0, 400.0), 1000.0)
    up = up_field(camera, Grid(SIZE_MM))
    assert np.allclose(camera.up([[100.0, 75.0]]), 0)
    assert np.allclose(camera.up([[140.0, 75.0]]), [[0.1, 0.0]])
    assert np.allclose(camera.up([[140.0, 75.0]], 40.0), [[40 / 360, 0.0]])
    assert up[0, 0, 0] < 0 < up[-1, -1, 1]


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        ([[0, 0], [1, 1]], "four corners"),
        ([[0, 0], [9, 0], [9, 9], [float("nan"), 9]], "four corners"),
        ([[100, 80], [100000, 90], [560, 420], [80, 400]], "far outside"),
        (CORNERS[::-1], "wrong way round"),
        (
            [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]],
            "don't form a proper quadrilateral: lines between them cross",
        ),
        (
            [[100, 80], [300, 80], [500, 80], [300, 400]],
            "don't form a proper quadrilateral: three of them lie in a line",
        ),
        ([[100, 80]] * 4, "three of them lie in a line"),
        ([[100, 80], [500, 80], [250, 150], [100, 400]], "don't form a proper quadrilateral$"),
        ([[100, 80], [130, 80], [130, 100], [100, 100]], "too small a part"),
    ],
)
def test_corners_that_are_none_are_refused(corners: list[list[float]], said: str) -> None:
    with pytest.raises(CornersError, match=said):
        checked_corners(corners, (640, 480))
    assert checked_corners(CORNERS, (640, 480)).shape == (4, 2)


def test_maps_worked_out_before_give_the_same_board_image() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    picture = np.asarray(cv2.GaussianBlur(noise, (0, 0), 2.0), np.uint8)
    from_image = board_from_image(((40.0, 30.0), (280.0, 22.0), (318.0, 210.0), (12.0, 232.0)), (100.0, 80.0))
    grid = Grid((100.0, 80.0))
    usual, quick = (rectify(picture, from_image, grid), rectify_by_maps(picture, rectification_maps(from_image, grid)))
    assert quick.shape == (*grid.shape, 3)
    assert np.mean(quick != usual) < 1e-4


EMPTY = re.compile(r"np\.(zeros|empty)\(\(?0|np\.array\(\[\]")


@pytest.mark.parametrize("room", ["vision", "companion", "training", "benchmarks"])
def test_no_empty_array_is_handed_over_for_a_map(room: str) -> None:
    """OpenCV 5.0 reads past its end, and may never come back: a module that calls `remap` has no empty array at all."""
    sources = {path: path.read_text(encoding="utf-8") for path in (Path(__file__).parents[2] / room).rglob("*.py")}
    assert sources
    assert [path for path, source in sources.items() if "cv2.remap" in source and EMPTY.search(source)] == []
    assert EMPTY.search("cv2.remap(art, at, np.zeros((0, 0), np.float32), cv2.INTER_LINEAR)")
