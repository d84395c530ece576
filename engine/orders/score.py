"""What ends a game, who has won, and the victory points as if it ended now, with the reasons (Game End)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import mul
from typing import Protocol

from engine.areas import members
from engine.orders.actions.draw import LAST
from engine.orders.position import Field, Position, Stage, survey_of
from engine.orders.supply import standing_words
from engine.ruling import Hearing, append_reading
from engine.words import count_words, mark, say, side

HQ_LOST, VICTORY_POINTS, AGREED = "hq_lost", "victory_points", "agreed"
"""Why a game is over; "agreed" is one that the players ended themselves."""


class Contest(Field, Protocol):
    """What a game is decided by: a position, or a draft of one."""

    @property
    def initiative(self) -> int:
        """Who has the initiative."""


def fallen_factions(table: Field) -> tuple[int, ...]:
    """Return the factions with no unit in their own headquarters, whether or not an enemy is there (Game End)."""
    return tuple(f for f, hq in enumerate(table.board.hq) if not any(row[hq] for row in table.units[f]))


def headquarters_winner(table: Contest) -> int | None:
    """Return who has won because the other's headquarters fell.

    If both fell, the initiative holder has won (reading both-hqs).
    """
    lost = fallen_factions(table)
    if len(lost) == 2:
        return table.initiative
    return 1 - lost[0] if lost else None


def is_over(position: Position) -> bool:
    """Return whether nothing more is played: there is a winner, or a headquarters is empty.

    Losses that an owner still has to choose are settled first.
    """
    settling = position.turn is not None and position.turn.stage is Stage.LOSSES
    return position.winner is not None or (not settling and bool(fallen_factions(position)))


def weigh_game_over(hearing: Hearing, position: Position) -> None:
    """Add the objection that a headquarters has fallen, and who has won by that; one must have fallen."""
    lost, winner = fallen_factions(position), headquarters_winner(position)
    assert winner is not None
    factions, home = position.board.factions, position.board.areas[position.board.hq[lost[0]]].name
    rule = "game.both-hqs" if len(lost) == 2 else "game.headquarters"
    hearing.weigh(rule, False, who=factions[lost[0]], area=home, winner=factions[winner])


def points(table: Field) -> tuple[int, int]:
    """Return the victory points that each faction has in supply."""
    vps, (first, second) = table.board.vps, survey_of(table).supply
    return sum(vps[area] for area in members(first)), sum(vps[area] for area in members(second))


def leader(table: Contest) -> int:
    """Return who has more victory points in supply; a tie goes to the initiative holder."""
    first, second = points(table)
    if first == second:
        return table.initiative
    return 0 if first > second else 1


@dataclass(frozen=True, slots=True)
class Score:
    """Points by faction and by area, the winner by `reason` (HQ_LOST or VICTORY_POINTS), and why in words."""

    vp: Mapping[str, int]
    areas: Mapping[str, Mapping[str, int]]
    winner: str
    reason: str
    why: tuple[str, ...]
    empty_headquarters: tuple[str, ...]
    """Factions with no units in their headquarters: each has lost at once, whatever the points."""
    headquarters_winner: str | None
    """The faction that has won by that, if one has."""


def score(position: Position) -> Score:
    """Score the game as if it ended now: by a lost headquarters, else by the points of all areas in supply."""
    position = settle_conflict(position)
    board, factions, supply = position.board, position.board.factions, position.survey.supply
    areas = {
        faction: {board.areas[area].name: board.vps[area] for area in members(supplied) if board.vps[area]}
        for faction, supplied in zip(factions, supply, strict=True)
    }
    vp = dict(zip(factions, points(position), strict=True))
    empty = tuple(factions[faction] for faction in fallen_factions(position))
    by_hq = headquarters_winner(position)
    if by_hq is not None:
        who, hearing = factions[by_hq], Hearing(board.mode.rules)
        weigh_game_over(hearing, position)  # the ruling that ends the game, in the words of the rules
        return Score(vp, areas, who, HQ_LOST, (hearing.findings[0].message,), empty, who)
    who = factions[leader(position)]
    return Score(vp, areas, who, VICTORY_POINTS, _score_reason(position, vp, who), (), None)


def settle_conflict(position: Position) -> Position:
    """Return the position to score: without the attacker's units in areas of an open conflict (Conflicts).

    They control and supply nothing there yet, so such an area counts once, for the side that held it before.
    """
    survey, attacker = position.survey, position.to_move
    contested = survey.control[0] & survey.control[1]
    if not contested:
        return position
    there = tuple(not contested & bit for bit in position.board.bits)
    # a unit count times False is 0: the attacker's units leave the contested areas
    held = tuple(tuple(map(mul, row, there)) for row in position.units[attacker])
    return replace(position, units=(held, position.units[1]) if attacker == 0 else (position.units[0], held))


def _score_reason(position: Position, vp: Mapping[str, int], winner: str) -> tuple[str, ...]:
    first, second = position.board.factions
    if vp[first] == vp[second]:
        each = count_words(vp[first], "point")
        tie = mark("{first} and {second} both have {each}; {winner} has the initiative and wins the tie")
        verdict = say(tie, first=side(first), second=side(second), each=each, winner=side(winner))
        verdict = append_reading(verdict, _initiative_reading(position))
    else:
        loser = second if winner == first else first
        points = count_words(vp[winner], "point")
        verdict = say("{winner} leads with {points} to {others}", winner=side(winner), points=points, others=vp[loser])
    return (verdict, *_cut_off(position))


def _initiative_reading(position: Position) -> str:
    """Return the reading that a tie rests on, if the initiative may have been taken in the last round."""
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
            "{standing}: {points} not scored",
            standing=standing_words(position, faction, area),
            points=count_words(board.vps[area], "point"),
        )
        for faction in (0, 1)
        for area in members(control[faction] & ~supply[faction])
        if board.vps[area]
    ]
