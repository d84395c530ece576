"""From scores to probabilities: logistic models whose doubts can't make anybody surer."""

from __future__ import annotations

import numpy as np
import pytest

from training.fit_scores import Measures, fit_logistic


def rows_of(slopes: tuple[float, ...], count: int = 4000) -> list[tuple[Measures, bool]]:
    rng = np.random.default_rng(3)
    x = np.column_stack([np.ones(count), rng.normal(0, 1, (count, len(slopes) - 1))])
    right = rng.random(count) < 1 / (1 + np.exp(-(x @ np.array(slopes))))
    return [(tuple(row), bool(is_right)) for row, is_right in zip(x.tolist(), right, strict=True)]


def test_the_model_behind_the_rows_is_found() -> None:
    assert fit_logistic(rows_of((1.0, 2.0, -0.5))) == pytest.approx((1.0, 2.0, -0.5), abs=0.25)


def test_a_doubt_that_chance_would_have_make_surer_weighs_nothing() -> None:
    weights = fit_logistic(rows_of((1.0, 2.0, -0.5, 0.8)), lowering=(2, 3))
    assert weights[3] == 0
    assert weights[2] < -0.3
