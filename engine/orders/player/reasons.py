"""Why a turn is good, as data: what it takes, cuts, keeps, threatens, and what it saves.

A turn's likeliest end at which the game goes on, if there is one, is compared with the board before the turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.areas import members
from engine.orders.player.realm import Threats, side_of, threats
from engine.orders.player.unfolding import Ending
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass

NOTEWORTHY = 0.15
"""A headquarters that falls this much more or less often is a reason."""
CODES = frozenset(
    [
        "wins",
        "takes",
        "empties",
        "cuts",
        "links",
        "guards",
        "threatens",
        "holds",
        "strengthens",
        "initiative",
        "draws",
        "waits",
        "prepares",
    ]
)
"""What a reason may be: see `Reason`."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that a turn does.

    `code`, with what the other fields hold:

    - "wins": the game, with `chance`
    - "takes": control of an area, `amount` points, with `chance`
    - "empties": an enemy area, `amount` points that it loses, with `chance`
    - "cuts": enemy areas out of supply, `amount` points
    - "links": own areas back into supply, `amount` points
    - "guards": the own headquarters, which would have fallen with a chance higher by `chance`
    - "threatens": the enemy's headquarters, which falls next turn with `chance`
    - "holds": an own area that the enemy was likely to take, `amount` points
    - "strengthens": own areas, `amount` units in all
    - "initiative": it is taken
    - "draws": `amount` cards
    - "waits": nothing is done
    - "prepares": none of these, but the position is better for it
    """

    code: str
    areas: tuple[str, ...] = ()
    amount: int = 0
    chance: float = 1.0


def reasons_of(position: Position, turn: Deploy | Pass, ends: Sequence[Ending]) -> tuple[Reason, ...]:
    """List the reasons to take a turn, the weightiest first; `ends` are all positions it may lead to."""
    if isinstance(turn, Pass):
        return (Reason("waits"),)
    return tuple(_reasons(position, turn, ends)) or (Reason("prepares"),)


def _reasons(position: Position, turn: Deploy, ends: Sequence[Ending]) -> Iterator[Reason]:
    me = position.to_move
    wins = sum(end.chance for end in ends if end.position.winner == me)
    if wins > 0:
        yield Reason("wins", chance=wins)
    going = [end for end in ends if end.position.winner is None]
    typical = max(going or ends, key=lambda end: end.chance).position
    yield from _ground(position, typical, me, ends)
    yield from _supply(position, typical, me)
    yield from _headquarters(position, typical, me)
    yield from _areas_secured(position, typical, me)
    yield from _resources(position, turn, typical, me)


def _ground(before: Position, after: Position, me: int, ends: Sequence[Ending]) -> Iterator[Reason]:
    """Yield the areas won, and the enemy areas emptied."""
    control, theirs = before.survey.control[me], before.survey.control[1 - me]
    won = after.survey.control[me] & ~control
    emptied = theirs & ~after.survey.control[1 - me] & ~won
    for code, areas, side in (("takes", won, me), ("empties", emptied, 1 - me)):
        for area in members(areas):
            now = bool(before.survey.control[side] >> area & 1)
            chance = sum(e.chance for e in ends if bool(e.position.survey.control[side] >> area & 1) != now)
            yield Reason(code, (before.board.areas[area].name,), before.board.vps[area], chance)


def _supply(before: Position, after: Position, me: int) -> Iterator[Reason]:
    """Yield the areas that are cut off or linked again, besides those that change hands."""
    board, other = before.board, 1 - me
    kept, held = after.survey.control[other], after.survey.control[me] & before.survey.control[me]
    cut = before.survey.supply[other] & ~after.survey.supply[other] & kept
    linked = held & after.survey.supply[me] & ~before.survey.supply[me]
    for code, areas in (("cuts", cut), ("links", linked)):
        if areas:
            yield Reason(code, board.names(members(areas)), sum(board.vps[area] for area in members(areas)))


def _headquarters(before: Position, after: Position, me: int) -> Iterator[Reason]:
    """Yield what the turn does for the own headquarters and against the other."""
    home, goal = (before.board.areas[before.board.hq[side]].name for side in (me, 1 - me))
    safer = threats_by(before, 1 - me).headquarters - threats_by(after, 1 - me).headquarters
    if safer > NOTEWORTHY:
        yield Reason("guards", (home,), chance=safer)
    threat = threats_by(after, me).headquarters
    if threat > NOTEWORTHY and threat > threats_by(before, me).headquarters:
        yield Reason("threatens", (goal,), chance=threat)


def _areas_secured(before: Position, after: Position, me: int) -> Iterator[Reason]:
    """Yield own areas with points that the other side is now much less likely to take than before."""
    was, now = threats_by(before, 1 - me).captures, threats_by(after, 1 - me).captures
    for area, (worth, _) in was.items():
        held = before.survey.control[me] & after.survey.control[me]
        if held >> area & 1 and now.get(area, (0.0, 0))[0] < worth / 2:
            yield Reason("holds", (before.board.areas[area].name,), before.board.vps[area])


def _resources(before: Position, turn: Deploy, after: Position, me: int) -> Iterator[Reason]:
    """Yield what the turn gains in units, cards and the initiative."""
    if turn.place:
        areas = tuple(dict.fromkeys(area for area, _, _ in turn.place))
        yield Reason("strengthens", areas, sum(n for _, _, n in turn.place))
    if after.initiative == me != before.initiative:
        yield Reason("initiative")
    if turn.draw:
        yield Reason("draws", amount=turn.draw if isinstance(turn.draw, int) else len(turn.draw))


def threats_by(position: Position, me: int) -> Threats:
    """Return what a faction could do in this position if it had the next turn."""
    return threats(position, side_of(position, me), side_of(position, 1 - me))
