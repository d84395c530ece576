"""A part of a marked table laid out flat, as if seen from straight above: all markers of one height have one size."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.bases.camera import TableCamera
from vision.bases.fit import Field
from vision.bases.markers import Grey
from vision.bases.table import Points
from vision.geometry import NO_MAP

STRIDE = 8
"""Between how many px the frame's pixels are reckoned exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """A part of the table laid out flat at a height: left, near, right, far in base widths, at px per base width."""

    camera: TableCamera
    up: float
    scale: float
    box: tuple[float, float, float, float]

    def of(self, grey: Grey) -> Field:
        """Lay the (H, W) picture out flat: (rows, columns) float32."""
        left, near, right, far = self.box
        columns, rows = round((right - left) * self.scale), round((far - near) * self.scale)
        where = self._seen_at(columns, rows)
        seen = cv2.remap(grey, where, NO_MAP, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)

    def _seen_at(self, columns: int, rows: int) -> Field:
        """Return (rows, columns, 2) the frame's pixel of each flat pixel.

        Reckoned between the middles of small cells.
        """
        across, down = (np.arange(-1, -(-count // STRIDE) + 1) for count in (columns, rows))
        xs, ys = np.meshgrid((across + 0.5) * STRIDE - 0.5, (down + 0.5) * STRIDE - 0.5)
        coarse = self.camera.px(self.places(np.stack([xs.ravel(), ys.ravel()], axis=1)), self.up)
        size = (len(across) * STRIDE, len(down) * STRIDE)
        full = cv2.resize(coarse.reshape(*xs.shape, 2).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(full[STRIDE : STRIDE + rows, STRIDE : STRIDE + columns], np.float32)

    def places(self, pixels: npt.ArrayLike) -> Points:
        """Return (N, 2) places on the table of (N, 2) pixels of the flat picture."""
        flat = (np.asarray(pixels, np.float64) + 0.5) / self.scale
        return np.stack([self.box[0] + flat[:, 0], self.box[3] - flat[:, 1]], axis=1)

    def px(self, places: npt.ArrayLike) -> Points:
        """Return (N, 2) pixels of the flat picture of (N, 2) places on the table."""
        flat = np.asarray(places, np.float64)
        return np.stack([flat[:, 0] - self.box[0], self.box[3] - flat[:, 1]], axis=1) * self.scale - 0.5

    @property
    def blur_px(self) -> float:
        """How blurred the flat picture is: the frame's own blur, by how much it was enlarged in the part's middle."""
        left, near, right, far = self.box
        middle = np.array([[(left + right) / 2, (near + far) / 2]])
        return 0.75 * self.magnification(middle)

    def magnification(self, place: Points) -> float:
        """Return how many px of the flat picture a pixel of the frame becomes at a (1, 2) place."""
        step = 0.05
        beside = np.array([(0.0, 0.0), (step, 0.0), (0.0, step)])
        here = self.camera.px(place + beside, self.up)
        across, along = here[1] - here[0], here[2] - here[0]
        area = abs(float(across[0] * along[1] - across[1] * along[0])) / step**2
        return float(self.scale / max(1e-6, area**0.5))
