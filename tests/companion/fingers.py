"""Fingers on the glass: they find what to touch on the laid-out screen, and send the events of a touchscreen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pygame

from companion.app.app import App
from companion.core.language import _
from companion.ui.screen import Button, Intent, MapPicture, Screen, Stepper
from companion.view.kit.sheet import Target
from companion.view.window.panes import Shown
from companion.view.window.taps import plain
from companion.view.window.window import Window
from tests.companion.gallery.sheet_checks import faults_on
from tests.companion.touching import buttons, steppers

MOST_PAGES = 12
LATER_S = 1.0  # nobody who reads what is on the glass touches faster than that
GRID = 9  # so many places each way are tried to find one where a target is touched


def own_place(folder: Path) -> None:
    """Let this process keep its games and settings in the folder."""
    os.environ["GUNBAI_DATA"] = str(folder / "data")
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
    os.environ.pop("GUNBAI_SETTINGS", None)


class NotThere(AssertionError):
    """What should be touched is not on the glass."""


class Fingers:
    """A person at the window, looking at every screen: what is wrong with them is gathered in `faults`."""

    def __init__(self, app: App, size_px: tuple[int, int], *, looks: bool = True) -> None:
        self.app = app
        self.window = Window(app, pygame.display.set_mode(size_px))
        self.looks = looks
        self.faults: list[str] = []
        self.touches = 0
        self.seat = ""  # whose finger it is: in the two-sided layout each player touches the own half

    # ---- to see -------------------------------------------------------------------------------

    def screens(self) -> list[Screen]:
        """Return what this person sees: the whole screen, or their own half of it."""
        self.window.refresh()
        panes = [shown_pane.pane for shown_pane in self.window.shown if shown_pane.pane.between is None]
        return [pane.screen for pane in panes if not self.seat or pane.seat in ("", self.seat) or len(panes) == 1]

    def buttons(self) -> list[Button]:
        """All buttons that this person has, those on other pages too."""
        return [button for screen in self.screens() for button in (*buttons(screen.blocks), *screen.actions)]

    def steppers(self) -> dict[str, Stepper]:
        """Return the steppers by what each of them counts."""
        return {
            f"{stepper.verb} {stepper.what}": stepper
            for screen in self.screens()
            for stepper in steppers(screen.blocks)
        }

    def chosen_space(self) -> str:
        """Return the action space that the map shows as the one in question, or ""."""
        self.window.refresh()
        maps = (shown_pane.pane.between or shown_pane.pane.screen.map for shown_pane in self.window.shown)
        drawn = (picture for picture in maps if isinstance(picture, MapPicture))
        return next((space.name for picture in drawn for space in picture.spaces if space.chosen), "")

    def has(self, verb: str) -> bool:
        """Whether there is a button with this meaning, on any page."""
        return any(button.intent.verb == verb for button in self.buttons())

    # ---- to touch -----------------------------------------------------------------------------

    def press(self, label: str) -> None:
        """Touch the button with this English label, in whatever language it stands there."""
        found = [button.intent for button in self.buttons() if button.label == _(label)]
        if not found:
            raise NotThere(f"no button {_(label)!r} among {[button.label for button in self.buttons()]}")
        self.tap(found[0].verb, found[0].what, found[0].n)

    def tap(self, verb: str, what: str = "", n: int = 0) -> None:
        """Touch what means this; turn the pages until it is there."""
        wanted = Intent(verb, what, n)
        for _page in range(MOST_PAGES):
            if found := self._meaning(wanted):
                self._touch(*found)
                return
            if not self._next_page():
                break
        raise NotThere(f"{wanted} is not on the glass")

    def drag(self, start: Intent, end: Intent) -> None:
        """Lead a finger from what means the one to what means the other."""
        ends = [self._meaning(wanted) for wanted in (start, end)]
        self._move(*(self._place(*found) for found in ends if found))

    def _mine(self) -> Iterator[tuple[Shown, Target]]:
        """Yield what this person can reach: their own pane and the shared ones, the upper layers first."""
        for shown_pane in self.window.shown:
            if not self.seat or shown_pane.pane.seat in ("", self.seat) or shown_pane.pane.between is not None:
                for sheet in reversed(list(shown_pane.canvas.sheet.layers())):
                    yield from ((shown_pane, target) for target in sheet.targets)

    def _meaning(self, wanted: Intent) -> tuple[Shown, Target] | None:
        """Return the uppermost target in reach that means this; None without one."""
        return next((found for found in self._mine() if plain(found[1].intent) == wanted), None)

    def _next_page(self) -> bool:
        for shown_pane, target in self._mine():
            if target.intent.verb == "page" and target.intent.n > 0:
                self._touch(shown_pane, target)
                return True
        return False

    def _touch(self, shown_pane: Shown, target: Target) -> None:
        """Touch the target: a finger comes down on it and leaves."""
        place = self._place(shown_pane, target)
        self._move(place, place)
        if self.looks:
            self.look()

    def _move(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Let a finger come down at the one place and leave at the other."""
        self.window.now_s += LATER_S
        for kind, at in ((pygame.FINGERDOWN, start), (pygame.FINGERUP, end)):
            x, y = self._on_display(at)
            touch = self.window.reader.read(pygame.event.Event(kind, x=x, y=y, finger_id=1))
            assert touch is not None
            self.window.handle(touch)
        self.touches += 1
        self.window.refresh()

    def look(self) -> None:
        """Look over all that is on the glass now."""
        for shown_pane in self.window.shown:
            self.faults += faults_on(shown_pane)

    def _place(self, shown_pane: Shown, target: Target) -> tuple[float, float]:
        """Return a place of the upright screen where a touch is meant for this target, near its middle."""
        box = shown_pane.box_px(target)
        steps = sorted(range(GRID), key=lambda n: abs(n - GRID // 2))
        for down in steps:
            for across in steps:
                x = box.x + box.w * (across + 0.5) / GRID
                y = box.y + box.h * (down + 0.5) / GRID
                if shown_pane.target_at((x, y)) == target:
                    return x, y
        raise NotThere(f"{target.intent} is covered")

    def _on_display(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return a place of the upright screen as parts of the display, which may be turned."""
        (x, y), (width, height) = place, self.window.reader.size_px
        turned = {0: (x, y), 90: (width - y, x), 180: (width - x, height - y), 270: (y, height - x)}
        across, down = turned[self.window.reader.rotation]
        return across / width, down / height
