"""Confidence against truth: steps, the expected calibration error, the diagram."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.eye.evaluate import INK, calibration_error, diagram, steps_of

PAIRS = [(0.95, True)] * 19 + [(0.95, False)] + [(0.6, True)] * 3 + [(0.6, False)] * 2


def test_steps_tell_what_was_said_and_what_was_right() -> None:
    low, high = steps_of(PAIRS)
    assert [low.said, low.right] == pytest.approx([0.6, 0.6])
    assert [high.low, high.right] == pytest.approx([0.95, 0.95])
    assert (low.areas, high.areas) == (5, 20)


def test_the_error_is_nought_where_all_is_as_said() -> None:
    assert calibration_error(PAIRS) == pytest.approx(0.0)
    assert calibration_error([(1.0, True), (1.0, False)]) == pytest.approx(0.5)
    assert calibration_error([]) == 0.0


def test_the_diagram_has_a_point_for_each_step() -> None:
    with_points, without = diagram(PAIRS), diagram([])
    assert with_points.shape == without.shape == (600, 600, 3)
    assert (with_points == np.array(INK)).all(axis=2).sum() > (without == np.array(INK)).all(axis=2).sum() + 100
