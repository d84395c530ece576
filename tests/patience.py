"""Waiting in tests: for what is to happen, never for a time in which it usually has."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 300.0
"""How long anything may take on the busiest machine; only what hangs takes longer."""
LOOK_S = 0.01


def until(true: Callable[[], object]) -> bool:
    """Wait until something is so; False where it never is."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end_s:
            return False
        time.sleep(LOOK_S)
    return True
