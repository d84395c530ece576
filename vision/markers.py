"""Square markers (ArUco: Garrido-Jurado et al. 2014): found in a grey picture, and drawn. The one place that uses it.

Of OpenCV's dictionaries this one has the largest cells for a marker's size, six along a side, and enough numbers for
two armies. What it lacks in bits (its markers differ by three at least) is made up by `marked`, which accepts a marker
only where its whole pattern fits the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.marked_table import CELLS, Points

DICTIONARY = cv2.aruco.DICT_4X4_250
Grey = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Search:
    """How to look: the least and the largest side of a marker in px, windows of the local threshold, bits put right."""

    sides_px: tuple[float, float]
    windows_px: tuple[int, int, int] = (7, 31, 8)
    outline: float = 0.06
    put_right: float = 0.0
    subpixel: bool = False


def find(grey: Grey, search: Search) -> list[tuple[int, Points]]:
    """Markers in (H, W) uint8: their numbers and corners (4, 2) in px, top left first, clockwise."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), _parameters(grey, search))
    quads, numbers, _rejected = detector.detectMarkers(grey)
    found = np.ravel(np.asarray(numbers if len(quads) else []))
    return [(int(n), np.asarray(quad, np.float64).reshape(4, 2)) for n, quad in zip(found, quads, strict=True)]


def _parameters(grey: Grey, search: Search) -> cv2.aruco.DetectorParameters:
    longer = max(grey.shape)
    least, most = search.sides_px
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 4 * least / longer
    parameters.maxMarkerPerimeterRate = 4 * most / longer
    first, last, step = search.windows_px
    parameters.adaptiveThreshWinSizeMin = first
    parameters.adaptiveThreshWinSizeMax = last
    parameters.adaptiveThreshWinSizeStep = step
    parameters.adaptiveThreshConstant = 5
    parameters.polygonalApproxAccuracyRate = search.outline
    parameters.minOtsuStdDev = 2.0
    parameters.errorCorrectionRate = search.put_right
    parameters.perspectiveRemovePixelPerCell = 6
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.2
    parameters.maxErroneousBitsInBorderRate = 0.2
    parameters.minDistanceToBorder = 1
    if search.subpixel:
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return parameters


def marker_picture(number: int, side_px: int) -> Grey:
    """A marker (side_px, side_px) uint8, black on white without a margin, its top upwards."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side_px), np.uint8)


def marker_cells(number: int) -> Sequence[Sequence[bool]]:
    """A marker as rows of cells, its black frame included, True for black."""
    return [[bool(cell == 0) for cell in row] for row in marker_picture(number, CELLS)]
