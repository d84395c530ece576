"""Commanders that the eye took for units: a piece on an action space may be either, and the game knows which it was.

No unit stands where a commander does: their bases are too wide. So where the game has a commander on a space, units of
its side that the eye sees there are that commander. Where it has none, they may be one that has just come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import dist, log, pi

from companion.perception.adapters import GameRecord
from engine.areas import members
from engine.orders.board import Board, Space
from engine.orders.position import Position
from engine.orders.turn import commanders_before_homecoming, ready
from vision.reading.count import UsualForce, belief, capped_below_sure, units_of
from vision.reading.piece_sets import DISC
from vision.reading.pieces import Piece
from vision.reading.read import Reading

NEAR_MM = 4.0
"""So far from an action space's middle commanders stand at most (`vision.reading.pieces`)."""
SPREAD_MM = 1.3
"""How far they usually stand from it (standard deviation, each way), as the eye sees it."""
MISTAKEN = 0.03
"""How often the eye takes a commander for units: 13 of 461 put down in sixteen whole games."""
ROOM_MM2 = 1000.0
"""The room that units have in an area: a hex of the boards. They stand anywhere in it, on an action space as well."""
TAKEN = 0.99
"""The probability that units on the space of a recorded commander are that commander."""
THERE, NOTHING = 0.5, 0.1
"""From the first on there is rather a piece than none; less than the second changes no count."""
MOST = 2
"""So many pieces that may be new commanders are thought of at most, the likeliest ones."""

Commanders = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NewCommander:
    """A commander that may have come to a space where the eye sees units.

    odds: the logarithm of how much likelier a commander looks like this than units do; reading: the reading with those
    units taken for the commander.
    """

    space: str
    odds: float
    reading: Reading


def commanders_on_board(game: GameRecord) -> Commanders:
    """Return each side's commanders on the action spaces, including those still to go home after the last turn."""
    position = game.turn_start
    if not game.steps:
        return position.commanders
    was, step = game.positions[-2], game.steps[-1]
    if was.round == position.round:
        return position.commanders
    before = commanders_before_homecoming(ready(was, step), step)
    return position.commanders[0] | before[0], position.commanders[1] | before[1]


def with_known_commanders(reading: Reading, board: Board, commanders: Commanders) -> Reading:
    """Return the reading with units on these commanders' spaces taken for the commanders."""
    for faction, side in zip(board.factions, commanders, strict=True):
        for index in members(side):
            space = board.spaces[index]
            units = tuple(_units_on(reading, space, faction))
            if any(piece.score >= NOTHING for piece in units):
                reading = _taken_for(reading, board, (space, faction), units)
    return reading


def new_commanders(position: Position, reading: Reading) -> list[NewCommander]:
    """Return up to `MOST` new commanders of the moving side that the eye may take for units, the likeliest first.

    Areas that people have counted, or that have not changed, are left out.
    """
    board, mover = position.board, position.to_move_name
    found = []
    for space in board.spaces:
        if space.area is None or space.faction not in (None, mover) or position.commanders_on(space.name):
            continue
        if reading.confidence.get(space.area) == 1.0:  # nothing has changed there
            continue
        units = [piece for piece in _units_on(reading, space, mover) if piece.score >= THERE and piece.kind == DISC]
        if units and reading.leaders.get(space.name, {}).get(mover, 0.0) < THERE:
            found.append(
                NewCommander(space.name, _odds(units[0], space), _taken_for(reading, board, (space, mover), units))
            )
    return sorted(found, key=lambda commander: -commander.odds)[:MOST]


def taken_for_units(position: Position, reading: Reading) -> frozenset[str]:
    """Return the spaces where what the eye sees as units is likelier a commander that has come."""
    return frozenset(commander.space for commander in new_commanders(position, reading) if commander.odds > 0)


def _units_on(reading: Reading, space: Space, faction: str) -> Iterator[Piece]:
    """Yield the units of a side that the eye sees where a commander would stand."""
    for piece in reading.pieces:
        if (piece.faction, piece.place) == (faction, space.area) and _gap_mm(piece, space) <= NEAR_MM:
            yield piece


def _gap_mm(piece: Piece, space: Space) -> float:
    return dist(piece.at_mm, space.at_mm) if space.at_mm is not None else float("inf")


def _odds(unit: Piece, space: Space) -> float:
    """Return the log odds, by Bayes, of a commander, normally distributed about the middle, against a unit anywhere."""
    usual = ROOM_MM2 / (2 * pi * SPREAD_MM**2)
    return log(MISTAKEN * usual) - 0.5 * (_gap_mm(unit, space) / SPREAD_MM) ** 2


def _taken_for(reading: Reading, board: Board, who: tuple[Space, str], units: Iterable[Piece]) -> Reading:
    """Return the reading with these units taken for one commander; the area's count is no longer sure."""
    space, faction = who
    assert space.area is not None
    gone = {id(piece) for piece in units}
    pieces = tuple(piece for piece in reading.pieces if id(piece) not in gone)
    usual = UsualForce(board.mode.caps.get(board.area(space.area).kind), shared=False)
    count = capped_below_sure(belief((piece for piece in pieces if piece.place == space.area), usual))
    seen = reading.leaders.get(space.name, {})
    there = {**seen, faction: max(TAKEN, seen.get(faction, 0.0))}
    counted = space.area not in reading.unreadable
    rest = {area: units for area, units in reading.units.items() if area != space.area}
    return replace(
        reading,
        units={**rest, **units_of({space.area: count})} if counted else reading.units,
        commanders=dict(sorted({**reading.commanders, space.name: faction}.items())),
        confidence={**reading.confidence, space.area: round(count.confidence, 4)} if counted else reading.confidence,
        counts={**reading.counts, space.area: count},
        leaders=dict(sorted({**reading.leaders, space.name: there}.items())),
        pieces=pieces,
    )
