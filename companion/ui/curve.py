"""How a game went in two numbers, as a screen shows it: the curve of both sides by turns and the winner's card."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ui.intents import Intent


@dataclass(frozen=True, slots=True)
class CurveSide:
    """One side's line: its colour, its player, and its number at the start and after each turn.

    Where that is an average, `Curve.now` says what is written at its end.
    """

    faction: str
    label: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Both sides' numbers over the turns of a game.

    title: what is counted. rounds: (index of its first turn, its name), in order. fights: the turns that brought a
    conflict, counted from 1 as the values are (0 is the start). turning: the turn that decided, None for none; at: the
    moment that is looked at, None where none is; now: both numbers as they are written, None for those of that moment.
    intent: what a finger on the curve means (`Intent.at` says where), None where it can't be touched. high_pt: of all
    of it.
    """

    title: str
    sides: tuple[CurveSide, CurveSide]
    rounds: tuple[tuple[int, str], ...] = ()
    fights: tuple[int, ...] = ()
    turning: int | None = None
    at: int | None = None
    now: tuple[int, int] | None = None
    intent: Intent | None = None
    high_pt: float = 112.0


@dataclass(frozen=True, slots=True)
class Laurels:
    """The card of a winner, in that side's colours: who wins, and why."""

    faction: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ChanceCurve:
    """How likely each side was to win, turn by turn: the first side's share lies under the line, the other's over it.

    sides: their colours; chances: the first side's, at the start and after each turn. rounds: as in a `Curve`. points:
    the turns (from 1) that bear a number, in order; at: the turn that is looked at, None where none is. intent: as in
    a `Curve`.
    """

    title: str
    sides: tuple[str, str]
    chances: tuple[float, ...]
    rounds: tuple[tuple[int, str], ...] = ()
    points: tuple[int, ...] = ()
    at: int | None = None
    intent: Intent | None = None
    high_pt: float = 132.0
