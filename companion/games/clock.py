"""Thinking time for each player: a clock that runs for whom the table waits for. It warns, and ends nothing.

Times are monotonic seconds, handed in. What each player has used lies in a small file beside the game
(`GAME.clock.json`), so that it outlives a restart; the journal knows nothing of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core import storage
from companion.core.errors import reason
from companion.core.log import tell
from companion.games.status import Situation
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object

SUFFIX = ".clock.json"
SAVE_EVERY_S = 60.0
MOST_BYTES = 10_000
MOST_SPENT_S = 1_000_000.0
"""More than eleven days; a file with a larger value is taken for broken."""


def clock_path(game: Path) -> Path:
    """Return the path of a saved game's clock, which lies beside the game."""
    return game.with_name(game.name + SUFFIX)


def clock_text(left_s: float) -> str:
    """Write seconds as minutes and seconds, with a minus below zero.

    >>> clock_text(600), clock_text(59.2), clock_text(-61)
    ('10:00', '1:00', '−1:01')
    """
    whole = -int(-left_s // 1)  # rounded up to whole seconds
    minutes, seconds = divmod(abs(whole), 60)
    return f"{'−' if whole < 0 else ''}{minutes}:{seconds:02}"


class GameClock:
    """The clock of the game at the table, paused until somebody starts it or a step is taken."""

    def __init__(self) -> None:
        self.minutes = 0
        self.warn_s = 0
        self.fault: str | None = None
        self.spent_s: dict[str, float] = {}
        self.paused = True
        self.running: str | None = None
        self._holds: set[str] = set()
        self._last: Situation | None = None
        self._at_s: float | None = None
        self._saved_s = 0.0
        self._shown: object = None

    @property
    def on(self) -> bool:
        """Whether this table plays with a clock."""
        return self.minutes > 0

    @property
    def is_held(self) -> bool:
        """Whether anything but a pause stops the clock: an argument being settled, a locked screen."""
        return bool(self._holds)

    def left_s(self, side: str) -> float:
        """Return the time this side has left, in seconds; below 0 once it has overrun."""
        return self.minutes * 60 - self.spent_s.get(side, 0.0)

    def is_low(self, side: str) -> bool:
        """Return whether this side has so little time left that it is warned."""
        return self.on and self.left_s(side) <= self.warn_s

    def pause(self) -> None:
        """Stop the clock until `go_on`, and save the time used."""
        self.paused = True
        self._save()

    def go_on(self) -> None:
        """End the pause: the clock runs for the side that the table waits for."""
        self.paused = False

    def toggle(self) -> None:
        """Pause the clock, or let it go on."""
        if self.paused:
            self.go_on()
        else:
            self.pause()

    def hold(self, why: str) -> None:
        """Stop the clock for a reason, until that reason is released."""
        self._holds.add(why)

    def release(self, why: str) -> None:
        """Drop a reason for holding the clock; do nothing if the clock was not held for it."""
        self._holds.discard(why)

    def leave(self) -> None:
        """Save the time used and stop the clock, as the game has left the table."""
        self._save()
        self._last = self.running = None
        self._holds.clear()

    def tick(self, now: Situation, now_s: float) -> bool:
        """Count the time since the last tick; return whether the clock's face has changed.

        A step taken while the clock is paused starts it, unless the game was over.
        """
        if self._last is None or now.game != self._last.game:
            self._open(now)
        elif now.position is not self._last.position and self.on and self.paused:
            self.paused = self._last.winner is not None
        self._last = now
        since, self._at_s = self._at_s, now_s
        self._count(now, 0.0 if since is None else max(0.0, now_s - since))
        if now_s - self._saved_s >= SAVE_EVERY_S and self.running:
            self._saved_s = now_s
            self._save()
        shown = self.face()
        before, self._shown = self._shown, shown
        return before != shown

    def face(self) -> Mapping[str, tuple[str, bool, bool]]:
        """Return {side: (time left, low, running)}; empty without a clock."""
        if not self.on or self._last is None:
            return {}
        names = self._last.sides
        return {name: (clock_text(self.left_s(name)), self.is_low(name), name == self.running) for name in names}

    def _count(self, now: Situation, passed_s: float) -> None:
        """Charge the time passed to the side that the clock ran for, then find out for whom it runs now."""
        if self.running is not None:
            self.spent_s[self.running] = self.spent_s.get(self.running, 0.0) + passed_s
        goes = self.on and not self.paused and not self._holds
        self.running = now.runs_for if goes else None

    def _open(self, now: Situation) -> None:
        """Load the clock of a game, paused; without its file nobody has used any time."""
        if self._last is not None:
            self.leave()
        self.paused, self._at_s, self.fault = True, None, None
        self.spent_s = self._spent(clock_path(now.game))

    def _spent(self, path: Path) -> dict[str, float]:
        """Read {side: seconds} from a clock's file; a broken file is reported and set aside."""
        if not os.path.lexists(path):
            return {}
        try:
            return parse_spent(read_file(path, MOST_BYTES))
        except (OSError, Unreadable) as error:
            self.fault = f"{path}: {reason(error)}; no time has been used yet"
        tell("warning", self.fault)
        with suppress(OSError):
            storage.set_aside(path)
        return {}

    def _save(self) -> None:
        """Save the time used; if the disk refuses, note that in `fault` and go on."""
        if self._last is None or not self.on or not self.spent_s:
            return
        path = clock_path(self._last.game)
        spent = {name: round(used, 1) for name, used in self.spent_s.items()}
        try:
            storage.atomic_write(path, storage.line_of({**_content(path), "spent_s": spent}), "soon")
        except OSError as error:
            self.fault = f"{path}: can't be written ({error.strerror})"
        else:
            self.fault = None


def _content(path: Path) -> dict[str, Any]:
    """Read a clock's file whole, so that fields of a newer Gunbai survive the next save; {} if it is unreadable."""
    try:
        return parse_object(read_file(path, MOST_BYTES))
    except (OSError, Unreadable):
        return {}


def parse_spent(data: bytes) -> dict[str, float]:
    """Parse {side: seconds} from a clock's file; Unreadable if it is not valid."""
    spent = parse_object(data).get("spent_s")
    if not isinstance(spent, dict):
        raise Unreadable("not the time that players have used")
    for used in spent.values():
        if not isinstance(used, int | float) or isinstance(used, bool) or not 0 <= used <= MOST_SPENT_S:
            raise Unreadable("not the time that players have used")
    return {name: float(used) for name, used in spent.items()}
