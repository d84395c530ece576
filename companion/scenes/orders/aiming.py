"""What a player would mean by an action space, where nobody has said from where, how many, or at what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.areas import members
from engine.orders.actions import VERBS
from engine.orders.board import Area, Space
from engine.orders.position import Position, outlook_of
from engine.orders.steps import Deploy, Load


def attempt(position: Position, space: Space) -> Deploy:
    """Return the deployment that the mover probably means by a space: the most that is legal, else the nearest.

    A ruling on a closed space, wherever it is asked for, is a ruling on this deployment.
    """
    option = VERBS[space.action.verb].option(outlook_of(position, position.to_move), space)
    names = position.board.names(members(option.areas)) if option is not None else ()
    if space.action.verb == "move":
        here = {area: position.units_in(area)[position.to_move_name] for area in names or _nearby(position, space)}
        return Deploy(space.name, moves=tuple((area, next(iter(units)), 1) for area, units in here.items()))
    if space.action.verb in ("shoot", "drop"):
        return shot_at(space, likely_target(position, space, names))
    if space.action.verb == "place":
        unit = next(kind.name for kind in position.board.mode.units if kind.place == space.action.kind)
        step = Deploy(space.name, place=tuple((area, unit, 1) for area in names[:1]))
        return replace(step, recall=recall_for(position, step))
    return Deploy(space.name, draw=option.amount if option is not None else space.amount_for(position.to_move_name))


def recall_for(position: Position, step: Deploy) -> tuple[Load, ...]:
    """Return the units to take back first where the reserve lacks what a step places; none where too few can be.

    One unit stays in each area, and none is taken from an area that the step places units in.
    """
    mover, units, found = position.to_move_name, position.board.mode.unit_index, list[Load]()
    for unit in dict.fromkeys(unit for _, unit, _ in step.place if unit in units):
        due = sum(n for _, kind, n in step.place if kind == unit) - position.reserve(position.to_move, units[unit])
        for area in position.board.areas:
            here = position.units_in(area.name).get(mover, {})
            n = min(due, here.get(unit, 0), sum(here.values()) - 1)
            if n > 0 and all(area.name != place for place, _, _ in step.place):
                found.append((area.name, unit, n))
                due -= n
        if due > 0:
            return ()
    return tuple(found)


def _nearby(position: Position, space: Space) -> list[str]:
    """Guess which of the mover's areas send units: adjacent ones, else those across one water, else the nearest."""
    board, mover = position.board, position.to_move_name
    target = board.area(space.area or "")
    own = [area for area in board.areas if area.kind == target.kind and position.units_in(area.name).get(mover)]
    own = sorted((area for area in own if area is not target), key=lambda area: _distance(area, target))
    waters = [board.area(name) for name in target.adjacent if board.area(name).kind == "water"]
    beside = [area.name for area in own if area.name in target.adjacent]
    across = [area.name for area in own if any(area.name in water.adjacent for water in waters)]
    return beside or across or [area.name for area in own[:1]]


def _distance(area: Area, other: Area) -> float:
    """Return the distance between two areas in mm on the board."""
    return math.dist(area.centres_mm[0], other.centres_mm[0])


def shot_at(space: Space, target: str | None) -> Deploy:
    """Return the deployment that shoots at the target and spends as little as possible."""
    return Deploy(space.name, target=target, payload=1 if space.action.payload else None)


def likely_target(position: Position, space: Space, legal: Sequence[str] = ()) -> str | None:
    """Return the likeliest target: the nearest one with an enemy, else the nearest; None if there is none.

    legal: the targets to choose from; if empty, all that the space reaches.
    """
    board, mover = position.board, position.to_move_name
    here = board.area(space.area or "")
    near = [board.area(name) for name in legal] or in_reach(space, board.areas, here)
    foes = [area for area in near if any(who != mover for who in position.units_in(area.name))]
    nearest = sorted(foes or near, key=lambda area: _distance(area, here))
    return nearest[0].name if nearest else None


def in_reach(space: Space, areas: Sequence[Area], here: Area) -> list[Area]:
    """List the areas that a space may aim at, wherever units stand."""
    action = space.action
    fits = [area for area in areas if area.kind == (action.target or action.kind) and area is not here]
    if action.beneath:
        return [area for area in fits if area.zone == here.name]
    if action.verb == "shoot" and action.range < 2:
        return [area for area in fits if area.name in here.adjacent]
    return fits
