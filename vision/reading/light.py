"""How the light of a frame differs from that of the empty board's photo, and the frame as it would be in that light.

A board is photographed on one day and played on another. Cameras then change not only exposure but contrast, a tone
that is one for the whole board. Lamp and window, colour and glare differ from place to place, smoothly, while pieces
and hands differ from the board abruptly: so a smooth field of gain and colour is fitted to the ground that shows, and
what lies off it counts little. Pictures are board images, (rows, columns, 3) uint8.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Picture

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
        """How far `matched` changes the light, 0 where it leaves the frame as it is."""
        return self.change if self.is_other else 0.0

    def matched(self, board_bgr: Picture) -> Picture:
        """Return the frame as it would be in the empty board's light; as it is where that is its own."""
        if not self.is_other:
            return board_bgr
        return _brightened(board_bgr, self.logs)

    def carried(self, board_bgr: Picture) -> Picture:
        """Return a board image in this light as it would be in the other one, the whole board's gain included."""
        return _brightened(board_bgr, self.logs + self.whole)


def _brightened(board_bgr: Picture, logs: Floats) -> Picture:
    gain = cv2.resize(np.exp(logs), board_bgr.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip((board_bgr + np.float32(DARK)) * gain - (DARK - 0.5), 0, 255), np.uint8)


def light_between(board_bgr: Picture, reference_bgr: Picture) -> LightField:
    """Return how a frame's light differs from the empty board's, by iteratively reweighted smoothing."""
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
    """(N,) logs of grey levels of some pixels."""
    small = cv2.cvtColor(np.ascontiguousarray(picture_bgr[::EVERY_PX, ::EVERY_PX]), cv2.COLOR_BGR2GRAY)
    return np.log(small.astype(np.float32).ravel() + DARK)
