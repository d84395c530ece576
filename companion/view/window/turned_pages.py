"""Pages that people turn where the scene itself has none: remembered for each player as long as it shows the same."""

from __future__ import annotations

from dataclasses import replace

from companion.app.split_screen import SeatScreen
from companion.ui.screen import Screen


class TurnedPages:
    """How far each player has turned the pages of what is shown."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[object, int]] = {}

    def at_page(self, face: SeatScreen) -> SeatScreen:
        """Return the face with its page turned as far as people turned it."""
        key, turned = self._pages.get(face.seat, (None, 0))
        if key != _kind_of(face.screen):
            turned = 0
            self._pages.pop(face.seat, None)
        return SeatScreen(face.seat, replace(face.screen, page=face.screen.page + turned)) if turned else face

    def turn(self, seat: str, screens: tuple[Screen, Screen], n: int) -> None:
        """Turn a page, where the scene, asked first, has not turned its own. screens: before and after it was asked."""
        before, after = screens
        key = _kind_of(after)
        if before.page == after.page and key == _kind_of(before):
            old, turned = self._pages.get(seat, (key, 0))
            self._pages[seat] = (key, (turned if old == key else 0) + n)


def _kind_of(screen: Screen) -> tuple[object, ...]:
    """Return what stays the same while people turn the pages of one thing."""
    return screen.title, tuple((action.intent.verb, action.intent.what) for action in screen.actions)
