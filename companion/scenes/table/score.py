"""The score: points, the winner and why; area by area on the map, with both supply chains; set by hand; passed on."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.unsaved import leave_for_home
from companion.scenes.disputes.decide import DecideScene
from companion.scenes.story.presenter import OrdersTable
from companion.scenes.table.score_blocks import SHOWN, areas, result
from companion.scenes.table.score_share import ShareScene
from companion.text.people import People
from companion.ui.screen import Block, Button, Buttons, Intent, Screen
from engine.orders.position import Position
from engine.orders.steps import Agreed, Besides


class ScoreScene(BackScene):
    """The final score, or the score as if the game ended now. With a table the position is its match's, always."""

    shared = True  # both look at it, on the map between them

    def __init__(
        self, played: tuple[Position, Mapping[str, str]], back: Scene, home: Scene, table: OrdersTable | None = None
    ) -> None:
        super().__init__(back)
        self._played = played
        self.home = home
        self.table = table
        self.detailed = False

    @property
    def position(self) -> Position:
        """What is scored."""
        return self._played[0] if self.table is None else self.table.match.position

    @property
    def people(self) -> People:
        """Who plays."""
        return People(self.position.board.factions, self._played[1])

    def show(self) -> Screen:
        """The map with lines and points; beside it the figures and why, or the areas one by one."""
        position = self.position
        return Screen(
            title=_("Final score") if position.winner_name else _("If the game ended now"),
            blocks=areas(position, self.people) if self.detailed else (*self.result(), self._ways()),
            actions=self._actions(),
            page=self.page,
            map=map_picture(position, Marks(), None, SHOWN),
        )

    def result(self) -> tuple[Block, ...]:
        """Both sides' points, the winner and the reasons."""
        return result(self.position, self.people)

    def _ways(self) -> Buttons:
        """What more there is to see and do."""
        ways = [Button(_("Area by area"), Intent("areas"))]
        if self.table is not None:
            ways += [Button(_("Share"), Intent("share")), Button(_("Decide by hand"), Intent("by-hand"), "quiet")]
        return Buttons(tuple(ways), len(ways))

    def _actions(self) -> tuple[Button, ...]:
        if self.detailed:
            return (Button(_("Back"), Intent("areas"), "primary"),)
        over = self.position.winner_name is not None
        back = Button(_("Back to the table"), Intent("back"), "quiet" if over else "primary")
        return (back, Button(_("Home"), Intent("home"), "primary")) if over else (back,)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn over, share, decide, or go."""
        if intent.verb == "areas":
            self.detailed, self.page = not self.detailed, 0
        elif intent.verb == "share" and self.table is not None:
            return ShareScene(self.table, self)
        elif intent.verb == "by-hand" and self.table is not None:
            return decide_scene(self.table, self)
        elif intent.verb == "home" and self.table is not None:
            return leave_for_home(self.table, self)
        return self.home if intent.verb == "home" else super().touch(intent)


def score_of(table: OrdersTable) -> ScoreScene:
    """The score of a table's match as it is now."""
    match = table.match
    return ScoreScene((match.position, match.players), table, table.home, table)


def decide_scene(table: OrdersTable, back: Scene) -> DecideScene:
    """Who has won, set by hand."""
    words = (
        _("It ends the game, is marked in the log as set by hand, and can be taken back."),
        _("The game ends with this."),
    )

    def step(side: int) -> Agreed:
        return Agreed(note=_("set by hand"), besides=Besides(winner=table.match.board.factions[side]))

    return DecideScene(table, words, step, back)
