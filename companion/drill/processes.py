"""Faults of the app's own process: it is killed, ended, or hangs, in the middle of a turn."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping

from companion.drill.expect import ensure
from companion.drill.hands import ensure_roll_owed, passes, roll
from companion.drill.manager import SimulatedManager
from companion.drill.place import Place
from companion.drill.player import AppPlayer
from companion.drill.scenario import Well

WATCHDOG_S = 3.0
STOP_S = 5.0  # the service manager's patience before it kills


def killed(place: Place) -> Well:
    """Killed with one die entered and not confirmed, and again just after the roll was."""
    first = place.go_on(place.game())
    first.tap("die", "", 0)
    first.kill()
    again = _goes_on(place, first)
    ensure_roll_owed(again)
    roll(again)
    again.kill()
    began_s = time.monotonic()
    last = _goes_on(place, again)
    after_s = time.monotonic() - began_s
    passes(last)
    last.close()
    last.check_kept()
    return Well(
        f"all {len(again.confirmed)} steps were there again; the die that was not confirmed was asked for", after_s
    )


def terminated(place: Place) -> Well:
    """SIGTERM, as when the machine is switched off, with one die entered; then the app is started again."""
    first = place.go_on(place.game())
    first.tap("die", "", 0)
    first.send(signal.SIGTERM)
    began_s = time.monotonic()
    status = first.wait_for_end(STOP_S)
    after_s = time.monotonic() - began_s
    ensure(status == 0, f"the app ended with {status}, not with 0")
    again = _goes_on(place, first)
    ensure_roll_owed(again)
    roll(again)
    again.close()
    again.check_kept()
    return Well(f"it left with 0 after {after_s:.1f} s, and the roll was asked for again", after_s)


def hung(place: Place) -> Well:
    """The window's loop hangs for ever while all other threads live on: the watchdog has to notice."""
    with SimulatedManager(place.folder, WATCHDOG_S) as manager:
        first = place.go_on(place.game(), manager.env)
        roll(first)
        manager.wait_ready()
        first.look()
        ensure(manager.fed_while(2 * WATCHDOG_S), "the watchdog expired while all was well")
        first.hang()
        began_s = time.monotonic()
        silent_s = manager.end_hung(first, 3 * WATCHDOG_S)
        again = _goes_on(place, first, manager.env, quiet=False)
        after_s = time.monotonic() - began_s
    passes(again)
    again.close()
    again.check_kept()
    return Well(
        f"nothing fed the watchdog after {silent_s:.1f} s, it was ended, and all steps were there again", after_s
    )


def unheard(place: Place) -> Well:
    """The service manager's socket goes away in the middle of a game: nobody takes what the app tells."""
    with SimulatedManager(place.folder, WATCHDOG_S) as manager:
        player = place.go_on(place.game(), manager.env)
        manager.wait_ready()
        manager.vanish()
    roll(player)
    passes(player)
    player.close()
    player.check_kept()
    return Well("two steps were played without anybody to tell how the app is doing")


def _goes_on(place: Place, before: AppPlayer, env: Mapping[str, str] | None = None, *, quiet: bool = True) -> AppPlayer:
    """Restart an app that has ended: the game on the disk and on the screen must have all that was confirmed.

    quiet: nothing may stand on the terminal of the one that ended.
    """
    before.check_kept()
    if quiet:
        before.check_quiet()
    again = place.go_on(before.game, env)
    had, has = len(before.confirmed), len(again.confirmed)
    ensure(again.confirmed == before.confirmed, f"{had} steps were confirmed, {has} came back")
    return again
