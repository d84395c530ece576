"""What a player would mean by an action space that has a target, where nobody has said which."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.orders.board import Area, Space
from engine.orders.position import Position
from engine.orders.steps import Deploy


def aimed(space: Space, target: str | None) -> Deploy:
    """The deployment at that target, with as little spent as may be."""
    return Deploy(space.name, target=target, payload=1 if space.action.payload else None)


def meant(position: Position, space: Space, legal: Sequence[str] = ()) -> str | None:
    """The target that is meant: of the legal ones, else of those in reach, one with an enemy; the nearest."""
    board, mover = position.board, position.to_move_name
    here = board.area(space.area or "")
    near = [board.area(name) for name in legal] or in_reach(space, board.areas, here)
    foes = [area for area in near if any(who != mover for who in position.units_in(area.name))]
    nearest = sorted(foes or near, key=lambda area: math.dist(area.centres_mm[0], here.centres_mm[0]))
    return nearest[0].name if nearest else None


def in_reach(space: Space, areas: Sequence[Area], here: Area) -> list[Area]:
    """The areas that a space is there to be aimed at, wherever units stand."""
    action = space.action
    fits = [area for area in areas if area.kind == (action.target or action.kind) and area is not here]
    if action.beneath:
        return [area for area in fits if area.zone == here.name]
    if action.verb == "shoot" and action.range < 2:
        return [area for area in fits if area.name in here.adjacent]
    return fits
