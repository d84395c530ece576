"""What lens and sensor do to a picture: blur, vignetting, white balance, noise, sharpening, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import decode_picture, jpeg_of
from vision.simulation.board_art import Image

Field = npt.NDArray[np.float32]


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
    """Return (rows, columns, 3) gain of the lens towards its corners, with balance and exposure."""
    width, height = size_px
    xs, ys = np.meshgrid(np.linspace(-1, 1, width // 8), np.linspace(-1, 1, height // 8))
    small = (1 - lens.vignetting * (xs**2 + ys**2) / 2).astype(np.float32)
    gain = cv2.resize(small, size_px)[..., None] * np.array(lens.balance_bgr, np.float32) * np.float32(lens.exposure)
    return np.asarray(gain, np.float32)


def expose(image: Image, lens: Lens, gain: Field, rng: np.random.Generator) -> Image:
    """Return (H, W, 3) the picture that the sensor gives of what the lens sees; `gain` from `falloff`."""
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
    """Return the picture after a JPEG file of that quality."""
    return decode_picture(jpeg_of(picture, quality), "the simulated picture")
