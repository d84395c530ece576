"""Random turns without special effects or rerolls, whole, for tests that ask which turn explains the table after it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from engine.orders import game
from engine.orders.board import Board
from engine.orders.mode import PLACING
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Return, Roll, Step
from tests import play

Turn = tuple[Position, list[Step], Position]


def turns(rng: Random, board: Board, readings: tuple[str, ...] = ()) -> Iterator[Turn]:
    """Turn after turn of game after game: the position, the turn's steps, and the position after them."""
    while True:
        position = replace(play.opening(rng, board), readings=frozenset(readings))
        while position.winner is None:
            steps, after = turn(rng, position)
            yield position, steps, after
            position = after


def turn(rng: Random, position: Position) -> tuple[list[Step], Position]:
    steps = [beginning(rng, position)]
    position = game.apply(position, steps[-1])
    while position.turn is not None:
        steps.append(answer(rng, position))
        position = game.apply(position, steps[-1])
    return steps, position


def beginning(rng: Random, position: Position) -> Step:
    spaces = game.legal(position).spaces
    if not spaces or rng.random() < 0.04:
        return Pass()
    action = rng.choice(sorted({space.partition(":")[0] for space in spaces}))
    space = rng.choice(sorted(space for space in spaces if space.startswith(f"{action}:")))
    spills = position.board.space(space).action.limit != PLACING
    heaped = spills and spaces[space].areas and rng.random() < 0.6
    return (heaping if heaped else play.deployment)(rng, position, space, spaces[space])


def heaping(rng: Random, position: Position, space: str, offer: game.Offer) -> Deploy:
    """Units placed without a thought of limits, now and then fewer than may be, or after recalls from anywhere."""
    mode, me = position.board.mode, position.to_move
    kind, *heavy = mode.kinds_on[mode.actions[offer.action].kind]
    unit, left = mode.units[kind].name, position.reserve(me, kind)
    recall = recalling(rng, position, kind, offer.amount - left) if rng.random() < 0.5 else ()
    due = min(offer.amount, left + sum(n for _, _, n in recall))
    if not recall and "place-fewer" not in position.readings and rng.random() < 0.2:
        due = rng.randint(0, due)
    places = Counter((rng.choice(offer.areas), unit) for _ in range(due))
    for other in heavy:
        n = min(rng.randint(0, mode.support[space].siege), position.reserve(me, other), offer.amount - due)
        places.update((rng.choice(offer.areas), mode.units[other].name) for _ in range(n))
    return Deploy(space, place=tuple((*where, n) for where, n in places.items()), recall=recall)


def recalling(rng: Random, position: Position, kind: int, short: int) -> tuple[Load, ...]:
    rows, unit = position.units[position.to_move], position.board.mode.units[kind].name
    loads = []
    for area in rng.sample(position.board.areas, len(position.board.areas)):
        n = min(rng.randint(0, 3), short, rows[kind][area.index], sum(row[area.index] for row in rows) - 1)
        if n > 0:
            loads.append((area.name, unit, n))
            short -= n
    return tuple(loads)


def answer(rng: Random, position: Position) -> Step:
    """Return a step that answers what is owed inside a turn: random dice, random losses, no cards."""
    owed = game.owed(position)
    assert owed is not None
    if owed.wants == "roll":
        return Roll(tuple(rng.choice(position.board.mode.die) for _ in range(owed.dice)), owed.by)
    if owed.wants == "return":
        return Return(rng.choice(owed.spaces), owed.by)
    return play.removal(rng, position, owed) if owed.wants == "remove" else Accept()


def turns_with_cards(rng: Random, board: Board) -> Iterator[Turn]:
    """Turn after turn of games in which everything is played: cards in every way, rerolls, losses, recalls."""
    while True:
        position = play.opening(rng, board)
        while position.winner is None:
            begun, steps = position, list[Step]()
            while not steps or position.turn is not None:
                steps.append(play.next_step(rng, position))
                position = game.apply(position, steps[-1])
                if isinstance(steps[0], Play):  # announced between turns
                    begun, steps = position, []
            yield begun, steps, position
