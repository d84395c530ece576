"""A map so small that it stands on a button: whose each area is, and whose pieces stand there."""

from __future__ import annotations

from dataclasses import dataclass

from engine.orders.board import Board


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
