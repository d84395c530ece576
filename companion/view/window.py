"""The window, or the whole display where there is no desktop: the one place that reads events and shows pictures."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pygame

from companion.app import App
from companion.errors import CompanionError
from companion.scenes.screen import Intent
from companion.view.canvas import Canvas, draw
from companion.view.input import Reader, Touch
from companion.view.sheet import Target

DRM = Path("/sys/class/drm")
CARDS = Path("/dev/dri")
TICK_MS = 100  # how often the app may act by itself while nobody touches the screen


class ScreenError(CompanionError):
    """No screen could be opened."""


class Window:
    """Draws the app when its picture changed, and hands it the touches."""

    def __init__(self, app: App, display: pygame.Surface, rotation: int = 0) -> None:
        self.app = app
        self.display = display
        self.reader = Reader(display.get_size(), rotation)
        self.drawn = -1
        self.canvas: Canvas = self._draw()
        self.pressed: Target | None = None

    def _draw(self) -> Canvas:
        canvas = draw(self.app.screen(), self.reader.upright_size())
        self._present(canvas.surface)
        self.drawn = self.app.version
        return canvas

    def _present(self, picture: pygame.Surface) -> None:
        if self.reader.rotation:
            picture = pygame.transform.rotate(picture, -self.reader.rotation)
        self.display.blit(picture, (0, 0))
        pygame.display.flip()

    def handle(self, touch: Touch) -> None:
        """Light a target under a finger; act when the finger leaves it where it came down."""
        if touch.kind == "quit":
            self.app.running = False
        elif touch.kind == "redraw":
            self._present(self.canvas.surface)
        elif touch.kind == "key":
            if any(target.drag for target in self.canvas.sheet.targets):
                self.app.touch(Intent("key", touch.key))
        elif touch.kind == "down":
            self._down(touch)
        elif self.pressed and self.pressed.drag:
            self._drag(touch)
        elif self.pressed and touch.kind == "up":
            target, self.pressed = self.pressed, None
            self._present(self.canvas.surface)
            if self.canvas.target_at(touch.at_px) == target:
                self.app.touch(target.intent)

    def _down(self, touch: Touch) -> None:
        self.pressed = self.canvas.target_at(touch.at_px)
        if self.pressed and self.pressed.drag:
            self._drag(touch)
        elif self.pressed:
            self._present(self.canvas.pressed(self.pressed))

    def _drag(self, touch: Touch) -> None:
        """Tell the app where the finger is on what it drags."""
        assert self.pressed
        target = self.pressed
        place = touch.at_px[0] / self.canvas.px_per_pt, touch.at_px[1] / self.canvas.px_per_pt
        if touch.kind == "up":
            self.pressed = None
        self.app.touch(target.dragged(place, {"down": 0, "move": 1}.get(touch.kind, 2)))

    def refresh(self) -> None:
        """Draw anew where the picture changed."""
        if self.app.version != self.drawn:
            self.canvas = self._draw()

    def run(self, events: Callable[[], Iterable[pygame.event.Event]], now_s: Callable[[], float]) -> None:
        """Until the app stops: wait for events, hand them over, let the app tick, draw what changed."""
        while self.app.running:
            for event in events():
                touch = self.reader.read(event)
                if touch:
                    self.handle(touch)
            self.app.tick(now_s())
            self.refresh()


def wait_for_events() -> list[pygame.event.Event]:
    """Sleep until something happens, or a tick has passed; all events since."""
    first = pygame.event.wait(TICK_MS)
    return [event for event in (first, *pygame.event.get()) if event.type != pygame.NOEVENT]


def has_screen() -> bool:
    """Whether there is a display to open: a desktop, or a screen without one (KMS)."""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    connectors = list(DRM.glob("card*-*/status"))
    return any(not path.read_text().startswith("disconnected") and _may_open(path) for path in connectors)


def _may_open(connector: Path) -> bool:
    """Whether this process may draw on the graphics card of a connector (`card1-HDMI-A-1/status`)."""
    card = connector.parent.name.partition("-")[0]
    return os.access(CARDS / card, os.R_OK | os.W_OK)


def run_window(app: App, size_px: tuple[int, int] | None = None, rotation_degrees: int = 0) -> int:
    """Show the app until it is left: the whole screen, or a window of that size. 0. Raises ScreenError."""
    display = _open(size_px)
    try:
        Window(app, display, rotation_degrees).run(wait_for_events, time.monotonic)
    finally:
        pygame.display.quit()
    return 0


def _open(size_px: tuple[int, int] | None) -> pygame.Surface:
    """The display; where there is no desktop, a window fills it anyway."""
    try:
        pygame.display.init()
        pygame.display.set_caption("Gunbai")
        display = pygame.display.set_mode(size_px or (0, 0), 0 if size_px else pygame.FULLSCREEN)
    except pygame.error as error:
        raise ScreenError(f"no screen could be opened ({error}); without one, try `gunbai demo --headless`") from error
    if size_px is None:
        pygame.mouse.set_visible(False)
    return display
