"""The display: whether there is one, opening it, waiting for what happens on it, and how healthy it is.

The health check asks for the letters and the loudspeaker here as well.
"""

from __future__ import annotations

import math
import os
import sys
import time
from pathlib import Path

import pygame

from companion.checks.check_result import CheckResult
from companion.checks.health import Parts
from companion.core.errors import CompanionError
from companion.core.language import _
from companion.settings.layers import Settings
from companion.view.kit.lettering import FILES, FONTS
from companion.view.window.ambience import Speaker

DRIVER = "SDL_VIDEODRIVER"
DESKTOPS = ("win32", "darwin")
"""Systems that are never without a desktop."""
DRM = Path("/sys/class/drm")
CARDS = Path("/dev/dri")
TICK_MS = 100  # how often the app may act by itself while nobody touches the screen
LOOK_MS = 16  # how often events are looked for where the display cannot wake the app
UNSEEN = ("dummy", "offscreen")  # drivers that show nothing; SDL falls back on one of them if it finds no other
WAKING = ("x11", "wayland", "windows", "cocoa")  # displays that wake the app when something happens


class ScreenError(CompanionError):
    """No screen could be opened."""


def wait_for_events(wait_ms: int = TICK_MS) -> list[pygame.event.Event]:
    """Wait for events, at most this long; return all that have come."""
    if pygame.display.get_driver() in WAKING:
        first = pygame.event.wait(wait_ms)
        return [event for event in (first, *pygame.event.get()) if event.type != pygame.NOEVENT]
    for _look in range(wait_ms // LOOK_MS):
        events = pygame.event.get()
        if events:
            return events
        time.sleep(LOOK_MS / 1000)
    return []


def has_screen() -> bool:
    """Return whether there is a display to open: a desktop, or a screen without one (KMS)."""
    if os.environ.get(DRIVER) in UNSEEN:
        return False
    if sys.platform in DESKTOPS or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    connectors = list(DRM.glob("card*-*/status"))
    return any(not path.read_text().startswith("disconnected") and _may_open(path) for path in connectors)


def _may_open(connector: Path) -> bool:
    """Return whether this process may draw on the graphics card of a connector (`card1-HDMI-A-1/status`)."""
    card = connector.parent.name.partition("-")[0]
    return os.access(CARDS / card, os.R_OK | os.W_OK)


def _finds_a_screen() -> bool:
    """Return whether SDL may find a display that somebody sees: a Wayland desktop also where no variable names it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return has_screen() or (runtime is not None and (Path(runtime) / "wayland-0").exists())


def open_display(size_px: tuple[int, int] | None) -> pygame.Surface:
    """Open a window of that size (width, height), or the whole display for None; return its surface.

    ScreenError if there is no display, or only an invisible one that SDL_VIDEODRIVER didn't ask for.
    """
    asked = bool(os.environ.get(DRIVER))
    try:
        found = asked or _finds_a_screen()
        if found:
            pygame.display.init()
            found = asked or pygame.display.get_driver() not in UNSEEN
        if not found:
            pygame.display.quit()
            raise ScreenError("there is no screen here; without one, try `gunbai demo --headless`")
        pygame.display.set_caption("Gunbai")
        display = pygame.display.set_mode(size_px or (0, 0), 0 if size_px else pygame.FULLSCREEN)
    except pygame.error as error:
        raise ScreenError(f"couldn't open a screen ({error}); without one, try `gunbai demo --headless`") from error
    if size_px is None:
        pygame.mouse.set_visible(False)
    return display


# ---- what the health check asks of the window's side ---------------------------------------------


MM_PER_INCH = 25.4
FEW_PX_PER_MM, MANY_PX_PER_MM = 2.5, 16.0  # no panel is so coarse or so fine: the stated size is wrong


def parts(settings: Settings) -> Parts:
    """Return the health check's questions about screen, fonts and sound, for these settings."""
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
    """Check that the font files of the reading face can be loaded."""
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
    """Check that there is a device for sounds by playing a sound, unless sounds are off."""
    if not settings.sound:
        return "note", _("Sounds are off."), ""
    speaker = Speaker()
    if not speaker.play("attention", settings.volume, 0.0):
        return "note", _("No speaker ({fault}).").format(fault=speaker.fault), _("Gunbai runs silently.")
    return "ok", _("Played a test sound."), ""
