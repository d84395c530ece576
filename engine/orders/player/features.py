"""A position in numbers, as the player sees it who is to move: what each side has, and what it threatens."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import sub

from engine.orders.board import Board
from engine.orders.player.realm import MOST_REALMS, Side, side_of
from engine.orders.player.terrain import terrain_of
from engine.orders.player.threats import NO_THREATS, Threats, threats
from engine.orders.position import Position

MOST_CARDS = 5

BALANCED = (
    "points",
    "points cut off",
    "land",
    "water and air",
    "troops",
    "other units",
    "heavy units",
    "units cut off",
    "mobile units",
    "closeness",
    "garrison",
    "thin garrison",
    "commanders",
    "cards",
    "initiative",
    "bonus place",
    "bonus join",
    "bonus shot",
    "bonus cards",
    "bonus commander",
    "reinforcements",
    "other reinforcements",
    "pressure on headquarters",
    "cards to draw",
)
"""Of each side, as the difference between who is to move and the other."""
OWN = (
    "headquarters falls",
    "headquarters surely falls",
    "best capture",
    "next capture",
    "all captures",
    "all shots",
    "new ground",
)
"""Of what each side could do in one turn: those of who is to move, then those of the other."""
WHOLE = ("move", "first faction", "last turn", "lead", "lead if we gain", "lead if they gain", "lead if both gain")
NAMES = (*BALANCED, *(f"our {name}" for name in OWN), *(f"their {name}" for name in OWN), *WHOLE)


def measure(position: Position, unseen: int = -1) -> list[float]:
    """Measure the position as numbers, in the order of NAMES.

    The turn has to be over, and the game not.

    What the faction `unseen` threatens is overlooked.
    """
    me = position.to_move
    mine, theirs = side_of(position, me), side_of(position, 1 - me)
    ours = threats(position, mine, theirs) if unseen != me else NO_THREATS
    foes = threats(position, theirs, mine) if unseen != 1 - me else NO_THREATS
    first, second = _holdings(position, mine, ours), _holdings(position, theirs, foes)
    lead = first[0] - second[0] + (0.5 if position.initiative == me else -0.5)
    return [
        *map(sub, first, second),
        *ours[:7],
        *foes[:7],
        1.0,
        -1.0 if me else 1.0,
        1.0 if _left(position, me) > _left(position, 1 - me) else -1.0,
        math.tanh(lead),
        math.tanh(lead + ours.gain),
        math.tanh(lead - foes.gain),
        math.tanh(lead + ours.best - foes.best),
    ]


def _holdings(position: Position, side: Side, could: Threats) -> list[float]:
    """Return the numbers of BALANCED for one side."""
    me = side.me
    left, hand = _left(position, me), position.hands[me]
    cards = hand if isinstance(hand, int) else len(hand)
    return [
        *side.holdings,
        left,
        min(cards, MOST_CARDS),
        position.initiative == me,
        *_bonuses(position.board, position.bonuses, side.realm.supply),
        *_musters(position, me, left),
        could.pressure,
        _draws(position, me, left),
    ]


def _left(position: Position, faction: int) -> int:
    """Count the commanders that a faction may still deploy this round."""
    return 0 if position.passed[faction] else position.commanders_left[faction]


@lru_cache(maxsize=MOST_REALMS)
def _bonuses(board: Board, tokens: tuple[str, ...], supply: int) -> tuple[int, int, int, int, int]:
    """Count what the area bonuses in supply give.

    Units to place or drop, units that join, dice, cards, and commanders and defence together.
    """
    place = join = shot = cards = other = 0
    for area, name in zip(board.slot_areas, tokens, strict=True):
        if name and supply >> area & 1:
            bonus = board.mode.bonuses[name]
            verb = board.mode.actions[bonus.action].verb if bonus.action else ""
            place += verb in ("place", "drop")
            join += verb == "move"
            shot += verb == "shoot"
            cards += verb == "draw"
            other += not verb
    return place, join, shot, cards, other


def _musters(position: Position, me: int, left: int) -> tuple[float, float]:
    """Return the most units that one commander could still bring this round, on land and elsewhere.

    Elsewhere is on water or in the air.
    """
    if not left:
        return 0.0, 0.0
    mine, taken = position.commanders[me], position.commanders[0] | position.commanders[1]
    best = [0, 0]
    for muster in terrain_of(position.board).musters[me]:
        if not taken & muster.space and not mine & muster.twins:
            at = muster.place != "land"
            best[at] = max(best[at], min(muster.units, position.reserve(me, muster.unit)))
    return best[0], best[1]


def _draws(position: Position, me: int, left: int) -> bool:
    """Return whether a Plan is still open to a faction this round."""
    if not left:
        return False
    mine, taken = position.commanders[me], position.commanders[0] | position.commanders[1]
    return any(not taken & space and not mine & twins for space, twins in terrain_of(position.board).draws)
