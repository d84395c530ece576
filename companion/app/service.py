"""The app as a service: reports to its manager, stops when told to, and waits for a screen if it is a kiosk.

Only complete turns of the window's loop feed the manager's watchdog, so that a screen that hangs is restarted.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from companion.app.app import App
from companion.core.log import tell
from companion.games.live_note import LiveNoteWriter, place
from hardware.notify import Notifier, from_environment

if TYPE_CHECKING:
    from companion.games.status import Situation
    from companion.perception.sync.status import SyncStatus

APPLIANCE = "GUNBAI_APPLIANCE"
SCREEN_EVERY_S = 2.0
SAID_EVERY_S = 10.0  # the journal gets a changed status no more often
NO_SCREEN = "waiting for a screen"
SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
PATIENCE_S = 1.5  # well within the unit's TimeoutStopSec
CAMERA_S = 120.0  # by then its keeper has replaced a silent camera process many times
FEEDS = 4  # how often within the watchdog's time; sd_watchdog_enabled(3) asks for twice
STUCK = "the camera is stuck"


def is_appliance(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether this machine runs nothing but Gunbai, as its unit says."""
    return environment.get(APPLIANCE, "") not in ("", "0")


class Service:
    """The app's link to its service manager: it reports the app's state, and ends the app when asked to.

    camera: returns when the camera last made progress, see `Heartbeat`.
    """

    def __init__(self, app: App, camera: Callable[[], float | None], manager: Notifier | None = None) -> None:
        self.app = app
        self.manager = from_environment() if manager is None else manager
        self._heart = Heartbeat(self.manager, camera)
        self._woken = threading.Event()
        self._said: tuple[str, float] = ("", 0.0)
        self._note = LiveNoteWriter(place())

    def turn_done(self, now_s: float) -> None:
        """Report one completed turn of the window's loop to the service manager, and keep the live note up to date."""
        status = status_text(self.app.situation, self.app.stage.sense, self.app.stage.demo_on)
        self._heart.turn_done(now_s, status)
        situation = self.app.situation
        self._note.tell(situation.game if situation else None, self.app.stage.sense.sign)
        # The journal gets a change, but not every flicker of it.
        said, said_s = self._said
        if status != said and (not said or now_s - said_s >= SAID_EVERY_S):
            self._said = status, now_s
            if self.manager.listens:
                tell("warning" if "lost" in status else "info", status)

    def missing_screen(self, why: str) -> bool:
        """Wait a while for a screen, on an appliance; return False if the app is to end."""
        if not is_appliance():
            return False
        if self._said[0] != NO_SCREEN:
            self._said = NO_SCREEN, time.monotonic()
            tell("warning", f"{NO_SCREEN}: {why}")
            self.manager.ready(NO_SCREEN)
        self.manager.alive()
        self._woken.wait(SCREEN_EVERY_S)
        return self.app.running

    def ended(self) -> None:
        """Delete the live note, as there is nothing to follow any more."""
        self._note.forget()

    def stop(self) -> None:
        """End the app, as was asked from outside."""
        self.manager.stopping()
        self.app.running = False
        self._woken.set()


@contextmanager
def in_service(app: App, camera: Callable[[], float | None]) -> Iterator[Service]:
    """Let signals stop the app, and report to its service manager, until it has ended and the game is saved."""
    service = Service(app, camera)
    app.service = service
    with Stopping(service.stop):
        try:
            yield service
        finally:
            service.manager.stopping()
            service.ended()
            if app.table is not None:
                app.table.match.close()


def leave(status: int) -> None:
    """End this process at once, after flushing what was printed."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


class Stopping:
    """A context in which signals call `stop` once, and `leave(0)` if the process still runs after PATIENCE_S."""

    def __init__(self, stop: Callable[[], None], leave: Callable[[int], None] = leave) -> None:
        self.asked = False
        self._stop, self._leave = stop, leave
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.asked else before)  # the end is under way: ask no more

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self.asked:
            self.asked = True
            threading.Thread(target=self._leave_when_late, name="stopping", daemon=True).start()
            self._stop()

    def _leave_when_late(self) -> None:
        threading.Event().wait(PATIENCE_S)
        self._leave(0)


class Heartbeat:
    """The app's signs of life to its service manager, withheld while the camera is stuck.

    camera: returns when the camera last made progress (monotonic seconds); None if there is none, or it never did.
    """

    def __init__(self, manager: Notifier, camera: Callable[[], float | None]) -> None:
        self._manager, self._camera = manager, camera
        self._ready = False
        self._fed_s: float | None = None

    def turn_done(self, now_s: float, status: str) -> None:
        """Report a completed turn of the loop or, without feeding the watchdog, a camera that is stuck.

        now_s: monotonic; status: what goes on, in a few words.
        """
        progress_s = self._camera()
        stuck = progress_s is not None and now_s - progress_s > CAMERA_S
        told = STUCK if stuck else status
        if self._ready:
            self._manager.status(told)
        else:
            self._ready = True
            self._manager.ready(told)
        watchdog_s = self._manager.watchdog_s
        if watchdog_s is None or stuck:
            return
        if self._fed_s is None or now_s - self._fed_s >= watchdog_s / FEEDS:  # a datagram a turn would be too many
            self._fed_s = now_s
            self._manager.alive()


def status_text(game: Situation | None, sense: SyncStatus, demo: bool = False) -> str:
    """Return what is going on, in a few words for `systemctl status` and the journal: no names, nothing hidden."""
    if game is None:
        return "at home"
    what = "a demonstration" if demo else "playing"
    told = f"{what}, round {game.rounds.n}" if game.winner is None else "a finished game"
    return f"{told}, camera lost" if sense.sign == "lost" else told
