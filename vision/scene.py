"""A guess of all pieces on the board at once, and how well it explains the pixels' votes.

Every pixel belongs to the board or to the pieces whose outline covers it; the guess's worth is the sum of the votes
of the covered pixels. Two pieces never count one pixel twice, and no two bases can stand in one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, Mask
from vision.shapes import Shape, Stamp, Stamps

APART = 0.90

Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece standing somewhere: its base's middle (x, y) in px of the board image, turned by `turn` radians."""

    shape: Shape
    faction: str
    at_px: tuple[int, int]
    turn: float
    place: str = ""


class Scene:
    """The pieces placed so far over the votes {faction: (H, W) float32} of a board image."""

    def __init__(self, votes: Mapping[str, Floats], stamps: Stamps) -> None:
        self.votes, self.stamps = votes, stamps
        self.pieces: list[Placed] = []
        self.shape = stamps.grid.shape
        self._noted()
        self._layers = {faction: np.zeros(self.shape, np.int16) for faction in votes}
        self._worth = np.zeros(self.shape, np.float32)
        self._covered = np.zeros(self.shape, np.bool_)

    def seen(self, piece: Placed) -> tuple[Stamp, Window] | None:
        """The piece's outline and its window in the board image, or None where it would leave the image."""
        stamp = self.stamps.stamp(piece.shape, piece.turn, piece.at_px)
        window = stamp.window(piece.at_px, self.shape)
        return None if window is None else (stamp, window)

    def gain(self, piece: Placed) -> float:
        """By how much placing the piece would better the explanation; minus infinity where it cannot stand."""
        seen = self.seen(piece)
        if seen is None or not self.free(piece):
            return -np.inf
        stamp, window = seen
        return float(self.new_votes(piece.faction, window)[stamp.mask > 0].sum())

    def new_votes(self, faction: str, window: Window) -> Floats:
        """What each pixel of a window would add if a piece of that faction covered it now."""
        vote = self.votes[faction][window]
        more = np.maximum(vote - self._worth[window], 0)
        return np.asarray(np.where(self._covered[window], more, vote), np.float32)

    def free(self, piece: Placed) -> bool:
        """Whether no placed piece stands where this one would."""
        return not self.around(piece, 0)

    def apart_px(self, one: Shape, other: Shape) -> float:
        """How close the bases of two shapes may come."""
        return (one.radius_mm + other.radius_mm) * APART * self.stamps.grid.px_per_mm

    def around(self, piece: Placed, more_px: float) -> list[Placed]:
        """The placed pieces whose bases are nearer than may be, or nearly so: by less than `more_px`."""
        if not self.pieces:
            return []
        gaps = self._bases - np.array(piece.at_px)
        near = (self._radii + piece.shape.radius_mm) * APART * self.stamps.grid.px_per_mm + more_px
        close = (gaps * gaps).sum(axis=1) < near * near
        return [self.pieces[index] for index in np.flatnonzero(close)]

    def _noted(self) -> None:
        self._bases = np.array([piece.at_px for piece in self.pieces], np.float64).reshape(-1, 2)
        self._radii = np.array([piece.shape.radius_mm for piece in self.pieces])

    def add(self, piece: Placed) -> None:
        """Place a piece."""
        self.pieces.append(piece)
        self._noted()
        self._mark(piece, 1)

    def remove(self, piece: Placed) -> None:
        """Take a piece away again."""
        self.pieces.remove(piece)
        self._noted()
        self._mark(piece, -1)

    def worth(self) -> float:
        """What all placed pieces together explain."""
        return float(self._worth.sum())

    def clashing(self, piece: Placed) -> list[Placed]:
        """The placed pieces that stand where this one would."""
        return self.around(piece, 0)

    def covered(self, window: Window) -> Mask:
        """Which pixels of a window are covered by a placed piece."""
        return self._covered[window]

    def residual(self, faction: str) -> Floats:
        """(H, W) what each pixel would add if a piece of that faction covered it."""
        return self.new_votes(faction, (slice(None), slice(None)))

    def _mark(self, piece: Placed, step: int) -> None:
        seen = self.seen(piece)
        if seen is None:
            return
        stamp, window = seen
        self._layers[piece.faction][window] += np.int16(step) * stamp.mask
        worth = np.full(stamp.mask.shape, -np.inf, np.float32)
        for faction, layer in self._layers.items():
            worth = np.where(layer[window] > 0, np.maximum(worth, self.votes[faction][window]), worth)
        self._covered[window] = np.isfinite(worth)
        self._worth[window] = np.where(np.isfinite(worth), worth, 0)
