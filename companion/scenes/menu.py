"""The menu of a game: log, score, readings, and the ways out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.language import _
from companion.scenes.evidence import EvidenceScene, ExportScene
from companion.scenes.house import readings
from companion.scenes.screen import Block, Button, Buttons, Intent, Screen, Text
from companion.scenes.stage import Scene, Stage
from companion.scenes.words import log_line

if TYPE_CHECKING:
    from companion.scenes.table import TableScene


class MenuScene:
    """What can be done with a game besides playing it."""

    def __init__(self, stage: Stage, table: TableScene) -> None:
        self.stage = stage
        self.table = table

    def show(self) -> Screen:
        """Buttons."""
        buttons = [
            Button(_("Score now"), Intent("score")),
            Button(_("All steps so far"), Intent("log")),
            Button(_("Open questions of the rules"), Intent("readings")),
            Button(_("Pictures of the last turns"), Intent("evidence")),
            Button(_("Home"), Intent("home")),
        ]
        if self.stage.export is not None:
            buttons.append(Button(_("Export for a bug report"), Intent("export")))
        if self.stage.can_play and not self.stage.demo_on:
            buttons.append(Button(_("Let it play by itself"), Intent("demo")))
        buttons.append(Button(_("Leave Gunbai"), Intent("quit"), "quiet"))
        saved = _("Every step is saved in {name}.").format(name=self.table.match.path.name)
        return Screen(
            title=_("Game"),
            blocks=(Buttons(tuple(buttons), 2), Text(saved, "quiet")),
            actions=(Button(_("Back to the table"), Intent("back"), "primary"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on."""
        if intent.verb == "quit":
            self.stage.quitting = True
        if intent.verb == "demo":
            self.stage.demo_on = True
        leads: dict[str, Scene] = {"back": self.table, "demo": self.table}
        if intent.verb == "score":
            return self.table.score()
        if intent.verb == "log":
            return PagesScene(_("All steps so far"), self._log(), self)
        if intent.verb == "readings":
            position = self.table.match.position
            return PagesScene(_("Open questions of the rules"), readings(position.board, position.readings), self)
        if intent.verb == "evidence":
            return EvidenceScene(self.table.match, self)
        if intent.verb == "export" and self.stage.export is not None:
            return ExportScene(partial(self.stage.export, self.table.match), self)
        if intent.verb == "home":
            self.table.match.close()
            return self.table.home
        return leads.get(intent.verb)

    def _log(self) -> tuple[Block, ...]:
        match = self.table.match
        lines = [log_line(s, before) for s, before in zip(match.steps, match.positions[:-1], strict=True)]
        numbered = [Text(f"{n}.  {line}") for n, line in enumerate(lines, 1) if line]
        return tuple(reversed(numbered)) or (Text(_("Nothing has happened yet."), "quiet"),)


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
