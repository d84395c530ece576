"""From light to a picture: where the lens bends rays, and how a camera turns linear light into grey levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulation.board_art import Image
from vision.simulation.camera import SimulatedCamera, after_jpeg

Linear = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

SHOULDER = 0.8
ROOM_PX = 32


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """How a picture without distortion becomes the camera's.

    `film_px` (columns, rows) is the size of the whole film, `wider` how much wider than the camera's its field is;
    `window` is the part of the film that is drawn (column, row, columns, rows). `xs` and `ys` say for each pixel of the
    camera's picture where on that part it lies.
    """

    film_px: tuple[int, int]
    wider: float
    window: tuple[int, int, int, int]
    xs: Linear
    ys: Linear

    def camera_picture(self, film: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Bend the film's picture to what the camera's lens shows; beyond the part that was drawn its edge goes on."""
        seen = cv2.remap(film, self.xs, self.ys, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.uint8)

    def nearest(self, film: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Bend a film of numbers, which can't be averaged, as `camera_picture` bends a picture."""
        return np.asarray(cv2.remap(film, self.xs, self.ys, cv2.INTER_NEAREST), np.uint8)


def bend(camera: SimulatedCamera, film_px: tuple[int, int], shown_px: Floats | None = None) -> Bend:
    """Work out what to draw, and where its pixels go, for a camera with radial distortion.

    The result is shaped like the camera's picture. Only what lies round the (N, 2) `shown_px` of the camera's picture
    is drawn, if they are given.
    """
    width, height = camera.size_px
    middle, focal_px = (np.array(camera.size_px) - 1) / 2, camera.focal * width
    coarse = np.stack(np.meshgrid(np.linspace(0, width - 1, 81), np.linspace(0, height - 1, 61)), axis=-1)
    edge = np.abs(straighten((coarse - middle) / focal_px, camera.radial)) / (middle / focal_px)
    wider = max(1.0, float(edge.max()))
    scale, film_middle = camera.focal * film_px[0] / wider, (np.array(film_px) - 1) / 2
    window = (0, 0, *film_px)
    if shown_px is not None:
        window = _window(straighten((shown_px - middle) / focal_px, camera.radial) * scale + film_middle, film_px)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    seen = (np.stack([xs, ys], axis=-1) - middle.astype(np.float32)) / np.float32(focal_px)
    place = straighten(seen, camera.radial) * np.float32(scale) + (film_middle - window[:2]).astype(np.float32)
    return Bend(film_px, wider, window, np.ascontiguousarray(place[..., 0]), np.ascontiguousarray(place[..., 1]))


def _window(points_px: Floats, film_px: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the part of the film round some points, as left, top, width and height.

    It leaves room for nudges and for what stands at the board's edge.
    """
    low = np.clip(np.floor(points_px.min(axis=0) - ROOM_PX), 0, film_px).astype(int)
    high = np.clip(np.ceil(points_px.max(axis=0) + ROOM_PX), 0, film_px).astype(int)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def straighten(seen: npt.NDArray[Any], radial: float) -> npt.NDArray[Any]:
    """Return the undistorted places (..., 2), at depth 1, of distorted ones: flat * (1 + radial * |flat|²) = seen."""
    flat = seen
    for _ in range(6):
        square = flat[..., :1] ** 2 + flat[..., 1:] ** 2
        flat = seen / (1 + seen.dtype.type(radial) * square)
    return flat


@dataclass(frozen=True, slots=True)
class Phone:
    """What a phone does to a picture before one sees it; the defaults leave it nearly as it is.

    `lift` and `crisp` are its tone mapping: how much dark parts are lifted, and their detail raised. `smear` is the
    difference in grey levels that its smoothing takes for noise. `sharpen` draws rims `halo_px` wide round edges.
    """

    lift: float = 0.0
    crisp: float = 0.0
    smear: float = 0.0
    sharpen: float = 0.0
    halo_px: float = 1.5
    vivid: float = 1.0
    jpeg: int = 92

    def developed(self, picture: Image) -> Image:
        """Return the picture (H, W, 3) as the phone saves it."""
        seen = cv2.bilateralFilter(picture, 7, self.smear, 3.0) if self.smear > 1 else picture
        level = seen.astype(np.float32) / 255
        grey = cv2.cvtColor(level, cv2.COLOR_BGR2GRAY)
        base = cv2.resize(cv2.GaussianBlur(cv2.resize(grey, None, fx=0.25, fy=0.25), (0, 0), 12), grey.shape[::-1])
        lifted = np.maximum(base, 0.02) ** np.float32(-self.lift) * np.float32(0.5**self.lift)
        crisp = (grey + 0.03) / (base + 0.03)
        level *= (lifted * crisp ** np.float32(self.crisp * 0.5))[..., None]
        grey = cv2.cvtColor(level, cv2.COLOR_BGR2GRAY)[..., None]
        level = grey + (level - grey) * np.float32(self.vivid)
        level += np.float32(self.sharpen) * (level - cv2.GaussianBlur(level, (0, 0), self.halo_px))
        return after_jpeg(np.asarray(np.clip(level * 255 + 0.5, 0, 255), np.uint8), self.jpeg)


def exposure(empty: Linear, printed: Linear, balance: float) -> Floats:
    """Return the gains (3,) that show the empty board's light as bright as it is printed.

    Both are (N, 3) linear light. With `balance` 1 the colour of the light is taken out too, with 0 none of it.
    """
    ratio = printed.mean(axis=0) / np.maximum(empty.mean(axis=0), 1e-6)
    grey = float(np.exp(np.log(ratio).mean()))
    return np.asarray(grey * (ratio / grey) ** balance, np.float64)


def tone(linear: Linear) -> Image:
    """Return grey levels (H, W, 3) of linear light by the sRGB curve (IEC 61966-2-1), rolled off above 0.8."""
    light = np.maximum(linear, 0)
    over = np.maximum(light - np.float32(SHOULDER), 0)
    room = np.float32(1 - SHOULDER)
    light = np.minimum(light, np.float32(SHOULDER)) + room * (1 - np.exp(-over / room))
    level = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return np.asarray(np.clip(level * 255 + 0.5, 0, 255), np.uint8)


def linear(image: Image) -> Linear:
    """Return the linear light, 0 to 1, of sRGB grey levels."""
    level = image.astype(np.float32) / 255
    light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    return np.asarray(light, np.float32)
