"""The board found by itself, by markers, outline and print, and touched corners put where the printed borders are."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.vision.tables import SIZE_MM, four_areas, laid, pictures, there, units_at_start
from tests.vision.test_faults import empty, rivers
from vision.errors import BoardNotFound
from vision.geometry import apply, board_corners_mm, board_from_image, image_from_board
from vision.registration import align, find_board
from vision.registration.align import FINE, ROUGH, agreement, align_corners, lay_plan
from vision.registration.find_board import _board_around, _hex_steps, _leads, by_markers, by_outline, find_corners


def with_markers() -> np.ndarray:
    """Return a flat table with a plain board and four markers, seen askew."""
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


@pytest.mark.long
def test_markers_say_where_the_board_is() -> None:
    warp = np.array([[0.8, 0.06, 30], [-0.03, 0.75, 40], [0.00004, 0.00008, 1]])
    picture = cv2.warpPerspective(with_markers(), warp, (1000, 800), borderValue=(200, 200, 200))
    wanted = apply(warp, [[200, 170], [200 + 150 * 4, 170], [200 + 150 * 4, 170 + 140 * 4], [200, 170 + 140 * 4]])
    found = find_corners(picture.astype(np.uint8), four_areas())
    assert np.abs(found - wanted).max() < 3


@pytest.mark.long
def test_without_all_markers_they_are_not_used() -> None:
    picture = with_markers()
    picture[:300, :300] = 200
    assert by_markers(picture, four_areas()) is None
    assert by_outline(np.full((480, 640, 3), 90, np.uint8), four_areas()) is None, "a plain picture has no board"


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_board, "MOST_OUTLINES", 2)
    monkeypatch.setattr(find_board, "MOST_BOXES", 1)


@lru_cache(maxsize=4)
def simulated(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a simulated table's empty board, a little smaller than a camera gives it, and its corners."""
    picture, corners = empty(seed)
    return np.asarray(cv2.resize(picture, (960, 720), interpolation=cv2.INTER_AREA), np.uint8), corners * 0.75


@pytest.mark.long
@pytest.mark.parametrize("seed", [700012, 700024])
def test_a_board_is_found_by_its_outline_the_right_why_lost(seed: int) -> None:
    picture, corners = simulated(seed)
    assert np.linalg.norm(find_corners(picture, rivers()) - corners, axis=1).max() < 3


@pytest.mark.long
def test_a_board_whose_rim_is_as_dark_as_the_table_is_found_by_its_areas() -> None:
    """Its outline is not seen: the box round its areas is where to begin."""
    box = np.array([[200.0, 50.0], [700.0, 60.0], [690.0, 640.0], [190.0, 630.0]])
    corners = _board_around(box, rivers())
    points = np.concatenate([np.asarray(area.polygon_mm) for area in rivers().areas])
    seen = apply(np.asarray(np.linalg.inv(board_from_image(corners, rivers().size_mm)), np.float64), points)
    assert cv2.contourArea(cv2.convexHull(seen.astype(np.float32))) < cv2.contourArea(box.astype(np.float32))
    assert all(cv2.pointPolygonTest(box.astype(np.float32), (float(x), float(y)), True) > -1 for x, y in seen)


@pytest.mark.long
def test_a_picture_that_shows_another_board_or_none_is_refused() -> None:
    picture, corners = simulated(700012)
    assert by_outline(picture, four_areas()) is None
    hidden = picture.copy()
    cv2.fillConvexPoly(hidden, np.round(corners).astype(np.int32), (60, 140, 90))
    with pytest.raises(BoardNotFound, match="give its corners"):
        find_corners(hidden, rivers())


@pytest.mark.long
def test_half_a_board_is_refused() -> None:
    picture, corners = simulated(700012)
    cut = picture[:, round(float(corners[:, 0].mean())) :]
    framed = cv2.copyMakeBorder(cut, 0, 0, 0, 960 - cut.shape[1], cv2.BORDER_REPLICATE)
    assert by_outline(np.asarray(framed, np.uint8), rivers()) is None


@pytest.mark.long
def test_a_board_moved_by_one_hex_agrees_less() -> None:
    picture, corners = simulated(700012)
    found = there(lay_plan(picture, corners, rivers(), ROUGH + FINE))
    assert _leads(picture, found, rivers())
    for shift in _hex_steps(rivers())[:2]:
        corners_mm = board_corners_mm(rivers().size_mm) + shift
        moved = there(lay_plan(picture, apply(image_from_board(corners, rivers().size_mm), corners_mm), rivers(), FINE))
        assert moved.share < found.share
        assert not _leads(picture, moved, rivers())


def gaps_mm(corners: np.ndarray) -> float:
    """How far, in mm, pieces seem to be from where they were put, when the corners are these."""
    shots = pictures()
    put = [piece.at_mm for piece in laid(shots.studio, units_at_start(), {}, 3)]
    seen = apply(board_from_image(corners, SIZE_MM), [piece["px"] for piece in shots.start.truth["pieces"]])
    return float(np.mean([min(np.hypot(*(corner - np.array(other))) for other in put) for corner in seen]))


@pytest.mark.parametrize("seed", [0, 2, 4])
def test_touched_corners_come_nearer(seed: int) -> None:
    true = np.asarray(pictures().reference.truth["corners_px"])
    touched = true + np.random.default_rng(seed).normal(0, 2.5, (4, 2))
    found = align_corners(pictures().reference.picture, touched, four_areas())
    assert gaps_mm(found) < 0.75 * gaps_mm(touched)
    assert gaps_mm(found) < 0.6


def test_corners_stay_without_print_and_where_they_would_move_far() -> None:
    corners = np.asarray(pictures().reference.truth["corners_px"])
    assert np.array_equal(align_corners(np.full((480, 640, 3), 99, np.uint8), corners, four_areas()), corners)
    far = corners + np.array([40.0, 30.0])
    assert np.array_equal(align_corners(pictures().reference.picture, far, four_areas()), far)


def test_true_corners_are_found_again_and_the_print_agrees() -> None:
    true = np.asarray(pictures().reference.truth["corners_px"])
    found = align.lay_plan(pictures().reference.picture, true + np.array([6.0, -4.0]), four_areas(), ROUGH + FINE)
    assert found is not None
    assert np.linalg.norm(found.corners_px - true, axis=1).max() < 2
    assert np.linalg.norm(found.seen_px - true, axis=1).max() < 6, "its frame is so near its edge"
    assert found.share > 0.8
    turned = agreement(pictures().reference.picture, np.roll(true, 1, axis=0), four_areas())
    assert turned < 0.6
    assert align.lay_plan(np.full((480, 640, 3), 99, np.uint8), true, four_areas(), FINE) is None
