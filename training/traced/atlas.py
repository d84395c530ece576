"""One picture with the colours of all the things on a table, patch by patch, and how rough each patch is."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulation.board_art import Image, add_grain

Rng = np.random.Generator
Rough = npt.NDArray[np.float32]

SIDE_PX = 2048
PX_PER_MM = 4.0
GAP_PX = 2
PLAIN_MM = 24.0


class Atlas:
    """Patches in rows, as they come; (2048, 2048) at 4 px/mm, with a roughness of 0 to 1 each."""

    def __init__(self) -> None:
        self.picture: Image = np.full((SIDE_PX, SIDE_PX, 3), 128, np.uint8)
        self.rough: Rough = np.full((SIDE_PX, SIDE_PX), 0.6, np.float32)
        self._x, self._y, self._row = GAP_PX, GAP_PX, 0

    def add(self, patch: Image, rough: float) -> tuple[float, float]:
        """Lay a picture down; where its middle is, in mm from the atlas's corner. ValueError where it is full."""
        rows, columns = patch.shape[:2]
        if self._x + columns + GAP_PX > SIDE_PX:
            self._x, self._y, self._row = GAP_PX, self._y + self._row + GAP_PX, 0
        if self._y + rows + GAP_PX > SIDE_PX:
            raise ValueError("the atlas has no room for another patch")
        place = slice(self._y, self._y + rows), slice(self._x, self._x + columns)
        self.picture[place], self.rough[place] = patch, rough
        middle = (self._x + columns / 2) / PX_PER_MM, (self._y + rows / 2) / PX_PER_MM
        self._x, self._row = self._x + columns + GAP_PX, max(self._row, rows)
        return middle

    def plain(self, bgr: npt.ArrayLike, rough: float, grain: tuple[Rng, float]) -> tuple[float, float]:
        """Add a square patch of one colour (0 to 255), with a grain of that strength; return its middle, in mm."""
        rng, amount = grain
        side = round(PLAIN_MM * PX_PER_MM)
        patch = np.full((side, side, 3), np.clip(bgr, 0, 255), np.uint8)
        return self.add(add_grain(patch, rng, amount, 3.0 * PX_PER_MM) if amount else patch, rough)


def wear(image: Image, rng: Rng, share: float) -> Image:
    """Wear the picture: add pale scuffs and dark specks to about that share of it."""
    if share <= 0:
        return image
    noise = rng.standard_normal(image.shape[:2]).astype(np.float32)
    noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(0.6, 3))), np.float32)
    edge = float(np.quantile(noise, 1 - share))
    mask = np.clip((noise - edge) / (noise.std() * 0.3), 0, 1)[..., None] * np.float32(rng.uniform(0.2, 0.7))
    mark = rng.uniform(0, 255, 3).astype(np.float32) * 0.3 + image.mean(axis=(0, 1)) * 0.7
    return np.asarray(np.clip(image * (1 - mask) + mark * mask, 0, 255), np.uint8)
