"""Reinforce, Embark, Take-off: units from the reserve are placed (Reinforce, Embark, Ports, Take-off)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.areas import mask_of, members
from engine.orders import bonuses
from engine.orders.actions import move, recall
from engine.orders.board import Space
from engine.orders.draft import Draft
from engine.orders.mode import PLACING, ActionKind, Card, Mode
from engine.orders.position import Option, Outlook, Position, Rows, Stage, Turn, outlook_of
from engine.orders.steps import Deploy, Load, Play, merge_loads
from engine.orders.supply import standing_words, supply_rule
from engine.ruling import Hearing
from engine.words import mark, place, say

GROUND = {"land": mark("{area} is land"), "water": mark("{area} is water"), "air": mark("{area} is an air zone")}
FEWER = "place-fewer"
"""The reading by which all units must be placed that there is room for."""


def supplied_port_waters(outlook: Outlook) -> int:
    """Return the waters at the ports that the acting faction supplies, as a set."""
    waters = 0
    for area in members(outlook.supply & outlook.board.harbours):
        waters |= outlook.board.ports[area]
    return waters


def placeable_areas(outlook: Outlook, action: ActionKind) -> int:
    """Return the areas that units may be placed into without a card, as a set, judged as the action starts."""
    kind = outlook.board.of_kind[action.kind]
    supplied = outlook.supply & kind
    if action.ports:
        return supplied | supplied_port_waters(outlook) & ~outlook.enemy
    return supplied | outlook.board.homes[outlook.me] & kind if action.home else supplied


def contestable(outlook: Outlook, action: ActionKind) -> int:
    """Return the placeable areas that the enemy holds, as a set: units placed there start a conflict."""
    return placeable_areas(outlook, action) & outlook.enemy


def seizable(outlook: Outlook) -> int:
    """Return the enemy waters that Commandeer opens to placements, as a set (reading commandeer-range)."""
    anywhere = "commandeer-range" in outlook.position.readings
    return outlook.enemy & (outlook.board.water if anywhere else supplied_port_waters(outlook))


def amount(outlook: Outlook, space: Space) -> int:
    """Count the units that a space lets the faction place: its number for that faction, and that of a bonus."""
    return space.amount_for(outlook.board.factions[outlook.me]) + bonuses.bonus_amount(outlook, space.action.name)


def room(outlook: Outlook, action: ActionKind, area: int) -> int:
    """Count the units that the acting faction can still add to an area within its limit."""
    return max(0, outlook.mode.caps[action.kind] - standing_in(outlook.rows, outlook.mode, action, area))


def standing_in(rows: Rows, mode: Mode, action: ActionKind, area: int) -> int:
    """Count a faction's units of the action's kinds in an area; `rows` are its units, [kind][area]."""
    return sum(rows[kind][area] for kind in mode.kinds_on[action.kind])


def heavy_limits(outlook: Outlook, space: Space) -> dict[str, int]:
    """Return {unit: the most that a support space takes} for the heavier kinds of units, such as siege weapons."""
    _, *others = outlook.mode.kinds_on[space.action.kind]
    return {outlook.mode.units[kind].name: space.support.siege for kind in others} if space.support is not None else {}


def option(outlook: Outlook, space: Space) -> Option:
    """Return the option to place units, with the areas and the number.

    If the limit binds as units are placed, only areas with room are offered, and no more than they take.
    """
    open_to, most = placeable_areas(outlook, space.action), amount(outlook, space)
    if space.action.limit == PLACING:
        left = {area: room(outlook, space.action, area) for area in members(open_to)}
        open_to, most = mask_of(area for area, n in left.items() if n), min(most, sum(left.values()))
    return Option(space, open_to, most)


def judge(hearing: Hearing, outlook: Outlook, step: Deploy, cards: Sequence[Card]) -> None:
    """Judge a placement: its areas, its number, the reserve, the recall and the limits."""
    space = outlook.board.space(step.space)
    more = [card for card in cards if card.verb == "place"]
    seize = seizable(outlook) if any(card.into_enemy for card in more) else None
    judge_places(hearing, outlook, space.action, step.place, (placeable_areas(outlook, space.action), seize))
    placed = sum(n for _, _, n in step.place)
    most = amount(outlook, space) + sum(card.amount for card in more)
    hearing.weigh(f"{space.action.name}.amount", placed <= most, placed=placed, most=most)
    for unit, limit in heavy_limits(outlook, space).items():
        heavy = sum(n for _, kind, n in step.place if kind == unit)
        hearing.weigh(f"{space.action.name}.siege", heavy <= limit, placed=heavy, most=limit, unit=unit)
    left = _judge_reserve(hearing, outlook, space, step)
    judge_limit(hearing, left, space.action, step, most - space.amount_for(outlook.board.factions[outlook.me]))
    if hearing.thorough or FEWER in outlook.position.readings:
        _judge_whole(hearing, outlook, space, step)
    if hearing.thorough:
        judge_surplus(hearing, outlook_of(left, outlook.me), space.action, step.place)


def judge_places(
    hearing: Hearing, outlook: Outlook, action: ActionKind, loads: Sequence[Load], open_to: tuple[int, int | None]
) -> None:
    """Judge whether units may be placed into these areas.

    `open_to`: the areas open anyway and those that a card opens.
    """
    known = [load for load in loads if _judge_load(hearing, outlook, action, load)]
    here = mask_of(outlook.board.area_index[name] for name, _, _ in known)
    allowed, seize = open_to
    for area in members(here):
        is_open = bool((allowed | (seize or 0)) >> area & 1)
        if hearing.thorough or not is_open:
            rule = _area_rule(outlook, action, area, (here, seize))
            hearing.weigh(rule, is_open, standing=_fact(outlook, action, area))
    if seize:
        contested = (here & seize).bit_count()
        one_only = "commandeer-many" in outlook.position.readings
        hearing.weigh("commandeer.many", not one_only or contested <= 1, n=contested)


def _fact(outlook: Outlook, action: ActionKind, area: int) -> str:
    """Return in words what decides whether an area is open.

    That is its kind if the action's units can't stand there, otherwise who holds it.
    """
    ground = outlook.board.areas[area]
    if ground.kind == action.kind:
        return standing_words(outlook.position, outlook.me, area)
    return say(GROUND[ground.kind], area=place(ground.name))


def judge_limit(hearing: Hearing, position: Position, action: ActionKind, step: Deploy | Play, added: int) -> None:
    """Judge whether every area stays within its limit, if the limit binds as units are placed.

    position: the one after the recall. added: how many units bonuses and cards allow beyond the action's own
    (reading cap-every-action).
    """
    if action.limit != PLACING:
        return
    board, mode = position.board, position.board.mode
    cap, rows = mode.caps[action.kind], position.units[position.to_move]
    coming = merge_loads([(name, mode.units[mode.kinds_on[action.kind][0]].name, n) for name, _, n in step.place])
    known = [load for load in coming if load[0] in board.area_index]
    then = {load: load[2] + standing_in(rows, mode, action, board.area_index[load[0]]) for load in known}
    over = sum(max(0, n - cap) for n in then.values())
    rule = "limit.added" if 0 < over <= added else f"{action.name}.limit"
    for (name, unit, _), n in then.items():
        hearing.weigh(rule, n <= cap, area=name, n=n, unit=unit, most=cap)


def judge_surplus(hearing: Hearing, outlook: Outlook, action: ActionKind, loads: Sequence[Load]) -> None:
    """Add findings on how many units over each area's limit go home again, unless it binds as they are placed."""
    coming = Counter[int]()
    for name, _, n in loads:
        coming[outlook.board.area_index.get(name, -1)] += n
    for area, n in coming.items() if action.limit != PLACING else ():
        if area >= 0 and outlook.board.areas[area].kind == action.kind:
            move.judge_surplus(hearing, outlook, area, action.kind, n)


def _judge_load(hearing: Hearing, outlook: Outlook, action: ActionKind, load: Load) -> bool:
    name, unit, n = load
    if not hearing.weigh("area.known", name in outlook.board.area_index, area=name):
        return False
    fits = outlook.mode.unit_index.get(unit) in outlook.mode.kinds_on[action.kind]
    return hearing.weigh(f"{action.name}.kind", fits, unit=unit, n=n)


def _area_rule(outlook: Outlook, action: ActionKind, area: int, placed: tuple[int, int | None]) -> str:
    """Return the rule that an area outside the open ones breaks.

    The rule is that of the reading that decides, if there is one.
    """
    here, seize = placed
    if seize is not None and outlook.enemy & outlook.board.water & 1 << area:
        return "commandeer.range"
    if action.home and outlook.board.homes[outlook.me] & ~outlook.supply & outlook.board.air & 1 << area:
        return f"{action.name}.home"
    neighbours = outlook.board.adjacency.of[area] & here & outlook.board.water
    if action.ports and neighbours:
        return f"{action.name}.chain"
    return supply_rule(outlook.position, outlook.me, area, f"{action.name}.area")


def _judge_reserve(hearing: Hearing, outlook: Outlook, space: Space, step: Deploy) -> Position:
    """Judge whether the reserve has what is placed, and return the position after the recall."""
    placed = Counter[str]()
    for _, unit, n in step.place:
        placed[unit] += n
    position, kinds = outlook.position, outlook.mode.kinds_on[space.action.kind]
    if step.recall:
        own = space.amount_for(outlook.board.factions[outlook.me])
        most = {unit: min(n, own) for unit, n in placed.items()}
        needs = recall.Needs(space.action.title, kinds, placed, most)
        position = recall.judge(hearing, outlook, needs, step.recall)
    for kind in kinds:
        unit, left = outlook.mode.units[kind].name, position.reserve(outlook.me, kind)
        if unit in placed:
            about = outlook.mode.units[kind].place
            hearing.weigh("reserve.short", placed[unit] <= left, topic=about, unit=unit, n=placed[unit], left=left)
    return position


def _judge_whole(hearing: Hearing, outlook: Outlook, space: Space, step: Deploy) -> None:
    kinds = outlook.mode.kinds_on[space.action.kind]
    free = sum(room(outlook, space.action, area) for area in members(placeable_areas(outlook, space.action)))
    due = min(amount(outlook, space), free, _placeable(outlook, space, kinds))
    placed = sum(n for _, _, n in step.place)
    if placed < due or FEWER in outlook.position.readings:
        holds = placed >= due or FEWER not in outlook.position.readings
        hearing.weigh("place.whole", holds, topic=space.action.name, placed=placed, due=due)


def _placeable(outlook: Outlook, space: Space, kinds: Sequence[int]) -> int:
    """Count the units of the reserve that a space can place; of the heavier kinds no more than its number for them."""
    first, *others = (outlook.position.reserve(outlook.me, kind) for kind in kinds)
    heavy = space.support.siege if space.support is not None else 0
    return first + min(sum(others), heavy)


def perform(draft: Draft, outlook: Outlook, step: Deploy) -> None:
    """Carry out a placement: recall, place, and start conflicts in the order in which the areas are listed."""
    space = outlook.board.space(step.space)
    recall.perform(draft, outlook.me, step.recall)
    seize = seizable(outlook) if space.action.ports else 0
    start = Turn(space.index, Stage.JOIN, places=placeable_areas(outlook, space.action), seizable=seize)
    draft.turn = start
    place_units(draft, outlook, step.place)


def place_units(draft: Draft, outlook: Outlook, loads: Sequence[Load]) -> None:
    """Place units and add the conflicts that this starts to those that the turn has to settle."""
    turn = draft.turn
    assert turn is not None
    contested, entered = list(turn.contested), turn.entered
    for name, unit, n in loads:
        area, kind = outlook.board.area_index[name], outlook.mode.unit_index[unit]
        draft.add(outlook.me, kind, area, n)
        draft.tell("placed", outlook.me, area, kind, n)
        entered |= 1 << area & ~outlook.control
        if outlook.enemy >> area & 1 and area not in contested:
            contested.append(area)
    draft.turn = turn._replace(contested=tuple(contested), entered=entered)
