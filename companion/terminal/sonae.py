"""Battles of Sonae on the terminal."""

from __future__ import annotations

from companion.scenes.sonae.presenter import SONAE
from companion.terminal.boardless import BoardlessReport, Standings
from engine.sonae.position import Position
from engine.sonae.words import reason_words
from engine.words import mark

UNITS, OF, ON_OBJECTIVE = mark("units"), mark("of"), mark("on the objective")
WAVERING, BRITTLE = mark("wavering"), mark("brittle")


def _standings(position: Position) -> Standings:
    """Return how a battle stands, with each side's units left, by status, and those on the objective."""
    scenario = position.scenario
    sides: dict[str, dict[str, int]] = {}
    for side, name in enumerate(scenario.sides):
        own = [unit for unit in position.units if position.side(unit.name) == side]
        numbers = {UNITS: len(own), OF: sum(kind.side == side for kind in scenario.units.values())}
        numbers |= {status: sum(unit.status == status for unit in own) for status in (WAVERING, BRITTLE)}
        if scenario.objective is not None:
            numbers[ON_OBJECTIVE] = sum(position.is_on(scenario.objective, unit.place) for unit in own)
        sides[name] = numbers
    return Standings(position.turn, position.winner_name or "", reason_words(position.reason), sides)


REPORT = BoardlessReport("sonae", SONAE, _standings)
