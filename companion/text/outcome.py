"""Who wins as the board stands, and why in words."""

from __future__ import annotations

from dataclasses import dataclass

from companion.text.columns import count_text
from engine.orders.position import Position
from engine.orders.score import HQ_LOST, Score, score

TIE = "tie"


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """Who wins as the board stands, and why in words.

    `winner` is None only where a tie is decided by an initiative that is not known; `reason` is then "tie".
    """

    winner: str | None
    reason: str
    score: Score
    why: tuple[str, ...]


def board_outcome(position: Position, initiative_known: bool = True) -> BoardOutcome:
    """The score as if the game ended now; a lost headquarters counts before any points."""
    result = score(position)
    both_empty = len(result.empty_headquarters) == 2
    even = not result.empty_headquarters and len(set(result.vp.values())) == 1
    if not initiative_known and (both_empty or even):
        return _tie(result, both_empty)
    if HQ_LOST in (position.reason, result.reason):
        winner = position.winner_name or result.winner
        loser = next(one for one in position.board.factions if one != winner)
        home = next(area.name for area in position.board.areas if area.hq == loser)
        sentence = f"{loser} has no units left in its headquarters {home}, so {winner} wins whatever the points"
        if len(result.empty_headquarters) == 2:
            sentence = f"both headquarters are empty; {winner} has the initiative and wins"
        return BoardOutcome(winner, HQ_LOST, result, (sentence,))
    return BoardOutcome(result.winner, result.reason, result, result.why)


def _tie(result: Score, both_empty: bool) -> BoardOutcome:
    points = count_text(max(result.vp.values()), "point")
    evenly = "both headquarters are empty" if both_empty else f"both have {points}"
    sentence = f"{evenly}: whoever holds the initiative wins (give the game with --game, and it is known)"
    return BoardOutcome(None, TIE, result, (sentence, *result.why[1:]))
