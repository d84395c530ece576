"""Control and supply in names, and why an area is cut off (Supply)."""

from __future__ import annotations

from collections import deque

from engine.areas import members
from engine.orders.board import Board
from engine.orders.position import Position
from engine.words import mark, place, say, side


def supply(position: Position) -> dict[str, tuple[str, ...]]:
    """Return the areas that each faction supplies, sorted."""
    board = position.board
    return {f: board.names(members(s)) for f, s in zip(board.factions, position.survey.supply, strict=True)}


def cut_off_areas(position: Position) -> dict[str, tuple[str, ...]]:
    """Return the areas that each faction controls without supplying them, sorted."""
    board, (control, supplied) = position.board, position.survey
    rows = zip(board.factions, control, supplied, strict=True)
    return {f: board.names(members(held & ~linked)) for f, held, linked in rows}


def standing_words(position: Position, faction: int, area: int) -> str:
    """Return in words who holds an area and, if it is cut off for this faction, where its chain breaks."""
    board, (control, supplied) = position.board, position.survey
    name, bit = place(board.areas[area].name), 1 << area
    mine, foe = side(board.factions[faction]), side(board.factions[1 - faction])
    if control[faction] & bit and supplied[faction] & bit:
        return say("{area} is in supply for {who}", area=name, who=mine)
    if control[faction] & bit:
        gap = supply_gap(board, control[faction], area, chain_root(board, faction, area))
        broken = mark("{who} controls {area}, but its supply line breaks at {gap}")
        return say(broken, area=name, who=mine, gap=place(board.areas[gap].name))
    if control[1 - faction] & bit:
        return say("{who} controls {area}", area=name, who=foe)
    return say("{area} is empty", area=name)


def supply_rule(position: Position, faction: int, area: int, otherwise: str) -> str:
    """Return the rule that decides an area's supply: that of the reading hq-zone-lost, or else `otherwise`."""
    board, held = position.board, position.survey.control[faction]
    # one flood for each answer to the reading: where both say the same of this area, it decides nothing
    linked = [board.adjacency.flood(homes[faction], held) >> area & 1 for homes in (board.homes, board.open_homes)]
    return otherwise if linked[0] == linked[1] else "supply.home-zone"


def chains(position: Position) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the chain from each area that a faction controls towards its headquarters.

    {faction: {area: (area, next, ..., last)}}: a shortest way over controlled areas, the last one the headquarters;
    where the area is cut off, the last one is the area, not under control, at which the chain breaks.
    """
    board, (control, supplied) = position.board, position.survey
    found: dict[str, dict[str, tuple[str, ...]]] = {faction: {} for faction in board.factions}
    for index, (held, linked) in enumerate(zip(control, supplied, strict=True)):
        for area in members(held):
            hq = chain_root(board, index, area)
            goal = hq if linked >> area & 1 else supply_gap(board, held, area, hq)
            after, way = _next_areas(board, held, goal), [area]
            while way[-1] != goal:
                way.append(after.get(way[-1], goal))  # where no way leads there, the area and the goal alone
            found[board.factions[index]][board.areas[area].name] = tuple(board.areas[at].name for at in way)
    return found


def chain_root(board: Board, faction: int, area: int) -> int:
    """Return where the supply chain of an area begins: at the headquarters, or for an air zone in the zone above it."""
    hq = board.hq[faction]
    # air zones form a chain of their own, which begins at the zone above the headquarters (Supply)
    zone = board.zones[hq]
    return zone if zone >= 0 and board.air >> area & 1 else hq


def _next_areas(board: Board, through: int, goal: int) -> dict[int, int]:
    """Return the next area on a shortest way to the goal, for each area of `through` that has a way there.

    The way goes over other areas of `through`.
    """
    # breadth first from the goal, so that each area points to the next one on a shortest way
    after = {goal: goal}
    queue = deque([goal])
    while queue:
        here = queue.popleft()
        for there in members(board.adjacency.of[here] & through):
            if there not in after:
                after[there] = here
                queue.append(there)
    return after


def supply_gap(board: Board, control: int, area: int, hq: int) -> int:
    """Return where the chain of an area that is cut off breaks: the gap that is cheapest to close.

    It is the first area not under control on that way from `area` to `hq` which has the fewest of them; `hq` itself if
    no way leads there.
    """
    # A 0-1 breadth-first search: an area under control costs nothing and goes to the front of the queue, any other
    # costs 1 and goes to the back. So areas come up in the order of their cost, and the first way found is the best.
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
            # the first area that had to be paid for is the gap; it is handed on along the way
            gap[there] = there if cost and missing[here] == 0 else gap[here]
            (queue.append if cost else queue.appendleft)(there)
    return gap.get(hq, hq)
