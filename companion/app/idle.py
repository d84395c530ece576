"""When nobody has touched the screen for a while it is dimmed, and later dark; the touch that wakes it does no more.

Times are monotonic seconds, handed in.
"""

from __future__ import annotations

DIM = 0.3  # part of the usual light
DARK_AFTER = 3  # times as long as until it is dimmed
FADE_S = 1.0


class Idle:
    """How bright the screen is to be. `after_s` 0: always bright."""

    def __init__(self, after_s: int = 0, motion: bool = True) -> None:
        self.after_s = after_s
        self.motion = motion
        self._since_s: float | None = None

    def wake(self, now_s: float) -> bool:
        """Somebody touched the screen, or something happened that is to be seen; True where that woke it."""
        slept = self.light(now_s) < 1.0
        self._since_s = now_s
        return slept

    def light(self, now_s: float) -> float:
        """The light now: 1 bright, 0 dark."""
        if self._since_s is None:
            self._since_s = now_s
        idle_s = now_s - self._since_s
        if not self.after_s or idle_s < self.after_s:
            return 1.0
        dark_s = idle_s - self.after_s * DARK_AFTER
        if dark_s >= 0:
            return self._fade(DIM, 0.0, dark_s)
        return self._fade(1.0, DIM, idle_s - self.after_s)

    def _fade(self, light: float, to: float, passed_s: float) -> float:
        """On the way from one light to the next, in tenths; at once where nothing is to move."""
        part = min(1.0, (passed_s + 0.1) / FADE_S) if self.motion else 1.0
        return round(light + (to - light) * part, 2)
