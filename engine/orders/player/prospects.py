"""Turns worth a thought: for each space that may be used, the ways to use it that differ in what they lead to.

`wide` asks for all that may matter, for a turn that is really to be chosen; without it there are only the likeliest
ways, for replies that are looked at by the hundred. The best are refined by small changes: a unit more or less from an
area, or put into another one, as long as that is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.areas import members
from engine.orders import game
from engine.orders.actions import recall
from engine.orders.actions.muster import heavy_limits
from engine.orders.player.terrain import terrain_of
from engine.orders.position import Option, Outlook, Position, outlook_of
from engine.orders.steps import Deploy, Load, Pass, merge_loads
from engine.orders.turn import can_pass

Turn = Deploy | Pass
FEW_TARGETS = 3
FEW_DROPS = 5
SHORT_RESERVE = "short-reserve"


def prospects(position: Position, wide: bool = False) -> list[Turn]:
    """List turns worth a thought for the faction to move, a pass among them if it is allowed."""
    outlook = outlook_of(position, position.to_move)
    found: list[Turn] = []
    for option in game.options(position):
        found.extend(_WAYS[option.space.action.verb](outlook, option, wide))
    if can_pass(position):
        found.append(Pass())
    return found


def deployments_by_card(position: Position) -> list[Deploy]:
    """List deployments to spaces that the other side's commander holds, for a hand with a card that allows it.

    What such a space offers is looked up as if that commander were away.
    """
    hand, me, cards = position.hands[position.to_move], position.to_move, position.board.mode.cards
    sharing = [cards[name] for name in dict.fromkeys(hand if isinstance(hand, tuple) else ())]
    sharing = [card for card in sharing if card.verb == "share"]
    if not sharing:
        return []
    mine, theirs = position.commanders[me], position.commanders[1 - me]
    alone = replace(position, commanders=(0, mine) if me else (mine, 0))
    outlook = outlook_of(alone, me)
    return [
        replace(step, cards=(card.name,))
        for card in sharing
        for option in game.options(alone)
        if option.space.action.name == card.action and theirs >> option.space.index & 1
        for step in _WAYS[option.space.action.verb](outlook, option, True)
    ]


def add_extra_card(position: Position, turn: Turn) -> Turn:
    """Return the deployment with a card in hand that brings a commander from standby; unchanged without one."""
    hand = position.hands[position.to_move]
    if isinstance(turn, Deploy) and isinstance(hand, tuple):
        for name in dict.fromkeys(hand):
            more = replace(turn, cards=(*turn.cards, name))
            if position.board.mode.cards[name].verb == "extra" and game.judge(position, more).legal:
                return more
    return turn


# --- moves ------------------------------------------------------------------------------


def _moves(outlook: Outlook, option: Option, wide: bool) -> Iterator[Deploy]:
    """Yield moves into an area with the units likely needed, one more or less, and all that can come."""
    stock = _stock(outlook, option)
    whole = sum(n for _, _, n in stock)
    orders = [stock, _from_behind(outlook, stock)] if wide else [_from_behind(outlook, stock)]
    ways = {_take_loads(order, total): None for order in orders for total in _move_totals(outlook, option, whole, wide)}
    if wide and len(stock) > 1:
        ways.update({_take_loads([load], load[2]): None for load in stock})
    yield from (Deploy(option.space.name, moves=moves) for moves in ways)


def _stock(outlook: Outlook, option: Option) -> list[Load]:
    """List the units that may come, by area, the largest number first.

    One unit stays everywhere, a heavy one if possible.
    """
    units = outlook.mode.units
    stock: list[Load] = []
    for area in members(option.areas):
        kinds = outlook.mode.kinds_on[outlook.board.areas[area].kind]
        free = sum(outlook.rows[kind][area] for kind in kinds) - 1
        for kind in kinds:
            n = min(free, outlook.rows[kind][area])
            if n:
                stock.append((outlook.board.areas[area].name, units[kind].name, n))
                free -= n
    return sorted(stock, key=lambda load: -load[2])


def _from_behind(outlook: Outlook, stock: Sequence[Load]) -> list[Load]:
    """Sort the units: those that no enemy is next to first, those of the headquarters last."""
    front = outlook.board.adjacency.around(outlook.enemy)
    home, at = outlook.board.areas[outlook.board.hq[outlook.me]].name, outlook.board.area_index
    return sorted(stock, key=lambda load: (load[0] == home, front >> at[load[0]] & 1))


def _move_totals(outlook: Outlook, option: Option, whole: int, wide: bool) -> list[int]:
    """Return the numbers of units to try: those that usually take the area, and all; with `wide` every one of few."""
    area = option.space.area_index
    defenders = sum(row[area] for row in outlook.position.units[outlook.foe])
    if wide and whole <= 6:
        return list(range(1, whole + 1))
    due = defenders + terrain_of(outlook.board).base_dice[area] if defenders else 1
    numbers = {due, due + 1, whole} if not wide else {due - 1, due, due + 1, due + 2, due + 3, whole}
    return sorted({n for n in numbers if 0 < n <= whole} | {whole})


def _take_loads(stock: Sequence[Load], total: int) -> tuple[Load, ...]:
    taken: list[Load] = []
    for area, unit, n in stock:
        if total > 0:
            taken.append((area, unit, min(n, total)))
            total -= n
    return tuple(sorted(taken))


# --- shots and drops --------------------------------------------------------------------


def _shots(outlook: Outlook, option: Option, wide: bool) -> Iterator[Deploy]:
    """Yield shots at areas with something to hit.

    Units are spent for as many dice as there are to hit, or one more; at a headquarters as many as there are.
    """
    payload = bool(option.space.action.payload)
    home, vps, theirs = outlook.board.hq[outlook.foe], outlook.board.vps, outlook.position.units[outlook.foe]
    held = {area: sum(row[area] for row in theirs) for area in members(option.areas & outlook.enemy)}
    # the likeliest targets first: the headquarters, then areas with points, few units first
    order = sorted(held, key=lambda a: (a != home, -vps[a], held[a]))
    for area in order if wide else order[:FEW_TARGETS]:
        name = outlook.board.areas[area].name
        if not payload:
            yield Deploy(option.space.name, target=name)
            continue
        most = option.amount if area == home else min(option.amount, held[area] + 1)
        numbers = range(1, most + 1) if wide else {most, min(most, held[area])}
        yield from (Deploy(option.space.name, target=name, payload=n) for n in numbers)


def _drops(outlook: Outlook, option: Option, wide: bool) -> Iterator[Deploy]:
    """Yield drops into areas with points or few units, or into one's own headquarters.

    With an empty reserve units are taken back from behind the front for it.
    """
    empty = not outlook.position.reserve(outlook.me, outlook.mode.unit_index[option.space.action.unit])
    back = _spare_units(outlook, option) if empty else ()
    if empty and not back:
        return
    vps, theirs, home = outlook.board.vps, outlook.position.units[outlook.foe], outlook.board.hq[outlook.me]
    held = [sum(row[area] for row in theirs) for area in range(len(vps))]
    order = sorted(members(option.areas), key=lambda a: (a != home, -vps[a], held[a]))
    for area in order if wide else order[:FEW_DROPS]:
        yield Deploy(option.space.name, target=outlook.board.areas[area].name, recall=back)


# --- placements -------------------------------------------------------------------------


def _places(outlook: Outlook, option: Option, wide: bool) -> Iterator[Deploy]:
    """Yield placements of the whole amount, filled up in a few orders of areas.

    These orders are at home, at the front, towards the enemy, and at the points. Where the reserve is short, units may
    be taken back from behind the front for it.
    """
    if wide and option.space.action.recall and (back := _spare_units(outlook, option)):
        then = outlook_of(recall.position_after(outlook, back), outlook.me)
        yield from (replace(step, recall=back) for step in _places(then, option, wide=False))
    room = _rooms(outlook, option)
    if not room or not option.amount:
        return
    found: dict[tuple[Load, ...], None] = {}
    for kinds in _kind_splits(outlook, option):
        for order in _fill_orders(outlook, list(room), wide):
            for level in (5, 3) if wide else (4,):
                found[_fill_areas(outlook, kinds, order, room, level)] = None
    yield from (Deploy(option.space.name, place=place) for place in found if place)


def _spare_units(outlook: Outlook, option: Option) -> tuple[Load, ...]:
    """Return the common units to recall, as far as the reserve is short, from areas that no enemy is next to.

    The headquarters sends none.
    """
    kind, due = outlook.mode.kinds_on[option.space.action.kind][0], option.amount
    if SHORT_RESERVE in outlook.position.readings:  # then none is taken back for a bonus
        printed = option.space.action.amount or option.space.amount_for(outlook.board.factions[outlook.me])
        due = min(due, printed)
    short, front = (
        due - outlook.position.reserve(outlook.me, kind),
        outlook.board.adjacency.around(outlook.enemy),
    )
    behind = (
        outlook.supply & outlook.board.of_kind[option.space.action.kind] & ~front & ~(1 << outlook.board.hq[outlook.me])
    )
    stock = [
        (outlook.board.areas[a].name, outlook.mode.units[kind].name, outlook.rows[kind][a] - 1) for a in members(behind)
    ]
    return _take_loads(sorted([load for load in stock if load[2] > 0], key=lambda load: -load[2]), short)


def _rooms(outlook: Outlook, option: Option) -> dict[int, int]:
    kind = option.space.action.kind
    cap = outlook.mode.caps[kind]
    here = {
        area: sum(outlook.rows[unit][area] for unit in outlook.mode.kinds_on[kind]) for area in members(option.areas)
    }
    return {area: cap - n for area, n in here.items() if n < cap}


def _kind_splits(outlook: Outlook, option: Option) -> Iterator[list[tuple[str, int]]]:
    """Yield how many units of each kind to place: with as many heavy ones as the space takes, and without any."""
    units, position = outlook.mode.units, outlook.position
    common, *others = outlook.mode.kinds_on[option.space.action.kind]
    limits = heavy_limits(outlook, option.space) if others else {}
    for heavy in (True, False) if others else (False,):
        left, taken = option.amount, []
        for kind in others if heavy else ():
            n = min(limits[units[kind].name], position.reserve(outlook.me, kind), left)
            taken.append((units[kind].name, n))
            left -= n
        taken.append((units[common].name, min(left, position.reserve(outlook.me, common))))
        yield taken


def _fill_orders(outlook: Outlook, areas: Sequence[int], wide: bool) -> list[list[int]]:
    """Return the orders in which areas are filled."""
    board, me = outlook.board, outlook.me
    closeness, around, home = terrain_of(board).closeness[me], board.adjacency.of, board.hq[me]
    risk = {area: _risk(outlook, area) for area in areas}
    near = {area: sum(board.vps[neighbour] for neighbour in members(around[area] & ~outlook.control)) for area in areas}
    keys: list[Callable[[int], float]] = [
        lambda area: -2.0 * (area == home) - risk[area] - near[area] - 0.1 * closeness[area],
        lambda area: -closeness[area] - 0.01 * risk[area],
        lambda area: -board.vps[area] - risk[area],
    ]
    if wide:
        keys += [
            lambda area: -near[area] - 0.1 * closeness[area],
            lambda area: -risk[area] - 0.01 * board.vps[area],
            *((lambda area, first=first: (area != first) - 0.1 * risk[area]) for first in areas),
        ]
    return [sorted(areas, key=key) for key in keys]


def _risk(outlook: Outlook, area: int) -> float:
    """Return the weighted danger to an area: enemy units that could come from next to it, against those in it.

    0 if the area is worth nothing.
    """
    board = outlook.board
    theirs = sum(
        sum(row[neighbour] for row in outlook.position.units[outlook.foe])
        for neighbour in members(board.adjacency.of[area])
    )
    ours = sum(row[area] for row in outlook.rows)
    worth = board.vps[area] + 2 * (area == board.hq[outlook.me])
    return max(0, min(4, theirs - ours)) * 0.25 * worth


def _fill_areas(
    outlook: Outlook, kinds: Sequence[tuple[str, int]], order: Sequence[int], room: dict[int, int], level: int
) -> tuple[Load, ...]:
    """Put units into areas in this order, each up to a level first, then what is left up to the limit."""
    put: dict[tuple[int, str], int] = {}
    free = dict(room)
    here = {area: sum(row[area] for row in outlook.rows) for area in order}
    for unit, whole in kinds:
        number = whole
        for most in (level, 99):
            for area in order:
                n = min(number, free[area], max(0, most - here[area]))
                if n:
                    put[area, unit] = put.get((area, unit), 0) + n
                    free[area] -= n
                    here[area] += n
                    number -= n
    return tuple((outlook.board.areas[area].name, unit, n) for (area, unit), n in sorted(put.items()))


_WAYS: dict[str, Callable[[Outlook, Option, bool], Iterator[Deploy]]] = {
    "move": _moves,
    "shoot": _shots,
    "drop": _drops,
    "place": _places,
    # the number of cards to draw; which they are shows when they are drawn
    "draw": lambda outlook, option, wide: iter((Deploy(option.space.name, draw=option.amount),)),
}


# --- small changes to a turn -------------------------------------------------------------

ROUNDS = 6


def refine_turn(position: Position, turn: Turn, value: Callable[[Turn], float]) -> Turn:
    """Improve a turn by small changes: take the best legal neighbour while its value grows, at most ROUNDS times.

    Only moves and placements without cards are changed.
    """
    if not isinstance(turn, Deploy) or turn.cards or not (turn.place or turn.moves):
        return turn
    offer = game.legal(position).spaces[turn.space]
    best, most = turn, value(turn)
    for _ in range(ROUNDS):
        found = [change for change in _neighbours(best, offer) if game.judge(position, change).legal]
        values = [(value(change), -at) for at, change in enumerate(found)]
        if not values or max(values)[0] <= most:
            return best
        most, at = max(values)
        best = found[-at]
    return best


def _neighbours(turn: Deploy, offer: game.Offer) -> Iterator[Deploy]:
    """Yield turns that differ by one unit."""
    if turn.place:
        for area, unit, _ in turn.place:
            for other in offer.areas:
                if other != area:
                    place = _add_load(_add_load(turn.place, (area, unit, -1)), (other, unit, 1))
                    yield replace(turn, place=place)
        return
    for area, units in offer.sources.items():
        for unit in units:
            for n in (-1, 1):
                moves = _add_load(turn.moves, (area, unit, n))
                if moves and all(load[2] > 0 for load in moves):
                    yield replace(turn, moves=moves)


def _add_load(loads: tuple[Load, ...], load: Load) -> tuple[Load, ...]:
    return tuple(sorted(entry for entry in merge_loads((*loads, load)) if entry[2]))
