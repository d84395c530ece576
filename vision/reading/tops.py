"""A commander's top: seen aslant it lies beside the commander's base, and looks like a unit that stands there.

Where it lies the camera says: away from it, by as much as the commander is tall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.reading.piece_sets import LEADER
from vision.reading.pieces import SAME_MM, Piece
from vision.reading.stacks import StackContext

CLEAR_MM = 10.5
"""No unit's base is nearer to a commander's than this: both are 11 mm wide at least."""
TALL_MM = (6.0, 15.0)
"""How tall commanders are, with what the eye is off by."""
BESIDE_MM = 1.8
"""How far their tops are found beside the line on which they lie; in whole games 1 mm at most."""


def without_tops(pieces: Sequence[Piece], ground: StackContext) -> list[Piece]:
    """Return the pieces, each unit made less likely the likelier it is part of a commander."""
    leaders = [piece for piece in pieces if piece.kind == LEADER]
    up = ground.up(ground.places([leader.at_mm for leader in leaders])).tolist() if leaders else []
    return [
        piece if piece.kind == LEADER else replace(piece, score=piece.score * _apart(piece, leaders, up))
        for piece in pieces
    ]


def _apart(unit: Piece, leaders: Sequence[Piece], up: Sequence[tuple[float, float]]) -> float:
    """How likely a unit is no part of any of these commanders."""
    parts = (
        leader.score for leader, away in zip(leaders, up, strict=True) if is_part_of(unit.at_mm, leader.at_mm, away)
    )
    return 1 - max(parts, default=0.0)


def is_part_of(at_mm: tuple[float, float], base_mm: tuple[float, float], up: tuple[float, float]) -> bool:
    """Whether what is found at a place may be part of a commander with this base.

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
