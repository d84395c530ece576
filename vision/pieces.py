"""The stage that finds pieces in a board image, behind one protocol so that finders can be exchanged and measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.cover import cover_of
from vision.evidence import Print, evidence_of
from vision.geometry import Camera, Floats, Grid, Mask, Picture
from vision.looks import Looks
from vision.places import Places, sites_of
from vision.scene import Placed, Scene
from vision.search import Site, explain, least_gain
from vision.shapes import Stamps


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What stays the same from frame to frame: the empty board, places, camera, looks, and where shapes may stand."""

    printed: Print
    places: Places
    camera: Camera
    looks: Looks
    stamps: Stamps
    sites: tuple[Site, ...]

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
    """What a finder saw: pieces, likely and unlikely ones, and (H, W) bool of what a hand or a card covers."""

    pieces: tuple[Piece, ...]
    cover: Mask


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
        evidence = evidence_of(board_bgr, setting.printed)
        cover = cover_of(evidence, setting.places, setting.looks)
        scene = Scene({faction: uncovered(vote, cover) for faction, vote in evidence.votes.items()}, setting.stamps)
        explain(scene, setting.sites)
        pieces = tuple(_judged(scene, setting, piece) for piece in list(scene.pieces))
        return Found(pieces, cover)


def uncovered(vote: Floats, cover: Mask) -> Floats:
    """The votes (H, W), none where the board is covered."""
    return np.asarray(np.where(cover, 0, vote), np.float32)


def setting_of(printed: Print, places: Places, camera: Camera, looks: Looks) -> Setting:
    """The setting for a table."""
    stamps = Stamps(camera, places.grid)
    return Setting(printed, places, camera, looks, stamps, tuple(sites_of(places, looks)))


def support(scene: Scene, printed: Print, piece: Placed) -> float:
    """What a placed piece adds, as a share of what it could add where it is seen, given what is printed there."""
    scene.remove(piece)
    gain, expected, seen = scene.gain(piece), 0.0, scene.seen(piece)
    if seen is not None:
        fresh = (seen[0].mask > 0) & ~scene.covered(seen[1])
        expected = float(np.maximum(printed.potential[piece.faction][seen[1]], 0)[fresh].sum())
    scene.add(piece)
    return gain / max(expected, least_gain(piece.shape, scene.stamps.grid.px_per_mm))


def _judged(scene: Scene, setting: Setting, piece: Placed) -> Piece:
    """The piece with its probability: its support against that of the pieces of the starting position."""
    share = support(scene, setting.printed, piece) / setting.looks.strength(piece.faction)
    score = float(1 / (1 + np.exp(-np.clip(12 * (share - 0.45), -30, 30))))
    x, y = scene.stamps.grid.mm([piece.at_px])[0]
    return Piece(piece.faction, piece.shape.unit, piece.shape.units, piece.place, (float(x), float(y)), score)
