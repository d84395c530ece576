"""The review of a game of General Orders, kept beside it so that it is worked out once, and as JSON for programs.

The file `GAME.jsonl.review.json` names the course of the game that it was made of: after an undo or a correction it is
of another game, and counts for nothing. It may be a stranger's: of what stands in it only so much is believed as goes
with the game, and one wrong word costs all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

from companion.core.storage import atomic_write
from engine.errors import EngineError
from engine.orders.game import judge
from engine.orders.player.reasons import CODES, Reason
from engine.orders.player.review import Kind, ReviewedTurn, Swing
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Step
from engine.orders.turn import ready
from engine.orders.wire import step_from_json, step_to_json
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object

SUFFIX = ".review.json"
KEYS = {"format", "mark", "turns"}
MOST_BYTES = 4_000_000
FORMAT = 1
MOST_AMOUNT = 1000
MOST_SWING = 2.0
EARLIER_KINDS = {"cards": "played"}
"""What kinds of swings were called in reviews of earlier versions."""
DIGITS = 6


def review_path(game: Path) -> Path:
    """Return the path of a saved game's review, which lies beside the game."""
    return game.with_name(game.name + SUFFIX)


def turn_json(turn: ReviewedTurn) -> dict[str, Any]:
    """Return one turn of a review as JSON for other programs; its steps are counted from 1."""
    reasons = [
        {"code": reason.code, "areas": list(reason.areas), "amount": reason.amount, "chance": reason.chance}
        for reason in turn.reasons
    ]
    return {
        "step": turn.first + 1,
        "end": turn.end,
        "round": turn.round,
        "side": turn.side,
        "turn": step_to_json(turn.turn),
        "before": round(turn.before, DIGITS),
        "expected": round(turn.expected, DIGITS),
        "after": round(turn.after, DIGITS),
        "choice": round(turn.choice, DIGITS),
        "luck": round(turn.luck, DIGITS),
        "taken_chance": round(turn.taken_chance, DIGITS),
        "best": step_to_json(turn.best),
        "best_chance": round(turn.best_chance, DIGITS),
        "reasons": reasons,
        "swings": [
            asdict(swing) | {"step": swing.step + 1, "change": round(swing.change, DIGITS)} for swing in turn.swings
        ],
    }


def write_review(game: Path, mark: str, turns: Sequence[ReviewedTurn]) -> None:
    """Keep the review of the game that has this mark now. OSError where the disk refuses."""
    value = {"format": FORMAT, "mark": mark, "turns": [turn_json(turn) for turn in turns]}
    atomic_write(review_path(game), json.dumps(value, ensure_ascii=False).encode() + b"\n", "soon")


def read_review(
    game: Path, mark: str, positions: Sequence[Position], steps: Sequence[Step]
) -> tuple[ReviewedTurn, ...] | None:
    """Read the review beside a game that has this mark now; None if missing, unreadable or of another game."""
    try:
        value = parse_object(read_file(review_path(game), MOST_BYTES), MOST_BYTES)
        if (value["format"], value["mark"]) != (FORMAT, mark):
            return None
        return tuple(_turns(value["turns"], positions, steps))
    except (OSError, Unreadable, EngineError, ValueError, LookupError, TypeError):
        return None


def _turns(values: Any, positions: Sequence[Position], steps: Sequence[Step]) -> Iterator[ReviewedTurn]:
    """Yield the turns as the game has them, with what the review says of each."""
    starts = [number for number, step in enumerate(steps) if isinstance(step, Deploy | Pass)]
    for value, (first, end) in zip(values, pairwise([*starts, len(steps)]), strict=True):
        turn = steps[first]
        assert isinstance(turn, Deploy | Pass)
        start = ready(positions[first], turn)
        yield ReviewedTurn(
            first=first,
            end=end,
            round=start.round,
            side=start.to_move_name,
            turn=turn,
            before=_share(value["before"]),
            expected=_share(value["expected"]),
            after=_share(value["after"]),
            taken_chance=_share(value["taken_chance"]),
            best=_best(value["best"], start),
            best_chance=_share(value["best_chance"]),
            reasons=tuple(_reason(reason, start) for reason in value["reasons"]),
            swings=_swings(value["swings"], first, end, start),
        )


def _share(value: Any, least: float = 0.0, most: float = 1.0) -> float:
    if type(value) not in (int, float) or not least <= value <= most:
        raise ValueError("no chance")
    return float(value)


def _best(value: Any, start: Position) -> Deploy | Pass:
    step = step_from_json(value)
    if not isinstance(step, Deploy | Pass) or not judge(start, step).legal:
        raise ValueError("no turn")
    return step


def _reason(value: Mapping[str, Any], start: Position) -> Reason:
    code, areas, amount = value["code"], tuple(value["areas"]), value["amount"]
    for area in areas:
        start.board.area(area)
    if code not in CODES or type(amount) is not int or not 0 <= amount <= MOST_AMOUNT:
        raise ValueError("no reason")
    return Reason(code, areas, amount, _share(value["chance"]))


def _swings(values: Sequence[Mapping[str, Any]], first: int, end: int, start: Position) -> tuple[Swing, ...]:
    found = tuple(_swing(value, range(first, end), start.board.factions) for value in values)
    if (found[0].step, found[0].kind, found[0].by) != (first, "choice", start.to_move_name):
        raise ValueError("no choice")
    return found


def _swing(value: Mapping[str, Any], steps: range, sides: Sequence[str]) -> Swing:
    step, by = value["step"], value["by"]
    kind = EARLIER_KINDS.get(value["kind"], value["kind"])
    if type(step) is not int or step - 1 not in steps or kind not in get_args(Kind) or by not in sides:
        raise ValueError("no swing")
    return Swing(step - 1, kind, by, _share(value["change"], -MOST_SWING, 0.0 if kind == "choice" else MOST_SWING))
