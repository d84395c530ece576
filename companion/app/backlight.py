"""The panel's own light, where the system lets us set it (`/sys/class/backlight` on a Raspberry Pi's screen)."""

from __future__ import annotations

import os
from pathlib import Path

LIGHTS = Path("/sys/class/backlight")


class Backlight:
    """One panel's light. It is put back to what it was by `restore`."""

    def __init__(self, folder: Path) -> None:
        self._brightness = folder / "brightness"
        self._most = int((folder / "max_brightness").read_text())
        self._usual = int(self._brightness.read_text()) or self._most
        self.name = folder.name

    def set(self, level: float) -> bool:
        """Shine at this part (0 to 1) of the usual light, 0 is dark; False where the system refuses."""
        value = round(self._usual * level)
        try:
            self._brightness.write_text(f"{max(value, 1) if level > 0 else 0}\n")
        except OSError:
            return False
        return True

    def restore(self) -> None:
        """Shine as before."""
        self.set(1.0)


def find_backlight(lights: Path = LIGHTS) -> Backlight | None:
    """The first panel's light that may be set; None where there is none."""
    for folder in sorted(lights.glob("*")):
        if os.access(folder / "brightness", os.W_OK):
            try:
                return Backlight(folder)
            except (OSError, ValueError):
                continue
    return None
