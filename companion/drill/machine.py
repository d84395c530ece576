"""Faults of the machine under the app: its process is killed, ended or hangs, its disk refuses, its clock jumps.

The service manager hears of it where the app's process is concerned.
"""

from __future__ import annotations

import errno
import resource
import select
import signal
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.drill.place import Place, ensure_roll_owed, pass_turn, roll
from companion.drill.player import AppPlayer, DrillFailed, Recovery, ensure, ensure_kept, steps_on_disk, until

WATCHDOG_S = 3.0
STOP_S = 5.0  # the service manager's patience before it kills
US = 1_000_000
MOST_BYTES = 4096
READY_S = 5.0  # after its first picture
ABORT_S = 1.0  # after SIGABRT an app that is frozen has so long to go, then it is killed
SAVED_S = 20.0
YEAR_S = 365.25 * 24 * 3600
FORWARD_S, BACK_S = 30 * YEAR_S, -50 * YEAR_S
HALF_A_LINE = 10  # bytes that still fit before the disk is full


# ---- the process ------------------------------------------------------------------------------


class SimulatedManager:
    """A service manager: it receives sd_notify(3) datagrams and runs a watchdog of `watchdog_s` seconds."""

    def __init__(self, folder: Path, watchdog_s: float) -> None:
        self.path = folder / "notify"
        self.watchdog_s = watchdog_s
        self.told: list[str] = []
        self._fed_s: float | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))

    def __enter__(self) -> Self:
        """Return the manager itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the socket."""
        self.vanish()

    @property
    def env(self) -> Mapping[str, str]:
        """The environment variables that point an app at this manager."""
        return {"NOTIFY_SOCKET": str(self.path), "WATCHDOG_USEC": str(round(self.watchdog_s * US))}

    def vanish(self) -> None:
        """Close the socket and remove its path."""
        self._socket.close()
        self.path.unlink(missing_ok=True)

    def listen(self, seconds: float = 0.0) -> None:
        """Receive notifications, waiting this many seconds for the first."""
        while self._socket in select.select([self._socket], [], [], seconds)[0]:
            lines = self._socket.recv(MOST_BYTES).decode(errors="replace").split("\n")
            self.told += lines
            if "READY=1" in lines or "WATCHDOG=1" in lines:
                self._fed_s = time.monotonic()
            seconds = 0.0

    def wait_ready(self) -> None:
        """Wait until the app has sent READY=1."""
        until(self._is_ready, READY_S, "the app did not tell that it is ready")

    def _is_ready(self) -> bool:
        self.listen()
        return "READY=1" in self.told

    @property
    def expired(self) -> bool:
        """Whether the app has been silent for longer than the watchdog allows; DrillFailed if it was never ready."""
        self.listen()
        if self._fed_s is None:
            raise DrillFailed("the app has never told that it is ready")
        return time.monotonic() - self._fed_s > self.watchdog_s

    def stays_fed(self, seconds: float) -> bool:
        """Return whether the app keeps feeding the watchdog for this many seconds."""
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            self.listen(0.05)
            if self.expired:
                return False
        return True

    def end_hung(self, player: AppPlayer, limit_s: float) -> float:
        """Wait for the watchdog to expire, then end the app as systemd does; return how long it took, in seconds."""
        waited_s = until(lambda: self.expired, limit_s, "the app hangs, and its watchdog is still being fed")
        player.send(signal.SIGABRT)
        try:
            player.wait_for_end(ABORT_S)
        except DrillFailed:
            player.kill()
        return waited_s


def kill_app(place: Place) -> Recovery:
    """Kill the app with one die entered and not confirmed, and again just after a roll was confirmed."""
    first = place.play_game(place.mid_turn_game())
    first.tap("die", "", 0)
    first.kill()
    again = _restart(place, first)
    ensure_roll_owed(again)
    roll(again)
    again.kill()
    began_s = time.monotonic()
    last = _restart(place, again)
    after_s = time.monotonic() - began_s
    pass_turn(last)
    last.close()
    last.check_kept()
    return Recovery(
        f"all steps were there again ({len(again.confirmed)}); the die that was not confirmed was asked for", after_s
    )


def terminate_app(place: Place) -> Recovery:
    """Send SIGTERM with one die entered, as at a shutdown, then start the app again."""
    first = place.play_game(place.mid_turn_game())
    first.tap("die", "", 0)
    first.send(signal.SIGTERM)
    began_s = time.monotonic()
    status = first.wait_for_end(STOP_S)
    after_s = time.monotonic() - began_s
    ensure(status == 0, f"the app ended with {status}, not with 0")
    again = _restart(place, first)
    ensure_roll_owed(again)
    roll(again)
    again.close()
    again.check_kept()
    return Recovery(f"it left with 0 after {after_s:.1f} s, and the roll was asked for again", after_s)


def hang_window(place: Place) -> Recovery:
    """Hang the window's loop for ever while all other threads go on: the watchdog has to notice."""
    with SimulatedManager(place.folder, WATCHDOG_S) as manager:
        first = place.play_game(place.mid_turn_game(), manager.env)
        roll(first)
        manager.wait_ready()
        first.look()
        ensure(manager.stays_fed(2 * WATCHDOG_S), "the watchdog expired while all was well")
        first.hang()
        began_s = time.monotonic()
        silent_s = manager.end_hung(first, 3 * WATCHDOG_S)
        again = _restart(place, first, manager.env, quiet=False)
        after_s = time.monotonic() - began_s
    pass_turn(again)
    again.close()
    again.check_kept()
    return Recovery(
        f"nothing fed the watchdog after {silent_s:.1f} s, it was ended, and all steps were there again", after_s
    )


def remove_manager(place: Place) -> Recovery:
    """Remove the service manager's socket during a game, so that nobody receives the app's notifications."""
    with SimulatedManager(place.folder, WATCHDOG_S) as manager:
        player = place.play_game(place.mid_turn_game(), manager.env)
        manager.wait_ready()
        manager.vanish()
    roll(player)
    pass_turn(player)
    player.close()
    player.check_kept()
    return Recovery("two steps were played without anybody to tell how the app is doing")


def _restart(place: Place, before: AppPlayer, env: Mapping[str, str] | None = None, *, quiet: bool = True) -> AppPlayer:
    """Restart an app that has ended; check that the disk and the screen have all that was confirmed.

    quiet: also check that the app that ended wrote nothing but its own lines to its terminal.
    """
    before.check_kept()
    if quiet:
        before.check_quiet()
    again = place.play_game(before.game, env)
    had, has = len(before.confirmed), len(again.confirmed)
    ensure(again.confirmed == before.confirmed, f"steps confirmed: {had}, come back: {has}")
    return again


# ---- disk and clock ---------------------------------------------------------------------------


def disk_full(place: Place) -> Recovery:
    """Let the disk fill up in the middle of a line; make room again later."""

    def fill(player: AppPlayer) -> None:
        _room(player, player.game.stat().st_size + HALF_A_LINE)

    return _refusing(place, fill, lambda player: _room(player, resource.RLIM_INFINITY))


def disk_read_only(place: Place) -> Recovery:
    """Refuse every write, as when the system has found the disk damaged; accept them again later."""
    return _refusing(place, lambda player: player.refuse_disk(errno.EROFS), lambda player: player.refuse_disk(0))


def _room(player: AppPlayer, most: int) -> None:
    """Limit the size of the app's files: the kernel itself then refuses, even in the middle of a write."""
    hard = resource.prlimit(player.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(player.pid, resource.RLIMIT_FSIZE, (hard if most == resource.RLIM_INFINITY else most, hard))


def _refusing(place: Place, refuse: Callable[[AppPlayer], object], relent: Callable[[AppPlayer], object]) -> Recovery:
    """Play on while the disk refuses: in memory, with a sign on the screen and no file harmed; all is saved later."""
    player = place.play_game(place.mid_turn_game())
    before = player.confirmed
    refuse(player)
    roll(player)
    _in_memory(player, 1)
    pass_turn(player)
    pass_turn(player)
    _in_memory(player, 3)
    ensure(steps_on_disk(player.game) == before, "the saved game was changed by a disk that refuses")
    player.tap("undo")
    _in_memory(player, 2)
    relent(player)
    after_s = player.wait(lambda glass: glass.unsaved == 0, SAVED_S, "the steps were not saved when they could be")
    player.check_kept()
    ensure("unsaved" not in player.glass.touch, "the screen still says that steps are not saved")
    pass_turn(player)
    player.close()
    player.check_kept()
    return Recovery(
        f"3 steps were played in memory, with a sign; saved {after_s:.1f} s after the disk took them", after_s
    )


def _in_memory(player: AppPlayer, steps: int) -> None:
    """Raise DrillFailed unless the app has this many steps in memory only, and its screen says that some are."""
    glass = player.look()
    ensure(glass.unsaved == steps, f"steps not on the disk: {steps}, and the app tells of {glass.unsaved}")
    ensure("unsaved" in glass.touch, f"the screen does not say that steps are not saved: {' / '.join(glass.texts)}")


def clock_jumps(place: Place) -> Recovery:
    """Move the wall clock thirty years ahead during a game, then back to long before the machine was made."""
    place.mid_turn_game()
    place.mid_turn_game()
    player = place.play()
    player.tap("resume")
    roll(player)
    player.set_clock_ahead(FORWARD_S)
    pass_turn(player)
    player.set_clock_ahead(BACK_S)
    pass_turn(player)
    player.close()
    player.check_kept()
    again = place.play()
    again.tap("saved")
    ensure(len(again.glass.texts) > 1, "the saved games are not shown")
    again.tap("back")
    again.tap("resume")
    ensure(again.game == player.game, f"{player.game.name} was played last, {again.game.name} is offered")
    ensure(again.confirmed == player.confirmed, "the game that was played last lacks steps")
    pass_turn(again)
    again.close()
    ensure_kept(player.game, again.confirmed)
    return Recovery("all steps were kept, and the game that was played last was offered first")
