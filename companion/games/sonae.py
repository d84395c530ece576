"""Saved battles of Sonae."""

from __future__ import annotations

from companion.games.summary import GameSummary, Records
from engine.sonae.position import Position
from engine.sonae.scenario import scenario_names


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
