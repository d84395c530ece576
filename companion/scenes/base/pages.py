"""Something long to read."""

from __future__ import annotations

from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Intent, Screen, back_button


class PagesScene:
    """Something long to read, page by page."""

    def __init__(self, title: str, blocks: tuple[Block, ...], back: Scene) -> None:
        self.title = title
        self.blocks = blocks
        self.back = back
        self.page = 0

    def show(self) -> Screen:
        """One page."""
        back = back_button("primary")
        return Screen(title=self.title, blocks=self.blocks, actions=(back,), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        return self.back if intent.verb == "back" else None
