"""Pictures to look at: small, enlarged, with the drawn map's place; and whether something moves."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tables import four_areas
from vision.live.preview import detail_of, is_still, map_lines, preview_of, stillness_of


def decoded(jpeg: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))


def scene() -> np.ndarray:
    picture = np.full((960, 1280, 3), 120, np.uint8)
    cv2.rectangle(picture, (300, 200), (900, 800), (40, 90, 200), -1)
    return picture


def test_a_preview_is_small_and_knows_what_it_is_of() -> None:
    found = preview_of(scene(), 400)
    assert (found.size_px, found.of_px) == ((400, 300), (1280, 960))
    assert decoded(found.jpeg).shape == (300, 400, 3)
    assert preview_of(scene(), 5000).size_px == (1280, 960), "it is never enlarged"


def test_a_detail_is_enlarged_about_its_place() -> None:
    shown = decoded(detail_of(scene(), (300 / 1280, 200 / 960), 20.0, 160))
    assert shown.shape == (160, 160, 3)
    assert np.abs(shown[120, 120].astype(int) - (40, 90, 200)).max() < 12
    assert np.abs(shown[40, 40].astype(int) - 120).max() < 12
    beyond = decoded(detail_of(scene(), (0.0, 0.0), 20.0, 160))
    assert np.abs(beyond[30, 30].astype(int) - 60).max() < 12, "outside the picture it is grey"


def test_a_hand_moves_and_a_lamp_does_not() -> None:
    grain = np.random.default_rng(1)
    pictures = [np.clip(scene() + grain.normal(0, 5, scene().shape), 0, 255).astype(np.uint8) for _ in range(2)]
    before, same = map(stillness_of, pictures)
    assert is_still(before, same)
    assert is_still(before, stillness_of(np.clip(scene().astype(int) + 12, 0, 255).astype(np.uint8)))
    hand = pictures[1].copy()
    cv2.ellipse(hand, (640, 900), (60, 140), 0, 0, 360, (120, 150, 210), -1)
    assert not is_still(before, stillness_of(hand))


def test_the_map_lies_between_its_corners() -> None:
    corners = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]
    lines = map_lines(four_areas(), corners, (1280, 960))
    assert lines.edge == tuple(corners)
    assert set(lines.areas) == set(lines.names) == {"a1", "b1", "a2", "b2"}
    assert lines.names["a1"][0] == pytest.approx(0.25 + 0.5 * 42 / 150)
    assert lines.names["a1"][1] == pytest.approx(0.25 + 0.5 * 98 / 140)
    assert len(lines.areas["a1"]) == 6
