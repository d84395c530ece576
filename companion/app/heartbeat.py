"""Feeds the service manager's watchdog as long as the window's loop and the camera make progress.

It is called by the window after each whole turn of its loop (events read, the app ticked, the picture shown) and by
nothing else, so a screen that hangs is no longer fed for. A camera that got on once and then neither gets on nor is
known to be away for CAMERA_S, though its keeper does what it can, is not fed for either. One that never got on is:
starting anew would not help it, and people can play by touch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from companion.games.status import Situation
    from companion.perception.sync_monitor import SyncState

CAMERA_S = 120.0  # by then its keeper has replaced a silent camera process many times
FEEDS = 4  # how often within the watchdog's time; sd_watchdog_enabled(3) asks for twice
STUCK = "the camera is stuck"


class ServiceManager(Protocol):
    """The service manager, as `hardware.notify` reaches it."""

    watchdog_s: float | None

    def ready(self, status: str = "") -> None:
        """The first picture is on the screen."""

    def status(self, text: str) -> None:
        """What goes on."""

    def alive(self) -> None:
        """Feed the watchdog."""


class Heartbeat:
    """camera: when the camera last got on (monotonic seconds), None where there is none or it never did."""

    def __init__(self, manager: ServiceManager, camera: Callable[[], float | None]) -> None:
        self._manager, self._camera = manager, camera
        self._ready = False
        self._fed_s: float | None = None

    def turn_done(self, now_s: float, status: str) -> None:
        """A whole turn of the loop is done. now_s: monotonic; status: what goes on, in a few words."""
        progress_s = self._camera()
        stuck = progress_s is not None and now_s - progress_s > CAMERA_S
        told = STUCK if stuck else status
        if self._ready:
            self._manager.status(told)
        else:
            self._ready = True
            self._manager.ready(told)
        if not stuck and self._is_due(now_s):
            self._fed_s = now_s
            self._manager.alive()

    def _is_due(self, now_s: float) -> bool:
        """Whether it is time for the next feed; a datagram for every turn would be too many."""
        watchdog_s = self._manager.watchdog_s
        return watchdog_s is not None and (self._fed_s is None or now_s - self._fed_s >= watchdog_s / FEEDS)


def status_text(game: Situation | None, sense: SyncState, demo: bool = False) -> str:
    """What goes on, in a few words for `systemctl status` and the journal: no names, nothing hidden."""
    if game is None:
        return "at home"
    what = "a demonstration" if demo else "playing"
    told = f"{what}, round {game.rounds.n}" if game.winner is None else "a finished game"
    return f"{told}, camera lost" if sense.sign == "lost" else told
