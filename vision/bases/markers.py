"""How a table is marked: four markers flat in its corners, a small one on every base; and markers found in a picture.

Lengths are in base widths. Frames: `table` is x right and y towards the far edge, its origin in the near left corner;
facings are degrees clockwise from the far edge; heights are measured up from the table.

The markers are ArUco's (Garrido-Jurado et al. 2014); this is the one place that uses it. Of OpenCV's dictionaries this
one has the largest cells for a marker's size, six along a side, and enough numbers for two armies. What it lacks in
bits (its markers differ by three at least) is made up by `bases`, which accepts a marker only where its whole pattern
fits the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import WORK_PX

Points = npt.NDArray[np.float64]
CORNERS = (246, 247, 248, 249)
"""The numbers of the markers in the table's corners: far left, far right, near right, near left."""
UNITS = range(246)
"""The numbers of markers on bases."""
CELLS = 6
"""A marker's cells along a side: four of its code between its black frame's two."""
CORNER_MARGIN, CORNER_STRIP, CORNER_MARK = 0.5, 1.0, 0.45
"""Of a corner's paper, in cells of its marker: the white round the marker, the strip for its name on the side of the
table's middle, the black mark in the paper's corner that lies on the table's corner."""


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """How a table is marked: its size, the sides of a corner's and of a base's marker, and how high the latter lies.

    height_within: how much higher or lower it may lie than that.
    Each corner's paper lies with its black corner on the corner of the table, see `corner_paper`. `ahead`: how far a
    marker's middle lies ahead of its base's middle; below 0 where figures stand in front of it.
    """

    width: float
    height: float
    corner_side: float = 1.5
    base_side: float = 0.6
    base_height: float = 0.08
    ahead: float = 0.0
    height_within: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class CornerPaper:
    """What is cut out and laid in a corner: (4, 2) corners of the paper and of its marker, far left first, clockwise.

    mark: (3, 2) the black triangle in the paper's corner, that corner first. strip: (4, 2) where the name stands.
    """

    paper: Points
    marker: Points
    mark: Points
    strip: Points

    def laid(self, at: tuple[float, float], turned_deg: float = 0.0) -> CornerPaper:
        """Return this paper turned clockwise about its origin, which is then moved to `at`."""
        parts = (self.paper, self.marker, self.mark, self.strip)
        return CornerPaper(*(turn_and_move(part, at, turned_deg) for part in parts))


def corner_paper(number: int, side: float) -> CornerPaper:
    """Return the paper of a corner whose marker is `side` wide; x right, y towards the far edge, from its black corner.

    The one place that says what the printed sheet, the eye and the simulator mean by it: the paper's edges lie along
    the table's, so that the marker begins `CORNER_MARGIN` further in.
    """
    cell = side / CELLS
    right, far = _which(number)
    inward = np.array([-cell if right else cell, -cell if far else cell])

    def box(x: float, y: float, wide: float, deep: float) -> Points:
        near, away = sorted((y * inward[1], (y + deep) * inward[1]))
        left, end = sorted((x * inward[0], (x + wide) * inward[0]))
        return np.array([(left, away), (end, away), (end, near), (left, near)], np.float64)

    whole = CELLS + 2 * CORNER_MARGIN
    return CornerPaper(
        box(0, 0, whole, whole + CORNER_STRIP),
        box(CORNER_MARGIN, CORNER_MARGIN, CELLS, CELLS),
        np.array([(0, 0), (CORNER_MARK, 0), (0, CORNER_MARK)], np.float64) * inward,
        box(0, whole, whole, CORNER_STRIP),
    )


def _which(number: int) -> tuple[bool, bool]:
    """Return whether a corner is on the right, and whether on the far side."""
    return number in CORNERS[1:3], number in CORNERS[:2]


def corner_at(number: int, table: MarkedTable) -> tuple[float, float]:
    """Return the place of a corner of the table."""
    right, far = _which(number)
    return table.width if right else 0.0, table.height if far else 0.0


def corner_places(table: MarkedTable) -> dict[int, Points]:
    """Return where each corner marker's own corners (4, 2) are on the table, far left first, clockwise."""
    return {n: corner_paper(n, table.corner_side).laid(corner_at(n, table)).marker for n in CORNERS}


def square(side: float) -> Points:
    """Return the corners (4, 2) of a square round the origin, x right and y ahead: front left first, clockwise."""
    half = side / 2
    return np.array([(-half, half), (half, half), (half, -half), (-half, -half)], np.float64)


def turn_and_move(points: npt.ArrayLike, at: tuple[float, float], facing_deg: float) -> Points:
    """Turn points (N, 2) clockwise about the origin, then move them with it to a place on the table."""
    turn = np.radians(facing_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(np.asarray(points, np.float64) @ turned + np.asarray(at), np.float64)


DICTIONARY = cv2.aruco.DICT_4X4_250
OUTLINE = 0.06
"""How far an outline may stray from a quadrilateral, as a part of its length."""
DIAGONAL = 1.5
"""A side is counted in its pixels: where it runs across them there are fewer than it is long, by 1.41."""
MOST_RIM_PX = 5_000_000
"""Of everything dark in a picture, in all thresholds: its outlines take memory for every pixel of them."""
MOST_OUTLINES = 6_000
"""As long as a marker's, in all thresholds: each is held against each other one."""
TIMES_SMALLER = (1, 2, 4, 8)
"""How a picture is looked at that has more of them than that: in half its size the grain of a cloth is gone."""
Grey = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Search:
    """How to look: the least and the largest side of a marker in px, and the local threshold.

    windows_px: the smallest and the largest window of the threshold, and the step between them. below: how much darker
    than its window black has to be, in grey levels.
    """

    sides_px: tuple[float, float]
    windows_px: tuple[int, int, int] = (9, 49, 10)
    below: float = 5.0
    subpixel: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class FoundMarkers:
    """Markers: their numbers and corners (4, 2) px, from top left clockwise; and quadrilaterals that are no markers."""

    markers: tuple[tuple[int, Points], ...]
    others: tuple[Points, ...]


def detect_markers(grey: Grey, search: Search) -> FoundMarkers:
    """Find the markers in (H, W) uint8 all of whose bits are right, and the quadrilaterals that are none."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), _parameters(grey, search))
    quads, numbers, rejected = detector.detectMarkers(grey)
    found = np.ravel(np.asarray(numbers if len(quads) else []))
    markers = tuple((int(n), _quad(quad)) for n, quad in zip(found, quads, strict=True))
    return FoundMarkers(markers, tuple(_quad(quad) for quad in rejected))


def is_crowded(grey: Grey, search: Search, times_usual: float = 1.0) -> bool:
    """Return whether (H, W) uint8 shows so many outlines that searching it would take too much memory or time.

    times_usual: how many times as many as in a photo of a board are allowed.
    """
    first, last, step = search.windows_px
    rims = outlines = 0
    for window in range(first, last + 1, step):
        dark = cv2.adaptiveThreshold(
            grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, max(3, window | 1), search.below
        )
        rims += int(np.count_nonzero(dark[:, 1:] != dark[:, :-1]) + np.count_nonzero(dark[1:] != dark[:-1]))
        if rims > times_usual * MOST_RIM_PX:
            return True
        outlines += _patches(np.asarray(dark, np.uint8), 4 * search.sides_px[0] / DIAGONAL)
    return outlines > times_usual * MOST_OUTLINES


def shrink_grey(grey: Grey, times: int) -> Grey:
    """Shrink the picture by a whole factor; 1 returns the picture itself."""
    if times == 1:
        return grey
    size = (max(1, grey.shape[1] // times), max(1, grey.shape[0] // times))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def in_whole(quad: Points, times: int) -> Points:
    """Convert corners (4, 2) from pixels of a shrunk picture to those of the original, `times` as large."""
    return quad if times == 1 else (quad + 0.5) * times - 0.5


def _patches(dark: Grey, least_px: float) -> int:
    """Count, roughly, the patches of a black and white picture whose outline is longer than `least_px`."""
    scale = min(1.0, WORK_PX / max(dark.shape))
    small = cv2.resize(dark, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, _, stats, _ = cv2.connectedComponentsWithStats((small > 127).astype(np.uint8))
    about = 2 * (stats[1:, cv2.CC_STAT_WIDTH] + stats[1:, cv2.CC_STAT_HEIGHT])
    return int(np.count_nonzero(about > least_px * scale))


def _quad(corners: npt.ArrayLike) -> Points:
    return np.asarray(corners, np.float64).reshape(4, 2)


def _parameters(grey: Grey, search: Search) -> cv2.aruco.DetectorParameters:
    longer = max(grey.shape)
    least, most = search.sides_px
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 4 * least / DIAGONAL / longer
    parameters.maxMarkerPerimeterRate = 4 * most / longer
    first, last, step = search.windows_px
    parameters.adaptiveThreshWinSizeMin = first
    parameters.adaptiveThreshWinSizeMax = last
    parameters.adaptiveThreshWinSizeStep = step
    parameters.adaptiveThreshConstant = search.below
    parameters.polygonalApproxAccuracyRate = OUTLINE
    parameters.minOtsuStdDev = 2.0  # grey levels: faint markers in dim light count too (5 is usual)
    parameters.errorCorrectionRate = 0.0  # of markers that differ in three bits one bit must not be mended
    parameters.perspectiveRemovePixelPerCell = 6
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.2
    parameters.maxErroneousBitsInBorderRate = 0.2
    parameters.minDistanceToBorder = 1
    if search.subpixel:
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return parameters


def marker_picture(number: int, side_px: int) -> Grey:
    """Draw a marker (side_px, side_px) uint8, black on white without a margin, its top upwards."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side_px), np.uint8)


def marker_cells(number: int) -> Sequence[Sequence[bool]]:
    """Return a marker as rows of cells, its black frame included, True for black."""
    return [[bool(cell == 0) for cell in row] for row in marker_picture(number, CELLS)]
