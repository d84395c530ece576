"""A photo with handles that a finger drags and arrow keys move by a pixel, as on the corners of a board.

If the camera can't find the board, people show it the corners here; the print has to confirm them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from companion.core.language import _
from companion.perception.calibration import DEFAULT_CORNERS, Calibration, Corners
from companion.scenes.base.stage import Scene
from companion.scenes.camera.calibration_start import CalibrationStep
from companion.ui.intents import Place
from companion.ui.screen import Button, Intent, PhotoPicture, Screen, Text, Tone, cancel_button

if TYPE_CHECKING:
    from companion.games.match import Match
    from companion.perception.todays_board import TodaysBoard
    from vision.geometry import Picture


NUDGE_PX = 1.0
NO_PICTURE_PX = (640, 480)
STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class HandlesStep(CalibrationStep):
    """The base of steps whose photo has handles. reach: how near one a finger must land, in photo widths."""

    reach: ClassVar[float] = 0.11

    def __init__(self, work: Calibration, back: Scene) -> None:
        super().__init__(work, back)
        self.held: int | None = None
        self.chosen = 0
        self._shift: Place = (0.0, 0.0)

    @property
    def handles(self) -> Corners:
        """Where the handles are, as fractions of the photo's width and height: the board's corners by default."""
        return self.work.corners

    def move(self, index: int, to: Place) -> None:
        """Move the handle with this index."""
        self.work.move_corner(index, to)

    def missed(self, _at: Place) -> int | None:
        """Return the index of the handle to drag when a finger comes down near none, such as a new one; else None."""
        return None

    def let_go(self) -> None:
        """Act once the finger that dragged a handle lifts; by default, do nothing."""

    def with_loupe(self, shown: PhotoPicture) -> PhotoPicture:
        """Return the photo with a loupe at the handle being dragged or moved by keys; unchanged if there is none."""
        if self.held is None:
            return shown
        return replace(shown, held=self.held, loupe=self.work.loupe(self.handles[self.held]))

    def touch(self, intent: Intent) -> Scene | None:
        """Drag a handle, move or choose one by a key, or cancel."""
        if intent.verb == "corner":
            self._drag(intent)
        elif intent.verb == "key":
            self._key(intent.what)
        return super().touch(intent)

    def _drag(self, intent: Intent) -> None:
        """Drag the handle nearest to where the finger came down, without letting it jump under the finger."""
        x, y = intent.at
        if intent.n == 0:
            apart = [((a - x) ** 2 + (0.75 * (b - y)) ** 2) ** 0.5 for a, b in self.handles]
            near = min(apart, default=self.reach)
            index = apart.index(near) if near < self.reach else self.missed(intent.at)
            if index is not None:
                self.held = self.chosen = index
                at = self.handles[index]
                self._shift = at[0] - x, at[1] - y
        if self.held is None:
            return
        self.move(self.held, (min(max(x + self._shift[0], 0.0), 1.0), min(max(y + self._shift[1], 0.0), 1.0)))
        if intent.n == 2:
            self.held = None
            self.let_go()

    def _key(self, key: str) -> None:
        """Move the handle chosen last by a pixel for an arrow key, or choose the next one for the tab key."""
        if not self.handles:
            return
        if key == "next":
            self.chosen = (self.chosen + 1) % len(self.handles)
        shown = self.work.empty_shown
        if key in STEPS and shown:
            (x, y), (dx, dy) = self.handles[self.chosen], STEPS[key]
            wide, high = shown.of_px
            self.move(self.chosen, (x + dx * NUDGE_PX / wide, y + dy * NUDGE_PX / high))
        self.held = self.chosen


def photo(work: Calibration, caption: str, tone: Tone) -> PhotoPicture:
    """Return the photo of the empty board with corners and map, else the live picture; a blank one without either."""
    shown, lines = work.empty_shown or work.shown, work.lines
    if shown is None:
        return PhotoPicture(b"", NO_PICTURE_PX, caption=caption, tone=tone)
    faults = work.judged.faults if work.judged and work.empty is None else ()
    headquarters = {area.name: area.hq for area in work.board.areas if area.hq}
    bad = [name for fault in faults if fault.kind == "glare" for name in fault.places]
    return PhotoPicture(
        shown.jpeg,
        shown.size_px,
        outlines=(lines.edge, *lines.areas.values()) if lines else (),
        names=tuple((name, at, headquarters.get(name, "")) for name, at in lines.names.items()) if lines else (),
        bad=tuple(lines.areas[name] for name in bad) if lines else (),
        corners=work.corners if work.empty is not None else (),
        caption=caption,
        tone=tone,
    )


class StillPicture:
    """Stands in for a camera, always with the same picture."""

    fault: str | None = None

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def latest(self) -> Picture:
        """Return the picture."""
        return self._picture

    def ask(self, what: str) -> None:
        """Ignore what is asked for."""

    def close(self) -> None:
        """Do nothing, as there is no camera to release."""


class PlaceScene(HandlesStep):
    """Asks where the board is: the camera's picture with a ring to drag onto each corner."""

    def __init__(self, today: TodaysBoard, match: Match, picture: Picture, back: Scene) -> None:
        work = Calibration(match.position.board, StillPicture(picture), Path(), lambda _table: None)
        super().__init__(work, back)
        work.take_picture(picture, DEFAULT_CORNERS)
        self.today, self.match, self.picture = today, match, picture
        today.placing = ""

    def show(self) -> Screen:
        """Show the picture with its rings, and the button to look there."""
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

    def tick(self, _now_s: float) -> Scene | None:
        """Return the scene before once the board is found, this one with a banner if it isn't; else None."""
        if self.today.placing == "done":
            self.work.close()
            return self.back
        if self.today.placing == "failed":
            self.today.placing = ""
            self.banner = _("The board's print isn't there. Move the rings, or uncover more of the board.")
            return self
        return None

    def touch(self, intent: Intent) -> Scene | None:
        """Drag a corner, look for the board there, or cancel."""
        if intent.verb == "look" and self.today.placing != "busy":
            self.banner = ""
            self.today.place(self.picture, self.work.corners, self.match.position)
        return super().touch(intent)
