"""Pictures so small that they stand on a card: a map with whose each area is, a battlefield, a few cards of a deck."""

from __future__ import annotations

from dataclasses import dataclass

from engine.orders.board import Board

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class GroundSight:
    """A piece of ground with its outline.

    look: "hill", "forest", "marsh", "water", "bridge", "road", "rough", "rocks", "open" or "objective".
    """

    look: str
    title: str
    outline: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SmallArea:
    """An area of a small map. sides: the factions that have pieces in it."""

    name: str
    controller: str | None
    supplied: bool
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SmallMap:
    """A board with its areas as they stand."""

    board: Board
    areas: tuple[SmallArea, ...]


@dataclass(frozen=True, slots=True)
class SmallField:
    """A battlefield of that size in Movements, y towards the far edge. bases: each one's seat and place."""

    size: Point
    grounds: tuple[GroundSight, ...]
    bases: tuple[tuple[str, Point], ...]


@dataclass(frozen=True, slots=True)
class SmallDeck:
    """Cards fanned out, the last one on top. signs: what each shows, one of `companion.drawing.icons`."""

    signs: tuple[str, ...]


SmallPicture = SmallMap | SmallField | SmallDeck
