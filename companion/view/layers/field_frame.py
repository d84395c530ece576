"""Where a part of a battlefield lies on the sheet, and what lies inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from companion.drawing.board_svg import Point
from companion.ui.battlefield_picture import UnitSight, Window, field_intent
from companion.ui.intents import Intent
from companion.view.kit.clipping import clipped_to
from companion.view.kit.sheet import Rect, Sheet, bounds


@dataclass(frozen=True, slots=True)
class FieldFrame:
    """A window of the field, in Movements, and the place on the sheet that shows it; turned by 180 degrees or not."""

    rect: Rect
    window: Window
    turned: bool = False

    @property
    def scale(self) -> float:
        """Points from a Movement."""
        return self.rect.w / self.window[2]

    def at(self, point: Point) -> Point:
        """Return where a place of the field is on the sheet."""
        left, low, _wide, high = self.window
        across, down = (point[0] - left) * self.scale, (low + high - point[1]) * self.scale
        if self.turned:
            return self.rect.right - across, self.rect.bottom - down
        return self.rect.x + across, self.rect.y + down

    @property
    def intent(self) -> Intent:
        """What a finger on it means."""
        left, low, wide, high = self.window
        return field_intent((left + wide, low + high, -wide, -high) if self.turned else self.window)

    def outline(self, points: Sequence[Point]) -> list[Point]:
        """Return where an outline of the field is on the sheet."""
        return [self.at(point) for point in points]

    def shows(self, point: Point, margin: float = 0.0) -> bool:
        """Return whether a place lies in the window, or no farther beside it than the margin."""
        left, low, wide, high = self.window
        return left - margin <= point[0] <= left + wide + margin and low - margin <= point[1] <= low + high + margin

    def close_group(self, sheet: Sheet, points: Sequence[Point], beyond: float) -> None:
        """Close a group: what was drawn since the last one lies around these points of the sheet.

        It reaches so many points beyond them at most.
        """
        sheet.close_group(bounds(points).shrunk(-beyond).cut_by(self.rect))

    def clipped(self, outline: Sequence[Point]) -> list[Point]:
        """Return the part of an outline inside the window; empty where none is."""
        left, low, wide, high = self.window
        return clipped_to(outline, (left, low, left + wide, low + high))


def inside(unit: UnitSight, right: float, forward: float) -> Point:
    """Return the place on the field of what lies so far to a base's right and ahead of its middle."""
    angle = radians(unit.facing_deg)
    ahead_x, ahead_y = sin(angle), cos(angle)
    x, y = unit.place
    return x + right * ahead_y + forward * ahead_x, y - right * ahead_x + forward * ahead_y


def corners(unit: UnitSight, wide: float = 1.0) -> list[Point]:
    """Return the four corners of a base, front left first; `wide` times as large."""
    across, along = 0.5 * wide, unit.depth / 2 * wide
    return [inside(unit, a * across, b * along) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
