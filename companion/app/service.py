"""The app as a service: tells its manager how it does, is stopped by it, and waits for a screen where it is a kiosk."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from companion.app.app import App
from companion.app.heartbeat import Heartbeat, status_text
from companion.app.stopping import Stopping
from companion.core.log import tell
from hardware.notify import Notifier, from_environment

APPLIANCE = "GUNBAI_APPLIANCE"
SCREEN_EVERY_S = 2.0
SAID_EVERY_S = 10.0  # the journal gets a changed status no more often
NO_SCREEN = "waiting for a screen"


def is_appliance(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether Gunbai is what this machine is for: its unit says so."""
    return environment.get(APPLIANCE, "") not in ("", "0")


class Service:
    """Reports the app's state to its service manager, and ends it when asked.

    camera: when the camera last got on, see `Heartbeat`; wait: sleeps for so many seconds, or until woken.
    """

    def __init__(self, app: App, camera: Callable[[], float | None], manager: Notifier | None = None) -> None:
        self.app = app
        self.manager = from_environment() if manager is None else manager
        self._heart = Heartbeat(self.manager, camera)
        self._woken = threading.Event()
        self._said: tuple[str, float] = ("", 0.0)

    def turn_done(self, now_s: float) -> None:
        """The window's loop has done a whole turn."""
        status = status_text(self.app.situation, self.app.stage.sense, self.app.stage.demo_on)
        self._heart.turn_done(now_s, status)
        self._log_status(status, now_s)

    def _log_status(self, status: str, now_s: float) -> None:
        """What changed, in the journal: not at every flicker of it."""
        said, said_s = self._said
        if status != said and (not said or now_s - said_s >= SAID_EVERY_S):
            self._said = status, now_s
            if self.manager.listens:
                tell("warning" if "lost" in status else "info", status)

    def missing_screen(self, why: str) -> bool:
        """No screen could be opened: a kiosk waits for one. False where the app is to end."""
        if not is_appliance():
            return False
        if self._said[0] != NO_SCREEN:
            self._said = NO_SCREEN, time.monotonic()
            tell("warning", f"{NO_SCREEN}: {why}")
            self.manager.ready(NO_SCREEN)
        self.manager.alive()
        self._woken.wait(SCREEN_EVERY_S)
        return self.app.running

    def stop(self) -> None:
        """The end was asked for from outside."""
        self.manager.stopping()
        self.app.running = False
        self._woken.set()


@contextmanager
def in_service(app: App, camera: Callable[[], float | None]) -> Iterator[Service]:
    """Signals stop the app, and its manager hears of it, until it has ended and the game is saved."""
    service = Service(app, camera)
    app.service = service
    with Stopping(service.stop):
        try:
            yield service
        finally:
            service.manager.stopping()
            if app.table is not None:
                app.table.match.close()
