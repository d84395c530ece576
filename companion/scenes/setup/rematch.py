"""The same two once more, on the same board: only what chance decides is open again."""

from __future__ import annotations

from companion.games.match import Match
from companion.scenes.base.stage import Scene
from companion.scenes.setup.chance import ChanceScene
from companion.scenes.setup.layout import LayoutScene
from companion.scenes.setup.state import BY_APP, SetUp, SetupPage
from companion.scenes.story.tables import OrdersTable


class RematchSetUp(SetUp):
    """The set-up of another game like the one just finished: its board, players and house rules.

    The finished game's file is closed once the next one begins.
    """

    def __init__(self, table: OrdersTable, swap: bool) -> None:
        super().__init__(table.stage)
        self.before = table.match
        self.play(self.before.board.name)
        self.switched = self.before.positions[0].readings
        self.players = {faction: self.before.players.get(faction, "") for faction in self.board.factions}
        if (opponent := self.before.opponent) is not None:
            self.app_side, self.level, self.pace = opponent.side, opponent.level, opponent.pace
            self.commander, self.head_start = opponent.commander, opponent.head_start
        if swap:
            self.swap()
        self.keep_promise()

    def start(self) -> Match:
        """Begin the next game; EngineError or MatchError where it cannot."""
        match = super().start()
        self.before.close()
        return match


def rematch(table: OrdersTable, back: SetupPage, swap: bool) -> Scene:
    """Start the next game after one that has ended.

    The board is laid out at once if the app flipped the marker and drew the tokens before; else players say how
    these fell. EngineError or MatchError if the game cannot begin.
    """
    setup = RematchSetUp(table, swap)
    by_app = all(table.match.chance.get(what) == BY_APP for what in ("initiative", "bonuses"))
    if not by_app:
        return ChanceScene(setup, back)
    return LayoutScene(table.stage, setup.start(), back)
