"""A hand at a table of General Orders that is watched by a camera."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Self

from companion.app.app import App
from companion.games.match import Match
from companion.scenes.table.board_table import BoardTable
from companion.ui import screen as scr
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass
from tests.companion.perception.seeing import Eye, say
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.touching import Hand

ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))

FAR_S = 60.0


class WatchedHand(Hand):
    """A hand at a table of General Orders that an eye may watch; time goes by as the test wants."""

    def __init__(self, match: Match, *, watched: bool = True) -> None:
        self.match = match
        self.eye = Eye()
        super().__init__(App(watcher=self.eye.glimpse if watched else None, match=match))
        self.now_s = 0.0

    @property
    def panel(self) -> object:
        """What the table shows."""
        self.app.screen()
        assert isinstance(self.app.table, BoardTable)
        return self.app.table.panel

    def wait(self, for_s: float = 1.0) -> Self:
        """Let time go by."""
        self.now_s += for_s
        self.app.tick(self.now_s)
        return self

    def lay(self, position: Position) -> Self:
        """Have the camera see this, and be sure of it."""
        self.eye.lay(position)
        return self.wait().wait(FAR_S)


class Desk(WatchedHand):
    """A hand at a table that is watched."""

    def __init__(self, path: Path) -> None:
        super().__init__(Match.start(path, BOARD, "red", BONUSES))
        self.wait()

    def wrong(self) -> Position:
        """Return a board that differs from the game in three places.

        A black piece too many in b3, one red missing from d5, a commander that nobody may have placed.
        """
        areas = (("b3", (("black", "troop", 3),)), ("d5", (("red", "troop", 2),)))
        return game.apply(self.match.position, Agreed(areas=areas, spaces=(("sail:c2", ("red",)),), to_move="red"))

    @property
    def sign(self) -> str:
        status = self.app.screen().status
        assert status is not None
        return status.live


def cards(screen: scr.Screen) -> list[scr.Option]:
    return [option for block in screen.blocks if isinstance(block, scr.Options) for option in block.options]


def several(desk: Desk, n: int) -> None:
    """As if several turns fitted what is seen: Reinforce, Pass and others, the likeliest first."""
    desk.lay(game.apply(desk.match.position, ADVANCE))
    understanding = desk.app.stage.senses.monitor
    first = understanding.sense.explanations[0]
    turns = [first]
    for moved in range(1, n):
        step = Pass() if moved == 1 else Deploy("plan:2", draw=2)
        turns.append(replace(first, steps=(step,), position=game.apply(desk.match.position, step)))
    say(understanding, replace(understanding.sense, explanations=tuple(turns)))
