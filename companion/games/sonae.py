"""Saved battles of Sonae."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.summary import GameSummary, Records
from engine.dice import Throw
from engine.sonae.game import owed
from engine.sonae.pools import SIX
from engine.sonae.position import Position
from engine.sonae.scenario import scenario_names
from engine.sonae.steps import Roll, Step


def _summary(position: Position) -> GameSummary:
    played = position.scenario
    by = position.due[0].by if position.due else -1
    if not position.due and position.acting:
        by = played.divisions[position.acting].side
    return GameSummary(
        system="sonae",
        board=played.name,
        sides=played.sides,
        round=position.turn,
        to_move=played.sides[by] if by >= 0 else "",
        winner=position.winner_name or "",
        title=played.title,
        names={army.name: army.title for army in played.armies},
    )


RECORDS = Records(_summary, scenario_names)


def sonae_throws(positions: Sequence[Position], steps: Sequence[Step]) -> list[Throw]:
    """Return all rolls of hit dice in a battle, leaving out dice for orders.

    positions: before each step, and the last one.
    """
    found = []
    for number, (before, step) in enumerate(zip(positions, steps, strict=False)):
        now = owed(before) if isinstance(step, Roll) else None
        if isinstance(step, Roll) and step.dice and now is not None and now.pool is not None:
            hits = sum(SIX[face - 1] for face in step.dice)
            found.append(Throw(number, step.by, SIX, len(step.dice), hits))
    return found
