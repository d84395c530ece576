"""Control and supply in names, and why an area is cut off (Supply)."""

from __future__ import annotations

from collections import deque

from engine.areas import members
from engine.orders.board import Board
from engine.orders.position import Position


def supply(position: Position) -> dict[str, tuple[str, ...]]:
    """The areas that each faction supplies, sorted."""
    board = position.board
    return {f: board.names(members(s)) for f, s in zip(board.factions, position.survey.supply, strict=True)}


def cut(position: Position) -> dict[str, tuple[str, ...]]:
    """The areas that each faction controls without supplying them, sorted."""
    board, (control, supplied) = position.board, position.survey
    rows = zip(board.factions, control, supplied, strict=True)
    return {f: board.names(members(held & ~linked)) for f, held, linked in rows}


def standing(position: Position, faction: int, area: int) -> str:
    """In words: who holds an area, and if it is cut off from this faction's headquarters, where its chain breaks."""
    board, (control, supplied) = position.board, position.survey
    name, bit = board.areas[area].name, 1 << area
    mine, foe = board.factions[faction], board.factions[1 - faction]
    if control[faction] & bit and supplied[faction] & bit:
        return f"{name} is supplied by {mine}"
    if control[faction] & bit:
        gap = breaks_at(board, control[faction], area, board.hq[faction])
        return f"{name} is held by {mine}, but its chain to the headquarters breaks at {board.areas[gap].name}"
    if control[1 - faction] & bit:
        return f"{name} is held by {foe}"
    return f"{name} is held by nobody"


def breaks_at(board: Board, control: int, area: int, hq: int) -> int:
    """The first area not under control on the way from `area` to the headquarters that misses the fewest.

    Only for an area that is cut off; the answer is the gap that is cheapest to close.
    """
    missing = {area: 0}
    gap = {area: area}
    queue = deque([area])
    while queue:
        here = queue.popleft()
        for there in members(board.adjacency.of[here]):
            cost = 0 if control >> there & 1 else 1
            if there in missing and missing[there] <= missing[here] + cost:
                continue
            missing[there] = missing[here] + cost
            gap[there] = there if cost and missing[here] == 0 else gap[here]
            (queue.append if cost else queue.appendleft)(there)
    return gap[hq]
