"""Advance, Sail, Fly: units move in, and a conflict follows where the enemy holds the area (Advance, Sail, Fly)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.areas import members
from engine.orders import bonuses
from engine.orders.actions import recall
from engine.orders.board import Space
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.position import Option, Outlook, Stage, Turn, movable_units
from engine.orders.steps import RESERVE, Deploy, Load, merge_loads
from engine.orders.supply import standing_words, supply_rule
from engine.ruling import Hearing
from engine.words import place, say


def reach(outlook: Outlook, space: Space) -> int:
    """Return the supplied areas whose units may come to the linked area, as a set.

    Those next to it; with a bridge also those next to one supplied water that is next to it; with a chain through any
    chain of supplied areas of the kind.
    """
    board, target = outlook.board, space.area_index
    kind = board.of_kind[space.action.kind]
    near = board.adjacency.of[target]
    if space.action.chain:
        open_to_it = outlook.supply & kind
        return board.adjacency.flood(near & open_to_it, open_to_it)
    bridges = near & outlook.supply & board.water if space.action.bridge else 0
    return (near | board.adjacency.around(bridges)) & outlook.supply & kind


def option(outlook: Outlook, space: Space) -> Option | None:
    """Return the option to move into an area, with those that may send units; None if none may or it is controlled."""
    if outlook.control >> space.area_index & 1:
        return None
    sources = reach(outlook, space) & outlook.spare
    return Option(space, sources, 0) if sources else None


def judge(hearing: Hearing, outlook: Outlook, step: Deploy, cards: Sequence[Card]) -> None:
    """Judge a move: the deployment criteria, every source, the recall and the reserve."""
    space = outlook.board.space(step.space)
    action, target = space.action.name, space.area_index
    area = outlook.name(target)
    hearing.weigh(f"{action}.not-controlled", not outlook.control >> target & 1, area=area)
    moved = merge_loads([load for load in step.moves if load[0] != RESERVE])
    hearing.weigh(f"{action}.units", bool(moved), area=area)
    outlook = recall.outlook_after(hearing, outlook, _reserve_needs(outlook, space, step), step.recall)
    may_come = reach(outlook, space)
    for load in moved:
        _judge_source(hearing, outlook, space, load, may_come)
    known = (load[0] for load in moved if load[0] in outlook.board.area_index)
    for source in dict.fromkeys(known):
        there = sum(row[outlook.board.area_index[source]] for row in outlook.rows)
        leaving = sum(n for area, _, n in moved if area == source)
        if there:
            hearing.weigh(f"{action}.last-unit", leaving < there, source=source, there=there, leaving=leaving)
    _judge_reserve(hearing, outlook, step, cards)
    if hearing.thorough:
        bonuses.judge_joining(hearing, outlook, action, target)
        coming = sum(n for _, _, n in step.moves) + bonuses.joining_units(outlook, action, target)[1]
        judge_surplus(hearing, outlook, target, space.action.kind, coming)


def _way_words(outlook: Outlook, space: Space, source: int) -> str:
    """Return in words how units come from a source in reach: from next to the target, or across which water."""
    of, target = outlook.board.adjacency.of, space.area_index
    names = {"source": place(outlook.name(source)), "area": place(outlook.name(target))}
    if of[target] >> source & 1:
        return say("{source} is next to {area}", **names)
    waters = members(of[target] & of[source] & outlook.supply & outlook.board.water)
    return say("{water}, a supplied water, links {source} to {area}", water=place(outlook.name(waters[0])), **names)


def _reserve_needs(outlook: Outlook, space: Space, step: Deploy) -> recall.Needs:
    """Count what a move takes from the reserve: nothing itself, only for the bonus and the cards."""
    whole = Counter[str]()
    bonus = bonuses.joining_bonus(outlook, space.action.name, space.area_index) if step.recall else None
    if bonus is not None:
        whole[bonus.unit] += bonus.amount
    for source, unit, n in step.moves:
        whole[unit] += n if source == RESERVE else 0
    return recall.Needs(space.action.title, outlook.mode.kinds_on[space.action.kind], whole, {})


def _judge_source(hearing: Hearing, outlook: Outlook, space: Space, load: Load, may_come: int) -> None:
    name, unit, n = load
    action = space.action.name
    area = outlook.board.area_index.get(name)
    kind = outlook.mode.unit_index.get(unit)
    if not hearing.weigh("area.known", area is not None, area=name) or area is None:
        return
    fits = kind is not None and kind in outlook.mode.kinds_on[space.action.kind]
    if not hearing.weigh(f"{action}.kind", fits, unit=unit, n=n) or kind is None:
        return
    supplied = bool(outlook.supply >> area & 1)
    if hearing.thorough or not supplied:
        asked = (outlook.position, outlook.me, area)
        hearing.weigh(supply_rule(*asked, f"{action}.source-supply"), supplied, standing=standing_words(*asked))
    if supplied:
        linked = outlook.name(space.area_index)
        near = bool(may_come >> area & 1)
        way = _way_words(outlook, space, area) if near and space.action.bridge and hearing.thorough else ""
        hearing.weigh(f"{action}.reach", near, source=name, area=linked, way=way)
    there = outlook.rows[kind][area]
    if there:
        hearing.weigh(f"{action}.enough", n <= there, n=n, unit=unit, source=name, there=there)


def _judge_reserve(hearing: Hearing, outlook: Outlook, step: Deploy, cards: Sequence[Card]) -> None:
    space = outlook.board.space(step.space)
    action = space.action.name
    for _, unit, n in merge_loads([load for load in step.moves if load[0] == RESERVE]):
        joining = [card for card in cards if card.verb == "join" and card.unit == unit]
        if not hearing.weigh("card.reserve-units", bool(joining), unit=unit, n=n):
            continue
        hearing.weigh("card.amount", n <= joining[0].amount, card=joining[0].heading, most=joining[0].amount, n=n)
        kind = outlook.mode.unit_index[unit]
        bonus_kind, by_bonus = bonuses.joining_units(outlook, action, space.area_index)
        left = outlook.position.reserve(outlook.me, kind) - (by_bonus if bonus_kind == kind else 0)
        hearing.weigh("reserve.short", n <= left, topic=space.action.kind, unit=unit, n=n, left=left)


def perform(draft: Draft, outlook: Outlook, step: Deploy) -> None:
    """Carry out a move: recall, move and add units of bonus and cards, and start a conflict if enemies are there."""
    space = outlook.board.space(step.space)
    target = space.area_index
    recall.perform(draft, outlook.me, step.recall)
    for name, unit, n in step.moves:
        kind = outlook.mode.unit_index[unit]
        if name == RESERVE:
            draft.tell("joined", outlook.me, target, kind, n)
        else:
            source = outlook.board.area_index[name]
            draft.add(outlook.me, kind, source, -n)
            draft.tell("moved", outlook.me, source, kind, n)
        draft.add(outlook.me, kind, target, n)
    bonuses.add_joining_units(draft, outlook, space.action.name, target)
    contested = (target,) if outlook.enemy >> target & 1 else ()
    draft.turn = Turn(space.index, Stage.JOIN, target, contested, entered=1 << target)


def sources(outlook: Outlook, found: Option) -> dict[str, dict[str, int]]:
    """Return {source: {unit: how many may come}} for a move."""
    return {outlook.name(area): movable_units(outlook, area) for area in members(found.areas)}


AT_EVERY_END = "cap-every-action"
"""The reading by which units over a limit go home after any action: some books say so of conflicts only."""


def judge_surplus(hearing: Hearing, outlook: Outlook, area: int, place: str, coming: int) -> None:
    """Add a finding on how many units over an area's limit go home again, unless a conflict has yet to decide it."""
    kinds, most = outlook.mode.kinds_on[place], outlook.mode.caps[place]
    over = coming + sum(outlook.rows[kind][area] for kind in kinds) - most
    if over > 0 and not outlook.enemy >> area & 1:
        unit = outlook.mode.units[kinds[0]].name if len(kinds) == 1 else "unit"
        hearing.weigh("limit.end", True, topic=place, area=outlook.name(area), over=over, unit=unit, most=most)
