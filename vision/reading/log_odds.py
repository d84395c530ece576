"""Probabilities and their log odds."""

from __future__ import annotations

import math

LEAST = 1e-4


def log_odds(chance: float) -> float:
    """log(p / (1 - p)) of a probability, bounded: nothing is quite certain."""
    kept = min(max(chance, LEAST), 1 - LEAST)
    return math.log(kept / (1 - kept))


def logistic(odds: float) -> float:
    """The probability of log odds."""
    return 1 / (1 + math.exp(-min(max(odds, -12.0), 12.0)))
