"""What a drill holds: a sentence where it is not so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import CompanionError

if TYPE_CHECKING:
    pass


class DrillFailed(CompanionError):
    """Something did not go as it has to; one sentence that says what."""


def ensure(so: object, otherwise: str) -> None:
    """DrillFailed with this sentence where it is not so."""
    if not so:
        raise DrillFailed(otherwise)
