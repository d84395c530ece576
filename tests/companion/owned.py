"""What tests put on owners' shelves is forgotten by the engine after each of them."""

from __future__ import annotations

from companion.decks import DECKS
from companion.scenarios import SCENARIOS


def forget() -> None:
    """No owner's deck or battle is known any more."""
    for kind in (DECKS.kind, SCENARIOS.kind):
        for name in kind.names():
            kind.remove(name)
