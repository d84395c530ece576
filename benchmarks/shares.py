"""Shares of games, and how sure they are."""

from __future__ import annotations

from math import sqrt

SURE = 1.96


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    share, spread = hits / of, SURE**2 / of
    middle = (share + spread / 2) / (1 + spread)
    half = SURE * sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return middle - half, middle + half
