"""The glass: how large its points are in mm, how it is turned, and in which colours it shines. No pygame."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.grounds.store import NO_GROUNDS, Grounds
from companion.settings.layers import Settings
from companion.view.kit.theme import Theme, theme

LONG_PT, SHORT_PT = 800.0, 480.0  # every layout has at least so many points, before the text is scaled
TOUCH_MM = 12.0  # the least side of anything to touch
MM_PER_INCH = 25.4
MOST_HALF_SCALE = 1.15  # larger text would leave a player's half without room for anything else
MOST_TOUCH_PT = 96.0  # so that a screen too small for fingers still shows something


class Grain(NamedTuple):
    """How fine a screen is: pixels a point, and points that 12 mm take."""

    px_per_pt: float
    touch_pt: float


@dataclass(frozen=True, slots=True)
class Glass:
    """What the settings say of the screen and of what is drawn on it.

    era: of the game at the table (companion.view.kit.theme.ERAS). grounds: where maps find their painted grounds.
    """

    diagonal_inches: float = 7.0
    text_scale: float = 1.0
    rotation_degrees: int = 0
    theme: str = "dark"
    palette: str = "standard"
    era: str = ""
    grounds: Grounds = field(default=NO_GROUNDS, compare=False)

    @property
    def look(self) -> Theme:
        """The theme that everything is drawn in."""
        return theme(self.theme, self.palette, self.era)

    def grain(self, size_px: tuple[int, int], halved: bool = False) -> Grain:
        """Return how fine a display of that size (width, height) is.

        Larger text is a coarser grain: all but touch grows. halved: two players share it, each with a part.
        """
        long, short = max(size_px), min(size_px)
        scale = min(self.text_scale, MOST_HALF_SCALE) if halved else self.text_scale
        px_per_pt = min(long / LONG_PT, short / SHORT_PT) * scale
        px_per_mm = math.hypot(*size_px) / (self.diagonal_inches * MM_PER_INCH)
        return Grain(px_per_pt, min(TOUCH_MM * px_per_mm / px_per_pt, MOST_TOUCH_PT))


def glass_of(settings: Settings, era: str = "", grounds: Grounds = NO_GROUNDS) -> Glass:
    """Return the glass for these settings and the era of the game at the table."""
    size = settings.diagonal_inches, settings.text_scale, settings.rotation_degrees
    return Glass(*size, settings.theme, settings.palette, era, grounds)
