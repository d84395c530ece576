"""Where pieces can stand, as masks of the board image: the areas, and what stands near an action space."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Grid, Mask
from vision.plan import BoardPlan

SPACE_SLACK_MM, SUPPORT_SLACK_MM = 4.0, 9.0
"""On the map, and on the support board, whose spaces are further apart but known from a finger's touch alone."""

Pixel = tuple[int, int]
Pixels = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Places:
    """Masks (H, W) bool of the board image: each area's, by name, and the labels: 0 for none, else index + 1.

    slack_mm: how far beside the middle of its action space a commander may stand.
    """

    plan: BoardPlan
    grid: Grid
    masks: dict[str, Mask]
    labels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
    slack_mm: float = SPACE_SLACK_MM

    def area_at(self, at_px: Pixel) -> str | None:
        """Return the name of the area in which a pixel of the board image lies; None where it lies in none."""
        x, y = at_px
        rows, columns = self.grid.shape
        if not (0 <= x < columns and 0 <= y < rows) or not self.labels[y, x]:
            return None
        return self.plan.areas[int(self.labels[y, x]) - 1].name

    def space_at(self, at_px: Pixel) -> str | None:
        """Return the action space nearest to a pixel of the board image; None where none is near enough."""
        at_mm = self.grid.mm([at_px])[0].tolist()
        gap, name = min(
            ((math.dist(space.at_mm, at_mm), space.name) for space in self.plan.spaces), default=(math.inf, "")
        )
        return name if gap <= self.slack_mm + 1 else None  # 1 mm more: peaks lie between the cells of `on_spaces`


def places_of(plan: BoardPlan, grid: Grid) -> Places:
    """Draw a mask of each of a board's areas on the grid, and label each pixel with its area."""
    labels = np.zeros(grid.shape, np.uint8)
    masks = {}
    for index, area in enumerate(plan.areas):
        mask = np.zeros(grid.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(grid.px(area.polygon_mm)).astype(np.int32)], 1)
        labels[mask > 0] = index + 1
        masks[area.name] = mask > 0
    return Places(plan, grid, masks, labels)


def on_spaces(places: Places) -> Mask:
    """(H, W) bool of the board image: where a commander's base can be."""
    allowed = np.zeros(places.grid.shape, np.uint8)
    for space in places.plan.spaces:
        x, y = np.round(places.grid.px([space.at_mm])[0]).astype(int)
        cv2.circle(allowed, (int(x), int(y)), round(places.slack_mm * places.grid.px_per_mm), 1, -1)
    return allowed > 0


def mixed_areas(places: Places, rows: Pixels, columns: Pixels) -> Mask:
    """(rows, columns) bool at these rows and columns of the board image: areas that can hold several kinds of units."""
    plan = places.plan
    mixed = [index + 1 for index, area in enumerate(plan.areas) if len(plan.units_of(area)) > 1]
    return np.asarray(np.isin(places.labels[np.ix_(rows, columns)], mixed), np.bool_)
