"""Scenes that were opened from another one: what all of them have in common, and the simplest, something to read."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.ui.screen import Block, Button, Intent, Screen, Text, back_button


class BackScene:
    """A scene that was opened from another one, which Back leads to; its blocks may run over several pages.

    A subclass handles its own verbs and leaves the others to `super().touch`.
    """

    def __init__(self, back: Scene) -> None:
        self.back = back
        self.page = 0

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        return self.back if intent.verb == "back" else None


class SubScene(BackScene):
    """A scene opened from another that takes the whole screen, even if two players share it."""

    whole = True


class StageScene(SubScene):
    """A scene opened from another that uses the stage."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(back)
        self.stage = stage


class DetailsScene(SubScene):
    """Details of a fault for whoever is to mend it: names of errors, files, lines."""

    def __init__(self, lines: Sequence[str], back: Scene) -> None:
        super().__init__(back)
        self.lines = tuple(lines)

    def show(self) -> Screen:
        """Show the lines of the details."""
        blocks = tuple(Text(line, "quiet") for line in self.lines)
        return Screen(title=_("Details"), blocks=blocks, actions=(back_button("primary"),), page=self.page)


def details_button() -> Button:
    """Make the button that opens a fault's details."""
    return Button(_("Details"), Intent("details"), "quiet")


class PagesScene(BackScene):
    """Something long to read, page by page."""

    def __init__(self, title: str, blocks: tuple[Block, ...], back: Scene) -> None:
        super().__init__(back)
        self.title = title
        self.blocks = blocks

    def show(self) -> Screen:
        """Show one page, with a button back."""
        return Screen(title=self.title, blocks=self.blocks, actions=(back_button("primary"),), page=self.page)
