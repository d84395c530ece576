"""The stage that finds pieces in a board image, behind one protocol so that finders can be exchanged and measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from vision.cover import cover_of
from vision.evidence import Print, evidence_of
from vision.geometry import Camera, Floats, Grid, Mask, Picture
from vision.looks import Looks
from vision.places import Places, sites_of
from vision.scene import Placed, Scene
from vision.search import Site, explain, gains_near, least_gain
from vision.shapes import Shape, Stamps, troop

LEAST_CHANCE = 0.005
STACK_REACH_PX = 2
STACK_LEAST_PX = 12
STACK_MOST = 0.97
STACK_PRIOR = 0.03
STACK_RISE = 0.85
STACK_SPREAD = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What stays from frame to frame: the empty board, places, camera, looks, where shapes may stand, a double disc."""

    printed: Print
    places: Places
    camera: Camera
    looks: Looks
    stamps: Stamps
    sites: tuple[Site, ...]
    double: Shape

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
    """What a finder saw: pieces, likely and unlikely ones, and (H, W) float32, 0 to 1: what a hand or a card covers."""

    pieces: tuple[Piece, ...]
    cover: Floats


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
        pieces = [found for piece in list(scene.pieces) for found in _judged(scene, setting, piece)]
        return Found(tuple(pieces), cover.astype(np.float32))


def uncovered(vote: Floats, cover: Mask) -> Floats:
    """The votes (H, W), none where the board is covered."""
    return np.asarray(np.where(cover, 0, vote), np.float32)


def setting_of(printed: Print, places: Places, camera: Camera, looks: Looks) -> Setting:
    """The setting for a table."""
    stamps = Stamps(camera, places.grid)
    return Setting(printed, places, camera, looks, stamps, tuple(sites_of(places, looks)), troop(looks, 2))


@dataclass(frozen=True, slots=True)
class Support:
    """How well a piece is founded: what it adds, as a share of what it could add; how much of it is its own."""

    share: float
    own: float


def support(scene: Scene, printed: Print, piece: Placed) -> Support:
    """How well a placed piece is founded, given what is printed under it."""
    scene.remove(piece)
    gain, expected, own, seen = scene.gain(piece), 0.0, 0.0, scene.seen(piece)
    if seen is not None:
        mask = seen[0].mask > 0
        fresh = mask & ~scene.covered(seen[1])
        own = float(fresh.sum() / mask.sum())
        expected = float(np.maximum(printed.potential[piece.faction][seen[1]], 0)[fresh].sum())
    scene.add(piece)
    return Support(gain / max(expected, least_gain(piece.shape, scene.stamps.grid.px_per_mm)), own)


def _chance(value: float, middle: float, steepness: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(steepness * (value - middle), -30, 30))))


def _judged(scene: Scene, setting: Setting, piece: Placed) -> list[Piece]:
    """The piece with its probability, and perhaps another of its kind on top of it with its own."""
    found = support(scene, setting.printed, piece)
    score = _chance(found.share, 0.45, 12) * _chance(found.own, 0.3, 16)
    x, y = scene.stamps.grid.mm([piece.at_px])[0]
    one = Piece(piece.faction, piece.shape.unit, 1, piece.place, (float(x), float(y)), score)
    if piece.shape.unit != "troop":
        return [one]
    upper = score * _on_top(scene, piece, setting)
    return [one, replace(one, score=upper)] if upper > LEAST_CHANCE else [one]


def _on_top(scene: Scene, piece: Placed, setting: Setting) -> float:
    """The probability that a second disc lies on a disc, against how single discs of the starting position looked."""
    rise = risen(scene, piece, setting.double)
    single, spread = setting.looks.of(piece.faction).single_rise
    if rise is None:
        return 0.0
    one = (1 - STACK_PRIOR) * np.exp(-0.5 * ((rise - single) / spread) ** 2) / spread
    two = STACK_PRIOR * np.exp(-0.5 * ((rise - STACK_RISE) / STACK_SPREAD) ** 2) / STACK_SPREAD
    return float(two / (one + two)) if single < rise < STACK_RISE else float(rise >= STACK_RISE) * STACK_MOST


def risen(scene: Scene, piece: Placed, double: Shape) -> float | None:
    """How much of the votes where only a disc on another would be seen speaks for one: about 0 to 1; None if unseen."""
    scene.remove(piece)
    gain, fresh = _seen_gain(scene, piece)
    near = gains_near(scene, replace(piece, shape=double), STACK_REACH_PX)
    row, column = np.unravel_index(int(np.argmax(near)), near.shape)
    x, y = piece.at_px[0] + int(column) - STACK_REACH_PX, piece.at_px[1] + int(row) - STACK_REACH_PX
    best, area = _seen_gain(scene, replace(piece, shape=double, at_px=(x, y)))
    scene.add(piece)
    if area - fresh < STACK_LEAST_PX:
        return None
    return float((best - gain) / ((area - fresh) * max(gain, 1.0) / max(fresh, 1)))


def _seen_gain(scene: Scene, piece: Placed) -> tuple[float, int]:
    seen = scene.seen(piece)
    if seen is None:
        return -np.inf, 0
    mask = seen[0].mask > 0
    votes = scene.new_votes(piece.faction, seen[1])[mask]
    return float(votes.sum()), int((mask & ~scene.covered(seen[1])).sum())
