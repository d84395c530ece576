"""Colours under a lamp: a frame brought into the light of the empty board's photo, and sides told apart by colour.

A board is photographed on one day and played on another. Cameras then change not only exposure but contrast, a tone
that is one for the whole board. Lamp and window, colour and glare differ from place to place, smoothly, while pieces
and hands differ from the board abruptly: so a smooth field of gain and colour is fitted to the ground that shows, and
what lies off it counts little. Pictures are board images, (rows, columns, 3) uint8.

The network has ideas of red and black; a phone under a lamp makes black pieces brown and dark red ones black. The
pieces of the start are known: their colours on this table, in this light, say which side any other piece is like, and
which are like neither. Linear discriminants with a shared spread (Fisher, 1936), of log brightness and two log ratios
of channels, in which a lamp that dims or warms moves all colours alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import PX_PER_MM, Floats, Matrix, Picture
from vision.reading.network import gains

CELL_PX = 8
SMOOTH_CELLS = 6.0
"""24 mm: wider than a piece, and than most groups of them."""
DARK = 8
"""Keeps the noise of dark pixels out of logs."""
ROUNDS, CAREFUL = 6, 2
"""How often tone and field are fitted, and how often the field with a wider eye for what belongs to it."""
LEAST_SPREAD = 0.08
USUAL = 0.02
"""The weight of the whole board's light, where hardly any ground shows."""
MOST = 1.2
"""No light differs by more than that, in logs."""
OTHER_LIGHT = 0.06
"""From this change on a frame's light is another than the empty board's.

In the same light it is 0.03 at most on the photographs and the development tables of docs/measurements.md, hands over
the board included; in another light it is 0.1 and more on all of them but one, which is read as well as before.
"""
CHANGED_PERCENT = 75
"""Hands and cards cover less than a quarter of the board, and are no light."""
EVERY_PX = 9
"""Of the pictures' pixels, each way, that are compared for their tone."""
SAME = 0.06
"""So near to 1 a slope is left alone: pieces and shadows bend it that far."""
STEEPEST = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class LightField:
    """What brings a frame's light to that of the empty board, beyond a gain for the whole board.

    logs: (rows / 8, columns / 8, 3) log gains; change: how far apart the lights are, the log gain's size that a
    quarter of the board exceeds; whole: (3,) the log gain of the whole board.
    """

    logs: Floats
    change: float
    whole: Floats

    @property
    def is_other(self) -> bool:
        """Whether the empty board was photographed in another light."""
        return self.change >= OTHER_LIGHT

    @property
    def relit(self) -> float:
        """How far `relight` changes the light; 0 if it leaves the frame as it is."""
        return self.change if self.is_other else 0.0

    def relight(self, board_bgr: Picture) -> Picture:
        """Return the frame as the empty board's light would show it; unchanged if both lights are about the same."""
        if not self.is_other:
            return board_bgr
        return _brightened(board_bgr, self.logs)

    def relight_wholly(self, board_bgr: Picture) -> Picture:
        """Return a picture taken in this light as the other light would show it, the whole board's gain included."""
        return _brightened(board_bgr, self.logs + self.whole)


def _brightened(board_bgr: Picture, logs: Floats) -> Picture:
    gain = cv2.resize(np.exp(logs), board_bgr.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip((board_bgr + np.float32(DARK)) * gain - (DARK - 0.5), 0, 255), np.uint8)


def light_between(board_bgr: Picture, reference_bgr: Picture) -> LightField:
    """Return how to bring a frame's light to that of the empty board, by iteratively reweighted smoothing."""
    rows, columns = board_bgr.shape[:2]
    size = max(1, columns // CELL_PX), max(1, rows // CELL_PX)
    now, before = (
        np.log(cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) + DARK)
        for picture in (board_bgr, reference_bgr)
    )
    ratios = before - now
    whole = np.median(ratios.reshape(-1, 3), axis=0)
    field, weight = ratios, np.ones(ratios.shape[:2], np.float32)
    for number in range(ROUNDS):
        if number:
            off = np.abs(ratios - field).max(axis=2)
            spread = max(1.48 * float(np.median(off)), LEAST_SPREAD) * (2 if number < CAREFUL else 1)
            weight = np.asarray(1 / (1 + (off / spread) ** 2) ** 2, np.float32)
        near = cv2.GaussianBlur(ratios * weight[..., None], (0, 0), SMOOTH_CELLS, borderType=cv2.BORDER_REFLECT)
        share = cv2.GaussianBlur(weight, (0, 0), SMOOTH_CELLS, borderType=cv2.BORDER_REFLECT)[..., None]
        field = np.asarray((near + USUAL * whole) / (share + USUAL), np.float32)
    logs = np.asarray(np.clip(field - whole, -MOST, MOST), np.float32)
    change = float(np.percentile(np.abs(logs).mean(axis=2), CHANGED_PERCENT))
    return LightField(logs, change, np.asarray(whole, np.float32))


def with_tone_of(board_bgr: Picture, reference_bgr: Picture) -> Picture:
    """Give the board image (rows, columns, 3) uint8 the contrast of the empty board's, by a power law.

    Brightness and colour of light are matched elsewhere (`network.gains`); a straight line through the logs of both
    pictures' pixels says how much steeper the one is than the other. Pieces and shadows lie off that line and count
    little (iteratively reweighted least squares, Holland and Welsch, 1977).
    """
    now, before = (_logs(picture) for picture in (board_bgr, reference_bgr))
    slope, offset = 1.0, float(np.median(before - now))
    for _ in range(ROUNDS):
        off = before - (slope * now + offset)
        spread = 1.48 * float(np.median(np.abs(off))) + 0.02
        weight = 1 / (1 + (off / spread) ** 2) ** 2
        middle, wanted = np.average(now, weights=weight), np.average(before, weights=weight)
        slope = float(
            (weight * (now - middle) * (before - wanted)).sum() / ((weight * (now - middle) ** 2).sum() + 1e-9)
        )
        offset = float(wanted - slope * middle)
    if abs(slope - 1) < SAME or not 1 / STEEPEST < slope < STEEPEST:
        return board_bgr
    levels = np.exp(slope * np.log(np.arange(256) + DARK) + offset) - DARK
    return np.asarray(cv2.LUT(board_bgr, np.clip(levels + 0.5, 0, 255).astype(np.uint8)), np.uint8)


def _logs(picture_bgr: Picture) -> Floats:
    """Return the logs of the grey levels of some pixels, (N,)."""
    small = cv2.cvtColor(np.ascontiguousarray(picture_bgr[::EVERY_PX, ::EVERY_PX]), cv2.COLOR_BGR2GRAY)
    return np.log(small.astype(np.float32).ravel() + DARK)


# How far above its base a piece's top is taken to lie, as tops of discs do.
HEIGHT_MM = 3.5
# Where a top is looked at: in its middle and beside it, as glare or a shadow seldom lies on all of it.
RADIUS_PX = 3
SPOTS_PX = np.array([(0, 0), (6, 0), (-6, 0), (0, 6), (0, -6)])
_SPAN = np.mgrid[-RADIUS_PX : RADIUS_PX + 1, -RADIUS_PX : RADIUS_PX + 1].reshape(2, -1).T
AROUND = _SPAN[(_SPAN**2).sum(axis=1) <= RADIUS_PX**2]
# Added to channels that go from 0 to about 1, so that noise in the dark makes no colours.
DARK_CHANNEL = np.float32(0.05)
# The least spread to reckon with (brightness, two ratios), however alike the pieces of the start are: grain and glare.
LEAST_COLOUR_SPREAD = np.array([0.5, 0.14, 0.14])
FURTHEST = 8.0
USUAL_FAR = 1.5
"""How far, in spreads, pieces usually are from their side's mean; stands where no start was shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """The mean colour of each side's pieces at the start, {faction: (3,)}, and their spread (3,)."""

    means: dict[str, Matrix]
    spread: Matrix

    def distances(self, colours: Matrix) -> dict[str, Matrix]:
        """Return how far colours (..., 3) are from those of each side, in spreads: {faction: (...)}."""
        return {
            faction: np.asarray(np.linalg.norm((colours - mean) / self.spread, axis=-1))
            for faction, mean in self.means.items()
        }


def colours_at(board_bgr: Picture, reference_bgr: Picture, up_field: Floats, points_px: Matrix) -> Matrix:
    """Return the colours (N, spots, 3), as `log_colours` has them, of what stands at pixels (N, 2).

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
    """Return log brightness and the log ratios blue to green and red to green (..., 3) of BGR (..., 3), about 0..1."""
    logs = np.log(light + DARK_CHANNEL)
    ratios = [logs.mean(axis=-1), logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]]
    return np.asarray(np.stack(ratios, axis=-1), np.float64)


def palette_of(spots: Matrix, factions: Sequence[str]) -> Palette | None:
    """Return the palette of known pieces from their colours (N, spots, 3) and factions; None if all are of one side."""
    sides, colours = np.array(factions), np.median(spots, axis=1)
    means = {faction: np.median(colours[sides == faction], axis=0) for faction in dict.fromkeys(factions)}
    if len(means) < 2:
        return None
    off = np.abs(colours - np.array([means[faction] for faction in factions]))
    # The median of absolute deviations, as a standard deviation: a mistaken piece doesn't widen it.
    return Palette(means, np.maximum(1.48 * np.median(off, axis=0), LEAST_COLOUR_SPREAD))
