"""What the health check asks of the window's side: the screen, the letters, the loudspeaker."""

from __future__ import annotations

import math
from pathlib import Path

import pygame

from companion.checks.check_result import CheckResult
from companion.checks.health import Parts
from companion.core.language import _
from companion.settings.layers import Settings
from companion.view.kit.lettering import FILES, FONTS
from companion.view.window.ambience import Speaker
from companion.view.window.display import has_screen

MM_PER_INCH = 25.4
FEW_PX_PER_MM, MANY_PX_PER_MM = 2.5, 16.0  # no panel is so coarse or so fine: the stated size is wrong


def parts(settings: Settings) -> Parts:
    """Return the health check's questions about the screen, with the settings of now."""
    return Parts(lambda: screen(settings), fonts, lambda: sound(settings))


def screen(settings: Settings) -> CheckResult:
    """Check the size of the open window, and whether it fits the inches that the settings state.

    Without an open window: whether there is a display to open.
    """
    if not pygame.display.get_init() or pygame.display.get_surface() is None:
        if has_screen():
            return "ok", _("Display found."), ""
        return "note", _("No display found."), _("gunbai demo --headless runs without one.")
    size = pygame.display.get_window_size()
    px_per_mm = math.hypot(*size) / (settings.diagonal_inches * MM_PER_INCH)
    told = _("{width}×{height} on {inches} inches, {driver}").format(
        width=size[0], height=size[1], inches=f"{settings.diagonal_inches:g}", driver=pygame.display.get_driver()
    )
    if not FEW_PX_PER_MM <= px_per_mm <= MANY_PX_PER_MM:
        return "bad", told, _("Set the screen size in the settings, or buttons will be the wrong size.")
    return "ok", told, ""


def fonts(folder: Path = FONTS) -> CheckResult:
    """Check that the letters that come with Gunbai can be read."""
    pygame.font.init()
    broken = []
    for name in FILES.values():
        try:
            pygame.font.Font(str(folder / name), 16)
        except (OSError, pygame.error):
            broken.append(name)
    if broken:
        return "bad", _("missing: {names}").format(names=", ".join(broken)), _("Reinstall Gunbai.")
    return "ok", ", ".join(name.partition("-")[0] for name in list(FILES.values())[:1]), ""


def sound(settings: Settings) -> CheckResult:
    """Check that there is something to hear a sound with, by playing one."""
    if not settings.sound:
        return "note", _("Sounds are off."), ""
    speaker = Speaker()
    if not speaker.play("attention", settings.volume, 0.0):
        return "note", _("No speaker ({fault}).").format(fault=speaker.fault), _("Gunbai runs silently.")
    return "ok", _("Played a test sound."), ""
