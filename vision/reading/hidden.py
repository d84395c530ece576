"""What hides the board: a hand or a card over it, and the areas that can't be read for it."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats
from vision.reading.count import SURE, CountBelief
from vision.reading.network import STRIDE, Detections
from vision.reading.once import once_for
from vision.reading.places import Places

MOST_SHARE, SOME_SHARE = 0.13, 0.07
"""From the first on an area is not read; from the second on only where what is in sight is sure.

Areas are meant to be refused from 15 % on. Reading those of 7 to 13 % that are not in doubt gave 99.1 % of areas on
drawn tables instead of 98.8 %; those of the covered ones among them were read rightly.
"""


def cover_of(finds: Detections, places: Places) -> Floats:
    """(H, W) float32 of the board image, 0 to 1: how likely a hand or a card covers it, as the network says."""
    rows, columns = places.grid.shape
    height, width = finds.covered.shape
    full = cv2.resize(finds.covered, (width * STRIDE, height * STRIDE), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:rows, :columns], np.float32)


def covered_shares(cover: Floats, places: Places) -> dict[str, float]:
    """Return the share of each area that is covered, 0 to 1, by name."""
    size = _sizes(places)
    hidden = np.bincount(places.labels[cover > 0.5], minlength=len(places.plan.areas) + 1)
    return {area.name: float(hidden[i + 1] / max(size[i + 1], 1)) for i, area in enumerate(places.plan.areas)}


@once_for
def _sizes(places: Places) -> npt.NDArray[np.int64]:
    """(N + 1,) how many pixels of the board image lie in no area, and in each of the areas."""
    return np.asarray(np.bincount(places.labels.ravel(), minlength=len(places.plan.areas) + 1), np.int64)


def hidden_areas(shares: Mapping[str, float], counts: Mapping[str, CountBelief]) -> tuple[str, ...]:
    """Return the names of the areas that are too much covered to be read."""
    most = {area: MOST_SHARE if counts[area].confidence >= SURE else SOME_SHARE for area in shares}
    return tuple(sorted(area for area, share in shares.items() if share > most[area]))
