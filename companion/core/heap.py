"""Lets the garbage collector run only when the app is idle, so that no touch waits for it."""

from __future__ import annotations

import gc

DUE = 3
"""After so many collections of the younger generations a full one is due at the next rest."""
LATEST = 100
"""After so many of them a full one runs at once."""


def collect_at_rest() -> None:
    """Leave full garbage collections to `collect_if_due`, unless it comes late; exempt the objects that exist now."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], LATEST)


def collect_if_due() -> bool:
    """Run a full garbage collection if enough younger ones have run since the last; return whether it ran."""
    if gc.get_count()[2] < DUE:
        return False
    gc.collect()
    return True
