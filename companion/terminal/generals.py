"""Games of Generals Order on the terminal."""

from __future__ import annotations

from companion.scenes.generals.presenter import GENERALS
from companion.terminal.boardless import BoardlessReport, Standings
from engine.generals.position import SIDES, Position
from engine.generals.words import reason_words
from engine.words import mark

RESOURCES, HAND, GENERALS_OUT = mark("resources"), mark("hand"), mark("generals")
EXPENDED, DEFEATED = mark("expended"), mark("defeated")


def _standings(position: Position) -> Standings:
    """Return how a position stands, with each side's cards by zone and generals on the battlefield."""
    sides = {
        name: {
            RESOURCES: side.resources,
            HAND: side.hand,
            GENERALS_OUT: len(side.fighters),
            EXPENDED: side.expended,
            DEFEATED: len(side.defeated),
        }
        for name, side in zip(SIDES, position.sides, strict=True)
    }
    return Standings(position.turn, position.winner_name or "", reason_words(position.reason), sides)


REPORT = BoardlessReport("generals", GENERALS, _standings)
