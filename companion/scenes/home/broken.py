"""At the start: settings files that do not count, with file, line and key, and what to do about them."""

from __future__ import annotations

from companion.core.errors import SettingsError
from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import DetailsScene, details_button
from companion.settings.layers import Broken, set_aside
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Intent, Screen, Text


class BrokenScene:
    """What is wrong, file by file; each may be set aside, or left for somebody to mend."""

    whole = True

    def __init__(self, broken: tuple[Broken, ...], home: Scene) -> None:
        self.broken = broken
        self.home = home
        self.page = 0
        self.kept = False  # a file could not be set aside

    def show(self) -> Screen:
        """Say that Gunbai runs without these files, and how they are mended; the faults are the details."""
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
        """Set the files aside and go on, or go on."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "aside":
            return self._aside()
        if intent.verb == "details":
            return DetailsScene([fault_words(fault.message) for fault in self.broken], self)
        return self.home if intent.verb == "on" else None

    def _aside(self) -> Scene | None:
        """Rename them all; those that the disk keeps in their place are told once more."""
        left = []
        for fault in self.broken:
            try:
                if fault.path is not None:
                    set_aside(fault.path)
            except SettingsError as error:
                left.append(Broken(None, str(error)))
        self.broken, self.kept = tuple(left), bool(left)
        return None if left else self.home
