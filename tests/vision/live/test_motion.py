"""What counts as motion, and what does not: noise, lamps, bands, exposure; and telling a knock from a hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.live.motion import CELL_PX, Motion, cells_within, changed_cells, is_dark, is_motion, shift_between, small_of

Rng = np.random.Generator


def scene() -> np.ndarray:
    return pictures().start.picture


def as_taken(picture: np.ndarray, rng: Rng, noise: float = 5.0, light: np.ndarray | float = 1.0) -> np.ndarray:
    """Return the picture, made small, in another light, (rows,) or one, with a camera's noise."""
    lit = picture * np.broadcast_to(light, picture.shape[:1])[:, None, None]
    return small_of(np.clip(lit + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8))


def with_hand(picture: np.ndarray) -> np.ndarray:
    return cv2.ellipse(picture.copy(), (380, 260), (110, 60), 20, 0, 360, (120, 150, 200), -1)


def shifted(picture: np.ndarray, across: float, down: float, turn_deg: float = 0.0) -> np.ndarray:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
    matrix[:, 2] += np.array((across, down))
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize("noise", [0.0, 4.0, 12.0])
def test_noise_is_no_motion(noise: float) -> None:
    rng = np.random.default_rng(1)
    assert not is_motion(changed_cells(as_taken(scene(), rng, noise), as_taken(scene(), rng, noise)))


@pytest.mark.parametrize("gain", [0.6, 0.85, 1.15])
def test_a_lamp_that_changes_is_no_motion(gain: float) -> None:
    rng = np.random.default_rng(2)
    assert not is_motion(changed_cells(as_taken(scene(), rng), as_taken(scene(), rng, light=gain)))


def test_the_bands_of_a_flickering_lamp_are_no_motion() -> None:
    rng = np.random.default_rng(3)
    rows = np.arange(480) / 45
    first, second = (as_taken(scene(), rng, light=1 + 0.07 * np.sin(rows + phase)) for phase in (0.0, 2.2))
    assert not is_motion(changed_cells(first, second))


def test_a_hand_is_motion_where_it_is() -> None:
    rng = np.random.default_rng(4)
    cells = changed_cells(as_taken(scene(), rng), as_taken(with_hand(scene()), rng))
    assert is_motion(cells)
    rows, columns = np.nonzero(cells)
    assert abs(rows.mean() * CELL_PX * 2 - 260) < 30
    assert abs(columns.mean() * CELL_PX * 2 - 380) < 40


def test_a_hand_that_creeps_is_seen_against_a_while_ago() -> None:
    motion, rng = Motion(), np.random.default_rng(5)
    hand = [shifted(with_hand(scene())[:, :, :], 0.5 * i, 0) for i in range(10)]
    assert is_motion(motion.moving_cells(as_taken(hand[0], rng), 0.0)), "of the first picture nothing is known"
    seen = [is_motion(motion.moving_cells(as_taken(picture, rng), 0.1 * i)) for i, picture in enumerate(hand[1:], 1)]
    assert any(seen)


def test_slow_light_is_never_motion() -> None:
    motion, rng = Motion(), np.random.default_rng(6)
    motion.moving_cells(as_taken(scene(), rng), 0.0)
    across = np.linspace(-1, 1, 640)
    for i in range(1, 60):
        lit = scene() * (1 + 0.003 * i * across)[None, :, None]  # the sun comes round
        assert not is_motion(motion.moving_cells(as_taken(lit, rng), 0.1 * i))


def test_a_picture_of_another_size_begins_anew() -> None:
    motion = Motion()
    motion.moving_cells(small_of(scene()), 0.0)
    assert is_motion(motion.moving_cells(small_of(scene()[:400]), 0.1))


def test_large_pictures_become_as_small() -> None:
    assert small_of(np.zeros((3040, 4056, 3), np.uint8)).shape == (240, 320)
    assert small_of(scene()).shape == (240, 320)


def test_what_is_dark() -> None:
    assert is_dark(small_of((scene() * 0.02).astype(np.uint8)))
    assert not is_dark(small_of((scene() * 0.3).astype(np.uint8)))


def test_cells_on_the_board() -> None:
    outline = np.array([[0.25, 0.2], [0.75, 0.2], [0.75, 0.6], [0.25, 0.6]])
    cells = cells_within(outline, (240, 320))
    assert cells.shape == (30, 40)
    assert cells[15, 20]
    assert not cells[2, 20]
    assert not cells[15, 2]


@pytest.mark.parametrize(("across", "turn_deg"), [(3.0, 0.0), (12.0, 0.0), (0.0, 1.0), (-5.0, -0.5)])
def test_a_knock_moves_the_whole_picture(across: float, turn_deg: float) -> None:
    rng = np.random.default_rng(7)
    found = shift_between(as_taken(scene(), rng, 3.0), as_taken(shifted(scene(), across, 0, turn_deg), rng, 3.0))
    assert found is not None
    assert found.turn_deg == pytest.approx(-turn_deg, abs=0.1)
    assert found.share > 0.9 * abs(across) / 640
    assert found.share > 0.5 * np.radians(abs(turn_deg))


def test_a_hand_is_no_knock() -> None:
    found = shift_between(small_of(scene()), small_of(with_hand(scene())))
    assert found is None or found.share < 0.001


@pytest.mark.parametrize("other", [np.full((480, 640, 3), 90, np.uint8), np.zeros((480, 640, 3), np.uint8)])
def test_nothing_to_follow_is_no_shift(other: np.ndarray) -> None:
    assert shift_between(small_of(other), small_of(scene())) is None
    assert shift_between(small_of(scene()), small_of(other)) is None


def test_another_scene_is_no_shift() -> None:
    noise = np.random.default_rng(8).integers(0, 255, (480, 640, 3), np.uint8)
    assert shift_between(small_of(scene()), small_of(np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.uint8))) is None
