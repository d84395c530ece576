"""What really happened in place of a recorded step: told on the panels of the table, on the board of that moment."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.map_picture import map_picture
from companion.scenes.base.panels import Agree, Close, Offer, Open, Panel, Reply, Why
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.orders.answers import answer_for
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel
from companion.scenes.review.recast import ReviewScene, recast
from companion.scenes.story.presenter import OrdersTable
from companion.text.log import step_sentence
from companion.ui.screen import Block, Button, Intent, Log, Odds, Screen, Text
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Step
from engine.orders.turn import ready

OWN = frozenset(
    {"undo", "undo-list", "window", "otherwise", "by-hand", "menu", "log", "hand-dice"}
)  # what goes with a running game


class ReplaceScene:
    """The board before a step: what is told now takes the step's place. Nothing is recorded here."""

    shared = True  # it concerns both players

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        self.table = table
        self.number = number
        self.back = back
        match = table.match
        self.recorded = match.steps[number - 1]
        self.position = _moment(match.positions[number - 1], self.recorded)
        self.panel = self._first()
        self.page = 0

    def _first(self) -> Panel[Step]:
        owed = game.owed(self.position)
        return TurnPanel(Spaces(self.position), ()) if owed is None else answer_for(self.position, owed)

    def show(self) -> Screen:
        """The panel, under what is recorded."""
        face = self.panel.show()
        step = step_sentence(self.recorded, self.position, self.table.people) or _("No card was played.")
        head: tuple[Block, ...] = (Text(_("Recorded: {step}").format(step=step), "quiet"),)
        told_by = tuple(block for block in face.blocks if not isinstance(block, Log | Odds))
        stop = (Button(_("Stop"), Intent("stop"), "quiet"),)
        shown = tuple(one for one in face.actions if one.intent.verb not in OWN)
        return Screen(
            title=_("What really happened?"),
            blocks=(*head, *told_by),
            actions=(*stop, *shown) if isinstance(self.panel, TurnPanel) or not _leaves(shown) else shown,
            map=map_picture(self.position, face.marks, None),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """The panel's touch; a step that it offers leads to the review."""
        if intent.verb == "stop":
            return self.back
        if intent.verb == "page":
            self.page += intent.n
            return None
        if intent.verb in OWN:
            return None
        if intent.verb == "area" and isinstance(self.panel, AreaPanel) and intent.what == self.panel.area.name:
            return self._follow(Close())
        return self._follow(self.panel.touch(intent))

    def _follow(self, reply: Reply[Step]) -> Scene | None:
        match reply:
            case Offer(step):
                return self._offered(step)
            case Agree(step):
                return self._offered(step)
            case Why(step):
                return self._explain(step)
            case Open(panel):
                self.panel, self.page = panel, 0
            case Close():
                self.panel, self.page = self._first(), 0
        return None

    def _explain(self, step: Step) -> Scene:
        return RulingScene(self.table.presenter, question_of(self.table, self.position, step), self)

    def _offered(self, step: Step) -> Scene | None:
        """The review of the game with this step; the same step again changes nothing."""
        if not game.judge(self.position, step).legal:
            return self._explain(step)
        if step == self.recorded:
            return self.back
        return ReviewScene(self.table, recast(self.table.match, self.number, (step,)), self)


def _moment(before: Position, recorded: Step) -> Position:
    """Where the step was told: a commander's turn begins after the windows for cards before it."""
    return ready(before, recorded) if isinstance(recorded, Deploy | Pass) else before


def _leaves(buttons: tuple[Button, ...]) -> bool:
    return any(one.intent.verb in ("cancel", "back") for one in buttons)
