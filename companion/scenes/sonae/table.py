"""The table of a battle: the field, and a panel for each thing that is owed or may be ordered."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.games.match import GameSession
from companion.scenes.base.panels import Panel, Reply, Take
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.sonae.by_hand import ByHandScene
from companion.scenes.sonae.command import ActivatePanel, BattleOverPanel, ClosingPanel, SettlePanel, TokenPanel
from companion.scenes.sonae.measure import MeasureScene
from companion.scenes.sonae.orders import OrdersPanel
from companion.scenes.sonae.presenter import SONAE
from companion.scenes.sonae.questions import RulerScene, questions
from companion.scenes.sonae.rolls import BattleRollPanel, OrdersDiePanel
from companion.scenes.sonae.score import BattleScore
from companion.scenes.story.game_log import take_back
from companion.scenes.story.presenter import ArgumentQuestion
from companion.scenes.table.table import TableScene
from companion.ui.screen import Intent
from engine.sonae import game
from engine.sonae.game import orderable_units
from engine.sonae.position import Position
from engine.sonae.steps import Closing, Order, Roll, Step
from hardware.events import Event, Thrown


class BattleTable(TableScene[Position, Step]):
    """A battle at the table."""

    def __init__(self, stage: Stage, match: GameSession[Position, Step], home: Scene) -> None:
        self._together: tuple[int, Step | None] = 0, None
        """Of orders that were given by one touch: how many steps there were before, and the last of them."""
        super().__init__(stage, match, home, SONAE)

    def asked_for(self) -> Panel[Step]:
        """Return the panel that the position asks for."""
        position = self.match.position
        if position.winner is not None:
            return BattleOverPanel(position)
        owed = game.owed(position)
        if owed is None:
            return self._orders(position)
        due = owed.due
        match due.kind:
            case "settle":
                return SettlePanel(position, due)
            case "token":
                return TokenPanel(position, self.stage.services.chance)
            case "activate":
                return ActivatePanel(position, due)
            case "closing" | "opportunity":
                return ClosingPanel(position, due)
            case "orders":
                return OrdersDiePanel(position, owed)
        return BattleRollPanel(position, owed)

    def _orders(self, position: Position) -> Panel[Step]:
        """Return the division's panel, or the last ordered unit's while that may do more than fall back."""
        division = OrdersPanel(position, self.stage.senses.field_eye is not None)
        last = next((step for step in reversed(self.match.steps) if not isinstance(step, Roll | Closing)), None)
        name = last.unit if isinstance(last, Order) and not self._gave_together() else ""
        if name not in {unit.name for unit in orderable_units(position)}:
            return division
        unit = division.panel_of(name)
        more = unit.options is not None and any(option.kind != "fall_back" for option in unit.options.may)
        return unit if more else division

    def follow(self, reply: Reply[Step]) -> Scene | None:
        """Do what a panel replies; orders to several units are given one after another."""
        if not isinstance(reply, Take):
            return super().follow(reply)
        before = len(self.match.steps)
        for step in reply.steps:
            ruling = self.try_step(step)
            if ruling is None or not ruling.legal:
                break
        self._together = before, self.match.steps[-1] if len(self.match.steps) > before else None
        self.refresh()
        return self.end()

    def _gave_together(self) -> bool:
        """Return whether orders to several units by one touch were the last thing done."""
        last = self._together[1]
        return last is not None and bool(self.match.steps) and self.match.steps[-1] is last

    def undo(self) -> Scene | None:
        """Undo what the last touch did: one step, or the orders that it gave to several units."""
        return take_back(self, self._together[0], self) if self._gave_together() else super().undo()

    def straight(self, back: Scene) -> Scene:
        """Return the scene in which units and the orders left are set by hand."""
        return ByHandScene(self, back)

    def details(self, back: Scene) -> Scene:
        """Return the scene with the score, or with the result."""
        return BattleScore(self, back)

    def questions(self, back: Scene, _seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return the questions about this game: the ruler, and what a unit may do."""
        return questions(self, back)

    def hear(self, event: Event) -> bool:
        """Enter a roll of the dice tray as the roll that is owed; False if no roll is open."""
        if not isinstance(event, Thrown) or not isinstance(self.panel, BattleRollPanel | OrdersDiePanel):
            return False
        return self.panel.enter_dice(event.dice)

    def own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """Return the handlers of touches that work in every panel: the turn and the armies' cards open the score."""
        eye = self.stage.senses.field_eye
        return {
            **super().own(),
            "side": lambda intent: self.score(),
            "round": lambda intent: self.score(),
            "ruler": lambda intent: RulerScene(self, self),
            "measure": lambda intent: MeasureScene(self, eye, self) if eye is not None else None,
        }
