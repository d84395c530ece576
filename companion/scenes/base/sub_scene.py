"""A scene that was opened from another one: what all of them have in common."""

from __future__ import annotations

from companion.scenes.base.stage import Scene
from companion.ui.screen import Intent


class SubScene:
    """Back leads to the scene it was opened from, and its blocks may run over several pages.

    A subclass handles its own verbs and leaves the others to `super().touch`.
    """

    whole = True  # where two players share the glass, it takes all of it

    def __init__(self, back: Scene) -> None:
        self.back = back
        self.page = 0

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        return self.back if intent.verb == "back" else None
