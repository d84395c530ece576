"""The simulated camera: from points over the board to pixels, and from pixels back to the board's plane.

Points are (..., 3): x and y in board mm, and the height above the board in mm. Pixels count from the middle of the top
left pixel. Pinhole with one radial term; see Hartley and Zisserman, Multiple View Geometry, chapters 6 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SimulatedCamera:
    """Where a camera stands: looking at `target_mm` from `distance_mm`, leaning `tilt_deg` from straight above.

    `side_deg` is the edge of the board it stands at (0 the bottom edge, 90 the right, 180 the top), `roll_deg` turns
    it about its own axis, `focal` is in picture widths, `radial` the first radial distortion term.
    """

    target_mm: tuple[float, float] = (130.0, 148.0)
    distance_mm: float = 420.0
    tilt_deg: float = 10.0
    side_deg: float = 0.0
    roll_deg: float = 0.0
    focal: float = 1.0
    radial: float = 0.0
    size_px: tuple[int, int] = (1280, 960)

    @property
    def centre_mm(self) -> Floats:
        """(3,) x, y and height of the lens."""
        lean, side = radians(self.tilt_deg), radians(self.side_deg)
        level = self.distance_mm * sin(lean)
        x, y = self.target_mm
        return np.array([x + level * sin(side), y + level * cos(side), self.distance_mm * cos(lean)])

    @property
    def rotation(self) -> Floats:
        """(3, 3) rows right, down and forward of the camera, in (x, y, depth below the board)."""
        centre = self.centre_mm * np.array([1, 1, -1])
        forward = np.array([*self.target_mm, 0.0]) - centre
        forward /= np.linalg.norm(forward)
        towards_viewer = np.array([sin(radians(self.side_deg)), cos(radians(self.side_deg)), 0.0])
        right = np.cross(towards_viewer, forward)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        turn = radians(self.roll_deg)
        return np.stack([cos(turn) * right + sin(turn) * down, cos(turn) * down - sin(turn) * right, forward])

    def px(self, points: npt.ArrayLike) -> Floats:
        """Return (..., 2) pixels of (..., 3) points."""
        moved = (np.asarray(points, float) - self.centre_mm) * np.array([1.0, 1.0, -1.0])
        seen = moved @ self.rotation.T
        flat = seen[..., :2] / np.maximum(seen[..., 2:], 1.0)
        square = np.minimum((flat**2).sum(axis=-1, keepdims=True), 4.0)
        bent = flat * (1 + self.radial * square)
        return np.asarray(self._middle + self.focal * self.size_px[0] * bent, np.float64)

    def board_mm(self, pixels: npt.ArrayLike, height_mm: float = 0.0) -> Floats:
        """Return (..., 2) board points at `height_mm` above the board seen at (..., 2) pixels."""
        bent = (np.asarray(pixels, float) - self._middle) / (self.focal * self.size_px[0])
        flat = bent
        for _ in range(4):
            flat = bent / (1 + self.radial * (flat**2).sum(axis=-1, keepdims=True))
        rays = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1) @ self.rotation
        centre = self.centre_mm
        reach = (centre[2] - height_mm) / np.maximum(rays[..., 2:], 1e-3)
        return np.asarray(centre[:2] + rays[..., :2] * reach, np.float64)

    def up(self, points_mm: npt.ArrayLike) -> Floats:
        """Return (..., 2) shifts on the board, mm for each mm of height, of what stands at (..., 2) board points."""
        centre = self.centre_mm
        return np.asarray((np.asarray(points_mm, float) - centre[:2]) / centre[2], np.float64)

    @property
    def _middle(self) -> Floats:
        return (np.array(self.size_px, float) - 1) / 2


def fit_in_picture(camera: SimulatedCamera, corners_mm: npt.ArrayLike, fill: float) -> SimulatedCamera:
    """Move the camera along its axis until the (N, 2) points fill at most `fill` of the picture's width and height."""
    flat = np.asarray(corners_mm, float)
    solid = np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)
    near, far = 150.0, 3000.0
    for _ in range(30):
        middle = (near + far) / 2
        seen = replace(camera, distance_mm=middle).px(solid)
        size = np.array(camera.size_px)
        spread = np.abs(seen - (size - 1) / 2).max(axis=0) * 2 / size
        near, far = (near, middle) if spread.max() < fill else (middle, far)
    return replace(camera, distance_mm=far)


def camera_above(size_mm: tuple[float, float], fill: float = 0.96) -> SimulatedCamera:
    """Return the usual camera over the middle of a board, as far away as a board of an unusual size needs."""
    camera = SimulatedCamera()
    width, height = size_mm
    middle = (width / 2, height / 2)
    if np.hypot(*np.subtract(middle, camera.target_mm)) < 1:
        return camera
    return fit_in_picture(replace(camera, target_mm=middle), [(0, 0), (width, 0), (width, height), (0, height)], fill)
