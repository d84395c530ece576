"""Whether two pictures of an area show the same, and what is taken for pieces, painted on the board image."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.geometry import Picture
from vision.reading.crops import COVERED_BGR, evidence_of, is_same_sight, paint_evidence
from vision.reading.network import Detections
from vision.reading.read import prepare_table, read
from vision.reading.setting import network


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


@lru_cache(maxsize=1)
def board() -> Picture:
    image = read(pictures().table, pictures().start.picture).board_image
    assert image is not None
    return image


@lru_cache(maxsize=1)
def finds() -> Detections:
    return evidence_of(pictures().table, board())


def test_every_piece_glows_where_it_stands_and_nothing_else_does() -> None:
    shown = paint_evidence(board(), finds())
    assert shown.shape == board().shape
    grid = pictures().table.grid
    for piece in read(pictures().table, pictures().start.picture).pieces:
        if piece.score > 0.9:
            x, y = (round(float(value)) for value in grid.px([piece.at_mm])[0])
            blue, green, red = (int(value) for value in shown[y, x])
            assert red > 140
            assert (red - max(blue, green) > 60) is (piece.faction == "red")
    coloured = np.ptp(shown.astype(int), axis=2) > 40
    assert 0.002 < float(coloured.mean()) < 0.1


def test_what_is_covered_is_violet() -> None:
    rows, columns = finds().covered.shape
    everything = np.ones((rows, columns), np.float32)
    none = np.zeros_like(everything)
    nothing = Detections(np.zeros_like(finds().heat), everything, none, none, finds().grid, finds().classes)
    shown = paint_evidence(board(), nothing).reshape(-1, 3).mean(axis=0)
    assert np.abs(shown - np.array(COVERED_BGR) * 0.9).max() < 40


def test_without_finds_the_board_is_grey() -> None:
    none = np.zeros_like(finds().covered)
    nothing = Detections(np.zeros_like(finds().heat), none, none, none, finds().grid, finds().classes)
    shown = paint_evidence(board(), nothing)
    assert np.ptp(shown.astype(int), axis=2).max() == 0


def test_it_shows_what_both_eyes_take_for_a_piece() -> None:
    each = [network(eye.known).find(board(), eye.printed, eye.looks) for eye in prepare_table(pictures().table).eyes]
    shown = evidence_of(pictures().table, board()).heat
    assert np.abs(each[0].heat - each[1].heat).max() > 0.01
    assert (shown <= np.maximum(each[0].heat, each[1].heat) + 0.01).all()
    assert np.abs(shown - each[0].heat).max() > 0.005
