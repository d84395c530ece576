"""What can be learned by playing: a first game of each system, and how its box is set up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.content.board_choice import boards
from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.scenes.learn.box import BOXES, orders_box
from companion.scenes.learn.first_battle import first_battle
from companion.scenes.learn.first_duel import first_duel
from companion.scenes.learn.first_round import first_round
from companion.scenes.learn.lesson import LessonScene, Tutorial
from companion.scenes.setup.board import board_note
from companion.text.orders import board_title
from companion.text.saved_games import kind, system_title
from companion.ui.screen import Button, Buttons, Intent, Screen, Slip, Text, back_button
from engine.orders.board import board_names

FIRST: Mapping[str, Callable[[], Tutorial]] = {
    "orders": first_round, "sonae": first_battle, "generals": first_duel,
}  # fmt: skip


class LearnScene(StageScene):
    """A slip for each tutorial."""

    def show(self) -> Screen:
        """The first games, and the box."""
        slips = (
            ("orders", _("General Orders: your first round"), _("The last round of a game, 17 short steps.")),
            ("sonae", _("Sonae: your first activation"), _("A token, orders, a charge and its melee.")),
            ("generals", _("Generals Order: your first fight"), _("A general is deployed, armed and attacks.")),
        )
        lessons = tuple(Slip(title, text, intent=Intent("first", system)) for system, title, text in slips)
        box = Slip(_("Set up the box"), _("What goes where, for the game on your table."), intent=Intent("box"))
        return Screen(_("Learn by playing"), (*lessons, box), (back_button(),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """To a lesson, to the boxes, or back."""
        if intent.verb == "first" and intent.what in FIRST:
            return LessonScene(self.stage, FIRST[intent.what](), self.back)
        if intent.verb == "box":
            return BoxesScene(self.stage, self)
        return super().touch(intent)


class BoxesScene(StageScene):
    """Which box is on the table: a button for each board, and for the games without one."""

    def __init__(self, stage: Stage, before: LearnScene) -> None:
        super().__init__(stage, before)
        self.home = before.back

    def show(self) -> Screen:
        """The boards, the one that was played last first."""
        played = self.stage.board.name
        known = sorted(boards(), key=lambda one: one.name != played)
        buttons = [Button(board_title(one), Intent("board", one.name), note=board_note(one)) for one in known]
        others = [Button(system_title(one), Intent("other", one), note=kind(one)) for one in BOXES]
        hint = Text(_("Take the pieces out: we'll put them in place together."), "quiet")
        return Screen(_("Which box?"), (hint, Buttons((*buttons, *others), 2)), (back_button(),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """To the box, or back."""
        if intent.verb == "board" and intent.what in board_names():
            return LessonScene(self.stage, orders_box(intent.what), self.home)
        if intent.verb == "other" and intent.what in BOXES:
            return LessonScene(self.stage, BOXES[intent.what](), self.home)
        return super().touch(intent)
