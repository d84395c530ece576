"""Victory points and the winner as if the game ended now, with the reasons (Game End)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import mul

from engine.areas import members
from engine.orders import ending
from engine.orders.actions.draw import LAST
from engine.orders.position import Position
from engine.orders.supply import standing
from engine.ruling import Hearing, with_reading
from engine.words import counted, mark, say


@dataclass(frozen=True, slots=True)
class Score:
    """Points by faction and by area, the winner by `reason` ("hq_lost" or "victory_points"), and why in words."""

    vp: Mapping[str, int]
    areas: Mapping[str, Mapping[str, int]]
    winner: str
    reason: str
    why: tuple[str, ...]
    empty_headquarters: tuple[str, ...]
    """Factions with no units in their headquarters: each has lost at once, whatever the points."""
    headquarters_winner: str | None
    """Who has won by that."""


def score(position: Position) -> Score:
    """Who wins if the game ended now: by a lost headquarters, else by the points of all areas in supply."""
    position = settled(position)
    board, factions, supply = position.board, position.board.factions, position.survey.supply
    areas = {
        faction: {board.areas[area].name: board.vps[area] for area in members(supplied) if board.vps[area]}
        for faction, supplied in zip(factions, supply, strict=True)
    }
    vp = dict(zip(factions, ending.points(position), strict=True))
    empty = tuple(factions[faction] for faction in ending.fallen(position))
    by_hq = ending.headquarters_winner(position)
    if by_hq is not None:
        who = factions[by_hq]
        return Score(vp, areas, who, ending.HQ_LOST, (_why_lost(position),), empty, who)
    who = factions[ending.leader(position)]
    return Score(vp, areas, who, ending.VICTORY_POINTS, _why(position, vp, who), (), None)


def _why_lost(position: Position) -> str:
    """The ruling that ends the game, in the words of the rules."""
    hearing = Hearing(position.board.mode.rules)
    ending.object_to_play(hearing, position)
    return hearing.findings[0].message


def settled(position: Position) -> Position:
    """The position to count: an area where both stand is the defender's as long as its conflict is open (Conflicts).

    The attacker's units there control and supply nothing yet, so the area counts once, and for the same side as before.
    """
    survey, attacker = position.survey, position.to_move
    contested = survey.control[0] & survey.control[1]
    if not contested:
        return position
    there = tuple(not contested & bit for bit in position.board.bits)
    held = tuple(tuple(map(mul, row, there)) for row in position.units[attacker])
    return replace(position, units=(held, position.units[1]) if attacker == 0 else (position.units[0], held))


def _why(position: Position, vp: Mapping[str, int], winner: str) -> tuple[str, ...]:
    first, second = position.board.factions
    if vp[first] == vp[second]:
        each = counted(vp[first], "point")
        tie = mark("{first} and {second} both have {each}; {winner} has the initiative and wins the tie")
        verdict = say(tie, first=say(first), second=say(second), each=each, winner=say(winner))
        verdict = with_reading(verdict, _initiative_reading(position))
    else:
        loser = second if winner == first else first
        points = counted(vp[winner], "point")
        verdict = say("{winner} leads with {points} to {others}", winner=say(winner), points=points, others=vp[loser])
    return (verdict, *_cut_off(position))


def _initiative_reading(position: Position) -> str:
    """The reading that a tie rests on, where the initiative may have been taken in the last round."""
    board = position.board
    if position.round < board.mode.rounds or LAST not in board.mode.readings:
        return ""
    held = position.commanders[position.initiative]
    takes = (space for space in board.spaces if space.support is not None and space.support.initiative)
    return LAST if any(held >> space.index & 1 for space in takes) else ""


def _cut_off(position: Position) -> list[str]:
    board, (control, supply) = position.board, position.survey
    return [
        say(
            "{standing}: {points} not counted",
            standing=standing(position, faction, area),
            points=counted(board.vps[area], "point"),
        )
        for faction in (0, 1)
        for area in members(control[faction] & ~supply[faction])
        if board.vps[area]
    ]
