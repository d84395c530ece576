"""How to put a table right that no legal turn explains: the nearest legal position, and how to get there.

Nearest is the legal turn, or nothing done at all, after which the fewest units and commanders have to be put or taken;
those where nobody seems to have touched anything count twice.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from engine.areas import members
from engine.orders.board import Space
from engine.orders.describe import describe_space
from engine.orders.inference.evidence import Sight, tolerant_evidence
from engine.orders.inference.misfits import (
    Misfit,
    Mismatch,
    Reason,
    commander_reason,
    mismatch_of,
    place_of,
    unit_reason,
)
from engine.orders.inference.weighing import WeighedTurn, weigh_turns
from engine.orders.position import Position
from engine.orders.steps import Pass, Step
from engine.orders.turn import commanders_before_homecoming, ready
from engine.ruling import Finding
from engine.words import count_words, join_words, mark, place, say, side

Pieces = tuple[tuple[str, str, int], ...]
"""Pieces as (faction, unit, number); a commander is the unit "commander"."""


@dataclass(frozen=True, slots=True)
class Fix:
    """What to do in one place, an area or an action space: what should stand there, what does, what to put or take.

    `message` is for people; `finding` the objection that forbids what is seen, where a rule does.
    """

    place: str
    area: str
    expected: Pieces
    seen: Pieces
    put: Pieces
    take: Pieces
    message: str
    finding: Finding | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """The nearest legal position and the way to it: after the fixes the table shows `position`.

    `steps` are the legal turn that is assumed to have been played; if empty, the table goes back to what is recorded.
    """

    steps: tuple[Step, ...]
    position: Position
    why: str
    fixes: tuple[Fix, ...]


def misfit_of(fix: Fix) -> Misfit:
    """Return the misfit that a fix puts right."""
    return Misfit(fix.area, fix.message, fix.finding)


def repair(position: Position, sight: Sight) -> Repair:
    """Find the nearest legal position to what is seen, and what it takes to get there."""
    here = ready(position, Pass())
    near = _nearest(here, sight)
    case = mismatch_of(here, sight, near.steps[0] if near.steps else None, near.why)
    return Repair(
        near.steps, near.position, near.why, (*_commander_fixes(case, near, sight), *_unit_fixes(case, near, sight))
    )


def _nearest(here: Position, sight: Sight) -> WeighedTurn:
    """Return the legal turn after which least has to be put right; the record as it is if none may begin."""
    recorded = WeighedTurn((), here, say("nothing has happened yet"), 0.0, 0.0)
    if here.turn is not None or here.winner is not None:
        return recorded
    found = weigh_turns(here, tolerant_evidence(sight, here), waiting=0.0)
    return max(found, key=lambda turn: (turn.fit, bool(turn.steps or turn.fit), turn.score))


# --- units ------------------------------------------------------------------------------


def _unit_fixes(case: Mismatch, near: WeighedTurn, sight: Sight) -> Iterator[Fix]:
    board = near.position.board
    for area in board.areas:
        expected, seen = (_pieces(near.position, rows, area.index) for rows in (near.position.units, sight.units))
        if expected != seen:
            more, fewer = _surplus(seen, expected), _surplus(expected, seen)
            why, finding = _unit_reason(case, area.index, {(who, unit) for who, unit, _ in (*fewer, *more)})
            message = say(
                "{area} has {pieces}; {why}", area=place(area.name), pieces=_pieces_text(more, fewer), why=why
            )
            yield Fix(area.name, area.name, expected, seen, fewer, more, message, finding)


def _pieces(position: Position, rows: tuple[tuple[tuple[int, ...], ...], ...], area: int) -> Pieces:
    names = [(who, kind.name) for who in position.board.factions for kind in position.board.mode.units]
    counts = [row[area] for side in rows for row in side]
    return tuple((who, unit, n) for (who, unit), n in zip(names, counts, strict=True) if n)


def _surplus(many: Pieces, few: Pieces) -> Pieces:
    """Return the pieces of `many` that `few` doesn't have."""
    others = {(who, unit): n for who, unit, n in few}
    rest = ((who, unit, n - others.get((who, unit), 0)) for who, unit, n in many)
    return tuple(piece for piece in rest if piece[2] > 0)


def _pieces_text(more: Pieces, fewer: Pieces) -> str:
    """Return in words which pieces are too many and which are missing in an area."""
    parts = []
    for pieces, (singular, plural) in ((more, _TOO_MANY), (fewer, _TOO_FEW)):
        if pieces:
            n = sum(n for _, _, n in pieces)
            parts.append(
                say(
                    singular if n == 1 else plural,
                    pieces=join_words(count_words(n, unit, who) for who, unit, n in pieces),
                )
            )
    return join_words(parts)


_TOO_MANY = mark("{pieces} too many: take it off"), mark("{pieces} too many: take them off")
_TOO_FEW = mark("{pieces} missing: add it"), mark("{pieces} missing: add them")


def _unit_reason(case: Mismatch, area: int, wrong_pieces: Container[tuple[str, str]]) -> Reason:
    """Explain why what is seen in an area is no part of a legal turn, or what turn it has to follow.

    wrong_pieces: those there that have to be put or taken, as (faction, unit).
    """
    factions, kinds = case.outlook.board.factions, case.outlook.mode.units
    here = [change for change in case.differences.all if change.area == area]
    changes = [change for change in here if (factions[change.faction], kinds[change.kind].name) in wrong_pieces]
    if not changes:
        return say("this matches the closest legal turn: {why}", why=case.why), None
    return unit_reason(case, changes[0])


# --- commanders -------------------------------------------------------------------------


def _commander_fixes(case: Mismatch, near: WeighedTurn, sight: Sight) -> Iterator[Fix]:
    if sight.commanders is None:
        return
    board, sides = near.position.board, near.position.commanders
    differ = ((sides[0] ^ sight.commanders[0]) | (sides[1] ^ sight.commanders[1])) & sight.spaces
    for index in members(differ):
        space = board.spaces[index]
        expected, seen = (
            tuple((who, "commander", 1) for who, held in zip(board.factions, both, strict=True) if held >> index & 1)
            for both in (sides, sight.commanders)
        )
        why, finding = _commander_reason(case, near, space, sight)
        take, put = _surplus(seen, expected), _surplus(expected, seen)
        yield Fix(space.name, place_of(space), expected, seen, put, take, why, finding)


def _commander_reason(case: Mismatch, near: WeighedTurn, space: Space, sight: Sight) -> Reason:
    """Explain why a commander that is seen may not be there, or else why one not seen ought to be."""
    board, here = near.position.board, case.outlook.position
    seen = sight.commanders or (0, 0)
    more, fewer = (
        [faction for faction in (0, 1) if (some[faction] & ~others[faction]) >> space.index & 1]
        for some, others in ((seen, near.position.commanders), (near.position.commanders, seen))
    )
    if not more:
        return _missing_reason(here, near, (fewer[0], space))
    ended = bool(near.steps) and near.position.round != here.round
    if ended and commanders_before_homecoming(here, near.steps[0])[more[0]] >> space.index & 1:
        recalled = mark("the round is over: {who}'s commander on “{space}” goes back to the reserve")
        return say(recalled, who=side(board.factions[more[0]]), space=describe_space(space)), None
    return commander_reason(case, (more[0], space))


def _missing_reason(here: Position, near: WeighedTurn, held: tuple[int, Space]) -> Reason:
    faction, space = held
    who = side(here.board.factions[faction])
    if here.commanders[faction] >> space.index & 1:
        gone = mark("{who}'s commander on “{space}” is gone, but the round isn't over: put it back")
        return say(gone, who=who, space=describe_space(space)), None
    missing = mark("{who}'s commander is missing on “{space}”: put it there; {why}")
    return say(missing, who=who, space=describe_space(space), why=near.why), None
