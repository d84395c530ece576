"""Probabilities and their log odds."""

from __future__ import annotations

import numpy as np

LEAST = 1e-4


def log_odds(chance: float) -> float:
    """log(p / (1 - p)) of a probability, bounded: nothing is quite certain."""
    kept = min(max(chance, LEAST), 1 - LEAST)
    return float(np.log(kept / (1 - kept)))


def logistic(odds: float) -> float:
    """The probability of log odds."""
    return float(1 / (1 + np.exp(-np.clip(odds, -12, 12))))
