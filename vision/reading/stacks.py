"""Whether a second disc stands on a found one, and what is only a commander's top, seen aslant beside its base.

A small network takes a closer look at discs. It sees their surroundings on the board image and on the empty board, what
single discs near it did to the board in the photo of the start (the mean of the nearest), and how far height moves
things at both places. At the start nothing is stacked, under the same lamps: what differs is how tall a disc looks, and
how long its shadow is. Weights and how they were made: `vision/weights`, `training/README.md`.

A commander's top looks like a unit that stands beside its base: where it lies the camera says, away from it, by as much
as the commander is tall.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Grid, Matrix, Picture
from vision.onnx_model import OnnxModel, packaged_model
from vision.reading.network import BRIGHTNESS, UP_GAIN, gains
from vision.reading.piece_sets import LEADER
from vision.reading.pieces import SAME_MM, Candidate, Piece

# The width of what is cut out round a disc, in px of the board image: 30 mm, so that its shadow is seen too.
SIDE = 60
# Single discs that a disc is compared with: those in the light most like its own. They have to lean about as it does,
# in mm per mm of height: seen from another side their tops lie elsewhere, and a stack of two looks no taller than they.
NEAREST, MOST_LEAN = 3, 0.6
MODEL = "stacks.onnx"
# The channels of the network's input, as in training/stacks.py.
BOARD, PRINTED, SINGLE = slice(0, 3), slice(3, 6), slice(6, 9)
UP, SINGLE_UP, KNOWN, CHANNELS = slice(9, 11), slice(11, 13), 13, 14
DOUBTFUL = -3.5
"""From these log odds on, by the first look, a disc is looked at again."""
MOST = 48
"""Discs for a frame, 0.5 to 0.7 ms each."""


@dataclass(frozen=True, slots=True, eq=False)
class Singles:
    """The single discs of one faction, and how each changed the board.

    Where they are (N, 2) mm, how far height moves things there (N, 2), and what they did to the board,
    (N, 3, SIDE, SIDE).
    """

    at_mm: Matrix
    up: Floats
    effect: Floats

    def nearest(self, at_mm: tuple[float, float], up: Floats) -> npt.NDArray[np.int64]:
        """Return the indices (N,) of the discs closest to a place, at most NEAREST.

        Only discs that lean about as one at the place would are taken.
        """
        near = np.argsort(((self.at_mm - at_mm) ** 2).sum(axis=1))
        alike = np.linalg.norm(self.up[near] - up, axis=1) <= MOST_LEAN
        return np.asarray(near[alike][:NEAREST], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class StackContext:
    """What stays for a table: the empty board's image, how far height moves things, single discs."""

    image_bgr: Picture
    up_field: Floats
    grid: Grid
    singles: Mapping[str, Singles] = field(default_factory=dict)

    def places(self, points_mm: npt.ArrayLike) -> list[tuple[int, int]]:
        """Return the pixels (column, row) that show these points; points beyond the image are moved to its edge."""
        rows, columns = self.image_bgr.shape[:2]
        px = np.clip(np.round(self.grid.px(points_mm)), 0, [columns - 1, rows - 1])
        return [(int(x), int(y)) for x, y in px.tolist()]

    def up(self, places: Sequence[tuple[int, int]]) -> Floats:
        """Return how far height moves things at these pixels, (N, 2)."""
        return np.array([self.up_field[y, x] for x, y in places], np.float32).reshape(-1, 2)


def with_disc_samples(ground: StackContext, board_bgr: Picture, shown: Mapping[str, Matrix]) -> StackContext:
    """Return the context with samples of how single discs look, cut from the board image of the start."""
    return replace(ground, singles={who: _singles(ground, board_bgr, at) for who, at in shown.items() if len(at)})


def _singles(ground: StackContext, board_bgr: Picture, at_mm: Matrix) -> Singles:
    gain, empty_gain = gains(board_bgr, ground.image_bgr)
    places = ground.places(at_mm)
    seen, empty = _cut_patches(board_bgr, places, gain), _cut_patches(ground.image_bgr, places, empty_gain)
    return Singles(np.asarray(at_mm, np.float64), ground.up(places), seen - empty)


def _cut_patches(image_bgr: Picture, places: Sequence[tuple[int, int]], gain: npt.ArrayLike) -> Floats:
    """Return the surroundings of pixels, (N, 3, SIDE, SIDE), times a gain; beyond the image, its edge."""
    around, (rows, columns) = np.arange(-SIDE // 2, SIDE // 2), image_bgr.shape[:2]
    across, down = (
        np.clip(np.add.outer(line, around), 0, most - 1)
        for line, most in zip(np.transpose(places), (columns, rows), strict=True)
    )
    cut = np.stack([image_bgr.take(y, axis=0).take(x, axis=1) for x, y in zip(across, down, strict=True)])
    return np.asarray(cut.transpose(0, 3, 1, 2) * np.asarray(gain, np.float32).reshape(-1, 1, 1), np.float32)


def network_input(ground: StackContext, board_bgr: Picture, discs: Sequence[tuple[str, tuple[float, float]]]) -> Floats:
    """Return what the network sees of discs, (N, CHANNELS, SIDE, SIDE); discs: (faction, place in mm) each."""
    gain, empty_gain = gains(board_bgr, ground.image_bgr)
    places = ground.places([at_mm for _, at_mm in discs])
    seen = np.zeros((len(discs), CHANNELS, SIDE, SIDE), np.float32)
    seen[:, BOARD] = _cut_patches(board_bgr, places, gain) - np.float32(BRIGHTNESS)
    seen[:, PRINTED] = _cut_patches(ground.image_bgr, places, empty_gain) - np.float32(BRIGHTNESS)
    ups = ground.up(places)
    seen[:, UP] = (ups * UP_GAIN)[:, :, None, None]
    for sight, up, (faction, at_mm) in zip(seen, ups, discs, strict=True):
        known = ground.singles.get(faction)
        if known is not None and (near := known.nearest(at_mm, up)).size:
            sight[SINGLE] = known.effect[near].mean(axis=0)
            sight[SINGLE_UP] = (known.up[near].mean(axis=0) * UP_GAIN)[:, None, None]
            sight[KNOWN] = 1
    return seen


class StackNetwork:
    """The network with the packaged weights, one for all sets of pieces, read when first used."""

    @cached_property
    def _model(self) -> OnnxModel:
        return packaged_model(MODEL)

    def log_odds(self, seen: Floats) -> list[float]:
        """Return the log odds, for each of N discs, that a second one stands on it."""
        (scores,) = self._model.run({"seen": seen}, ["score"])
        odds: list[float] = scores.reshape(-1).tolist()
        return odds


def look_closer(
    found: Sequence[Candidate], board_bgr: Picture, ground: StackContext, network: StackNetwork
) -> list[Candidate]:
    """Look closer at the MOST discs likeliest to carry a second one; return all candidates with what that says."""
    doubtful = [candidate for candidate in found if candidate.upper is not None and candidate.stacked > DOUBTFUL]
    chosen = sorted(doubtful, key=lambda candidate: -candidate.stacked)[:MOST]
    if not chosen:
        return list(found)
    seen = network_input(ground, board_bgr, [(candidate.faction, candidate.at_mm) for candidate in chosen])
    told = {id(candidate): score for candidate, score in zip(chosen, network.log_odds(seen), strict=True)}
    return [
        candidate.with_closer_look(told[id(candidate)]) if id(candidate) in told else candidate for candidate in found
    ]


CLEAR_MM = 10.5
"""No unit's base is nearer to a commander's than this: both are 11 mm wide at least."""
TALL_MM = (6.0, 15.0)
"""How tall commanders are, with what the eye is off by."""
BESIDE_MM = 1.8
"""How far their tops are found beside the line on which they lie; in whole games 1 mm at most."""


def without_tops(pieces: Sequence[Piece], ground: StackContext) -> list[Piece]:
    """Return the pieces, each unit less likely the likelier it is only the top of a commander."""
    leaders = [piece for piece in pieces if piece.kind == LEADER]
    up = ground.up(ground.places([leader.at_mm for leader in leaders])).tolist() if leaders else []
    return [
        piece if piece.kind == LEADER else replace(piece, score=piece.score * _apart(piece, leaders, up))
        for piece in pieces
    ]


def _apart(unit: Piece, leaders: Sequence[Piece], up: Sequence[tuple[float, float]]) -> float:
    """Return how likely a unit is no part of any of these commanders."""
    parts = (
        leader.score for leader, away in zip(leaders, up, strict=True) if is_part_of(unit.at_mm, leader.at_mm, away)
    )
    return 1 - max(parts, default=0.0)


def is_part_of(at_mm: tuple[float, float], base_mm: tuple[float, float], up: tuple[float, float]) -> bool:
    """Return whether what is found at a place may be part of a commander with this base.

    up: how far a point moves on the board for each mm of its height, as (x, y).
    """
    across, down = at_mm[0] - base_mm[0], at_mm[1] - base_mm[1]
    away = math.hypot(across, down)
    if away < CLEAR_MM:
        return away >= SAME_MM  # nearer than that it is another name for the same piece
    rise = math.hypot(*up)
    if rise * TALL_MM[1] < CLEAR_MM:
        return False
    along, beside = (across * up[0] + down * up[1]) / rise, (across * up[1] - down * up[0]) / rise
    return TALL_MM[0] <= along / rise <= TALL_MM[1] and abs(beside) <= BESIDE_MM
