"""Where the board lies, shown by hand: four rings on the camera's picture, for a board that isn't found by itself.

What is shown is only a beginning: the print has to agree there, as anywhere else.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.language import _
from companion.perception.calibration import DEFAULT_CORNERS, Calibration, Corners
from companion.scenes.base.stage import Scene
from companion.scenes.camera.handles import HandlesStep, photo
from companion.ui.intents import Place
from companion.ui.screen import Button, Intent, Screen, Text, cancel_button

if TYPE_CHECKING:
    from companion.games.match import Match
    from companion.perception.todays_board import TodaysBoard
    from vision.geometry import Picture


class StillPicture:
    """One picture that stays, in a camera's place."""

    fault: str | None = None

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def latest(self) -> Picture:
        """Return the picture."""
        return self._picture

    def ask(self, what: str) -> None:
        """Show the same, whatever is asked for."""

    def close(self) -> None:
        """Hold nothing that could be let go of."""


def show_corners(today: TodaysBoard, match: Match, back: Scene) -> Scene | None:
    """Return the page on which the board's corners are shown; None without a picture."""
    picture = today.latest()
    return None if picture is None else PlaceScene(today, match, picture, back)


class PlaceScene(HandlesStep):
    """The camera's picture with a ring for each of the board's corners."""

    def __init__(self, today: TodaysBoard, match: Match, picture: Picture, back: Scene) -> None:
        work = Calibration(match.position.board, StillPicture(picture), Path(), lambda _table: None)
        super().__init__(work, back)
        work.take_picture(picture, DEFAULT_CORNERS)
        self.today, self.match, self.picture = today, match, picture
        today.placing = ""

    def show(self) -> Screen:
        """Show the picture with its rings, and the way on."""
        busy = self.today.placing == "busy"
        shown = photo(self.work, "", "plain")
        return Screen(
            title=_("Where is the board?"),
            blocks=(
                Text(_("Drag each ring onto a corner of the board. Pieces may stay.")),
                Text(_("Any corner may be the first. The print says which way the board lies."), "quiet"),
            ),
            actions=(
                cancel_button(),
                Button(_("Looking…") if busy else _("Look there"), Intent("look"), "off" if busy else "primary"),
            ),
            banner=self.banner,
            banner_tone="bad",
            photo=self.with_loupe(replace(shown, outlines=shown.outlines[:1], names=())),
        )

    def tick(self, now_s: float) -> Scene | None:
        """Go back once the board has been found there, or say that it hasn't."""
        del now_s
        if self.today.placing == "done":
            self.work.close()
            return self.back
        if self.today.placing == "failed":
            self.today.placing = ""
            self.banner = _("The board's print isn't there. Move the rings, or uncover more of the board.")
            return self
        return None

    def touch(self, intent: Intent) -> Scene | None:
        """Drag a corner, look for the board there, or leave."""
        if intent.verb == "look" and self.today.placing != "busy":
            self.banner = ""
            self.today.place(self.picture, self.work.corners, self.match.position)
        return super().touch(intent)

    @property
    def handles(self) -> Corners:
        """The board's corners."""
        return self.work.corners

    def move(self, index: int, to: Place) -> None:
        """Move a corner elsewhere."""
        self.work.move_corner(index, to)
