"""When a game is over and who has won it: a lost headquarters at once, else points after the last round (Game End)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.orders.position import Field, Position, Stage, survey_of
from engine.ruling import Hearing

HQ_LOST = "hq_lost"
VICTORY_POINTS = "victory_points"
AGREED = "agreed"
"""Why a game is over that the players ended themselves."""


class Contest(Field, Protocol):
    """What a game is decided by: a position, or a draft of one."""

    @property
    def initiative(self) -> int:
        """Who has the initiative."""


def fallen(table: Field) -> tuple[int, ...]:
    """The factions with no unit of their own in their headquarters, whoever stands there or doesn't."""
    return tuple(f for f, hq in enumerate(table.board.hq) if not any(row[hq] for row in table.units[f]))


def headquarters_winner(table: Contest) -> int | None:
    """Who has won because the other's headquarters fell; with both fallen the initiative holder (reading both-hqs)."""
    lost = fallen(table)
    if len(lost) == 2:
        return table.initiative
    return 1 - lost[0] if lost else None


def is_over(position: Position) -> bool:
    """Whether nothing more is played: there is a winner, or a headquarters stands empty.

    Losses that an owner still has to choose are settled first.
    """
    settling = position.turn is not None and position.turn.stage is Stage.LOSSES
    return position.winner is not None or (not settling and bool(fallen(position)))


def object_to_play(hearing: Hearing, position: Position) -> None:
    """Say which headquarters has fallen and who has won by that; there has to be one that has."""
    lost, winner = fallen(position), headquarters_winner(position)
    assert winner is not None
    factions, home = position.board.factions, position.board.areas[position.board.hq[lost[0]]].name
    rule = "game.both-hqs" if len(lost) == 2 else "game.headquarters"
    hearing.weigh(rule, False, who=factions[lost[0]], area=home, winner=factions[winner])


def points(table: Field) -> tuple[int, int]:
    """The victory points that each faction has in supply."""
    vps, (first, second) = table.board.vps, survey_of(table).supply
    return _worth(vps, first), _worth(vps, second)


def _worth(vps: Sequence[int], areas: int) -> int:
    return sum(vp for area, vp in enumerate(vps) if areas >> area & 1)


def leader(table: Contest) -> int:
    """Who has more victory points in supply; a tie goes to the initiative holder."""
    first, second = points(table)
    if first == second:
        return table.initiative
    return 0 if first > second else 1
