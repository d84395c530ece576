"""A driver that hangs may hand out its last picture for ever: a camera's noise makes each picture another one."""

from __future__ import annotations

import numpy as np

from vision.geometry import Picture

FROZEN_S = 4.0
"""The very same picture for so long is no accident."""
EVERY_PX = 16
"""Of a picture that is looked at first; only where these pixels are the same are all the others compared."""
BLACK_LEVEL = 24
"""A picture that is nowhere brighter may be black all over, without any noise."""

FROZEN = "the camera keeps sending the very same picture"


class SamePicture:
    """Compares each picture with the one before; `now_s` is monotonic and comes from outside."""

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._since_s = 0.0

    def is_frozen(self, picture: Picture, now_s: float) -> bool:
        """Take the next picture (H, W, 3) uint8, and return whether the very same one has come for FROZEN_S."""
        if self._last is None or not _same(self._last, picture):
            self._last, self._since_s = picture, now_s
            return False
        return now_s - self._since_s >= FROZEN_S


def _same(before: Picture, now: Picture) -> bool:
    """Return whether two pictures are the same in every pixel, and not just black."""
    if before.shape != now.shape:
        return False
    first, second = before[::EVERY_PX, ::EVERY_PX], now[::EVERY_PX, ::EVERY_PX]
    return bool(second.max() > BLACK_LEVEL) and np.array_equal(first, second) and np.array_equal(before, now)
