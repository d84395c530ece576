"""The simulated camera: from points over the board to pixels and back to its plane; what lens and sensor do.

Points are (..., 3): x and y in board mm, and the height above the board in mm. Pixels count from the middle of the top
left pixel. Pinhole with one radial term; see Hartley and Zisserman, Multiple View Geometry, chapters 6 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import decode_picture, jpeg_of

Floats = npt.NDArray[np.float64]
Field = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

CELL_PX = 8


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
        """The place (3,) of the lens: x, y and height."""
        lean, side = radians(self.tilt_deg), radians(self.side_deg)
        level = self.distance_mm * sin(lean)
        x, y = self.target_mm
        return np.array([x + level * sin(side), y + level * cos(side), self.distance_mm * cos(lean)])

    @property
    def rotation(self) -> Floats:
        """The rotation (3, 3): rows right, down and forward of the camera, in (x, y, depth below the board)."""
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
        """Return the pixels (..., 2) that show points (..., 3)."""
        moved = (np.asarray(points, float) - self.centre_mm) * np.array([1.0, 1.0, -1.0])
        seen = moved @ self.rotation.T
        flat = seen[..., :2] / np.maximum(seen[..., 2:], 1.0)
        square = np.minimum((flat**2).sum(axis=-1, keepdims=True), 4.0)
        bent = flat * (1 + self.radial * square)
        return np.asarray(self._middle + self.focal * self.size_px[0] * bent, np.float64)

    def board_mm(self, pixels: npt.ArrayLike, height_mm: float = 0.0, rounds: int = 4) -> Floats:
        """Return the board points (..., 2), at `height_mm` above the board, that pixels (..., 2) show.

        rounds: how often the lens's distortion is corrected for; 4 come near, 12 are exact.
        """
        bent = (np.asarray(pixels, float) - self._middle) / (self.focal * self.size_px[0])
        flat = bent
        for _ in range(rounds):
            flat = bent / (1 + self.radial * (flat**2).sum(axis=-1, keepdims=True))
        rays = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1) @ self.rotation
        centre = self.centre_mm
        reach = (centre[2] - height_mm) / np.maximum(rays[..., 2:], 1e-3)
        return np.asarray(centre[:2] + rays[..., :2] * reach, np.float64)

    def up(self, points_mm: npt.ArrayLike) -> Floats:
        """Return how far things at board points (..., 2) shift on the board per mm of height, (..., 2)."""
        centre = self.centre_mm
        return np.asarray((np.asarray(points_mm, float) - centre[:2]) / centre[2], np.float64)

    @property
    def _middle(self) -> Floats:
        return (np.array(self.size_px, float) - 1) / 2


def fit_in_picture(
    camera: SimulatedCamera,
    points_mm: npt.ArrayLike,
    fill: float,
    reach_mm: tuple[float, float] = (150.0, 3000.0),
    halvings: int = 30,
) -> SimulatedCamera:
    """Move the camera along its axis until the points (N, 2) fill at most `fill` of the picture's width and height.

    The distance is found by bisection within `reach_mm`.
    """
    flat = np.asarray(points_mm, float)
    solid = np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)
    size, (near, far) = np.array(camera.size_px), reach_mm
    for _ in range(halvings):
        middle = (near + far) / 2
        seen = replace(camera, distance_mm=middle).px(solid)
        spread = np.abs(seen - (size - 1) / 2).max(axis=0) * 2 / size
        near, far = (near, middle) if spread.max() < fill else (middle, far)
    return replace(camera, distance_mm=far)


def camera_above(size_mm: tuple[float, float]) -> SimulatedCamera:
    """Return the usual camera over the middle of a board, as far away as a board of an unusual size needs."""
    camera = SimulatedCamera()
    width, height = size_mm
    middle = (width / 2, height / 2)
    if np.hypot(*np.subtract(middle, camera.target_mm)) < 1:
        return camera
    return fit_in_picture(replace(camera, target_mm=middle), [(0, 0), (width, 0), (width, height), (0, height)], 0.96)


# ---- fields over a picture --------------------------------------------------------------------


def cells_px(size_px: tuple[int, int]) -> Floats:
    """Return the middles of a picture's cells of 8 px, and of one more on each side, in px: (rows, columns, 2)."""
    xs, ys = ((np.arange(-1, side // CELL_PX + 2) + 0.5) * CELL_PX - 0.5 for side in size_px)
    return np.stack(np.meshgrid(xs, ys), axis=-1)


def upsample(coarse: npt.NDArray[np.floating[Any]], size_px: tuple[int, int]) -> Field:
    """Enlarge a field given at `cells_px` to every pixel, (H, W, C)."""
    rows, columns = coarse.shape[:2]
    full = cv2.resize(coarse.astype(np.float32), (columns * CELL_PX, rows * CELL_PX), interpolation=cv2.INTER_LINEAR)
    width, height = size_px
    return np.ascontiguousarray(full[CELL_PX : CELL_PX + height, CELL_PX : CELL_PX + width])


# ---- lens and sensor --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lens:
    """Lens and sensor; noise in grey levels, blur in pixels, balance and exposure as gains."""

    blur_px: float = 0.6
    vignetting: float = 0.15
    balance_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 1.0
    contrast: float = 0.0
    noise: float = 2.0
    noise_px: float = 0.5
    sharpen: float = 0.3
    jpeg: int = 90


def falloff(lens: Lens, size_px: tuple[int, int]) -> Field:
    """Return the lens's gain (rows, columns, 3): weaker towards the corners, balance and exposure included."""
    width, height = size_px
    xs, ys = np.meshgrid(np.linspace(-1, 1, width // 8), np.linspace(-1, 1, height // 8))
    small = (1 - lens.vignetting * (xs**2 + ys**2) / 2).astype(np.float32)
    gain = cv2.resize(small, size_px)[..., None] * np.array(lens.balance_bgr, np.float32) * np.float32(lens.exposure)
    return np.asarray(gain, np.float32)


def expose(image: Image, lens: Lens, gain: Field, rng: np.random.Generator) -> Image:
    """Return the sensor's picture (H, W, 3) of what the lens sees; gain: from `falloff`."""
    seen = cv2.GaussianBlur(image, (0, 0), lens.blur_px) if lens.blur_px > 0.2 else image
    lit = cv2.multiply(seen, gain, dtype=cv2.CV_32F)
    if lens.contrast:
        lit = lit + lens.contrast * 40 * np.sin(np.clip(lit, 0, 255) * np.float32(2 * np.pi / 255)) * -0.3
    noise = sensor_noise(lit.shape[:2], lens, rng)
    lit = lit + noise * (np.float32(1.2) - lit * np.float32(0.6 / 255))
    if lens.sharpen:
        lit = lit + np.float32(lens.sharpen) * (lit - cv2.GaussianBlur(lit, (0, 0), 1.2))
    picture = np.clip(lit, 0, 255).astype(np.uint8)
    return after_jpeg(picture, lens.jpeg)


def sensor_noise(shape: tuple[int, int], lens: Lens, rng: np.random.Generator) -> Field:
    """Return (rows, columns, 3) noise in grey levels, smeared by `noise_px` as by a camera's own smoothing."""
    noise = rng.standard_normal((*shape, 3), np.float32)
    if lens.noise_px > 0.2:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), lens.noise_px), np.float32)
        noise *= np.float32(1 + 1.5 * lens.noise_px)
    return np.asarray(noise * np.float32(lens.noise), np.float32)


def after_jpeg(picture: Image, quality: int) -> Image:
    """Return the picture as it is after being stored as a JPEG of that quality."""
    return decode_picture(jpeg_of(picture, quality), "the simulated picture")
