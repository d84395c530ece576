"""The dice network's answers: peaks of heat in the middle part of a window become tops."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dice.network import CELLS, CLASSES, STRIDE, UNREADABLE, WINDOW_PX, DiceNetwork, blob, tops_of
from vision.errors import VisionError


def raw(*peaks: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Scores with a peak of a class at each (row, column, class)."""
    scores = np.full((2 + UNREADABLE, CELLS, CELLS), -8.0, np.float32)
    for row, column, kind in peaks:
        scores[0, row, column] = 3.0
        scores[1 + kind, row, column] = 4.0
    return scores


def test_each_peak_is_a_top_with_its_class() -> None:
    found = tops_of(raw((8, 9, 1), (14, 15, UNREADABLE)), 0.5)
    assert len(found) == 2
    by_place = {round(top.px[0]): top for top in found}
    top = by_place[round(9 * STRIDE + 1.5)]
    assert top.px == pytest.approx((9 * STRIDE + 1.5, 8 * STRIDE + 1.5), abs=0.1)
    assert CLASSES[int(np.argmax(top.chances))] == 1
    assert sum(top.chances) == pytest.approx(1)
    assert top.score == pytest.approx(0.953, abs=0.001)


def test_a_peak_between_two_cells_is_placed_between_them() -> None:
    scores = raw((10, 10, 0))
    scores[0, 10, 11] = 2.5
    (top,) = tops_of(scores, 0.5)
    assert 10 * STRIDE + 1.5 < top.px[0] < 11 * STRIDE + 1.5


def test_weak_peaks_and_those_at_the_edge_are_left_out() -> None:
    assert tops_of(raw((1, 12, 1), (12, CELLS - 1, 1)), 0.5) == []
    assert tops_of(raw((12, 12, 1)), 0.99) == []


def test_input_is_even_in_light() -> None:
    rng = np.random.default_rng(1)
    window = rng.integers(60, 120, (WINDOW_PX, WINDOW_PX, 3)).astype(np.uint8)
    lighter = (window.astype(int) + 90).astype(np.uint8)
    full = blob([window, lighter], [0.1, 0.6])
    assert full.shape == (2, 4, WINDOW_PX, WINDOW_PX)
    assert np.abs(full[0, :3] - full[1, :3]).max() < 0.01
    assert full[:, 3, 0, 0] == pytest.approx([0.1, 0.6])


def test_no_windows_no_tops() -> None:
    assert DiceNetwork().find([], [], 0.5) == []


def test_the_packaged_weights_answer_for_any_number_of_windows() -> None:
    network = DiceNetwork()
    blank = np.full((WINDOW_PX, WINDOW_PX, 3), 120, np.uint8)
    assert network.find([blank] * 3, [0.2] * 3, 0.3) == [[], [], []]
    assert network.find([blank], [0.2], 0.3) == [[]]


def test_broken_weights_are_told() -> None:
    with pytest.raises(VisionError, match="weights"):
        DiceNetwork(b"no weights").find([np.zeros((WINDOW_PX, WINDOW_PX, 3), np.uint8)], [0.0], 0.5)
