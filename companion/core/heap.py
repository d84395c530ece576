"""When garbage is collected: at rest, so that no touch waits for it."""

from __future__ import annotations

import gc

DUE = 3
"""After so many collections of younger garbage all of it is looked through, as soon as there is time."""
LATEST = 100
"""After so many of them it is looked through at once."""


def collect_at_rest() -> None:
    """Leave whole collections of garbage to `collect_if_due`; what there is now stays, and is never looked through."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], LATEST)


def collect_if_due() -> bool:
    """Collect all garbage if there may be some; return whether it was looked through."""
    if gc.get_count()[2] < DUE:
        return False
    gc.collect()
    return True
