"""A stand for the camera, in numbers: how high it holds the lens so that the whole board is in the picture.

A square tube beside a long edge of the board, on a foot that something heavy lies on, with a plate at its top that
reaches towards the board. The paper sheets (`stand_sheets`) and the solid (`stand_solid`) are made of these numbers.
Lengths are in mm. In the stand's own frame x runs along the board's edge, y from the tube towards the board, z up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, ceil, cos, degrees, hypot, radians, tan

from companion.core.errors import UsageError

USUAL_VIEW_DEG = 62.0
"""What a common camera sees from the left edge of its picture to the right one."""
LEAST_VIEW_DEG, MOST_VIEW_DEG = 35.0, 110.0
PICTURE_SHAPE = 0.75
"""The height of the picture by its width."""
SPARE_MM = 15.0
"""How much of the table is in the picture around the board."""
MOST_TILT_DEG = 25.0
"""Some way below the steepest view that the eye takes."""
HEIGHTS_MM = range(200, 1000, 5)

WIDE_MM = 40.0
"""The outer width of the tube."""
GAP_MM = 10.0
"""From the tube to the board's edge."""
REACH_MM = 60.0
"""From the middle of the tube to the lens, level."""
LONGEST_PIECE_MM = 180.0
"""Of the tube: what fits a common printer and a sheet of paper."""
FOOT_MM = (110.0, 150.0)
"""The foot: along the board's edge, and away from it. The tube stands at the middle of its front edge."""
PLATE_MM = 3.0
"""How thick foot and plate are."""
BEHIND_LENS_MM = 25.0
"""How far the plate reaches beyond the middle of its window."""
WINDOW_MM = 18.0
"""The side of the window that the lens looks through."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What holds a lens `lens_mm` above the board and leans it towards the board's middle."""

    lens_mm: float
    tilt_deg: float

    @property
    def slope(self) -> float:
        """How much the plate rises for each mm towards the board."""
        return tan(radians(self.tilt_deg))

    @property
    def tube_mm(self) -> float:
        """How long the tube is at its middle."""
        return self.lens_mm - REACH_MM * self.slope - PLATE_MM

    @property
    def pieces(self) -> int:
        """How many pieces of equal length the tube is made of."""
        return ceil(self.tube_mm / LONGEST_PIECE_MM)

    @property
    def piece_mm(self) -> float:
        """How long each is; the highest one, whose end slopes, at its middle."""
        return self.tube_mm / self.pieces

    @property
    def window_mm(self) -> float:
        """Where the middle of the window is, along the plate from the middle of the tube."""
        return REACH_MM / cos(radians(self.tilt_deg))

    @property
    def plate_mm(self) -> tuple[float, float]:
        """Where the plate begins and ends, along itself from the middle of the tube."""
        return -WIDE_MM / 2 / cos(radians(self.tilt_deg)), self.window_mm + BEHIND_LENS_MM


def stand_for(board_mm: tuple[float, float], view_deg: float = USUAL_VIEW_DEG) -> Stand:
    """Return the lowest stand from which a camera sees all of a board; UsageError for a view that no stand helps.

    view_deg: the angle from the left edge of the camera's picture to the right one.
    """
    if not LEAST_VIEW_DEG <= view_deg <= MOST_VIEW_DEG:
        raise UsageError(f"--view: from {LEAST_VIEW_DEG:g} to {MOST_VIEW_DEG:g}, not {view_deg:g}")
    along, away = max(board_mm), min(board_mm)
    level = WIDE_MM / 2 + GAP_MM + away / 2 - REACH_MM
    for lens in HEIGHTS_MM:
        tilt = degrees(atan2(level, lens))
        if tilt <= MOST_TILT_DEG and _sees_all((along / 2 + SPARE_MM, away / 2 + SPARE_MM), level, lens, view_deg):
            return Stand(float(lens), tilt)
    raise UsageError(f"--view: no stand is high enough for a board of {along:g} x {away:g} mm")


def tallest(stands: list[Stand]) -> Stand:
    """Return the stand that serves all of these."""
    return max(stands, key=lambda stand: stand.lens_mm)


def _sees_all(half_mm: tuple[float, float], level_mm: float, lens_mm: float, view_deg: float) -> bool:
    """Return whether the corners at (x, -y) and (x, y) are in the picture.

    The lens is `lens_mm` above the table, `level_mm` before the middle, and looks at the middle.
    """
    x, y = half_mm
    far = hypot(level_mm, lens_mm)
    reach = tan(radians(view_deg / 2))
    for side in (-y, y):
        depth = far + side * level_mm / far
        if x / depth > reach or abs(side) * lens_mm / far / depth > reach * PICTURE_SHAPE:
            return False
    return True
