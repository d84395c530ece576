"""Whether two pictures of an area show the same."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import Picture
from vision.reading.crops import is_same_sight


def area(*discs: tuple[int, int, int]) -> Picture:
    """Return a dark picture of an area at 2 px/mm with single discs, given as (across, down, grey)."""
    picture = np.random.default_rng(1).integers(20, 28, (130, 150, 3)).astype(np.uint8)
    for across, down, grey in discs:
        cv2.circle(picture, (across, down), 14, (grey, grey, grey), -1)
    return picture


@pytest.mark.parametrize("light", [1.0, 1.2])
def test_what_nobody_touched_is_the_same_sight_in_a_little_more_light(light: float) -> None:
    assert is_same_sight(area((60, 60, 45)), np.asarray(area((60, 60, 45)) * light, np.uint8))


def test_noise_is_no_other_sight() -> None:
    noise = np.random.default_rng(2).normal(0.0, 6.0, (130, 150, 3))
    assert is_same_sight(area((60, 60, 45)), np.clip(area((60, 60, 45)) + noise, 0, 255).astype(np.uint8))


def test_a_second_disc_on_one_in_a_dark_picture_is_another_sight() -> None:
    """Seen from nearly above, its top lies 3 mm further out than the one below it."""
    assert not is_same_sight(area((60, 60, 45)), area((66, 60, 45)))
