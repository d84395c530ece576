"""Markers on bases: where each stands on the table and which way it faces (ArUco, Garrido-Jurado et al. 2014).

Four larger markers lie flat in the table's corners and give the table's plane; each base carries a small one on its
top. A top is a few millimetres above the table, so it is seen displaced away from the camera; the camera's place
follows from the plane and is used to put it back. This is the one place that uses OpenCV's ArUco.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2, degrees

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Picture

DICTIONARY = cv2.aruco.DICT_4X4_250
CORNERS = (246, 247, 248, 249)
"""The numbers of the markers in the table's corners: top left, top right, bottom right, bottom left, as it is seen."""
UNITS = range(246)
"""The numbers of markers on bases."""
SHARPEST_PX = 1600
"""Frames whose longer side is shorter are enlarged before markers are looked for: small ones are found more often."""
USUAL_FOCAL = 1.1
"""A camera's focal length as a part of its frame's longer side, where the frame itself does not tell it."""
Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """How a table is marked, in base widths: its size, the side of a corner's marker and of a base's, a base's height.

    The corner markers' outer corners lie in the corners of the table; x goes right, y towards the far (upper) edge.
    """

    width: float
    height: float
    corner_side: float = 1.5
    base_side: float = 0.6
    base_height: float = 0.08


@dataclass(frozen=True, slots=True)
class Standing:
    """A marker that was found: its number, middle in base widths, facing in degrees clockwise from the far edge."""

    number: int
    x: float
    y: float
    facing_deg: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What a frame shows: the bases by number, and corners of the table that are missing; without three, no bases."""

    standing: Mapping[int, Standing] = field(hash=False)
    missing: tuple[int, ...] = ()


def find_markers(frame_bgr: Picture) -> dict[int, Points]:
    """Every marker of (H, W, 3) uint8 BGR by number: its corners (4, 2) in px, top left first, clockwise.

    A number that is seen twice is left out: one of them is something else.
    """
    grey = cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY)
    scale = max(1.0, SHARPEST_PX / max(grey.shape))
    if scale > 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.adaptiveThreshWinSizeMax = 45
    parameters.minMarkerPerimeterRate = 0.012
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)
    corners, numbers, _rejected = detector.detectMarkers(grey)
    found = [int(number) for number in np.ravel(np.asarray(numbers if len(corners) else []))]
    return {
        number: (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / scale - 0.5
        for number, quad in zip(found, corners, strict=True)
        if found.count(number) == 1
    }


def measure(frame_bgr: Picture, table: MarkedTable) -> Measured:
    """The bases on a marked table in (H, W, 3) uint8 BGR."""
    found = find_markers(frame_bgr)
    missing = tuple(number for number in CORNERS if number not in found)
    if len(missing) > 1:
        return Measured({}, missing)
    plane = _plane(found, table)
    eye = _eye(plane, frame_bgr.shape[:2])
    units = {number: quad for number, quad in found.items() if number in UNITS}
    return Measured({number: _standing(number, quad, plane, eye, table) for number, quad in units.items()}, missing)


def corner_places(table: MarkedTable) -> dict[int, Points]:
    """The corners (4, 2) of each corner marker on the table, in base widths, top left first, clockwise."""
    side, right, top = table.corner_side, table.width, table.height
    lefts = (0.0, right - side, right - side, 0.0)
    tops = (top, top, side, side)
    return {
        number: np.array([(x, y), (x + side, y), (x + side, y - side), (x, y - side)], np.float64)
        for number, x, y in zip(CORNERS, lefts, tops, strict=True)
    }


def _plane(found: Mapping[int, Points], table: MarkedTable) -> Points:
    """The homography (3, 3) from the frame (px) to the table (base widths), by all corners of the corner markers."""
    places = corner_places(table)
    seen = [number for number in CORNERS if number in found]
    here = np.concatenate([found[number] for number in seen])
    there = np.concatenate([places[number] for number in seen])
    plane, _used = cv2.findHomography(here, there, 0)
    return np.asarray(plane, np.float64)


def _eye(plane: Points, shape_px: tuple[int, int]) -> Points:
    """Where the camera is, (3,) in base widths above the table's plane, from the homography (Zhang 2000)."""
    height_px, width_px = shape_px
    centre = np.array([[1, 0, -(width_px - 1) / 2], [0, 1, -(height_px - 1) / 2], [0, 0, 1]], np.float64)
    image_from_table = centre @ np.linalg.inv(plane)
    focal_px = _focal(image_from_table, USUAL_FOCAL * max(shape_px))
    columns = np.diag([1 / focal_px, 1 / focal_px, 1.0]) @ image_from_table
    scale = 2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1]))
    right, ahead, shift = (columns * scale).T
    up = np.cross(right, ahead)
    rotation, _stretch, other = np.linalg.svd(np.stack([right, ahead, up], axis=1))
    turn = rotation @ other
    eye = -turn.T @ shift
    return np.asarray(eye if eye[2] > 0 else -eye * np.array([-1, -1, 1]), np.float64)


def _focal(image_from_table: Points, usual_px: float) -> float:
    """The focal length in px that makes the table's axes square and equally long; the usual one where none does."""
    one, other = image_from_table[:, 0], image_from_table[:, 1]
    across = one[0] * other[0] + one[1] * other[1], one[2] * other[2]
    along = (one[0] ** 2 + one[1] ** 2) - (other[0] ** 2 + other[1] ** 2), one[2] ** 2 - other[2] ** 2
    weight = across[1] ** 2 + along[1] ** 2
    squared = -(across[0] * across[1] + along[0] * along[1]) / weight if weight > 0 else 0.0
    if not (0.5 * usual_px) ** 2 < squared < (3 * usual_px) ** 2:
        return usual_px
    return float(squared**0.5)


def _standing(number: int, quad_px: Points, plane: Points, eye: Points, table: MarkedTable) -> Standing:
    """Where a base stands: its marker's corners on the plane, drawn back towards the foot of the camera."""
    on_plane = cv2.perspectiveTransform(quad_px[None], plane)[0]
    part = table.base_height / max(float(eye[2]), table.base_height * 2)
    corners = on_plane + (eye[:2] - on_plane) * part
    x, y = corners.mean(axis=0)
    ahead = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
    return Standing(number, float(x), float(y), degrees(atan2(ahead[0], ahead[1])) % 360.0)


def marker_picture(number: int, side_px: int) -> npt.NDArray[np.uint8]:
    """A marker (side_px, side_px) uint8, black on white without a margin, its top upwards."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side_px), np.uint8)


def marker_cells(number: int) -> Sequence[Sequence[bool]]:
    """A marker as rows of cells, its black frame included, True for black: for print."""
    cells = marker_picture(number, 6)
    return [[bool(cell == 0) for cell in row] for row in cells]


def known(numbers: Iterable[int]) -> bool:
    """Whether all these may be on bases."""
    return all(number in UNITS for number in numbers)
