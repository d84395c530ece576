"""Where pieces stand on a simulated table: inside their areas, touching at most, as people put them down.

And what a picture of them truly shows, in the form of recorded tables' truth: counts, bases, what is covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import pi
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import VisionError
from vision.plan import AreaPlan, BoardPlan
from vision.simulation.camera import SimulatedCamera
from vision.simulation.solids import PieceLook, footprint, piece_height

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]
Units = Mapping[str, Mapping[str, Mapping[str, int]]]

TRIES = 400
COVERED = 0.15  # the share of an area from which it can't be counted
ATTEMPTS = 60  # to fill an area; pieces may hang over its border further with each


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece on the table; `at_mm` is the middle of its base; one of `level` 1 stands on the piece at `on_mm`."""

    kind: str
    faction: str
    area: str
    at_mm: tuple[float, float]
    turn_rad: float = 0.0
    level: int = 0
    space: str = ""
    on_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Habits:
    """How people put which pieces down: share of stacks, of pieces pushed together, of ones on symbols."""

    look: PieceLook = field(default_factory=PieceLook)
    stacks: float = 0.0
    together: float = 0.4
    on_symbols: float = 0.2
    overhang_mm: float = 0.0
    untidy_mm: float = 0.7


def place_pieces(
    plan: BoardPlan,
    units: Units,
    commanders: Mapping[str, str],
    rng: np.random.Generator,
    habits: Habits | None = None,
) -> tuple[PlacedPiece, ...]:
    """Place pieces for `units` and `commanders`, none overlapping another.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction}. Raises VisionError where an area has no room for
    its units.
    """
    placer = Placer(plan, rng, habits or Habits())
    for space, faction in commanders.items():
        placer.commander(space, faction)
    for name, factions in units.items():
        placer.area(name, [(f, u) for f, counts in factions.items() for u, n in counts.items() for _ in range(n)])
    return tuple(placer.pieces)


class Placer:
    """Pieces put down so far, in `pieces`, and the circles of their feet."""

    def __init__(self, plan: BoardPlan, rng: np.random.Generator, habits: Habits) -> None:
        self.rng, self.look, self.habits = rng, habits.look, habits
        self.spaces = {space.name: space for space in plan.spaces}
        self.areas = {area.name: area for area in plan.areas}
        self.pieces: list[PlacedPiece] = []
        self.feet: list[Floats] = []

    def commander(self, name: str, faction: str) -> None:
        """Put a commander on an action space; VisionError if the board has no such space."""
        if name not in self.spaces:
            raise VisionError(f"the board has no action space {name!r}")
        space = self.spaces[name]
        x, y = np.asarray(space.at_mm, float) + self.rng.normal(0, 0.8, 2)
        turn = float(self.rng.uniform(0, pi))
        piece = PlacedPiece("commander", faction, space.area, (float(x), float(y)), turn, 0, name)
        self.keep(piece)

    def area(self, name: str, wanted: Sequence[tuple[str, str]]) -> None:
        """Put (faction, unit) pieces into an area, all or none; VisionError if there is no such area, or no room."""
        if name not in self.areas:
            raise VisionError(f"the board has no area {name!r}")
        order = list(wanted)
        self.rng.shuffle(order)
        for attempt in range(ATTEMPTS):
            kept = len(self.pieces)
            if all(self._put(self.areas[name], faction, unit, attempt) for faction, unit in order):
                return
            del self.pieces[kept:], self.feet[kept:]
        raise VisionError(f"area {name} has no room for {len(order)} pieces")

    def _put(self, area: AreaPlan, faction: str, unit: str, attempt: int) -> bool:
        if unit == "troop" and self.rng.random() < self.habits.stacks and self._stack(area, faction):
            return True
        overhang = self.habits.overhang_mm + 0.4 * max(0, attempt - 4)
        for _ in range(TRIES):
            piece = PlacedPiece(unit, faction, area.name, self._proposal(area), float(self.rng.uniform(0, 2 * pi)))
            if self._fits(area, piece, overhang):
                self.keep(piece)
                return True
        return False

    def _stack(self, area: AreaPlan, faction: str) -> bool:
        stacked = {piece.on_mm for piece in self.pieces if piece.level}
        low = [
            p
            for p in self.pieces
            if (p.area, p.faction, p.kind, p.level) == (area.name, faction, "troop", 0) and p.at_mm not in stacked
        ]
        if not low:
            return False
        base = low[int(self.rng.integers(len(low)))]
        x, y = np.array(base.at_mm) + np.clip(self.rng.normal(0, self.habits.untidy_mm, 2), -2, 2)
        self.keep(PlacedPiece("troop", faction, area.name, (float(x), float(y)), base.turn_rad, 1, on_mm=base.at_mm))
        return True

    def _proposal(self, area: AreaPlan) -> tuple[float, float]:
        pick = self.rng.random()
        mates = [piece for piece in self.pieces if piece.area == area.name]
        if mates and pick < self.habits.together:
            near = np.array(mates[int(self.rng.integers(len(mates)))].at_mm)
            turn = self.rng.uniform(0, 2 * pi)
            away = self.look.troop_mm * self.rng.uniform(1.0, 1.25)
            x, y = near + away * np.array([np.cos(turn), np.sin(turn)])
        elif pick > 1 - self.habits.on_symbols:
            x, y = np.mean(np.asarray(area.centres_mm, float), axis=0) + self.rng.normal(0, 4, 2)
        else:
            polygon = np.asarray(area.polygon_mm, float)
            x, y = self.rng.uniform(polygon.min(axis=0), polygon.max(axis=0))
        return float(x), float(y)

    def _fits(self, area: AreaPlan, piece: PlacedPiece, overhang: float) -> bool:
        circles = _circles(piece, self.look)
        outline = np.asarray(area.polygon_mm, np.float32)
        for x, y, radius in circles:
            if cv2.pointPolygonTest(outline, (float(x), float(y)), True) < radius - overhang:
                return False
        if not self.feet:
            return True
        others = np.concatenate(self.feet)
        gaps, reach = circles[:, None] - others[None], circles[:, None, 2] + others[None, :, 2]
        return not (gaps[..., 0] ** 2 + gaps[..., 1] ** 2 < reach**2).any()

    def keep(self, piece: PlacedPiece) -> None:
        """Add a piece where it lies already."""
        self.pieces.append(piece)
        self.feet.append(_circles(piece, self.look) if piece.level == 0 else np.zeros((0, 3)))


def _circles(piece: PlacedPiece, look: PieceLook) -> Floats:
    circles = np.array(footprint(piece.kind, look))
    turn = np.array(
        [[np.cos(piece.turn_rad), np.sin(piece.turn_rad)], [-np.sin(piece.turn_rad), np.cos(piece.turn_rad)]]
    )
    circles[:, :2] = circles[:, :2] @ turn + np.array(piece.at_mm)
    return circles


# ---- the truth --------------------------------------------------------------------------------


class View(Protocol):
    """Where points of a board are in a picture."""

    @property
    def camera(self) -> SimulatedCamera:
        """The camera that took the picture."""

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """Return (..., 2) pixels of (..., 2) points on the board."""


def truth_of(
    plan: BoardPlan, pieces: Sequence[PlacedPiece], setting: View, seen: tuple[Mask, PieceLook]
) -> dict[str, Any]:
    """Return what a picture truly shows, in the form of recorded tables' truth."""
    covered, look = seen
    width, height = plan.size_mm
    rows = [_piece_truth(piece, setting, covered, look) for piece in pieces]
    shares = {area.name: _share(covered, setting.px(area.polygon_mm)) for area in plan.areas}
    hidden = {row["area"] for row in rows if row.get("hidden") and row["kind"] != "commander"}
    corners = setting.px(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    return {
        "units": _count_units(pieces),
        "commanders": {piece.space: piece.faction for piece in pieces if piece.kind == "commander"},
        "occluded": sorted(hidden | {name for name, share in shares.items() if share > COVERED}),
        "corners_px": np.round(corners, 2).tolist(),
        "pieces": rows,
        "coverage": {name: round(share, 3) for name, share in shares.items() if share > 0.004},
    }


def _count_units(pieces: Sequence[PlacedPiece]) -> dict[str, dict[str, dict[str, int]]]:
    units: dict[str, dict[str, dict[str, int]]] = {}
    for piece in pieces:
        if piece.kind != "commander":
            counts = units.setdefault(piece.area, {}).setdefault(piece.faction, {})
            counts[piece.kind] = counts.get(piece.kind, 0) + 1
    return units


def _piece_truth(piece: PlacedPiece, setting: View, covered: Mask, look: PieceLook) -> dict[str, Any]:
    x, y = (round(float(v), 1) for v in setting.px(piece.at_mm))
    row: dict[str, Any] = {"area": piece.area, "faction": piece.faction, "kind": piece.kind, "px": [x, y]}
    if piece.level:
        row["stacked"] = True
    ring = [[piece.at_mm[0] + 5 * c, piece.at_mm[1] + 5 * s] for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    high = np.column_stack([np.array(ring), np.full(4, piece_height(piece.kind, look) * (piece.level + 0.7))])
    if covered.any() and _share(covered, setting.camera.px(high)) > 0.5:
        row["hidden"] = True
    return row


def _share(covered: Mask, polygon_px: Floats) -> float:
    """Return the share of a polygon that is covered."""
    if not covered.any():
        return 0.0
    inside = np.zeros_like(covered)
    cv2.fillPoly(inside, [np.round(polygon_px * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    total = cv2.countNonZero(inside)
    return cv2.countNonZero(cv2.bitwise_and(inside, cv2.threshold(covered, 127, 255, cv2.THRESH_BINARY)[1])) / max(
        1, total
    )
