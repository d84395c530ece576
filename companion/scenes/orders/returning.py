"""A commander that an area bonus had brought goes back: the owner says which, where there is a choice."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Face, Offer, Reply, Why
from companion.text.orders import bonus_title, faction_name, space_title
from companion.ui.screen import Button, Buttons, Intent, Prompt
from engine.orders import game
from engine.orders.board import Space
from engine.orders.game import Owed
from engine.orders.position import Position
from engine.orders.steps import Return, Step


class ReturnPanel:
    """A bonus commander goes back and none is in the reserve: the owner says from which action space."""

    def __init__(self, position: Position, owed: Owed) -> None:
        self.position = position
        self.owed = owed

    def show(self) -> Face:
        """A button for each space that the owner holds."""
        who = faction_name(self.owed.by)
        title = _("{who}: which commander goes to standby?").format(who=who)
        hint = _("{bonus} is lost, and no commander is left in the reserve.").format(bonus=self._bonus())
        buttons = tuple(
            Button(space_title(space), Intent("return", space.name), sign=space.action.name) for space in self._spaces()
        )
        undo = Button(_("Undo"), Intent("undo"), "quiet")
        marks = Marks(live=frozenset(self.owed.spaces))
        return Face((Prompt(self.owed.by, title, hint), Buttons(buttons, 2)), (undo,), marks)

    def _spaces(self) -> list[Space]:
        return [self.position.board.space(name) for name in self.owed.spaces]

    def _bonus(self) -> str:
        """The bonus that brings commanders, by its title."""
        found = [name for name, bonus in self.position.board.mode.bonuses.items() if bonus.verb == "commander"]
        return bonus_title(self.position.board, found[0])

    def touch(self, intent: Intent) -> Reply[Step]:
        """One of them, by its button, its space or its area on the map."""
        area = {space.area: space.name for space in self._spaces() if space.area}
        name = area.get(intent.what, "") if intent.verb == "area" else intent.what
        if intent.verb not in ("return", "space", "area") or not name:
            return None
        step = Return(name, self.owed.by)
        return Offer(step) if game.judge(self.position, step).legal else Why(step)
