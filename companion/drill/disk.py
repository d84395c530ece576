"""Faults of the disk and of the clock: no room, read only, and a wall clock that jumps by years."""

from __future__ import annotations

import errno
import resource
from collections.abc import Callable

from companion.drill.expect import ensure
from companion.drill.place import Place, pass_turn, roll
from companion.drill.player import AppPlayer, ensure_kept, steps_on_disk
from companion.drill.scenario import Well

SAVED_S = 20.0
YEAR_S = 365.25 * 24 * 3600
FORWARD_S, BACK_S = 30 * YEAR_S, -50 * YEAR_S
HALF_A_LINE = 10  # bytes that still fit before the disk is full


def full(place: Place) -> Well:
    """Fill the disk, from the middle of a line on; later make room again."""

    def fill(player: AppPlayer) -> None:
        _room(player, player.game.stat().st_size + HALF_A_LINE)

    return _refusing(place, fill, lambda player: _room(player, resource.RLIM_INFINITY))


def read_only(place: Place) -> Well:
    """Refuse every change on the disk, as when the system has found it damaged; later accept them again."""
    return _refusing(place, lambda player: player.disk_refuses(errno.EROFS), lambda player: player.disk_refuses(0))


def _room(player: AppPlayer, most: int) -> None:
    """Limit how long the app's files may grow: the system itself refuses, in the midst of a write too."""
    hard = resource.prlimit(player.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(player.pid, resource.RLIMIT_FSIZE, (hard if most == resource.RLIM_INFINITY else most, hard))


def _refusing(place: Place, refuse: Callable[[AppPlayer], object], relent: Callable[[AppPlayer], object]) -> Well:
    """Play on with a disk that refuses: in memory, said on the screen, no file harmed; and all made up for after it."""
    player = place.go_on(place.game())
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
    return Well(f"3 steps were played in memory, with a sign; saved {after_s:.1f} s after the disk took them", after_s)


def _in_memory(player: AppPlayer, steps: int) -> None:
    """Raise DrillFailed unless the app and its screen tell that this many steps are in memory alone."""
    glass = player.look()
    ensure(glass.unsaved == steps, f"steps not on the disk: {steps}, and the app tells of {glass.unsaved}")
    ensure("unsaved" in glass.touch, f"the screen does not say that steps are not saved: {' / '.join(glass.texts)}")


def clock_jumps(place: Place) -> Well:
    """Move the wall clock in mid-game thirty years on, then back to long before the machine was made."""
    place.game()
    place.game()
    player = place.play()
    player.tap("resume")
    roll(player)
    player.clock_ahead(FORWARD_S)
    pass_turn(player)
    player.clock_ahead(BACK_S)
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
    return Well("all steps were kept, and the game that was played last was offered first")
