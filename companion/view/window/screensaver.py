"""The desktop's own screen saver."""

from __future__ import annotations

import pygame


def keep_awake(wanted: bool) -> None:
    """Keep the desktop from blanking the screen, or let it; nothing happens where there is no desktop."""
    if pygame.display.get_init():
        pygame.display.set_allow_screensaver(not wanted)
