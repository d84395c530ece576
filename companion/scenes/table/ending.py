"""The end of a game, celebrated: who has won and why, the turn that decided it, the curve, and the next game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.language import _
from companion.scenes.base.panels import undo_button
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.unsaved import leave_for_home, leave_or_ask
from companion.scenes.review.log import LogScene, review_button, review_of
from companion.scenes.story.course import Course
from companion.scenes.story.presenter import with_picture
from companion.scenes.story.tables import AnyTable
from companion.scenes.table.share import Result, ShareScene, result_lines
from companion.systems.game_system import Slot
from companion.ui.screen import Block, Button, Buttons, Intent, Laurels, Screen, Slip, back_button

CURVE_PT = 60.0  # the least height of the curve, which fills what the page leaves


class EndScene(BackScene):
    """Both see it, each from their side; a touch on what decided it leads to that moment."""

    shared = True

    def __init__(self, table: AnyTable) -> None:
        super().__init__(table)
        self.table = table
        self.course = Course(table.game_log)

    @property
    def home(self) -> Scene:
        """Where leaving the game leads."""
        return self.table.home

    @property
    def winner(self) -> int:
        """The side that has won."""
        won = self.table.presenter.winner(self.table.match.position)
        assert won is not None
        return won

    @property
    def _has_rematch(self) -> bool:
        return REMATCHES.is_filled(self.table.match.system.name)

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the end of the game on one screen for both."""
        return self._screen(self._wins(), whole=True)

    def show_to(self, seat: str) -> Screen:
        """Show the end of the game in one half; the winner's half says "You win!"."""
        won = self.table.sides[self.winner] == seat
        return self._screen(_("You win!") if won else self._wins(), whole=False)

    def _wins(self) -> str:
        name = self.table.people.name(self.table.sides[self.winner])
        return _("{who} wins!").format(who=name)

    def _screen(self, title: str, *, whole: bool) -> Screen:
        """Show the end; on a whole screen the way to share it has room beside that which leads home."""
        table, share = self.table, Button(_("Share"), Intent("share"), sign="share")
        again = (
            Button(_("Rematch"), Intent("rematch"), "primary", sign="redo"),
            Button(_("Swap sides"), Intent("swap"), sign="seats"),
        )
        ways = (
            *(again if self._has_rematch else ()),
            *review_button(table, "plain"),
            Button(_("Score"), Intent("details"), sign="points"),
            Button(_("Replay"), Intent("log"), sign="log"),
            *(() if whole else (share,)),
        )
        words = Screen(
            blocks=(*self._story(title), Buttons(ways, 5 if whole else 3)),
            actions=table.with_redo(
                (
                    undo_button(),
                    back_button(),
                    *((share,) if whole else ()),
                    Button(_("Home"), Intent("home"), "plain" if self._has_rematch else "primary"),
                )
            ),
            page=self.page,
        )
        return with_picture(words, table.presenter.final_picture(table.match.position))

    def result(self) -> Result:
        """Return the result to pass on: its lines, and the end of the game as a picture."""
        picture = self.table.presenter.final_picture(self.table.match.position)
        return Result(result_lines(self.table), with_picture(Screen(blocks=self._story(self._wins())), picture))

    def _story(self, title: str) -> tuple[Block, ...]:
        """Tell who won and why, with the curve of the game and the turn that decided it."""
        table, curve = self.table, self.course.curve(high_pt=CURVE_PT)
        why = table.presenter.outcome(table.match.position, table.people)
        laurels = Laurels(table.sides[self.winner], title, why[0] if why else "")
        return (laurels, *((curve,) if curve is not None else ()), *self._turning())

    def _turning(self) -> tuple[Block, ...]:
        """Describe the turn that decided the game, as the log has it; nothing if there was none."""
        turn = self.course.turning_point() if self.course.turns else None
        if turn is None:
            return ()
        log, number = self.table.game_log, self.course.deciding_step(turn, self.winner)
        told = log.line(log.match.steps[number - 1], log.match.positions[number - 1])
        first, dot, _rest = told.partition(". ")
        where = log.presenter.chapter_title(*[self.course.turns[turn - 1].round] * 2)
        title = _("Turning point: {where}").format(where=where)
        return (Slip(title, first + dot.strip(), intent=Intent("moment", "", self.course.step_of(turn))),)

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Start the next game, open the figures or the deciding moment, share the result, or leave."""
        table = self.table
        if intent.verb in ("rematch", "swap") and self._has_rematch:
            again = REMATCHES.of(table.match.system.name)
            return leave_or_ask(table, self, lambda: again(table, self, intent.verb == "swap"))
        if intent.verb in ("undo", "redo"):
            return table.touch(intent) or table
        leads: Mapping[str, Callable[[], Scene | None]] = {
            "details": lambda: table.details(self),
            "share": lambda: ShareScene(table, self.result(), self),
            "log": lambda: LogScene(table, self),
            "review": lambda: review_of(table, self),
            "moment": lambda: table.moment(intent.n, self),
            "home": lambda: leave_for_home(table, self),
        }
        return leads[intent.verb]() if intent.verb in leads else super().touch(intent)


REMATCHES = Slot[Callable[[Any, EndScene, bool], Scene | None]]("rematch")
"""Begins the next game of those at a system's own table; with True, each takes the other's side."""
