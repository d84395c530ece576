"""Trying the camera without one: what is going to be seen, and the note that these are pictures."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.stage import Scene, TryCamera
from companion.scenes.base.sub_scene import SubScene
from companion.ui.screen import Button, Intent, Screen, Text, back_button


class TrialScene(SubScene):
    """Says what will be shown, and what to do with it."""

    def show(self) -> Screen:
        """Say that no camera and no board are needed."""
        words = (
            Text(
                _("You need no camera and no board: Gunbai looks at pictures of a practice table, turn by turn."),
                "strong",
            ),
            Text(_("It offers each turn that it sees. Confirm it, and the next picture comes.")),
            Text(_("Touch the sign beside the round to see the board as it is read."), "quiet"),
        )
        start = Button(_("Start"), Intent("start"), "primary")
        return Screen(_("Try the camera"), words, (back_button(), start), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Ask the app for the pictures, or go back."""
        return TryCamera() if intent.verb == "start" else super().touch(intent)


def try_button() -> Button:
    """Return the button that leads to the pictures."""
    return Button(_("Try the camera"), Intent("try-camera"), sign="camera")


def with_pictures_note(screen: Screen) -> Screen:
    """Return the screen with a note that pictures are shown, where nothing else has to be said."""
    if screen.banner:
        return screen
    return replace(screen, banner=_("Pictures of a practice table, not your board"), banner_tone="quiet")
