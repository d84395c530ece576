"""Square markers (ArUco: Garrido-Jurado et al. 2014): found in a grey picture, and drawn. The one place that uses it.

Of OpenCV's dictionaries this one has the largest cells for a marker's size, six along a side, and enough numbers for
two armies. What it lacks in bits (its markers differ by three at least) is made up by `bases`, which accepts a marker
only where its whole pattern fits the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.bases.table import CELLS, Points
from vision.frame import WORK_PX

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
    """Markers: their numbers and corners (4, 2) in px, top left first, clockwise; and quadrilaterals that are none."""

    markers: tuple[tuple[int, Points], ...]
    others: tuple[Points, ...]


def detect_markers(grey: Grey, search: Search) -> FoundMarkers:
    """Find the markers in (H, W) uint8, every bit of them as it should be."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), _parameters(grey, search))
    quads, numbers, rejected = detector.detectMarkers(grey)
    found = np.ravel(np.asarray(numbers if len(quads) else []))
    markers = tuple((int(n), _quad(quad)) for n, quad in zip(found, quads, strict=True))
    return FoundMarkers(markers, tuple(_quad(quad) for quad in rejected))


def is_crowded(grey: Grey, search: Search, times_usual: float = 1.0) -> bool:
    """Return whether so much in (H, W) uint8 looks like outlines that a search would take all memory, or for ever.

    times_usual: how much more of it than in a photo of a board is borne.
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
    """Convert corners (4, 2) px of a shrunk picture to pixels of the picture that it was made from."""
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
