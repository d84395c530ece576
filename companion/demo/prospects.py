"""The turns and cards worth a thought: ways to use each legal action space, and cards for an open window."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.orders import game
from engine.orders.game import Offer, Owed
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Deploy, Load, Play, Reroll

MOVE_TRIES = 5
PLACE_TRIES = 6

Ways = Callable[[Position, str, Offer, random.Random], Iterator[Deploy]]


def deployments(position: Position, rng: random.Random) -> list[Deploy]:
    """List legal deployments: a few ways for each usable space, and for taken spaces by a card."""
    found: list[Deploy] = []
    for space, option in game.legal(position).spaces.items():
        found.extend(_WAYS[position.board.space(space).action.verb](position, space, option, rng))
    found.extend(_shared(position, rng))
    return [step for step in found if game.judge(position, step).legal]


def _moves(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield moves of everything, of each source alone, and of a few mixtures."""
    most = [(area, unit, n) for area, units in option.sources.items() for unit, n in units.items()]
    mixtures = [tuple((area, unit, rng.randint(0, n)) for area, unit, n in most) for _ in range(MOVE_TRIES)]
    ways: dict[tuple[Load, ...], None] = dict.fromkeys([tuple(most), *((load,) for load in most), *mixtures])
    for moves in ways:
        taken = tuple(load for load in moves if load[2])
        if taken:
            yield Deploy(space, moves=taken)


def _shots(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield shots at areas with something to hit, with up to one unit more spent than there are enemies."""
    payload = position.board.space(space).action.payload
    for target in option.targets:
        enemies = _enemies(position, target, position.to_move_name)
        if enemies and payload:
            yield from (Deploy(space, target=target, payload=n) for n in range(1, min(option.payload, enemies + 1) + 1))
        elif enemies:
            yield Deploy(space, target=target)


def _drops(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield a drop into every area that may be targeted."""
    yield from (Deploy(space, target=target) for target in option.targets)


def _places(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield deployments of the whole amount, as far as reserve and limits allow, spread in a few ways."""
    for _ in range(PLACE_TRIES):
        place: tuple[Load, ...] = ()
        for units in _recalls(position, space, option.amount, rng):
            place += loads_of(position, option.areas, units, rng, place)
        if place:
            yield Deploy(space, place=place)


def _recalls(position: Position, space: str, amount: int, rng: random.Random) -> Iterator[tuple[str, int]]:
    """Yield units to bring from the reserve: some of those whose number the space limits, and the common ones."""
    board, me = position.board, position.to_move
    common, *others = board.mode.kinds_on[board.space(space).action.kind]
    support = board.space(space).support
    limit = support.siege if support else 0
    for kind in others:
        number = rng.randint(0, min(limit, position.reserve(me, kind), amount))
        limit, amount = limit - number, amount - number
        yield board.mode.units[kind].name, number
    yield board.mode.units[common].name, min(amount, position.reserve(me, common))


def _draws(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield the deployment that draws the full number of cards; which ones they are shows when they are drawn."""
    yield Deploy(space, draw=option.draw)


_WAYS: dict[str, Ways] = {"move": _moves, "shoot": _shots, "drop": _drops, "place": _places, "draw": _draws}


def loads_of(
    position: Position, areas: tuple[str, ...], units: tuple[str, int], rng: random.Random, before: Sequence[Load] = ()
) -> tuple[Load, ...]:
    """Spread this many units of a kind over areas at random, none filled beyond its limit, some preferred.

    before: what is put there besides.
    """
    unit, number = units
    room: dict[str, int] = {}
    for name in areas:
        here = sum(position.units_in(name).get(position.to_move_name, {}).values())
        limit = position.board.mode.caps[position.board.area(name).kind]
        room[name] = max(0, limit - here) - sum(n for area, _, n in before if area == name)
    fancy = {name: rng.random() ** 2 for name in areas}
    put: Counter[str] = Counter()
    for _ in range(number):
        free = [name for name in areas if put[name] < room[name]]
        if not free:
            break
        put[rng.choices(free, [fancy[name] + 1e-6 for name in free])[0]] += 1
    return tuple((name, unit, n) for name, n in put.items())


def _enemies(position: Position, area: str, faction: str) -> int:
    return sum(sum(units.values()) for other, units in position.units_in(area).items() if other != faction)


def _shared(position: Position, rng: random.Random) -> Iterator[Deploy]:
    """Yield deployments to spaces that an opponent's commander holds, for a hand with a card that allows it.

    What such a space offers is looked up as if that commander were away.
    """
    hand, me = position.hand(position.to_move_name), position.to_move
    held = set() if isinstance(hand, int) else set(hand)
    cards = [card for card in position.board.mode.cards.values() if card.verb == "share" and card.name in held]
    if not cards:
        return
    mine = position.commanders[me]
    offers = game.legal(replace(position, commanders=(0, mine) if me else (mine, 0))).spaces
    for card in cards:
        for name, option in offers.items():
            space = position.board.space(name)
            if space.action.name == card.action and position.commanders[1 - me] >> space.index & 1:
                for step in _WAYS[space.action.verb](position, name, option, rng):
                    yield replace(step, cards=(card.name,))


def by_extra(position: Position, step: Deploy) -> Deploy:
    """Return the deployment made by a commander from standby, if a card in hand allows that, else unchanged."""
    hand = position.hand(position.to_move_name)
    held = () if isinstance(hand, int) else hand
    extra = [card.name for card in position.board.mode.cards.values() if card.verb == "extra" and card.name in held]
    more = [replace(step, cards=(*step.cards, name)) for name in extra]
    return next((candidate for candidate in more if game.judge(position, candidate).legal), step)


def window_plays(position: Position, owed: Owed) -> list[Play | Reroll]:
    """Return the legal ways to use cards in the open window."""
    found: list[Play | Reroll] = []
    for faction, name in dict.fromkeys(owed.cards):
        found.extend(_plays(position, position.board.mode.cards[name], faction))
    if owed.may_reroll:
        hand = position.hand(owed.by)
        found.extend(Reroll(name, owed.by) for name in dict.fromkeys(() if isinstance(hand, int) else hand))
    return [step for step in found if game.judge(position, step).legal]


def _plays(position: Position, card: Card, faction: str) -> Iterator[Play]:
    areas = [area.name for area in position.board.areas]
    mode = position.board.mode
    reserve = position.reserve(mode.faction_index[faction], mode.unit_index[card.unit]) if card.unit else 0
    if card.verb == "dice":
        yield Play(card.name, faction)
    if card.verb == "again":
        yield from (Play(card.name, faction, target=area) for area in areas if _enemies(position, area, faction))
    if card.verb == "join" and reserve:
        yield Play(card.name, faction, units=min(card.amount, reserve))
    if card.verb == "place" and reserve:
        units = min(card.amount, reserve)
        yield from (Play(card.name, faction, place=((area, card.unit, units),)) for area in areas)
