"""Sides told apart by the colours that the start shows, whatever the lamp makes of them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reading.palette import LEAST_SPREAD, colours_at, log_colours, palette_of

EMPTY = np.full((60, 120, 3), 150, np.uint8)
LEVEL = np.zeros((60, 120, 2), np.float32)
AT = np.array([(30.0, 30.0), (80.0, 30.0)])
RED, BROWN, GREEN = (40, 30, 150), (30, 35, 45), (50, 110, 40)


def board(*colours: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    shown = EMPTY.copy()
    for (x, y), colour in zip(AT.astype(int), colours, strict=False):
        shown[y - 8 : y + 9, x - 8 : x + 9] = colour
    return shown


def test_brightness_and_two_ratios_make_a_colour() -> None:
    grey, red = log_colours(np.array([[0.4, 0.4, 0.4], [0.1, 0.1, 0.7]]))
    assert grey[1:] == pytest.approx((0.0, 0.0))
    assert red[2] > 1.0
    assert red[1] == pytest.approx(0.0)


def test_what_stands_there_is_looked_at_where_its_top_appears() -> None:
    up = np.zeros((60, 120, 2), np.float32)
    up[..., 0] = 1.0  # 3.5 mm of height appear 7 px further right
    flat, tall = (colours_at(board(RED), EMPTY, field, AT[:1] - [shift, 0]) for field, shift in ((LEVEL, 0), (up, 7)))
    assert tall == pytest.approx(flat)


def test_pieces_are_like_their_side_and_a_strange_colour_is_like_neither() -> None:
    known = np.concatenate([colours_at(board(RED, BROWN), EMPTY, LEVEL, AT)] * 3)
    palette = palette_of(known, ["red", "black"] * 3)
    assert palette is not None
    assert np.allclose(palette.spread, LEAST_SPREAD)
    # A dimmer, warmer lamp: the same pieces on the same board.
    lamp = np.array([0.6, 0.7, 0.8])
    dim = np.asarray(board(RED, BROWN) * lamp, np.uint8)
    far = palette.distances(colours_at(dim, EMPTY, LEVEL, AT))
    assert far["red"][0].max() < 1 < far["black"][0].min()
    assert far["black"][1].max() < 1 < far["red"][1].min()
    chip = palette.distances(colours_at(board(GREEN), EMPTY, LEVEL, AT[:1]))
    assert min(chip["red"].min(), chip["black"].min()) > 3


def test_glare_on_part_of_a_top_leaves_spots_that_show_its_colour() -> None:
    known = colours_at(board(RED, BROWN), EMPTY, LEVEL, AT)
    palette = palette_of(known, ["red", "black"])
    assert palette is not None
    shown = board(RED, BROWN)
    shown[22:32, 22:39] = 250
    far = palette.distances(colours_at(shown, EMPTY, LEVEL, AT[:1]))
    assert far["red"][0][0] > 2
    assert far["red"][0].min() < 1


def test_one_mistaken_piece_neither_moves_nor_widens_a_side() -> None:
    rng = np.random.default_rng(1)
    known = rng.normal(0, 0.02, (9, 5, 3)) + np.repeat([[[0.0, 0, 0]], [[2.0, 0, 1]]], [4, 5], axis=0)
    known[0] = (2.0, 0, 1)
    palette = palette_of(known, ["black"] * 4 + ["red"] * 5)
    assert palette is not None
    assert np.allclose(palette.means["black"], 0, atol=0.1)
    assert np.allclose(palette.spread, LEAST_SPREAD)


def test_one_side_alone_tells_nothing() -> None:
    assert palette_of(np.zeros((2, 5, 3)), ["red", "red"]) is None
    assert palette_of(np.zeros((0, 5, 3)), []) is None
    assert colours_at(EMPTY, EMPTY, LEVEL, np.zeros((0, 2))).shape == (0, 5, 3)
