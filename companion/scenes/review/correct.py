"""A step that was recorded wrongly: what was wrong, what follows from putting it right, and both players' word."""

from __future__ import annotations

from companion.core.language import _
from companion.games import checksums
from companion.games.journal import object_of
from companion.games.match import Match
from companion.games.undo_log import CORRECT
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.review.recast import Recast, ReviewScene, recast
from companion.scenes.story.game_log import visible_number
from companion.scenes.story.presenter import OrdersTable
from companion.text.log import step_and_effects
from companion.ui.screen import Button, Buttons, Intent, Screen, Text, back_button
from engine.errors import EngineError
from engine.orders import game
from engine.orders.wire import step_from_json


def restored(match: Match, number: int) -> Recast | None:
    """The game as it was before step `number` was corrected last; None where it was not."""
    found = [one for one in match.taken_back if one.why == CORRECT and one.after == number - 1]
    if not found:
        return None
    try:
        steps = tuple(step_from_json(checksums.plain(object_of(line))) for line in found[-1].lines)
        position = game.fold(match.positions[number - 1], steps)
    except (ValueError, EngineError):
        return None
    return None if steps == match.steps[number - 1 :] else Recast(number - 1, steps, position, 0, restored=True)


class CorrectScene(BackScene):
    """Asks what was wrong with a step."""

    shared = True  # it concerns both players

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.number = number

    def show(self) -> Screen:
        """The step as it is recorded, and the three things that may be wrong with it."""
        match = self.table.match
        before = match.positions[self.number - 1]
        recorded = step_and_effects(match.steps[self.number - 1], before, self.table.people) or _("No card was played.")
        choices = (
            Button(_("It was different"), Intent("replace"), note=_("say what really happened")),
            Button(_("It never happened"), Intent("remove"), note=_("take out this one step")),
            Button(_("The board is different now"), Intent("straight"), note=_("put the present right, keep the past")),
        )
        return Screen(
            title=_("What was wrong?"),
            blocks=(
                Text(_("Recorded as step {n}:").format(n=visible_number(self.table.game_log, self.number)), "quiet"),
                Text(recorded, "strong"),
                Buttons(choices, 1),
            ),
            actions=(back_button(),),
            map=map_picture(before, Marks(), None),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on."""
        if intent.verb == "replace":
            from companion.scenes.review.correct_step import ReplaceScene

            return ReplaceScene(self.table, self.number, self)
        if intent.verb == "remove":
            return ReviewScene(self.table, recast(self.table.match, self.number, ()), self)
        if intent.verb == "straight":
            from companion.scenes.review.correct_now import StraightScene

            return StraightScene(self.table, self)
        return super().touch(intent)
