"""Corners a finger's touch off come to where the printed borders say they are; without print they stay."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tables import SIZE_MM, four_areas, laid, pictures, units_at_start
from vision.geometry import apply, board_from_image
from vision.registration import align
from vision.registration.align import FINE, ROUGH, agreement, align_corners


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


def test_without_print_corners_stay() -> None:
    corners = np.asarray(pictures().reference.truth["corners_px"])
    assert np.array_equal(align_corners(np.full((480, 640, 3), 99, np.uint8), corners, four_areas()), corners)


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


def test_corners_that_would_move_far_stay() -> None:
    true = np.asarray(pictures().reference.truth["corners_px"])
    far = true + np.array([40.0, 30.0])
    assert np.array_equal(align_corners(pictures().reference.picture, far, four_areas()), far)
