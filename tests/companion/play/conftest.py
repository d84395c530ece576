"""A table of each system, in the middle of a game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.app.app import App
from companion.ui.screen import Intent
from tests.companion.other_games import SYSTEMS
from tests.companion.plain_tables import PlainTable, laid
from tests.companion.touching import Hand

STEPS = {"sonae": 44, "generals": 30}


class Desk(Hand):
    """A hand at a plain table. Both players' buttons are touched by their own."""

    def __init__(self, app: App, system: str, steps: int) -> None:
        super().__init__(app)
        self.table: PlainTable = laid(self, system, steps)
        self.system = system

    @property
    def at_table(self) -> bool:
        """Whether the table itself is on stage."""
        return self.app.scene is self.table

    def agree(self) -> Desk:
        """Both touch their own button."""
        for seat in self.table.sides:
            self.app.touch(Intent("agree", seat))
        return self

    def touch(self, verb: str, what: str = "", n: int = 0, seat: str = "") -> Desk:
        self.app.touch(Intent(verb, what, n, seat=seat))
        return self


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def at(app: App, system: str) -> Callable[[int], Desk]:
    """Return a function that makes a desk with a game of the system after so many steps."""
    return lambda steps: Desk(app, system, steps)


@pytest.fixture
def desk(app: App, system: str) -> Desk:
    return Desk(app, system, STEPS[system])
