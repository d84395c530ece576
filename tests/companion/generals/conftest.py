"""A hand at an app, and a card game on its table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.app.app import App
from companion.content.decks import save_deck
from companion.scenes.generals.table import DuelTable
from engine.generals.cards import read_deck
from engine.generals.steps import Step
from tests.companion.gallery.rooms.generals import duel
from tests.companion.touching import Hand

Begin = Callable[..., DuelTable]


@pytest.fixture
def begin(app: App) -> Begin:
    """Return a function that begins a card game at the table and takes these steps."""

    def begun(*steps: Step, **request: object) -> DuelTable:
        return duel(Hand(app), steps, **request)

    return begun


FOXES = """
title = "Foxes"
known = "owner"

[cards.fox]
title = "Fox"
kind = "general"
faction = "Foxes"
copies = 3
cost = 0
military = 2
intelligence = 4
swift = true
effect = { verb = "table", text = "Guess the weather." }

[cards.vixen]
title = "Vixen"
kind = "general"
faction = "Foxes"
copies = 3
cost = 0
military = 3
intelligence = 1
swift = true
arrives = "siege"
effect = { verb = "military", amount = 2 }
feature = { verb = "win", when = "kin", least = 7 }

[cards.trick]
title = "Trick"
kind = "event"
copies = 3
cost = 0
effect = { verb = "strike" }

[cards.riddle]
title = "Riddle"
kind = "event"
copies = 3
cost = 0
text = "Ask a riddle."
effect = { verb = "table" }

[cards.cloak]
title = "Cloak"
kind = "item"
copies = 3
cost = 0
military = 1

[cards.howl]
title = "Howl"
kind = "special"
copies = 3
cost = 0
after = "move"
effect = { verb = "draw", amount = 1 }
"""
FILLERS = "".join(
    f'\n[cards.cub_{n}]\ntitle = "Cub {n}"\nkind = "general"\nfaction = "Foxes"\ncopies = 3\ncost = 6\n'
    for n in range(8)
)


@pytest.fixture
def foxes(app: App) -> str:
    """Put a deck of cheap cards that may do everything on the shelf; return its name."""
    save_deck(read_deck("foxes", FOXES + FILLERS, "foxes.toml"))
    return "foxes"
