"""A finger on the window's glass that is led by a program: it finds what means something, and touches it by events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame

from companion.ui.screen import Intent
from companion.view.kit.sheet import Sheet, Target
from companion.view.window.panes import Shown
from companion.view.window.window import Window

GRID = 9  # so many places each way are tried for one where a touch means the target
Events = list[pygame.event.Event]


def own_events() -> Events:
    """Return the events that have reached the window by themselves."""
    return pygame.event.get()


def closing() -> Events:
    """Return the event of people closing the window."""
    return [pygame.event.Event(pygame.QUIT)]


def touch_on(window: Window, wanted: Intent) -> Events:
    """Return the events of a tap on the target of this intent; none if it is not on the glass."""
    for shown_pane, target in _targets(window):
        if replace(target.intent, at=(0.0, 0.0)) == wanted:
            (x, y), (width, height) = _place(shown_pane, target), window.reader.size_px
            return [
                pygame.event.Event(kind, x=x / width, y=y / height, finger_id=1)
                for kind in (pygame.FINGERDOWN, pygame.FINGERUP)
            ]
    return []


def is_early(window: Window, touch: Events) -> bool:
    """Return whether the window would ignore a touch: a double tap, or on something too new to have been seen."""
    down = window.reader.read(touch[0]) if touch else None
    return down is not None and not window.taps.heeds(down.at_px, window.now_s)


def sheets(window: Window) -> list[Sheet]:
    """Return every sheet on the glass, those on top of others included."""
    return [sheet for shown_pane in window.shown for sheet in shown_pane.canvas.sheet.layers()]


def _targets(window: Window) -> Iterator[tuple[Shown, Target]]:
    """Yield what can be touched with its pane, the upper layers first."""
    for shown_pane in window.shown:
        for sheet in reversed(list(shown_pane.canvas.sheet.layers())):
            yield from ((shown_pane, target) for target in sheet.targets)


def _place(shown: Shown, target: Target) -> tuple[float, float]:
    """Return a place of the screen where a touch is meant for this target, near its middle."""
    box = shown.box_px(target)
    steps = sorted(range(GRID), key=lambda n: abs(n - GRID // 2))
    places = ((box.x + box.w * (x + 0.5) / GRID, box.y + box.h * (y + 0.5) / GRID) for y in steps for x in steps)
    return next((place for place in places if shown.target_at(place) == target), box.center)
