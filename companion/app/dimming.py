"""Dimming: how bright the screen is to be while nobody touches it, and the panel's own light, where we may set it.

After a while the screen is dimmed, and later dark; the touch that wakes it does no more. Times are monotonic seconds,
handed in. A Raspberry Pi's screen has its light in `/sys/class/backlight`; others are drawn darker.
"""

from __future__ import annotations

import os
from pathlib import Path

DIM = 0.3  # part of the usual light
DARK_AFTER = 3  # times as long as until it is dimmed
FADE_S = 1.0
LIGHTS = Path("/sys/class/backlight")


class Idle:
    """How bright the screen is to be while nobody touches it. after_s 0: always bright."""

    def __init__(self, after_s: int = 0, motion: bool = True) -> None:
        self.after_s = after_s
        self.motion = motion
        self._since_s: float | None = None

    def wake(self, now_s: float) -> bool:
        """Brighten the screen, touched or with something new to show; return whether it was dimmed."""
        slept = self.light(now_s) < 1.0
        self._since_s = now_s
        return slept

    def light(self, now_s: float) -> float:
        """Return how bright the screen is to be now, from 0 (dark) to 1 (bright)."""
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
        """Return the brightness on the way from one level to the next; without motion, the next level at once."""
        part = min(1.0, (passed_s + 0.1) / FADE_S) if self.motion else 1.0
        return round(light + (to - light) * part, 2)


class Backlight:
    """The backlight of one panel; if it was off at first, full brightness counts as what it was."""

    def __init__(self, folder: Path) -> None:
        self._brightness = folder / "brightness"
        self._most = int((folder / "max_brightness").read_text())
        self._usual = int(self._brightness.read_text()) or self._most
        self.name = folder.name

    def set(self, level: float) -> bool:
        """Set the light to this fraction of what it was at first, 0 being dark; return False if the system refuses."""
        value = round(self._usual * level)
        try:
            self._brightness.write_text(f"{max(value, 1) if level > 0 else 0}\n")
        except OSError:
            return False
        return True

    def restore(self) -> None:
        """Set the light back to what it was at first."""
        self.set(1.0)


def find_backlight(lights: Path = LIGHTS) -> Backlight | None:
    """Return the first panel's backlight that this user may set; None if there is none."""
    for folder in sorted(lights.glob("*")):
        if os.access(folder / "brightness", os.W_OK):
            try:
                return Backlight(folder)
            except (OSError, ValueError):
                continue
    return None
