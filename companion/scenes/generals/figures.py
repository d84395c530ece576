"""The game in figures: what each side has done, counted from its steps and positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.generals.position import SIDES, Position
from engine.generals.steps import Agreed, Attack, Deploy, End, Move, Step, Use


@dataclass(frozen=True, slots=True)
class DuelFigures:
    """A side's deeds: generals deployed, moves, attacks, cards used; opposing generals defeated; damage to the castle
    opposite; cards that its own upkeep took; the most generals that it had at once.
    """

    deployed: int = 0
    moves: int = 0
    attacks: int = 0
    used: int = 0
    defeated: int = 0
    damage: int = 0
    upkeep: int = 0
    most: int = 0


def duel_figures(steps: Sequence[Step], positions: Sequence[Position], index: int) -> DuelFigures:
    """A side's figures; positions: the start and the position after each step."""
    played = list(zip(steps, positions[:-1], positions[1:], strict=True))
    own = [(step, before, after) for step, before, after in played if _by(step, before) == index]
    other = 1 - index
    fallen = sum(
        max(0, len(after.sides[other].defeated) - len(before.sides[other].defeated)) for _s, before, after in own
    )
    return DuelFigures(
        deployed=_count(own, Deploy),
        moves=_count(own, Move),
        attacks=_count(own, Attack),
        used=_count(own, Use),
        defeated=fallen,
        damage=sum(_lost(other, before, after) for step, before, after in own if not isinstance(step, End)),
        upkeep=sum(_upkeep(index, before) for step, before, _after in own if isinstance(step, End)),
        most=max(len(one.sides[index].fighters) for one in positions),
    )


def _by(step: Step, before: Position) -> int | None:
    """The side that did it; None for what was agreed on."""
    if isinstance(step, Agreed):
        return None
    return SIDES.index(step.by) if isinstance(step, Use) else before.to_move


def _count(played: Sequence[tuple[Step, Position, Position]], kind: type[Step]) -> int:
    return sum(isinstance(step, kind) for step, _before, _after in played)


def _lost(index: int, before: Position, after: Position) -> int:
    return max(0, before.sides[index].resources - after.sides[index].resources)


def _upkeep(index: int, before: Position) -> int:
    side = before.sides[index]
    return min(len(side.fighters), side.resources)
