"""The pictures kept beside a game: what the eye saw of each turn, before and after; and a bug report with them."""

from __future__ import annotations

from typing import Protocol

from companion.core.language import _
from companion.evidence.pictures import KeptPicture, kept_pictures
from companion.games.match import Match
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.text.orders import log_line
from companion.ui.screen import Block, Button, Buttons, Intent, Photo, Screen, Switch, Text, back_button

MOST_PT = 236.0


class Export(Protocol):
    """A function that writes a bug report."""

    def __call__(self, stands: bool, *, names: bool = False) -> str:
        """Export a report, and return a sentence that says where it is.

        stands: whether the board matches the game; names: whether to include the players' names and notes.
        """


class EvidenceScene(BackScene):
    """The photos kept of a game, turn by turn, with the turn's steps in words."""

    def __init__(self, match: Match, back: Scene) -> None:
        super().__init__(back)
        self.match = match
        self.turns = kept_pictures(match)
        self.turn = 0

    def show(self) -> Screen:
        """Show the photos of one turn."""
        nothing = _("No photos yet. The camera keeps one after each turn it sees, unless the settings say no.")
        return Screen(
            title=_("Photos of the last turns"),
            blocks=self._turn(self.turns[self.turn]) if self.turns else (Text(nothing, "quiet"),),
            actions=(
                *self._leaf(_("Earlier"), 1),
                *self._leaf(_("Later"), -1),
                back_button("primary"),
            ),
        )

    def _leaf(self, label: str, by: int) -> tuple[Button, ...]:
        if len(self.turns) < 2:
            return ()
        there = 0 <= self.turn + by < len(self.turns)
        return (Button(label, Intent("leaf", "", by), "plain" if there else "off"),)

    def _turn(self, picture: KeptPicture) -> tuple[Block, ...]:
        steps, positions = self.match.steps, self.match.positions
        numbers = range(picture.first, picture.name.step + 1)  # counted from 1
        lines = {n: log_line(steps[n - 1], positions[n - 1]) for n in numbers}
        words = " ".join(f"{n}. {line}." for n, line in lines.items() if line)  # "" goes without saying
        doubtful = [area for area, state in picture.areas.items() if state == "differs"]
        caption = _("Top: before. Bottom: after.")
        if doubtful:
            caption += " " + _("Different from the game: {areas}.").format(areas=", ".join(doubtful))
        return Text(words, "strong"), Photo(picture.data, picture.size_px, caption, MOST_PT)

    def touch(self, intent: Intent) -> Scene | None:
        """Leaf through the turns, or go back."""
        if intent.verb == "leaf" and 0 <= self.turn + intent.n < len(self.turns):
            self.turn += intent.n
        return super().touch(intent)


class ExportScene(BackScene):
    """Asks whether the board matches the game, then exports a bug report."""

    def __init__(self, export: Export, back: Scene) -> None:
        super().__init__(back)
        self.export = export
        self.said = ""
        self.names = False

    def show(self) -> Screen:
        """Show what goes into the report, the question to answer, and the result of the export."""
        what = _(
            "The report is one file: the last photos, what was read in them, this game and your table. "
            "The photos show everything the camera saw, including cards held beside the board."
        )
        ask = _("Does the board match the game now?")
        answers = (Button(_("Yes, export"), Intent("export", "yes")), Button(_("No, export"), Intent("export", "no")))
        text = _("Include your names and notes? If not, you are Player 1 and Player 2.")
        names = Switch(_("With your names"), text, self.names, Intent("flip", "names"))
        done = (Text(self.said, "strong"),) if self.said else ()
        return Screen(
            title=_("Export for a bug report"),
            blocks=(Text(what), names, Text(ask, "strong"), Buttons(answers, 2), *done),
            actions=(back_button("primary"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Export the report, with or without names, or go back."""
        if intent.verb == "flip":
            self.names = not self.names
        if intent.verb == "export":
            stands = intent.what == "yes"
            self.said = self.export(stands, names=True) if self.names else self.export(stands)
        return super().touch(intent)
