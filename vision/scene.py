"""A guess of all pieces on the board at once, and how well it explains the pixels' votes.

Every pixel belongs to the board or to the pieces whose outline covers it; the guess's worth is the sum of the votes
of the covered pixels. Two pieces never count one pixel twice, and no two bases can stand in one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.geometry import Camera, Floats, Grid, Mask
from vision.shapes import Shape, Stamp, outline, stamp_of

APART = 0.90


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece standing somewhere: base's middle in board mm, turned by `turn` radians."""

    shape: Shape
    faction: str
    at_mm: tuple[float, float]
    turn: float
    place: str


class Scene:
    """The pieces placed so far over the votes {faction: (H, W) float32} of a board image."""

    def __init__(self, votes: Mapping[str, Floats], camera: Camera, grid: Grid) -> None:
        self.votes, self.camera, self.grid = votes, camera, grid
        self.pieces: list[Placed] = []
        self._layers = {faction: np.zeros(grid.shape, np.int16) for faction in votes}
        self._worth = np.zeros(grid.shape, np.float32)
        self._covered = np.zeros(grid.shape, np.bool_)

    def stamp(self, piece: Placed) -> Stamp | None:
        """The piece's outline in the board image, or None where it would leave the image."""
        return stamp_of(outline(piece.shape, piece.at_mm, piece.turn, self.camera), self.grid)

    def gain(self, piece: Placed) -> float:
        """By how much placing the piece would better the explanation; minus infinity where it cannot stand."""
        stamp = self.stamp(piece)
        if stamp is None or not self.free(piece):
            return -np.inf
        return float(self.new_votes(piece.faction, stamp.window)[stamp.mask > 0].sum())

    def new_votes(self, faction: str, window: tuple[slice, slice]) -> Floats:
        """What each pixel of a window would add if a piece of that faction covered it now."""
        vote = self.votes[faction][window]
        more = np.maximum(vote - self._worth[window], 0)
        return np.asarray(np.where(self._covered[window], more, vote), np.float32)

    def free(self, piece: Placed) -> bool:
        """Whether no placed piece stands where this one would."""
        for other in self.pieces:
            near = (piece.shape.radius_mm + other.shape.radius_mm) * APART
            dx, dy = piece.at_mm[0] - other.at_mm[0], piece.at_mm[1] - other.at_mm[1]
            if dx * dx + dy * dy < near * near:
                return False
        return True

    def add(self, piece: Placed) -> None:
        """Place a piece."""
        self.pieces.append(piece)
        self._mark(piece, 1)

    def remove(self, piece: Placed) -> None:
        """Take a piece away again."""
        self.pieces.remove(piece)
        self._mark(piece, -1)

    def covered(self, window: tuple[slice, slice]) -> Mask:
        """Which pixels of a window are covered by a placed piece."""
        return self._covered[window]

    def residual(self, faction: str) -> Floats:
        """(H, W) what each pixel would add if a piece of that faction covered it."""
        return self.new_votes(faction, (slice(None), slice(None)))

    def _mark(self, piece: Placed, step: int) -> None:
        stamp = self.stamp(piece)
        if stamp is None:
            return
        window = stamp.window
        self._layers[piece.faction][window] += np.int16(step) * stamp.mask
        worth = np.full(stamp.mask.shape, -np.inf, np.float32)
        for faction, layer in self._layers.items():
            worth = np.where(layer[window] > 0, np.maximum(worth, self.votes[faction][window]), worth)
        self._covered[window] = np.isfinite(worth)
        self._worth[window] = np.where(np.isfinite(worth), worth, 0)
