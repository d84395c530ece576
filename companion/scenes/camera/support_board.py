"""Setting up the camera: where the spaces of the support board lie, if it is in the photo of the empty board."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from companion.core.language import _
from companion.perception.calibration import Calibration, Corners
from companion.scenes.base.stage import Scene
from companion.scenes.camera.handles import HandlesStep, photo
from companion.text.orders import place_label
from companion.ui.intents import Place
from companion.ui.screen import Button, Buttons, Intent, PhotoPicture, Screen, Text

LABEL_BELOW = 0.045
"""So far under its ring a space's name stands, in parts of the photo's height."""


class SupportScene(HandlesStep):
    """Touch the middle of one space after the other; those that the photo does not show are left out at the end."""

    reach: ClassVar[float] = 0.025  # its spaces lie close together in the photo of a whole table

    def __init__(self, work: Calibration, back: Scene, fit: Scene) -> None:
        super().__init__(work, back)
        self.fit = fit

    @property
    def handles(self) -> Corners:
        """The spaces marked so far."""
        return tuple(self.work.support.values())

    def move(self, index: int, to: Place) -> None:
        """Move the mark of a space elsewhere."""
        self.work.support[list(self.work.support)[index]] = to

    def missed(self, at: Place) -> int | None:
        """Mark the space asked for where a finger touches no ring, and return its index; None if all are marked."""
        asked = self._asked()
        if asked is None:
            return None
        self.work.support[asked] = at
        return len(self.work.support) - 1

    def _asked(self) -> str | None:
        left = (space for space in self.work.support_spaces() if space not in self.work.support)
        return next(left, None)

    def show(self) -> Screen:
        """Show the photo with the spaces marked so far, and which one to mark next."""
        asked, marked = self._asked(), self.work.support
        if asked is not None:
            text = _("Touch the centre of “{place}” on the support board.").format(place=place_label(asked))
        else:
            text = _("All spaces are marked. Drag any ring that's off.")
        undo = Button(_("Undo the last mark"), Intent("undo"), "plain" if marked else "off")
        return Screen(
            title=_("Support board"),
            blocks=(
                Text(text, "plain" if asked is not None else "good"),
                Text(
                    _("Leave the support board in view, so the camera sees Plan too."),
                    "quiet",
                ),
                Buttons((undo,), 1),
            ),
            actions=(
                Button(_("Not in the picture"), Intent("without")),
                Button(_("Done"), Intent("done"), "primary" if marked else "off"),
            ),
            photo=self.with_loupe(self._photo()),
        )

    def _photo(self) -> PhotoPicture:
        below = tuple((_initials(name), (x, y + LABEL_BELOW), "") for name, (x, y) in self.work.support.items())
        shown = photo(self.work, "", "plain")
        return replace(shown, outlines=shown.outlines[:1], names=below, corners=self.handles, touch=True)

    def touch(self, intent: Intent) -> Scene | None:
        """Mark a space, undo the last mark, or return to the map."""
        if intent.verb == "undo" and self.work.support:
            self.work.support.popitem()
            self.held, self.chosen = None, 0
        if intent.verb == "without":
            self.work.support.clear()
        return self.fit if intent.verb in ("done", "without", "cancel") else super().touch(intent)


def _initials(space: str) -> str:
    """Return a space as a label that fits between two spaces: "P1"."""
    label = place_label(space)
    return label[0] + label[-1]
