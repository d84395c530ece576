"""Random legal turns without special effects, for tests that compare what happened with what is made of it."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from engine.orders import game
from engine.orders.board import Board
from engine.orders.cards import unseen
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Remove, Roll, Step


def start(rng: Random, board: Board, readings: tuple[str, ...] = ()) -> Position:
    """The printed start of a board with random tokens and initiative."""
    mode = board.mode
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for area in board.areas:
        for faction, unit, n in area.start:
            rows[mode.faction_index[faction]][mode.unit_index[unit]][area.index] = n
    first = rng.randrange(2)
    return Position(
        board=board,
        round=1,
        initiative=first,
        to_move=first,
        bonuses=tuple(rng.sample(sorted(mode.bonuses), len(board.slots))),
        units=tuple(tuple(map(tuple, side)) for side in rows),
        commanders=(0, 0),
        commanders_left=(mode.commanders, mode.commanders),
        standby=(0, 0),
        hands=((), ()),
        readings=frozenset(readings),
    )


def turns(rng: Random, board: Board, readings: tuple[str, ...] = ()) -> Iterator[tuple[Position, list[Step], Position]]:
    """Turn after turn of random games without end: the position, the turn's steps, and the position after them."""
    position = start(rng, board, readings)
    while True:
        steps, after = turn(position, rng)
        yield position, steps, after
        position = after if after.winner is None else start(rng, board, readings)


def turn(position: Position, rng: Random) -> tuple[list[Step], Position]:
    """A random legal turn and the position after it: no special effects, no rerolls."""
    step = opening(position, rng)
    steps = [step]
    position = game.apply(position, step)
    while position.turn is not None:
        steps.append(answer(position, rng))
        position = game.apply(position, steps[-1])
    return steps, position


def opening(position: Position, rng: Random) -> Step:
    spaces = game.legal(position).spaces
    if not spaces or rng.random() < 0.04:
        return Pass()
    kinds = sorted({name.partition(":")[0] for name in spaces})
    kind = rng.choice(kinds)
    name = rng.choice(sorted(space for space in spaces if space.startswith(kind + ":")))
    return deployment(position, name, spaces[name], rng)


def deployment(position: Position, name: str, offer: game.Offer, rng: Random) -> Deploy:
    if offer.sources:
        return Deploy(name, moves=moves(offer, rng))
    if offer.targets:
        return Deploy(name, target=rng.choice(offer.targets))
    if offer.action == "plan":
        return Deploy(name, draw=draw(position, offer.draw, rng))
    return placement(position, name, offer, rng)


def moves(offer: game.Offer, rng: Random) -> tuple[Load, ...]:
    while True:
        loads = []
        for area, most in offer.sources.items():
            spare = max(most.values())  # the last unit stays, whatever its kind
            for unit, there in most.items():
                n = rng.randint(0, min(there, spare))
                spare -= n
                loads += [(area, unit, n)] if n else []
        if loads:
            return tuple(loads)


def draw(position: Position, n: int, rng: Random) -> tuple[str, ...] | int:
    deck = [card for card in position.board.mode.cards for _ in range(unseen(position, card))]
    hidden = any(isinstance(hand, int) for hand in position.hands)
    if hidden or len(deck) < n or rng.random() < 0.1:
        return n
    return tuple(rng.sample(deck, n))


def placement(position: Position, name: str, offer: game.Offer, rng: Random) -> Deploy:
    """As many units as may be placed, now and then fewer; where the reserve is short, now and then after a recall."""
    if not offer.areas:
        return Deploy(name)
    mode, me = position.board.mode, position.to_move
    kind, *heavy = mode.kinds_on[mode.actions[offer.action].kind]
    unit, left = mode.units[kind].name, position.reserve(me, kind)
    recall = _recall(position, kind, max(0, offer.amount - left), rng) if rng.random() < 0.5 else ()
    due = min(offer.amount, left + sum(n for _, _, n in recall))
    if not recall and "place-fewer" not in position.readings and rng.random() < 0.1:
        due = rng.randint(0, due)
    places = Counter((rng.choice(offer.areas), unit) for _ in range(due))
    for other in heavy:
        support = mode.support[name]
        n = min(rng.randint(0, support.siege), position.reserve(me, other), offer.amount - due)
        places.update((rng.choice(offer.areas), mode.units[other].name) for _ in range(n))
    return Deploy(name, place=tuple((*place, n) for place, n in places.items()), recall=recall)


def _recall(position: Position, kind: int, short: int, rng: Random) -> tuple[Load, ...]:
    row = position.units[position.to_move][kind]
    unit = position.board.mode.units[kind].name
    whole = [sum(other[area] for other in position.units[position.to_move]) for area in range(len(row))]
    loads = []
    for area in rng.sample(range(len(row)), len(row)):
        n = min(rng.randint(0, 3), short, row[area], whole[area] - 1)
        if n > 0:
            loads.append((position.board.areas[area].name, unit, n))
            short -= n
    return tuple(loads)


def answer(position: Position, rng: Random) -> Step:
    """What is owed inside a turn: random dice, random losses, no cards."""
    owed = game.owed(position)
    assert owed is not None
    if owed.wants == "roll":
        return Roll(tuple(rng.choice(position.board.mode.die) for _ in range(owed.dice)), owed.by)
    if owed.wants == "remove":
        assert owed.area is not None
        there = [unit for unit, n in position.units_in(owed.area)[owed.by].items() for _ in range(n)]
        return Remove(tuple(Counter(rng.sample(there, owed.units)).items()), owed.by, owed.area)
    return Accept()
