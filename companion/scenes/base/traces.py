"""What the last turn left behind, or what goes back: moves, shots, units that came or went, as arrows and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.ui.screen import Trace
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Agreed, Deploy, Pass, Step

Balance = Counter[tuple[str, str]]
"""{(faction, area): units more or less}."""


def last_turn(positions: Sequence[Position], steps: Sequence[Step]) -> tuple[Trace, ...]:
    """Return the traces of the last turn, or of the one in progress.

    positions: the start, and the one after each step.
    """
    begun = next((i for i in reversed(range(len(steps))) if isinstance(steps[i], Deploy | Pass | Agreed)), None)
    if begun is None:
        return ()
    before, step = positions[begun], steps[begun]
    left = unit_balance(before, positions[-1])
    drawn = _arrows(before, step, left) if isinstance(step, Deploy) else []
    return (*drawn, *_rest(left))


def going_back(gone: Sequence[tuple[Position, Step, Position]]) -> tuple[Trace, ...]:
    """Show what hands must move back for steps that were undone.

    gone: each undone step with the positions before and after it.
    """
    if not gone:
        return ()
    left = unit_balance(gone[-1][2], gone[0][0])
    arrows = [arrow for before, step, _after in reversed(gone) for arrow in _arrows_back(before, step, left)]
    return (*arrows, *_rest(left))


def _rest(left: Balance) -> list[Trace]:
    """Return traces for units that came or went other than by moves and shots."""
    others = sorted((key, n) for key, n in left.items() if n)
    return [Trace("more" if n > 0 else "less", faction, "", area, abs(n)) for (faction, area), n in others]


def unit_balance(before: Position, after: Position) -> Balance:
    """Return how many units each faction has gained or lost in each area."""
    balance: Balance = Counter()
    for position, sign in ((before, -1), (after, 1)):
        for area in position.board.areas:
            for faction, units in position.units_in(area.name).items():
                balance[faction, area.name] += sign * sum(units.values())
    return balance


def _arrows(before: Position, step: Deploy, left: Balance) -> list[Trace]:
    """Draw the arrows of a deployment, and subtract what they show from the balance."""
    mover = before.to_move_name
    here = before.board.space(step.space).area
    if here is None:
        return []
    moved = _units_moved(step)
    for source, n in moved.items():
        left[mover, source] += n
        left[mover, here] -= n
    arrows = [Trace("move", mover, source, here, n) for source, n in moved.items()]
    return arrows + (_shot(before, step.target, here, left) if step.target else [])


def _units_moved(step: Deploy) -> Counter[str]:
    """Return how many units a deployment moved from each area."""
    moved: Counter[str] = Counter()
    for source, _unit, n in step.moves:
        if source != RESERVE:
            moved[source] += n
    return moved


def _arrows_back(before: Position, step: Step, left: Balance) -> list[Trace]:
    """Draw the arrows of a deployment backwards, and subtract what they show from the balance."""
    here = before.board.space(step.space).area if isinstance(step, Deploy) else None
    if not isinstance(step, Deploy) or here is None:
        return []
    moved, mover = _units_moved(step), before.to_move_name
    for source, n in moved.items():
        left[mover, source] -= n
        left[mover, here] += n
    return [Trace("move", mover, here, source, n) for source, n in moved.items()]


def _shot(before: Position, target: str, here: str, left: Balance) -> list[Trace]:
    """Draw the line of fire with the target's losses, and take these out of the balance."""
    mover = before.to_move_name
    foe = next(faction for faction in before.board.factions if faction != mover)
    lost = max(-left[foe, target], 0)
    left[foe, target] += lost
    return [Trace("fire", mover, here, target, lost)]
