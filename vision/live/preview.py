"""Pictures for people to look at: small JPEGs, enlarged details, and the drawn map's place in a photo.

Places are parts of the picture's width and height, 0 to 1, so that they hold at every size it is shown at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import jpeg_of
from vision.geometry import Matrix, Picture, apply, image_from_board
from vision.plan import BoardPlan

Place = tuple[float, float]
Outline = tuple[Place, ...]

SHOWN_PX = 900
QUALITY = 82
STILL_SIZE = (160, 120)
# Grey levels that 0.3 % of a small picture's pixels may change by on a table on which nothing moves.
STILL_GREY = 7.0


@dataclass(frozen=True, slots=True)
class Preview:
    """A JPEG, its (width, height), and the size of the picture that it was made from."""

    jpeg: bytes
    size_px: tuple[int, int]
    of_px: tuple[int, int]


def preview_of(picture_bgr: Picture, most_px: int = SHOWN_PX) -> Preview:
    """Return the picture as a JPEG no wider or higher than `most_px`."""
    height, width = picture_bgr.shape[:2]
    scale = min(1.0, most_px / max(height, width))
    small = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Preview(jpeg_of(np.asarray(small, np.uint8), QUALITY), (small.shape[1], small.shape[0]), (width, height))


def detail_of(picture_bgr: Picture, at: Place, reach_px: float, size_px: int) -> bytes:
    """Return a square JPEG, `size_px` wide, of what lies within `reach_px` of a place; grey outside the picture."""
    height, width = picture_bgr.shape[:2]
    scale = size_px / (2 * reach_px)
    x, y = at[0] * width - reach_px, at[1] * height - reach_px
    shift = np.array([[scale, 0, -x * scale], [0, scale, -y * scale]])
    grey = (60, 60, 60)
    cut = cv2.warpAffine(picture_bgr, shift, (size_px, size_px), flags=cv2.INTER_LINEAR, borderValue=grey)
    return jpeg_of(np.asarray(cut, np.uint8), QUALITY)


def stillness_of(picture_bgr: Picture) -> Picture:
    """Return the picture small and grey, (120, 160), for `is_still`."""
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(
        cv2.GaussianBlur(cv2.resize(grey, STILL_SIZE, interpolation=cv2.INTER_AREA), (0, 0), 1.2), np.uint8
    )


def is_still(before: Picture, now: Picture) -> bool:
    """Return whether nothing moved between two `stillness_of` pictures; an even change of light is no movement."""
    gap = now.astype(np.float32) - before.astype(np.float32)
    return float(np.percentile(np.abs(gap - np.median(gap)), 99.7)) < STILL_GREY


@dataclass(frozen=True, slots=True)
class MapLines:
    """The drawn map laid over a photo: the board's edge, the areas' outlines and where their names stand."""

    edge: Outline
    areas: Mapping[str, Outline]
    names: Mapping[str, Place]


def map_lines(plan: BoardPlan, corners: npt.ArrayLike, size_px: tuple[int, int]) -> MapLines:
    """Return where the plan lies in a photo, as parts of its width and height.

    corners: where the board's corners are in it (4, 2), 0 to 1; size_px: its (width, height).
    """
    size = np.array(size_px, np.float64)
    corners_px = np.asarray(corners, np.float64) * size
    to_image = image_from_board(corners_px, plan.size_mm)
    return MapLines(
        edge=_places(corners_px / size),
        areas={area.name: _places(apply(to_image, area.polygon_mm) / size) for area in plan.areas},
        names={area.name: _places(apply(to_image, area.centres_mm[:1]) / size)[0] for area in plan.areas},
    )


def px_to_places(points_px: npt.ArrayLike, picture: Picture) -> Outline:
    """Return (N, 2) points in px of a picture as parts of its width and height."""
    return _places(np.asarray(points_px, np.float64) / np.array([picture.shape[1], picture.shape[0]], np.float64))


def places_to_px(places: npt.ArrayLike, picture: Picture) -> Matrix:
    """Convert places, in parts of a picture's width and height, to (N, 2) points in px."""
    return np.asarray(places, np.float64) * np.array([picture.shape[1], picture.shape[0]], np.float64)


def _places(points: Matrix) -> Outline:
    return tuple((float(x), float(y)) for x, y in points)
