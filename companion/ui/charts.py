"""Numbers as a screen shows them: tables, both sides' points, chances, small charts, and how a game went by turns."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ui.intents import Intent


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: headings and rows of short texts; the first column is wide, the others are numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Both sides' points in large figures, the winner marked. low: in less height, with the change beside them."""

    sides: tuple[TallySide, ...]
    low: bool = False


@dataclass(frozen=True, slots=True)
class TallySide:
    """One side of a tally. change: how the points have changed, in words ("+2"), where that is told."""

    faction: str
    label: str
    points: int
    won: bool
    change: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """One outcome: its side ("nobody" too, "" for a mere number), its label, and its part of the whole, 0 to 1.

    value: the part in words, as a chance or a count; "" where the label says it.
    """

    faction: str
    label: str
    part: float
    value: str = ""


@dataclass(frozen=True, slots=True)
class Odds:
    """Outcomes as parts of one bar, under a line that says of what."""

    text: str
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart: its name, its length (0 to 1), its number in words, and whose it is, or "".

    begin: where it begins (0 to 1), for bars that go on where the last one ended.
    """

    label: str
    part: float
    text: str
    faction: str = ""
    begin: float = 0.0


@dataclass(frozen=True, slots=True)
class Bars:
    """A small chart: a heading, and bars one under the other."""

    title: str
    bars: tuple[Bar, ...]


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
