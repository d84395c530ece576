"""The menu of a game: a few ways, and a second page with what is rarely needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from companion.language import _
from companion.scenes.correct_now import StraightScene
from companion.scenes.dispute_readings import ReadingsScene
from companion.scenes.evidence import EvidenceScene, ExportScene
from companion.scenes.log import LogScene
from companion.scenes.log_undo import UndoScene
from companion.scenes.power import PowerScene, power_button
from companion.scenes.rules import RulesScene
from companion.scenes.score_photo import PhotoScene
from companion.scenes.screen import Block, Button, Buttons, Intent, Screen, Text
from companion.scenes.settings import SettingsScene
from companion.scenes.stage import Scene, Stage
from companion.scenes.unsaved import leaving, sentence

if TYPE_CHECKING:
    from companion.scenes.table import TableScene


class MenuScene:
    """What can be done with a game besides playing it."""

    def __init__(self, stage: Stage, table: TableScene) -> None:
        self.stage = stage
        self.table = table

    def show(self) -> Screen:
        """Eight buttons."""
        buttons = (
            Button(_("The game so far"), Intent("log"), sign="log", note=_("every step, any moment")),
            Button(_("Take back, do again"), Intent("undo-list"), sign="undo"),
            Button(_("Score now"), Intent("score"), sign="points"),
            Button(_("Put the record right"), Intent("straight"), sign="pencil", note=_("where the app is wrong")),
            Button(_("Settings"), Intent("settings"), sign="gear"),
            Button(_("Lock the screen"), Intent("lock"), sign="lock"),
            Button(_("More"), Intent("more"), sign="menu"),
            Button(_("Home"), Intent("home"), sign="castle", note=self._kept()),
        )
        return Screen(
            title=_("Game"),
            blocks=(Buttons(buttons, 2),),
            actions=(Button(_("Back to the table"), Intent("back"), "primary"),),
        )

    def _kept(self) -> str:
        return _("the game is saved") if self.table.match.saved else _("the game is not saved")

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on."""
        lead = self._leads().get(intent.verb)
        return lead() if lead is not None else None

    def _leads(self) -> Mapping[str, Callable[[], Scene | None]]:
        table = self.table
        return {
            "back": lambda: table,
            "log": lambda: LogScene(table, self),
            "undo-list": lambda: UndoScene(table, self),
            "score": table.score,
            "straight": lambda: StraightScene(table, self),
            "settings": lambda: SettingsScene(self.stage, self),
            "more": lambda: MoreScene(self.stage, table, self),
            "home": lambda: leaving(table, self, self._home),
        }

    def _home(self) -> Scene:
        self.table.match.close()
        return self.table.home


class MoreScene:
    """What is rarely needed in a game."""

    def __init__(self, stage: Stage, table: TableScene, back: Scene) -> None:
        self.stage = stage
        self.table = table
        self.back = back

    def show(self) -> Screen:
        """Only what can be done here and now."""
        buttons = [
            Button(_("Pictures of the last turns"), Intent("evidence"), sign="camera"),
            Button(_("The rules"), Intent("rules"), sign="scales"),
            Button(_("Open questions of the rules"), Intent("readings"), sign="question"),
        ]
        if self.stage.eye is not None:
            buttons.append(Button(_("Score from a picture"), Intent("photo"), sign="points"))
        if self.stage.export is not None:
            buttons.append(Button(_("Export for a bug report"), Intent("export"), sign="log"))
        if self.stage.can_play and not self.stage.demo_on:
            buttons.append(Button(_("Let it play by itself"), Intent("demo"), sign="hand"))
        leave = Button(_("Leave Gunbai"), Intent("quit"), "quiet", "cross")
        buttons.append(power_button() if self.stage.power is not None else leave)
        match = self.table.match
        saved = sentence(match) or _("Every step is saved in {name}.").format(name=match.path.name)
        return Screen(
            title=_("More"),
            blocks=(Buttons(tuple(buttons), 2), Text(saved, "quiet")),
            actions=(Button(_("Back"), Intent("back"), "primary"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on."""
        lead = self._leads().get(intent.verb)
        return lead() if lead is not None else None

    def _leads(self) -> Mapping[str, Callable[[], Scene | None]]:
        """Where each button that is there leads."""
        match, stage = self.table.match, self.stage
        leads: dict[str, Callable[[], Scene | None]] = {
            "back": lambda: self.back,
            "quit": lambda: leaving(self.table, self, self._quit),
            "demo": self._demonstrate,
            "evidence": lambda: EvidenceScene(match, self),
            "readings": lambda: ReadingsScene(match, self),
            "rules": lambda: RulesScene(match.board.mode, self),
        }
        if (power := stage.power) is not None:
            leads["power"] = lambda: leaving(self.table, self, lambda: PowerScene(power, self))
        if (eye := stage.eye) is not None:
            leads["photo"] = lambda: PhotoScene(eye, (match.board, match), self)
        if (export := stage.export) is not None:
            leads["export"] = lambda: ExportScene(partial(export, match), self)
        return leads

    def _demonstrate(self) -> Scene:
        self.stage.demo_on = True
        return self.table

    def _quit(self) -> None:
        self.stage.quitting = True


class PagesScene:
    """Something long to read, page by page."""

    def __init__(self, title: str, blocks: tuple[Block, ...], back: Scene) -> None:
        self.title = title
        self.blocks = blocks
        self.back = back
        self.page = 0

    def show(self) -> Screen:
        """One page."""
        back = Button(_("Back"), Intent("back"), "primary")
        return Screen(title=self.title, blocks=self.blocks, actions=(back,), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        return self.back if intent.verb == "back" else None
