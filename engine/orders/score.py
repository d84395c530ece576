"""Victory points and the winner as if the game ended now, with the reasons (Game End)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.areas import members
from engine.orders.conflict import VICTORY_POINTS
from engine.orders.position import Position
from engine.orders.supply import standing
from engine.words import counted, mark, say


@dataclass(frozen=True, slots=True)
class Score:
    """Points by faction and by area, the leader, and why."""

    vp: Mapping[str, int]
    areas: Mapping[str, Mapping[str, int]]
    winner: str
    reason: str
    why: tuple[str, ...]
    empty_headquarters: tuple[str, ...]
    """Factions with no units in their headquarters: each has lost at once, whatever the points."""
    headquarters_winner: str | None
    """Who has won by that; with both empty at once the initiative holder (reading both-hqs)."""


def score(position: Position) -> Score:
    """Count the victory points of all areas in supply; a tie goes to the initiative holder."""
    board, supply = position.board, position.survey.supply
    areas = {
        faction: {board.areas[area].name: board.vps[area] for area in members(supplied) if board.vps[area]}
        for faction, supplied in zip(board.factions, supply, strict=True)
    }
    vp = {faction: sum(counted.values()) for faction, counted in areas.items()}
    first, second = board.factions
    tied = vp[first] == vp[second]
    winner = position.initiative_name if tied else max(vp, key=vp.__getitem__)
    empty = tuple(f for i, f in enumerate(board.factions) if not position.survey.control[i] >> board.hq[i] & 1)
    by_hq = _won_by_headquarters(position, empty)
    return Score(vp, areas, winner, VICTORY_POINTS, _why(position, vp, winner), empty, by_hq)


def _won_by_headquarters(position: Position, empty: tuple[str, ...]) -> str | None:
    if len(empty) == 2:
        return position.initiative_name
    return next((faction for faction in position.board.factions if empty and faction not in empty), None)


def _why(position: Position, vp: Mapping[str, int], winner: str) -> tuple[str, ...]:
    first, second = position.board.factions
    if vp[first] == vp[second]:
        each = counted(vp[first], "point")
        tie = mark("{first} and {second} both have {each}; {winner} has the initiative and wins the tie")
        verdict = say(tie, first=say(first), second=say(second), each=each, winner=say(winner))
    else:
        loser = second if winner == first else first
        points = counted(vp[winner], "point")
        verdict = say("{winner} leads with {points} to {others}", winner=say(winner), points=points, others=vp[loser])
    return (verdict, *_cut_off(position))


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
