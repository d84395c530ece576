"""The first start: language, seats and the size of letters on one page, each shown at once; then home."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from companion.core.errors import SettingsError
from companion.core.language import _, languages
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import StageScene
from companion.scenes.camera.calibration import TrialScene, try_button
from companion.scenes.settings.pages import Pick, pages
from companion.ui.screen import Button, Choice, Intent, Screen, Text

CHOSEN = ("language", "layout", "text_scale")


class WelcomeScene(StageScene):
    """What is touched holds at once; all of it is kept when people go on."""

    def show(self) -> Screen:
        """Ask the first questions of the settings, each answered already by the best guess."""
        now = self.stage.settings
        spoken = tuple(
            Button(name, Intent("speak", code), "chosen" if code == now.language else "plain")
            for code, name in languages().items()
        )
        return Screen(
            title=_("Welcome to Gunbai"),
            blocks=(
                Choice(_("Language"), spoken),
                *(pick.block(now) for pick in self._picks()),
                Text(_("You can change this any time in the settings."), "quiet"),
            ),
            actions=(*self._trial(), Button(_("Start"), Intent("start"), "primary")),
            page=self.page,
        )

    def _trial(self) -> tuple[Button, ...]:
        """Return the way to the pictures that the camera may be tried on."""
        return (try_button(),) if self.stage.services.trial is not None else ()

    def _picks(self) -> tuple[Pick, ...]:
        """Return the questions asked here that the pages of the settings ask as well."""
        items = [item for name in ("seats", "size") for item in pages()[name].items]
        return tuple(item for item in items if isinstance(item, Pick) and item.field in CHOSEN)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, or go on: a disk that keeps nothing stops nobody."""
        now = self.stage.settings
        if intent.verb == "speak" and intent.what in languages():
            self.stage.apply(replace(now, language=intent.what))
        elif intent.verb == "pick":
            values = next((pick.values for pick in self._picks() if pick.field == intent.what), ())
            for value, _label in values[intent.n : intent.n + 1]:
                self.stage.apply(replace(now, **{intent.what: value}))
        elif intent.verb in ("start", "try-camera"):
            with suppress(SettingsError):
                self.stage.change(**{name: getattr(now, name) for name in CHOSEN})
            return self.back if intent.verb == "start" else TrialScene(self.back)
        return super().touch(intent) if intent.verb == "page" else None
