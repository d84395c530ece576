"""What a drill expects, now or within a time limit: a sentence says what did not hold, or how all was well again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.core.errors import CompanionError

LOOK_S = 0.1  # between two looks at what is waited for


class DrillFailed(CompanionError):
    """Something did not go as it has to; one sentence that says what."""


@dataclass(frozen=True, slots=True)
class Well:
    """The app recovered. told: what was seen, in one sentence; after_s: from the fault until all was well again."""

    told: str
    after_s: float = 0.0


def ensure(so: object, otherwise: str) -> None:
    """Raise DrillFailed with this sentence unless something is so."""
    if not so:
        raise DrillFailed(otherwise)


def until(true: Callable[[], object], limit_s: float, otherwise: str) -> float:
    """Wait until something is so, looking again and again: how long that took. DrillFailed after `limit_s` seconds."""
    began_s = time.monotonic()
    while not true():
        if time.monotonic() - began_s > limit_s:
            raise DrillFailed(f"{otherwise} (waited {limit_s:g} s)")
        time.sleep(LOOK_S)
    return time.monotonic() - began_s
