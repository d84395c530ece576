"""Which side a piece belongs to by its colour, once the photo of the start has shown both sides' pieces.

The network has ideas of red and black; a phone under a lamp makes black pieces brown and dark red ones black. The
pieces of the start are known: their colours on this table, in this light, say which side any other piece is like, and
which are like neither. Linear discriminants with a shared spread (Fisher, 1936), of log brightness and two log ratios
of channels, in which a lamp that dims or warms moves all colours alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry import PX_PER_MM, Floats, Matrix, Picture
from vision.reading.network import gains

# What a piece's top is taken for: this far above its base. Tops of discs lie there.
HEIGHT_MM = 3.5
# Where a top is looked at: in its middle and beside it, as glare or a shadow seldom lies on all of it.
RADIUS_PX = 3
SPOTS_PX = np.array([(0, 0), (6, 0), (-6, 0), (0, 6), (0, -6)])
_SPAN = np.mgrid[-RADIUS_PX : RADIUS_PX + 1, -RADIUS_PX : RADIUS_PX + 1].reshape(2, -1).T
AROUND = _SPAN[(_SPAN**2).sum(axis=1) <= RADIUS_PX**2]
# Added to channels that go from 0 to about 1, so that noise in the dark makes no colours.
DARK = np.float32(0.05)
# The least spread to reckon with (brightness, two ratios), however alike the pieces of the start are: grain and glare.
LEAST_SPREAD = np.array([0.5, 0.14, 0.14])
FURTHEST = 8.0
USUAL = 1.5
"""How far, in spreads, pieces usually are from their side's mean; stands where no start was shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """The mean colour of each side's pieces at the start, {faction: (3,)}, and their spread (3,)."""

    means: dict[str, Matrix]
    spread: Matrix

    def distances(self, colours: Matrix) -> dict[str, Matrix]:
        """{faction: (...)} how far colours (..., 3) are from each side's, in spreads."""
        return {
            faction: np.asarray(np.linalg.norm((colours - mean) / self.spread, axis=-1))
            for faction, mean in self.means.items()
        }


def colours_at(board_bgr: Picture, reference_bgr: Picture, up_field: Floats, points_px: Matrix) -> Matrix:
    """(N, spots, 3) log brightness and log ratios blue to green and red to green of what stands at pixels (N, 2).

    In the light of the empty board's picture, like the network's input.
    """
    if not len(points_px):
        return np.zeros((0, len(SPOTS_PX), 3))
    gain, _ = gains(board_bgr, reference_bgr)
    rows, columns = board_bgr.shape[:2]
    base = np.clip(np.round(points_px).astype(int), 0, [columns - 1, rows - 1])
    tops = points_px + up_field[base[:, 1], base[:, 0]] * HEIGHT_MM * PX_PER_MM
    spots = np.round(tops[:, None, None, ::-1]).astype(int) + SPOTS_PX[:, None] + AROUND
    at = np.clip(spots, 0, [rows - 1, columns - 1])
    return log_colours(np.median(board_bgr[at[..., 0], at[..., 1]], axis=2) * gain)


def log_colours(light: npt.NDArray[np.floating]) -> Matrix:
    """(..., 3) log brightness, log ratios blue to green and red to green, of channels (..., 3) from 0 to about 1."""
    logs = np.log(light + DARK)
    ratios = [logs.mean(axis=-1), logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]]
    return np.asarray(np.stack(ratios, axis=-1), np.float64)


def palette_of(spots: Matrix, factions: Sequence[str]) -> Palette | None:
    """Build the palette of known pieces from their colours (N, spots, 3) and factions.

    None where not both sides are shown.
    """
    sides, colours = np.array(factions), np.median(spots, axis=1)
    means = {faction: np.median(colours[sides == faction], axis=0) for faction in dict.fromkeys(factions)}
    if len(means) < 2:
        return None
    off = np.abs(colours - np.array([means[faction] for faction in factions]))
    # The median of absolute deviations, as a standard deviation: a mistaken piece doesn't widen it.
    return Palette(means, np.maximum(1.48 * np.median(off, axis=0), LEAST_SPREAD))
