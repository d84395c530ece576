"""The stage that finds pieces in a board image, behind one protocol so that finders can be exchanged and measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.evidence import Evidence, evidence_of
from vision.geometry import Camera, Grid, Mask, Picture
from vision.looks import Looks
from vision.places import Places, sites_of
from vision.scene import Placed, Scene
from vision.search import explain, least_gain


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What stays the same from frame to frame: the reference's board image, places, camera and looks."""

    reference_bgr: Picture
    places: Places
    camera: Camera
    looks: Looks

    @property
    def grid(self) -> Grid:
        """The board image's grid."""
        return self.places.grid


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that was found: place is its area, or a commander's action space; score is its probability."""

    faction: str
    kind: str
    units: int
    place: str
    at_mm: tuple[float, float]
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a finder saw: pieces, likely and unlikely ones, and (H, W) bool of what is neither board nor piece."""

    pieces: tuple[Piece, ...]
    foreign: Mask


class PieceFinder(Protocol):
    """A way to find pieces in a board image registered to the reference's."""

    def find(self, board_bgr: Picture, setting: Setting) -> Found:
        """All pieces in a board image (H, W, 3) uint8 BGR, each with the probability that it is there."""
        ...


@dataclass(frozen=True, slots=True)
class FittingFinder:
    """Finds pieces by the guess of shapes that explains best which pixels look like pieces, which like board."""

    def find(self, board_bgr: Picture, setting: Setting) -> Found:
        """See `PieceFinder`."""
        evidence = evidence_of(board_bgr, setting.reference_bgr, setting.looks)
        scene = Scene(evidence.votes, setting.camera, setting.grid)
        explain(scene, sites_of(setting.places, setting.looks))
        return Found(tuple(_judged(scene, evidence, piece) for piece in list(scene.pieces)), evidence.foreign)


def _judged(scene: Scene, evidence: Evidence, piece: Placed) -> Piece:
    """The piece with its probability: from what is lost without it, against what the print lets one expect."""
    scene.remove(piece)
    gain = scene.gain(piece)
    stamp = scene.stamp(piece)
    expected = 0.0
    if stamp is not None:
        fresh = (stamp.mask > 0) & ~scene.covered(stamp.window)
        expected = float(np.maximum(evidence.potential[piece.faction][stamp.window], 0)[fresh].sum())
    scene.add(piece)
    least = least_gain(piece.shape, scene.grid.px_per_mm)
    ratio = gain / max(expected, least)
    score = float(1 / (1 + np.exp(-np.clip(12 * (ratio - 0.45), -30, 30))))
    return Piece(piece.faction, piece.shape.unit, piece.shape.units, piece.place, piece.at_mm, score)
