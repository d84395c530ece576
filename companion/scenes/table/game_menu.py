"""The menu of a game, of whatever system: a few ways, and a second page with what is rarely needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.language import _
from companion.scenes.base.help import HelpScene, help_button
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Leave, Scene, Stage
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.unsaved import leave_for_home, leave_or_ask, unsaved_text
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.settings.power import PowerScene, power_button
from companion.scenes.settings.settings import SettingsScene
from companion.scenes.story.presenter import Ways
from companion.scenes.story.tables import MenuTable
from companion.ui.screen import Button, Buttons, Intent, Screen, Text, back_button


class MenuScene:
    """The menu of a game: its log, undo, score, corrections, settings, and the way home."""

    def __init__(self, stage: Stage, table: MenuTable) -> None:
        self.stage = stage
        self.table = self.back = table

    def show(self) -> Screen:
        """Show the buttons of the table's menu."""
        saved = _("the game is saved") if self.table.match.is_saved else _("the game is not saved")
        buttons = (
            Button(_("Game log"), Intent("log"), sign="log", note=_("replay any turn")),
            Button(_("Undo and redo"), Intent("undo-list"), sign="undo"),
            Button(_("Score now"), Intent("score"), sign="points"),
            Button(_("Fix a mistake"), Intent("straight"), sign="pencil", note=_("when Gunbai is wrong")),
            Button(_("Settings"), Intent("settings"), sign="gear"),
            Button(_("Lock the screen"), Intent("lock"), sign="lock"),
            Button(_("More"), Intent("more"), sign="more"),
            Button(_("Home"), Intent("home"), sign="castle", note=saved),
        )
        return Screen(title=_("Game"), blocks=(Buttons(buttons, 2),), actions=(back_button("primary"),))

    def touch(self, intent: Intent) -> Scene | None:
        """Open the scene of the touched button."""
        table = self.table
        leads: Mapping[str, Callable[[], Scene | None]] = {
            "back": lambda: table,
            "log": lambda: LogScene(table, self),
            "undo-list": lambda: UndoScene(table, self),
            "score": table.score,
            "straight": lambda: table.straight(self),
            "settings": lambda: SettingsScene(self.stage, self),
            "more": lambda: MoreMenuScene(self.stage, table, self),
            "home": lambda: leave_for_home(table, self),
        }
        return leads[intent.verb]() if intent.verb in leads else None


class MoreMenuScene(BackScene):
    """The second page of the menu, with what is rarely needed."""

    def __init__(self, stage: Stage, table: MenuTable, back: Scene) -> None:
        super().__init__(back)
        self.stage = stage
        self.table = table

    def show(self) -> Screen:
        """Show the buttons that apply now, and how the game is saved."""
        match = self.table.match
        saved = unsaved_text(match) or _("Every step is saved as soon as it's confirmed.")
        return Screen(
            title=_("More"),
            blocks=(Buttons(tuple(button for button, _lead in self._ways()), 2), Text(saved, "quiet")),
            actions=(back_button("primary"),),
        )

    def _ways(self) -> Ways:
        """Return buttons, each with what opens its scene: rules, help, the system's own, demo, and leaving."""
        table, power = self.table, self.stage.services.power
        rules = Button(_("The rules"), Intent("rules"), sign="book")
        readings = Button(_("Unclear rules"), Intent("readings"), sign="question")
        ways: Ways = (
            (rules, lambda: RulesScene(table.library(), self)),
            (help_button(), lambda: HelpScene(self)),
            (readings, lambda: table.readings(self)),
            *table.ways(self),
        )
        if self.stage.can_play and not self.stage.demo_on:
            ways = (*ways, (Button(_("Let it play by itself"), Intent("demo"), sign="hand"), self._demonstrate))
        if power is not None:
            return (*ways, (power_button(), lambda: leave_or_ask(table, self, lambda: PowerScene(power, self))))
        leave = Button(_("Quit Gunbai"), Intent("quit"), "quiet", "cross")
        return (*ways, (leave, lambda: leave_or_ask(table, self, Leave)))

    def touch(self, intent: Intent) -> Scene | None:
        """Open the scene of the touched button, or go back."""
        lead = next((lead for button, lead in self._ways() if button.intent.verb == intent.verb), None)
        return lead() if lead is not None else super().touch(intent)

    def _demonstrate(self) -> Scene:
        self.stage.demo_on = True
        return self.table
