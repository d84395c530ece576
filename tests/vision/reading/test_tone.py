"""Cameras that change their contrast between the empty board's photo and a frame."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Picture
from vision.reading.tone import with_tone_of


def printed() -> Picture:
    rng = np.random.default_rng(3)
    tiles = np.repeat(np.repeat(rng.integers(30, 220, (12, 16, 3)), 20, axis=0), 20, axis=1)
    return np.asarray(tiles + rng.integers(-4, 5, tiles.shape), np.uint8)


@pytest.mark.parametrize("power", [0.72, 1.45])
def test_another_contrast_is_taken_back_though_pieces_stand_there(power: float) -> None:
    empty = printed()
    full = empty.copy()
    full[20:120, 30:200] = (25, 25, 25)
    frame = np.asarray(255 * (full / 255) ** power, np.uint8)
    back = with_tone_of(frame, empty).astype(float)
    free = np.ones(empty.shape[:2], bool)
    free[20:120, 30:200] = False
    assert np.abs(back - empty)[free].mean() < 0.25 * np.abs(frame.astype(float) - empty)[free].mean()


def test_the_same_tone_and_a_dimmer_lamp_are_left_alone() -> None:
    empty = printed()
    assert with_tone_of(empty, empty) is empty
    dim = np.asarray(empty * 0.7, np.uint8)
    assert np.abs(with_tone_of(dim, empty).astype(float) - dim).mean() < 12


def test_a_picture_without_contrast_is_left_alone() -> None:
    flat = np.full((100, 100, 3), 90, np.uint8)
    assert with_tone_of(flat, printed()[:100, :100]) is flat
