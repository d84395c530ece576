"""Reviews of games of General Orders, kept beside them, and the turns in them that are worth trying again.

A review is worked out once; it is JSON for programs, too. The file `GAME.jsonl.review.json` names the course of the
game that it was made of: after an undo or a correction it is of another game, and counts for nothing. It may be a
stranger's: of what stands in it only so much is believed as goes with the game, and one wrong word costs all of it.

Turns that gave up much by choice are read off the reviews beside the kept games. What was tried is kept in
`practice.json` in Gunbai's folder for data: a turn that was missed comes back after 1, 3, 7 and 21 days, then it is
learnt.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, TypeVar, get_args

from companion.core.storage import GAME_SUFFIX, atomic_write, data_dir, set_aside
from companion.games.journal import MOST_BYTES as MOST_GAME_BYTES
from companion.games.journal import object_of
from companion.games.opponent import opponent_of
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
"""Kinds of swings by their names in reviews of earlier versions."""
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
    """Save the review beside its game; mark: the game's mark at its end. OSError if the disk refuses."""
    value = {"format": FORMAT, "mark": mark, "turns": [turn_json(turn) for turn in turns]}
    atomic_write(review_path(game), json.dumps(value, ensure_ascii=False).encode() + b"\n", "soon")


def read_review(
    game: Path, mark: str, positions: Sequence[Position], steps: Sequence[Step]
) -> tuple[ReviewedTurn, ...] | None:
    """Read the review beside a game; None if it is missing, invalid, or made for a game with another mark."""
    try:
        value = parse_object(read_file(review_path(game), MOST_BYTES), MOST_BYTES)
        if (value["format"], value["mark"]) != (FORMAT, mark):
            return None
        return tuple(_turns(value["turns"], positions, steps))
    except (OSError, Unreadable, EngineError, ValueError, LookupError, TypeError):
        return None


def _turns(values: Any, positions: Sequence[Position], steps: Sequence[Step]) -> Iterator[ReviewedTurn]:
    """Yield the game's turns, each with what the review says of it."""
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


# ---- turns to try again -------------------------------------------------------------------------

LOST = 0.08
"""A turn that gave up more than this by choice is worth trying again."""
DAYS = (1, 3, 7, 21)
PRACTICE_FORMAT = 1
FILE = "practice.json"
MOST_TRIED = 20_000


@dataclass(frozen=True, slots=True)
class Exercise:
    """A turn to try again: the game's file, the mark of its whole course, its first step, whose it is, what it lost."""

    game: Path
    mark: str
    first: int
    side: str
    lost: float

    @property
    def key(self) -> str:
        """An id of the turn that doesn't depend on the file's name."""
        return f"{self.mark}:{self.first}"


def exercises_of(game: Path, mark: str, turns: Sequence[ReviewedTurn], but: str = "") -> tuple[Exercise, ...]:
    """Return the turns of a reviewed game worth trying again, except those of the side `but`."""
    return tuple(
        Exercise(game, mark, turn.first, turn.side, -turn.choice)
        for turn in turns
        if -turn.choice > LOST and turn.side != but
    )


def kept_exercises(games: Path) -> Iterator[Exercise]:
    """Yield people's turns worth trying again from all reviews in a folder, skipping unreadable ones."""
    for path in sorted(games.glob(f"*{GAME_SUFFIX}{SUFFIX}")):
        with suppress(OSError, Unreadable, LookupError, TypeError, ValueError):
            yield from list(_written(path))


def _written(path: Path) -> Iterator[Exercise]:
    """Yield people's turns worth trying again in one review; of the game only the first line is parsed."""
    game, value = path.with_name(path.name.removesuffix(SUFFIX)), parse_object(read_file(path, MOST_BYTES), MOST_BYTES)
    turns = [(-turn["choice"], turn["step"] - 1, str(turn["side"])) for turn in value["turns"]]
    request = object_of(read_file(game, MOST_GAME_BYTES).partition(b"\n")[0])
    opponent = opponent_of(request, tuple({side for _, _, side in turns}))
    for lost, first, side in turns:
        if lost > LOST and (opponent is None or side != opponent.side):
            yield Exercise(game, str(value["mark"]), first, side, float(lost))


@dataclass(frozen=True, slots=True)
class Tried:
    """How far an exercise is learnt: times solved since it was missed, the day it comes back (None once learnt)."""

    found: int
    due: date | None


class Practisable(Protocol):
    """Something to practise: a turn to try again, or a puzzle."""

    @property
    def key(self) -> str:
        """Its id in the file of what was tried."""


A = TypeVar("A", bound=Practisable)


class Practice:
    """What was tried so far and when it comes back, kept on the disk if possible."""

    def __init__(self, path: Path | None = None, today: Callable[[], date] = date.today) -> None:
        self._path = path or data_dir() / FILE
        self._today = today
        self._tried, self._is_strange = _read(self._path)

    def due_today(self, exercises: Iterable[A]) -> tuple[A, ...]:
        """Return what to try today: first what is due again, longest overdue first, then what was never tried."""
        today, back, new = self._today(), [], []
        for exercise in exercises:
            tried = self._tried.get(exercise.key)
            if tried is None:
                new.append(exercise)
            elif tried.due is not None and tried.due <= today:
                back.append((tried.due, exercise.key, exercise))
        return (*(exercise for _day, _key, exercise in sorted(back, key=lambda row: row[:2])), *new)

    def count_learnt(self, exercises: Iterable[Practisable]) -> int:
        """Count the exercises that are learnt and won't come back."""
        return sum((tried := self._tried.get(exercise.key)) is not None and tried.due is None for exercise in exercises)

    def note_answer(self, exercise: Practisable, solved: bool) -> None:
        """Record whether an exercise was solved at the first try, which decides when it comes back.

        A file that is not valid is set aside before a new one is written.
        """
        before = self._tried.get(exercise.key)
        found = 0 if not solved else len(DAYS) if before is None else before.found + 1
        due = self._today() + timedelta(DAYS[found]) if found < len(DAYS) else None
        self._tried[exercise.key] = Tried(found, due)
        with suppress(OSError):  # the exercise only comes back once more
            if self._is_strange:
                set_aside(self._path)
                self._is_strange = False
            atomic_write(self._path, tried_text(self._tried), "soon")


def tried_text(tried: Mapping[str, Tried]) -> bytes:
    """Return the bytes of the file that keeps what was tried, as `parse_tried` reads them."""
    rows = {key: {"found": row.found, "due": row.due and row.due.isoformat()} for key, row in tried.items()}
    return json.dumps({"format": PRACTICE_FORMAT, "tried": rows}, ensure_ascii=False).encode() + b"\n"


def _read(path: Path) -> tuple[dict[str, Tried], bool]:
    """Return what was tried, nothing where the file is missing; and whether there is a file that can't be read."""
    try:
        return parse_tried(read_file(path, MOST_BYTES)), False
    except FileNotFoundError:
        return {}, False
    except (OSError, Unreadable):
        return {}, True


def parse_tried(data: bytes) -> dict[str, Tried]:
    """Parse the file of what was tried: {exercise's key: how it went}; Unreadable if it is not valid."""
    value = parse_object(data, MOST_BYTES)
    try:
        if value["format"] != PRACTICE_FORMAT or len(value["tried"]) > MOST_TRIED:
            raise Unreadable("not a list of turns that were tried")
        return {key: _tried(row) for key, row in value["tried"].items()}
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable("not a list of turns that were tried") from error


def _tried(row: Mapping[str, Any]) -> Tried:
    found, due = row["found"], row["due"]
    if type(found) is not int or not 0 <= found <= len(DAYS):
        raise ValueError("no number of times")
    return Tried(found, None if due is None else date.fromisoformat(due))
