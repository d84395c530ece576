"""After a fault in Gunbai itself: a sentence on what happened, whether the game is safe, and buttons to go on."""

from __future__ import annotations

from companion.core import storage
from companion.core.errors import MatchError
from companion.core.language import _
from companion.crash.report import REPORTS, Crash, write_report
from companion.games.match import AnyMatch
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import DetailsScene, details_button
from companion.scenes.base.unsaved import leave_or_ask, unsaved_text
from companion.scenes.home.home import HomeScene
from companion.scenes.home.only_look import scene_for_match
from companion.scenes.systems import table_of
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text


class CrashScene:
    """The calm screen after a fault; "Continue" rebuilds the table from the journal, or from a game kept in memory."""

    whole = True

    def __init__(self, stage: Stage, crash: Crash, kept: AnyMatch | None = None) -> None:
        self.stage = stage
        self.crash = crash
        self.kept = kept  # a game that the disk has refused, still in memory
        self.banner = ""
        self.saved = ""

    def show(self) -> Screen:
        """Say that something went wrong, whether the game is safe, and show the choices."""
        kept = _("Your game is safe: every step you confirmed is saved.")
        if self.kept is not None:
            kept = unsaved_text(self.kept)
        blocks: list[Block] = [
            Text(_("Something went wrong in Gunbai."), "strong"),
            Text(
                kept if self.crash.game else _("No game was open, so nothing is lost."),
                "good" if self.kept is None else "bad",
            ),
        ]
        if self.crash.game and self.kept is None:
            blocks.append(Text(_("Continue reloads your saved game.")))
        if self.saved:
            blocks.append(Text(_("The report is saved. It contains no names or hidden cards."), "quiet"))
        blocks.append(Buttons((details_button(),), 2))
        report = () if self.saved else (Button(_("Save a report"), Intent("report"), "quiet"),)
        home = Button(_("Home"), Intent("home"), "plain" if self.crash.game else "primary")
        on = (Button(_("Continue"), Intent("go-on"), "primary"),) if self.crash.game else ()
        return Screen(
            title=_("That shouldn't have happened"),
            blocks=tuple(blocks),
            actions=(*report, home, *on),
            banner=self.banner,
            banner_tone="bad",
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Go on with the game, go home, save a report, or open the details."""
        self.banner = ""
        match intent.verb:
            case "details":
                return DetailsScene((self.crash.kind, self.crash.place, *((self.saved,) if self.saved else ())), self)
            case "home":
                if self.kept is None:
                    return HomeScene(self.stage)
                return leave_or_ask(table_of(self.stage, self.kept, self), self, lambda: HomeScene(self.stage))
            case "go-on":
                return self._go_on()
            case "report" if not self.saved:
                try:
                    path = write_report(self.crash, self.stage.settings, storage.data_dir() / REPORTS)
                except OSError as error:
                    self.banner = _("Couldn't save the report: {fault}").format(fault=error.strerror)
                else:
                    self.saved = f"{REPORTS}/{path.name}"
        return None

    def _go_on(self) -> Scene | None:
        """Return to the game, from memory or its file; None if none was open or it cannot be, as the banner says."""
        if self.kept is not None:
            return table_of(self.stage, self.kept, HomeScene(self.stage))
        if self.crash.game is None:
            return None
        try:
            match = self.stage.services.games.open(self.crash.game)
        except MatchError as error:
            self.banner = str(error)
            return None
        return scene_for_match(self.stage, match, HomeScene(self.stage))
