"""The board found by itself: by markers round it, by its outline and print, or not at all."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.tables import SIZE_MM, four_areas, pictures
from vision.find_board import by_markers, by_outline, find_corners
from vision.geometry import apply, board_from_image


def with_markers() -> np.ndarray:
    """A flat table with a plain board and four markers, seen askew."""
    flat = np.full((900, 1000, 3), 200, np.uint8)
    scale, left, top = 4.0, 200.0, 170.0
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    across, down = SIZE_MM
    middles = [(-25, -25), (across + 25, -25), (across + 25, down + 25), (-25, down + 25)]
    for number, (x, y) in enumerate(middles):
        marker = cv2.cvtColor(cv2.aruco.generateImageMarker(words, number, 100), cv2.COLOR_GRAY2BGR)
        row, column = int(top + y * scale) - 50, int(left + x * scale) - 50
        flat[row : row + 100, column : column + 100] = marker
    return flat


def test_markers_say_where_the_board_is() -> None:
    warp = np.array([[0.8, 0.06, 30], [-0.03, 0.75, 40], [0.00004, 0.00008, 1]])
    picture = cv2.warpPerspective(with_markers(), warp, (1000, 800), borderValue=(200, 200, 200))
    wanted = apply(warp, [[200, 170], [200 + 150 * 4, 170], [200 + 150 * 4, 170 + 140 * 4], [200, 170 + 140 * 4]])
    found = find_corners(picture.astype(np.uint8), four_areas())
    assert np.abs(found - wanted).max() < 3


def test_without_all_markers_they_are_not_used() -> None:
    picture = with_markers()
    picture[:300, :300] = 200
    assert by_markers(picture, four_areas()) is None


def test_a_plain_picture_has_no_board() -> None:
    assert by_outline(np.full((480, 640, 3), 90, np.uint8), four_areas()) is None


def test_the_outline_is_taken_the_right_way_round_or_not_at_all() -> None:
    shots = pictures()
    found = by_outline(shots.reference.picture, four_areas())
    if found is not None:
        landed = apply(board_from_image(found, SIZE_MM), shots.reference.truth["corners_px"])
        assert np.abs(landed - [[0, 0], [SIZE_MM[0], 0], SIZE_MM, [0, SIZE_MM[1]]]).max() < 12
