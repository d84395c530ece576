"""Games of Generals Order on the terminal."""

from __future__ import annotations

from companion.scenes.generals.presenter import GENERALS
from companion.terminal.boardless import BoardlessReport, Standings
from engine.generals.position import SIDES, Position
from engine.generals.words import reason_words


def _standings(position: Position) -> Standings:
    """Cards by zone, and generals on the battlefield."""
    sides = {
        name: {
            "resources": side.resources,
            "hand": side.hand,
            "generals": len(side.fighters),
            "expended": side.expended,
            "defeated": len(side.defeated),
        }
        for name, side in zip(SIDES, position.sides, strict=True)
    }
    return Standings(position.turn, position.winner_name or "", reason_words(position.reason), sides)


REPORT = BoardlessReport("generals", GENERALS, _standings)
