"""The turns and cards worth a thought: ways to use each legal action space, and cards for an open window."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from engine.orders import game
from engine.orders.game import Offer, Owed
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Deploy, Load, Play, Reroll
from engine.orders.supply import supply

MOVE_TRIES = 5
PLACE_TRIES = 6

Ways = Callable[[Position, str, Offer, random.Random], Iterator[Deploy]]


def deployments(position: Position, rng: random.Random) -> list[Deploy]:
    """Legal deployments: a few ways for each space that may be used now, and by a card for spaces that are taken."""
    found: list[Deploy] = []
    for space, option in game.legal(position).spaces.items():
        found.extend(_WAYS[position.board.space(space).action.verb](position, space, option, rng))
    found.extend(_shared(position, rng))
    return [step for step in found if game.judge(position, step).legal]


def _moves(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Everything, each source alone, and a few mixtures."""
    most = [(area, unit, n) for area, units in option.sources.items() for unit, n in units.items()]
    mixtures = [tuple((area, unit, rng.randint(0, n)) for area, unit, n in most) for _ in range(MOVE_TRIES)]
    ways: dict[tuple[Load, ...], None] = dict.fromkeys([tuple(most), *((load,) for load in most), *mixtures])
    for moves in ways:
        taken = tuple(load for load in moves if load[2])
        if taken:
            yield Deploy(space, moves=taken)


def _shots(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Only at areas with something to hit."""
    for target in option.targets:
        if _enemies(position, target, position.to_move_name):
            yield Deploy(space, target=target)


def _places(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """The whole amount, as far as the reserve and the areas' limits go, spread in a few ways."""
    action = position.board.space(space).action
    kind = position.board.mode.kinds_on[action.kind][0]
    unit = position.board.mode.units[kind].name
    number = min(option.amount, _reserve(position, position.to_move_name, unit))
    for _ in range(PLACE_TRIES if number else 0):
        place = spread(position, option.areas, (unit, number), rng)
        if place:
            yield Deploy(space, place=place)


def _draws(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """The number of cards; which they are shows when they are drawn."""
    yield Deploy(space, draw=option.draw)


_WAYS: dict[str, Ways] = {"move": _moves, "shoot": _shots, "place": _places, "draw": _draws}


def spread(position: Position, areas: tuple[str, ...], units: tuple[str, int], rng: random.Random) -> tuple[Load, ...]:
    """So many units of a kind put into areas at random, none filled beyond its limit, some preferred to others."""
    unit, number = units
    room = {name: _room(position, name) for name in areas}
    fancy = {name: rng.random() ** 2 for name in areas}
    put: Counter[str] = Counter()
    for _ in range(number):
        free = [name for name in areas if put[name] < room[name]]
        if not free:
            break
        put[rng.choices(free, [fancy[name] + 1e-6 for name in free])[0]] += 1
    return tuple((name, unit, n) for name, n in put.items())


def _room(position: Position, area: str) -> int:
    here = sum(sum(units.values()) for units in position.units_in(area).values())
    return max(0, position.board.mode.caps[position.board.area(area).kind] - here)


def _reserve(position: Position, faction: str, unit: str) -> int:
    mode = position.board.mode
    return position.reserve(mode.faction_index[faction], mode.unit_index[unit])


def _enemies(position: Position, area: str, faction: str) -> bool:
    return any(other != faction for other in position.units_in(area))


def _shared(position: Position, rng: random.Random) -> Iterator[Deploy]:
    """Deployments to spaces that an opponent's commander holds, for a hand with a card that allows it."""
    faction = position.to_move_name
    hand = position.hand(faction)
    cards = [card for card in position.board.mode.cards.values() if card.verb == "share"]
    for card in cards:
        if isinstance(hand, int) or card.name not in hand:
            continue
        for space in position.board.spaces:
            if space.action.name == card.action and position.commanders_on(space.name):
                yield from _sharing(position, space.name, card, rng)


def _sharing(position: Position, space: str, card: Card, rng: random.Random) -> Iterator[Deploy]:
    """The ways into a taken space: the loads that supplied land next to it could send."""
    area = position.board.area(position.board.space(space).area or "")
    faction = position.to_move_name
    supplied = supply(position)[faction]
    near = [name for name in area.adjacent if name in supplied and position.board.area(name).kind == area.kind]
    most = {name: position.units_in(name)[faction] for name in near}
    loads = [(name, unit, n - 1) for name, units in most.items() for unit, n in units.items() if n > 1]
    if loads:
        yield Deploy(space, moves=tuple(loads), cards=(card.name,))
        yield Deploy(space, moves=(rng.choice(loads),), cards=(card.name,))


def window_plays(position: Position, owed: Owed) -> list[Play | Reroll]:
    """What may be done with the cards that the open window allows, all of it legal."""
    found: list[Play | Reroll] = []
    for faction, name in dict.fromkeys(owed.cards):
        found.extend(_plays(position, position.board.mode.cards[name], faction))
    if owed.may_reroll:
        hand = position.hand(owed.by)
        found.extend(Reroll(name, owed.by) for name in dict.fromkeys(() if isinstance(hand, int) else hand))
    return [step for step in found if game.judge(position, step).legal]


def _plays(position: Position, card: Card, faction: str) -> Iterator[Play]:
    areas = [area.name for area in position.board.areas]
    reserve = _reserve(position, faction, card.unit) if card.unit else 0
    if card.verb == "dice":
        yield Play(card.name, faction)
    if card.verb == "again":
        yield from (Play(card.name, faction, target=area) for area in areas if _enemies(position, area, faction))
    if card.verb == "join" and reserve:
        yield Play(card.name, faction, units=min(card.amount, reserve))
    if card.verb == "place" and reserve:
        units = min(card.amount, reserve)
        yield from (Play(card.name, faction, place=((area, card.unit, units),)) for area in areas)
