"""Cards that may have been played in a turn in progress before anything is rolled: those that add units to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import log

from engine.areas import members
from engine.orders import cards
from engine.orders.inference.case import card_chance
from engine.orders.mode import Card
from engine.orders.position import Position, Stage, Turn
from engine.orders.steps import Play


def joins(position: Position) -> Iterator[tuple[tuple[Play, ...], float]]:
    """No card, or one of those that add units now, in each way, with the logarithm of its chance."""
    yield (), 0.0
    turn = position.turn
    if turn is None or turn.stage is not Stage.JOIN:
        return
    adding = ((faction, card) for faction, card in cards.playable(position) if card.verb in ("join", "place"))
    for faction, card in adding:
        ways = list(_ways(position, turn, card))
        for play in ways:
            yield (play,), log(card_chance(position, faction, card) / len(ways))


def _ways(position: Position, turn: Turn, card: Card) -> Iterator[Play]:
    board = position.board
    by = board.factions[cards.actor(position, card)]
    most = min(card.amount, position.reserve(position.to_move, board.mode.unit_index[card.unit]))
    for n in range(1, most + 1):
        if card.verb == "join":
            yield Play(card.name, by, units=n)
            continue
        open_to = board.names(members(turn.places | (turn.seizable if card.into_enemy else 0)))
        for areas in combinations_with_replacement(open_to, n):
            place = tuple((area, card.unit, areas.count(area)) for area in dict.fromkeys(areas))
            yield Play(card.name, by, place=place)
