"""Another light or contrast than the empty board's: seen, evened out, and not mistaken for pieces."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.geometry import Picture
from vision.reading.light import OTHER_LIGHT, light_between, with_tone_of
from vision.reading.piece_sets import VARIED
from vision.reading.read import prepare_for_other_light, prepare_table, read

SIZE = (320, 400)


def printed() -> Picture:
    """Return a board of many colours."""
    small = np.random.default_rng(3).uniform(40, 200, (20, 25, 3)).astype(np.float32)
    return np.asarray(cv2.resize(small, SIZE[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)


def lamp_lit(picture: Picture) -> Picture:
    """Return the same picture under a lamp at the left: brighter and warmer there, half as bright at the right."""
    across = np.linspace(1.2, 0.5, picture.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(picture * across ** np.array([1.4, 1.0, 0.8], np.float32), 0, 255), np.uint8)


def with_pieces(picture: Picture) -> Picture:
    """With dark discs on a fifth of it."""
    shown = picture.copy()
    for x, y in np.random.default_rng(5).uniform(0, (SIZE[1], SIZE[0]), (60, 2)).astype(int).tolist():
        cv2.circle(shown, (x, y), 12, (25, 22, 20), -1)
    return shown


def test_the_same_light_is_known_with_pieces_on_the_board_and_whatever_the_exposure() -> None:
    empty = printed()
    for frame in (empty, with_pieces(empty), with_pieces((empty * 0.7).astype(np.uint8))):
        light = light_between(frame, empty)
        assert light.change < OTHER_LIGHT / 2
        assert light.matched(frame) is frame


def test_a_lamp_is_evened_out_round_the_pieces() -> None:
    empty = printed()
    frame = with_pieces(lamp_lit(empty))
    light = light_between(frame, empty)
    assert light.is_other
    ground = frame.astype(int).sum(axis=2) != 67
    ratio = np.log((empty + 8.0) / (light.matched(frame) + 8.0))[ground]
    before = np.log((empty + 8.0) / (frame + 8.0))[ground]
    assert ratio.std(axis=0).max() < before.std(axis=0).max() / 2
    assert light.matched(frame)[~ground].max() < 60


def test_a_table_photographed_under_a_lamp_is_read_by_day() -> None:
    table = pictures().table
    lamp = replace(
        table,
        reference_bgr=lamp_lit(table.reference_bgr),
        start_bgr=None if table.start_bgr is None else lamp_lit(table.start_bgr),
    )
    seen, usual = read(lamp, pictures().later.picture), read(table, pictures().later.picture)
    assert seen.units == usual.units
    assert seen.unreadable == usual.unreadable


@pytest.mark.parametrize("start", [True, False])
def test_another_light_is_read_by_the_network_that_knows_any_colours(start: bool) -> None:
    table = pictures().table if start else replace(pictures().table, start_bgr=None)
    setting = prepare_for_other_light(table)
    assert setting.known.network == VARIED
    assert (setting is prepare_table(table)) is (prepare_table(table).known.network == VARIED)
    assert (setting.start.palette is not None) is start


# ---- cameras that change their contrast ---------------------------------------------------------


def tiled() -> Picture:
    rng = np.random.default_rng(3)
    tiles = np.repeat(np.repeat(rng.integers(30, 220, (12, 16, 3)), 20, axis=0), 20, axis=1)
    return np.asarray(tiles + rng.integers(-4, 5, tiles.shape), np.uint8)


@pytest.mark.parametrize("power", [0.72, 1.45])
def test_another_contrast_is_taken_back_though_pieces_stand_there(power: float) -> None:
    empty = tiled()
    full = empty.copy()
    full[20:120, 30:200] = (25, 25, 25)
    frame = np.asarray(255 * (full / 255) ** power, np.uint8)
    back = with_tone_of(frame, empty).astype(float)
    free = np.ones(empty.shape[:2], bool)
    free[20:120, 30:200] = False
    assert np.abs(back - empty)[free].mean() < 0.25 * np.abs(frame.astype(float) - empty)[free].mean()


def test_the_same_tone_and_a_dimmer_lamp_are_left_alone() -> None:
    empty = tiled()
    assert with_tone_of(empty, empty) is empty
    dim = np.asarray(empty * 0.7, np.uint8)
    assert np.abs(with_tone_of(dim, empty).astype(float) - dim).mean() < 12


def test_a_picture_without_contrast_is_left_alone() -> None:
    flat = np.full((100, 100, 3), 90, np.uint8)
    assert with_tone_of(flat, tiled()[:100, :100]) is flat
