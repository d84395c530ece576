"""Before home, at the start: settings files that can't be read, the first questions, and how an update went."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from companion.core.errors import SettingsError
from companion.core.language import _, languages
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import DetailsScene, StageScene, SubScene, details_button
from companion.scenes.camera.calibration import TrialScene, try_button
from companion.scenes.settings.pages import Pick, pages
from companion.settings.layers import Broken, set_aside
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Choice, Intent, Screen, Text, back_button


class BrokenScene:
    """Says that settings files are broken; they can be set aside, or left for somebody to mend."""

    whole = True

    def __init__(self, broken: tuple[Broken, ...], home: Scene) -> None:
        self.broken = broken
        self.home = home
        self.page = 0
        self.kept = False  # a file could not be set aside

    def show(self) -> Screen:
        """Say that Gunbai runs without these files, and how to mend them; the details hold the faults."""
        blocks: list[Block] = [Text(_("Gunbai starts without it. The rest of your settings still apply."))]
        blocks.append(Text(_("Fix the file and restart, or set it aside: it is renamed, not deleted."), "quiet"))
        if self.kept:
            blocks.append(Text(_("The file can't be set aside."), "bad"))
        on = Button(_("Continue without it"), Intent("on"), "primary")
        may = any(fault.path for fault in self.broken)
        aside = (Button(_("Set it aside"), Intent("aside")),) if may else ()
        actions = (details_button(), *aside, on)
        return Screen(
            title=_("There's a mistake in your settings"), blocks=tuple(blocks), actions=actions, page=self.page
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Set the files aside, go on without them, or open the details."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "aside":
            return self._aside()
        if intent.verb == "details":
            return DetailsScene([fault_words(fault.message) for fault in self.broken], self)
        return self.home if intent.verb == "on" else None

    def _aside(self) -> Scene | None:
        """Rename all broken files, and go on; if some can't be renamed, stay and report those."""
        left = []
        for fault in self.broken:
            try:
                if fault.path is not None:
                    set_aside(fault.path)
            except SettingsError as error:
                left.append(Broken(None, str(error)))
        self.broken, self.kept = tuple(left), bool(left)
        return None if left else self.home


CHOSEN = ("language", "layout", "text_scale")


class WelcomeScene(StageScene):
    """The first questions: an answer holds at once, and all are saved when people go on."""

    def show(self) -> Screen:
        """Show the first questions, each with the best guess already chosen."""
        now = self.stage.settings
        trial = (try_button(),) if self.stage.services.trial is not None else ()
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
            actions=(*trial, Button(_("Start"), Intent("start"), "primary")),
            page=self.page,
        )

    def _picks(self) -> tuple[Pick, ...]:
        """Return the questions asked here that the pages of the settings ask as well."""
        items = [item for name in ("seats", "size") for item in pages()[name].items]
        return tuple(item for item in items if isinstance(item, Pick) and item.field in CHOSEN)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose an answer, turn the page, or go on, even if the disk refuses to save the answers."""
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


class UpdatedScene(SubScene):
    """Shown at the first start after an update: whether the new release took over."""

    def __init__(self, release: str, now: str, back: Scene) -> None:
        super().__init__(back)
        self.release = release
        self.now = now

    def show(self) -> Screen:
        """Say in one sentence whether the update succeeded."""
        new, now = (name.partition("-")[0] for name in (self.release, self.now))
        if self.release == self.now:
            title = _("Updated to {version}").format(version=new)
            text = _("Your games, boards and settings are as they were.")
            return Screen(title=title, blocks=(Text(text, "good"),), actions=(back_button("primary"),))
        title = _("The update didn't start")
        text = _("Version {new} didn't start on this machine, so {now} is back. Your games are safe.")
        return Screen(
            title=title, blocks=(Text(text.format(new=new, now=now), "warn"),), actions=(back_button("primary"),)
        )
