"""What a position of Generals Order is worth to a side: resources, cards in the hand, generals and where they stand."""

from __future__ import annotations

from engine.generals.effects import are_together
from engine.generals.position import Fighter, Position
from engine.generals.tally import points_of, upkeep_of

LOST = 100.0
RESOURCE = 0.45
TURN_LEFT, FAR = 1.1, 9.0
"""What each turn is worth that the resources last for draw and upkeep, and how far a side looks ahead."""
HELD, NEXT_HELD = 2.5, 0.83
GENERAL, MILITARY, INTELLIGENCE = 2.0, 0.8, 0.3
AT_THE_CASTLE, ON_THE_WAY, HELD_OFF = 0.8, 0.25, 0.15
"""What a military point is worth that can attack the castle next turn, that can get there, that is held off."""
PREY, PREY_LATER, PREY_AFAR = 0.6, 0.4, 0.15
"""What part of a weaker general's worth it is to stand beside it, next to move or not, and to be able to get there."""
GUARD = 0.8
RUIN = 12.0
"""What it costs to end a turn that the resources do not do for."""


def worth(position: Position, index: int) -> float:
    """How much better this position is for one side than for the other."""
    if position.winner is not None:
        return LOST if position.winner == index else -LOST
    return _side(position, index) - _side(position, 1 - index)


def _side(position: Position, index: int) -> float:
    side = position.sides[index]
    total = RESOURCE * side.resources + TURN_LEFT * turns_left(position, index)
    total += HELD * (1 - NEXT_HELD ** min(side.hand, side.deck.hand_limit)) / (1 - NEXT_HELD)
    total += sum(_value(position, index, one) for one in side.fighters)
    total += threat(position, index) + (GUARD if side.standing("outside") else 0.0)
    return total - (RUIN if upkeep_of(position, index).lost else 0.0)


def turns_left(position: Position, index: int) -> float:
    """How many turns the resources last for a card drawn and the upkeep."""
    side = position.sides[index]
    return min(FAR, side.resources / (1 + len(side.fighters)))


def threat(position: Position, index: int) -> float:
    """What a side's generals threaten: the other's castle, generals beside them, those that they can reach."""
    rivals = position.sides[1 - index].fighters
    open_to_it = all(one.zone != "outside" for one in rivals)
    prey = PREY if index != position.to_move else PREY_LATER
    total = 0.0
    for one in position.sides[index].fighters:
        military = _military(position, index, one)
        weaker = [rival for rival in rivals if _military(position, 1 - index, rival) < military]
        beside = [_value(position, 1 - index, rival) for rival in weaker if are_together(one, rival)]
        on_guard = [_value(position, 1 - index, rival) for rival in weaker if rival.zone == "outside"]
        each = HELD_OFF if not open_to_it else AT_THE_CASTLE if one.zone == "siege" else ON_THE_WAY
        total += each * military + max(prey * max(beside, default=0.0), PREY_AFAR * max(on_guard, default=0.0))
    return total


def _military(position: Position, index: int, one: Fighter) -> int:
    return points_of(position, index, one, "military").total - one.military


def _value(position: Position, index: int, one: Fighter) -> float:
    # Without the intelligence of this turn, which doesn't last.
    intelligence = points_of(position, index, one, "intelligence").total - one.intelligence
    return GENERAL + MILITARY * _military(position, index, one) + INTELLIGENCE * intelligence
