"""Counts legal step sequences: how many ways there are to go on for so many steps.

Fine: every way to use every space (each choice of units by source or area, each target), every die result that differs
by its faces (order left out), every special effect in every amount and place, every card to roll again with, every
choice of losses. Cards that a window lets one play are played in it, not named with the deployment (Counterattack
alone is named); a window is passed by with `accept`, never by the next turn's step.

Coarse: as fine, but units move from one source at a time, as many as may; all that a placement gives goes to one area.

`python -m tests.perft.count` writes the counts of all files here anew; a difference is a change in the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

from engine.orders.board import Space
from engine.orders.game import Offer, Owed, apply, judge, legal, owed
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from tests.boards.practice import BOARDS
from tests.tables import stand

FOLDER = Path(__file__).parent
Json = dict[str, Any]


def sequences(position: Position, depth: int, coarse: bool = False) -> int:
    """How many legal sequences of `depth` steps there are; a finished game has no further step."""
    return _sequences(position, depth, coarse, {})


def _sequences(position: Position, depth: int, coarse: bool, known: dict[tuple[Position, int], int]) -> int:
    if depth == 0:
        return 1
    found = known.get((position, depth))
    if found is None:
        steps = steps_from(position, coarse)
        ahead = (_sequences(apply(position, step), depth - 1, coarse, known) for step in steps)
        found = len(steps) if depth == 1 else sum(ahead)
        known[position, depth] = found
    return found


def by_space(position: Position, coarse: bool = False) -> dict[str, int]:
    """How many steps there are at each space now; a pass as "pass"."""
    counts: dict[str, int] = {}
    for step in steps_from(position, coarse):
        name = step.space if isinstance(step, Deploy) else type(step).__name__.lower()
        counts[name] = counts.get(name, 0) + 1
    return counts


def steps_from(position: Position, coarse: bool = False) -> list[Step]:
    """Every legal step, once each."""
    due = owed(position)
    ways = _turn_steps(position, coarse) if due is None else _answers(position, due)
    return [step for step in ways if judge(position, step).legal]


# --- what is owed -----------------------------------------------------------------------


def _answers(position: Position, due: Owed) -> Iterator[Step]:
    if due.wants == "roll":
        faces = sorted(set(position.board.mode.die))
        yield from (Roll(dice, due.by) for dice in combinations_with_replacement(faces, due.dice))
    elif due.wants == "remove":
        assert due.area is not None
        kinds = position.units_in(due.area)[due.by]
        for counts in product(*(range(n + 1) for n in kinds.values())):
            yield Remove(tuple((unit, n) for unit, n in zip(kinds, counts, strict=True) if n), due.by, due.area)
    elif due.wants == "return":
        yield from (Return(space, due.by) for space in due.spaces)
    else:
        yield Accept()
    for faction, card in due.cards:
        yield from _plays(position, faction, position.board.mode.cards[card])
    if due.may_reroll:
        hand = position.hand(due.by)
        yield from (Reroll(card, due.by) for card in (dict.fromkeys(hand) if isinstance(hand, tuple) else ()))


def _plays(position: Position, faction: str, card: Card) -> Iterator[Play]:
    areas = [area.name for area in position.board.areas]
    if card.verb in ("dice", "table"):
        yield Play(card.name, faction)
    elif card.verb == "join":
        yield from (Play(card.name, faction, units=n) for n in range(1, card.amount + 1))
    elif card.verb == "place":
        for n in range(1, card.amount + 1):
            for chosen in combinations_with_replacement(areas, n):
                loads = tuple((area, card.unit, chosen.count(area)) for area in dict.fromkeys(chosen))
                yield Play(card.name, faction, place=loads)
    else:
        yield from (Play(card.name, faction, target=area) for area in areas)


# --- a new turn -------------------------------------------------------------------------


def _turn_steps(position: Position, coarse: bool) -> Iterator[Step]:
    yield Pass()
    if coarse:
        for name, offer in legal(position).spaces.items():
            yield from _coarse(position, position.board.space(name), offer)
    else:
        for space in position.board.spaces:
            yield from _fine(position, space)


def _coarse(position: Position, space: Space, offer: Offer) -> Iterator[Deploy]:
    for area, kinds in offer.sources.items():
        yield from (Deploy(space.name, moves=((area, unit, most),)) for unit, most in kinds.items())
    spent = offer.payload if space.action.payload else None
    yield from (Deploy(space.name, target=target, payload=spent) for target in offer.targets)
    if offer.areas:
        unit, left = _placed(position, space)
        yield from (Deploy(space.name, place=((area, unit, min(offer.amount, left)),)) for area in offer.areas)
    if space.action.verb == "draw":
        yield Deploy(space.name, draw=offer.draw)


def _placed(position: Position, space: Space) -> tuple[str, int]:
    kind = position.board.mode.kinds_on[space.action.kind][0]
    return position.board.mode.units[kind].name, position.reserve(position.to_move, kind)


def _fine(position: Position, space: Space) -> Iterator[Deploy]:
    areas = [area.name for area in position.board.areas]
    if space.action.verb in ("shoot", "drop"):
        payloads = range(1, 11) if space.action.payload else [None]
        yield from (Deploy(space.name, target=area, payload=n) for area in areas for n in payloads)
    elif space.action.verb == "draw":
        yield from (Deploy(space.name, draw=n) for n in range(5))
    elif space.action.verb == "place":
        yield from (Deploy(space.name, place=loads) for loads in _placements(position, space))
    else:
        for cards in ((), ("counterattack",)):
            yield from (Deploy(space.name, moves=loads, cards=cards) for loads in _moves(position, space, cards))


def _moves(position: Position, space: Space, cards: tuple[str, ...]) -> Iterator[tuple[Load, ...]]:
    """Every choice of sources with units: each source is judged alone first, as sources do not hang on one another."""
    choices: list[list[tuple[Load, ...]]] = []
    for area in position.board.areas:
        here = position.units_in(area.name).get(position.to_move_name, {})
        ways = [
            tuple((area.name, unit, n) for unit, n in zip(here, counts, strict=True) if n)
            for counts in product(*(range(n + 1) for n in here.values()))
        ]
        alone = [way for way in ways if way and judge(position, Deploy(space.name, moves=way, cards=cards)).legal]
        if alone:
            choices.append([(), *alone])
    for chosen in product(*choices):
        yield tuple(load for way in chosen for load in way)


def _placements(position: Position, space: Space) -> Iterator[tuple[Load, ...]]:
    """Every way to place up to twelve units: one unit is judged alone in each area first."""
    kinds = [position.board.mode.units[kind].name for kind in position.board.mode.kinds_on[space.action.kind]]
    singles = [(area.name, unit) for area in position.board.areas for unit in kinds]
    alone = [single for single in singles if judge(position, Deploy(space.name, place=((*single, 1),))).legal]
    yield ()
    for n in range(1, 13):
        ways = [
            tuple((area, unit, chosen.count((area, unit))) for area, unit in dict.fromkeys(chosen))
            for chosen in combinations_with_replacement(alone, n)
        ]
        legal_ways = [way for way in ways if judge(position, Deploy(space.name, place=way)).legal]
        yield from legal_ways
        if not legal_ways:
            return


# --- the files --------------------------------------------------------------------------


def position_of(data: Json) -> Position:
    """Return the position that a file describes."""
    board = BOARDS[data["board"]]()
    first, second = (data[faction] for faction in board.factions)
    return stand(board, first, second, **data.get("more", {}))


def counts_of(data: Json, depth: int) -> Json:
    """Return the counts of a file's position, by depth and, for the first step, by space."""
    position, coarse = position_of(data), data["coarse"]
    counts = [sequences(position, n, coarse) for n in range(1, depth + 1)]
    return {"counts": counts, "by_space": by_space(position, coarse)}


def renew() -> None:
    """Count all files anew."""
    for file in sorted(FOLDER.glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        data |= counts_of(data, len(data["counts"]))
        file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    renew()
