"""Looks back on a game: how each side stood turn by turn, what it chose, what was better, and what chance did.

Every choice is judged by what its seat knew. What the dice and the cards did is kept apart from it: a turn's dice are
held against what they were worth on average before they fell, and a card that was played against what cards bring on
average. What the players agreed on is nobody's choice or luck. What no part of a turn explains, both sides saw only
later, as they looked further: together all parts make up the curve of the chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal, get_args

from engine.orders.board import Board
from engine.orders.game import carry_out
from engine.orders.player.choice import chance_after, chance_to_win, compare, never_stop, without_drawn_cards
from engine.orders.player.levels import LEVELS, Level
from engine.orders.player.prospects import Turn
from engine.orders.player.reasons import Reason
from engine.orders.player.search import Stop
from engine.orders.player.unfolding import best_answer, view_of
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.turn import ready
from engine.tables import Each, read_table, table_names

REVIEWER = replace(LEVELS["strong"], iterations=60)
"""The level at which better turns are looked for."""
POINTS = 3
TURNING = 0.03
"""How much a turn has to change the chances to be a turning point."""
AS_GOOD = 0.02
"""A turn that is less likely to win by no more than this is as good as the best."""
Kind = Literal["choice", "played", "dice", "drawn", "agreed"]
LUCK: tuple[Kind, ...] = ("dice", "drawn")
_GAINS_FORM = {"mean": float, "gains": Each(float)}


@dataclass(frozen=True, slots=True)
class Swing:
    """What one step did to the chance to win of the side `by`; step: its number, from 0.

    A "choice" gives something up against the best, or nothing; the others go either way. "drawn" is what it was worth
    to hold it, not an average card, "played" what the side made of it. "agreed" is nobody's doing, but counted for
    the side whose turn it is.
    """

    step: int
    kind: Kind
    by: str
    change: float


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn looked back on. Its chances are those of its side to win.

    first: the number of its step, from 0; end: how many steps were played when it was over. before: as it began;
    expected: once it was chosen, on average over its dice; after: when it was over. These are read off the positions;
    taken_chance and best_chance look ahead: what the turn was worth, and the best one found, which is the one taken
    where none is better. reasons: for that; swings: what choices, dice and cards did, step by step.
    """

    first: int
    end: int
    round: int
    side: str
    turn: Turn
    before: float
    expected: float
    after: float
    taken_chance: float
    best: Turn
    best_chance: float
    reasons: tuple[Reason, ...]
    swings: tuple[Swing, ...]

    @property
    def choice(self) -> float:
        """By how much the turn that was taken is less likely to win than the best: 0 or below."""
        return self.swings[0].change

    @property
    def luck(self) -> float:
        """What dice and drawn cards did to the side's chance to win."""
        return self._sum(LUCK)

    @property
    def played(self) -> float:
        """What the cards that were played in it did to the side's chance to win."""
        return self._sum(("played",))

    @property
    def swung(self) -> float:
        """What all that happened once the turn was chosen did to the side's chance to win."""
        return self._sum(get_args(Kind)) - self.choice

    def _sum(self, kinds: Sequence[str]) -> float:
        changes = (
            swing.change if swing.by == self.side else -swing.change for swing in self.swings if swing.kind in kinds
        )
        return sum(changes, 0.0)


@dataclass(frozen=True, slots=True)
class Account:
    """What a side made of a game: its turns, how many of them were as good as the best, and where its chances went.

    choice: given up by its choices; played: by the cards it played; dice, drawn: by its luck with dice and cards;
    later: what both sides saw only after its turns, looking further; agreed: what the players agreed on in them. The
    parts of both sides together are exactly how far its curve went: its own, less the other's.
    """

    turns: int
    good: int
    choice: float
    played: float = 0.0
    dice: float = 0.0
    drawn: float = 0.0
    later: float = 0.0
    agreed: float = 0.0

    @property
    def luck(self) -> float:
        """What its dice and the cards it drew won or cost it."""
        return self.dice + self.drawn

    @property
    def decisions(self) -> float:
        """What its choices and the cards it played won or cost it."""
        return self.choice + self.played

    @property
    def whole(self) -> float:
        """The sum of all parts."""
        return self.decisions + self.luck + self.later + self.agreed


def turn_count(steps: Sequence[Step]) -> int:
    """Count the turns among the steps: those to look back on."""
    return sum(isinstance(step, Deploy | Pass) for step in steps)


def review(
    positions: Sequence[Position], steps: Sequence[Step], level: Level = REVIEWER, stop: Stop = never_stop
) -> Iterator[ReviewedTurn]:
    """Yield the turns of a game, reviewed one by one; told to stop, end before the turn being thought about.

    positions: before the first step, and after each of the legal steps. The level overlooks nothing. The same game and
    level make the same review.
    """
    starts = [number for number, step in enumerate(steps) if isinstance(step, Deploy | Pass)]
    for first, end in pairwise([*starts, len(steps)]):
        found = _review_turn(positions[first : end + 1], steps[first:end], first, level, stop)
        if stop():
            return
        yield found


def _review_turn(
    positions: Sequence[Position], steps: Sequence[Step], first: int, level: Level, stop: Stop
) -> ReviewedTurn:
    turn = steps[0]
    assert isinstance(turn, Deploy | Pass)
    start = ready(positions[0], turn)
    side = start.to_move_name
    comparison = compare(start, turn, level, stop)
    values = [chance_to_win(position, side) for position in positions]
    taken, best = comparison.taken.chance, max(comparison.taken.chance, comparison.best.chance)
    swings = [Swing(first, "choice", side, taken - best)]
    for at in range(1, len(steps)):
        change = values[at + 1] - values[at]
        swings += _swings(positions[at], steps[at], change, side, first + at)
    return ReviewedTurn(
        first=first,
        end=first + len(steps),
        round=start.round,
        side=side,
        turn=turn,
        before=values[0],
        expected=chance_after(start, without_drawn_cards(turn), side),
        after=values[-1],
        taken_chance=taken,
        best=comparison.best.turn,
        best_chance=best,
        reasons=comparison.best.reasons,
        swings=tuple(swings),
    )


def _swings(before: Position, step: Step, change: float, side: str, number: int) -> Iterator[Swing]:
    """Yield what a step inside a turn did; `change` is how much likelier to win it made `side`."""
    if isinstance(step, Agreed):
        yield Swing(number, "agreed", side, change)
    if not isinstance(step, Roll | Play | Reroll | Remove | Return):
        return
    change = change if step.by == side else -change
    if isinstance(step, Roll):
        yield Swing(number, "dice", step.by, change)
        return
    # where a hand is hidden, nobody can say what else its side could have done
    hidden = isinstance(before.hand(step.by), int) and before.hand(step.by)
    lost = 0.0 if hidden else min(0.0, change - _best_change(before, step.by))
    yield Swing(number, "choice", step.by, lost)
    if isinstance(step, Play):
        luck = card_luck(before.board, step.card)
        yield Swing(number, "drawn", step.by, luck)
        yield Swing(number, "played", step.by, change - lost - luck)
    elif isinstance(step, Reroll):
        yield Swing(number, "played", step.by, change - lost)


def card_luck(board: Board, card: str) -> float:
    """Return how much holding this card adds to the chance to win, compared with an average card.

    That is what cards of its name bring on average, less what any card brings: data (`engine/data/gains`), counted in
    self-play by `training.card_gains`. A card that isn't in it, such as one of an owner's deck, is worth what any is.
    """
    return _gains(board.mode.name).get(card, 0.0)


@cache
def _gains(mode: str) -> Mapping[str, float]:
    if mode not in table_names("gains"):
        return {}
    table = read_table("gains", mode, _GAINS_FORM)
    return {card: gain - table["mean"] for card, gain in table["gains"].items()}


def _best_change(position: Position, by: str) -> float:
    """Return by how much the best answer makes a side likelier to win."""
    view = view_of(position, position.board.mode.faction_index[by])
    best = best_answer(view, position.board.mode.faction_index[by])
    return 0.0 if best is None else chance_to_win(carry_out(view, best).freeze(), by) - chance_to_win(view, by)


def chances(turns: Sequence[ReviewedTurn], side: str) -> tuple[float, ...]:
    """Return a side's chances to win as each turn began, and at the end of the last one.

    Between two turns both sides have looked ahead from the same position: the one that has chosen, its luck added, and
    the one that chooses next. The value half-way between the two is taken.
    """
    if not turns:
        return ()
    starts = [_chance_for(side, turn, turn.best_chance) for turn in turns]
    ends = [_chance_for(side, turn, turn.taken_chance + turn.swung) for turn in turns]
    between = ((end + start) / 2 for end, start in zip(ends, starts[1:], strict=False))
    return (starts[0], *between, _chance_for(side, turns[-1], turns[-1].after))


def _chance_for(side: str, turn: ReviewedTurn, chance: float) -> float:
    """Convert a chance of the turn's side to that of `side`, kept between 0 and 1."""
    chance = min(1.0, max(0.0, chance))
    return chance if side == turn.side else 1.0 - chance


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that turned the game, by the side's choice, a card or luck; change: of that side's chance to win.

    A card's change is what was made of it; the luck to hold it is luck.
    """

    turn: ReviewedTurn
    by: Literal["choice", "card", "luck"]
    change: float


def turning_points(turns: Sequence[ReviewedTurn]) -> tuple[TurningPoint, ...]:
    """Return the turns that changed the chances most, in the order of the game; none that changed little."""
    found = [_point(turn) for turn in turns]
    largest = sorted(found, key=lambda point: -abs(point.change))[:POINTS]
    return tuple(point for point in found if point in largest and abs(point.change) >= TURNING)


def _point(turn: ReviewedTurn) -> TurningPoint:
    points = (
        TurningPoint(turn, "choice", turn.choice),
        TurningPoint(turn, "card", turn.played),
        TurningPoint(turn, "luck", turn.luck),
    )
    return max(points, key=lambda point: abs(point.change))


def account(turns: Sequence[ReviewedTurn], side: str) -> Account:
    """Sum up how well a side chose in a game, and what changed its chances to win."""
    own = [turn for turn in turns if turn.side == side]
    sums = dict.fromkeys(get_args(Kind), 0.0)
    for turn in turns:
        for swing in turn.swings:
            sums[swing.kind] += swing.change if swing.by == side else 0.0
    steps_between = pairwise(chances(turns, side))
    later = sum(
        after - before - turn.choice - turn.swung
        for turn, (before, after) in zip(turns, steps_between, strict=True)
        if turn.side == side
    )
    good = sum(-turn.choice <= AS_GOOD for turn in own)
    return Account(len(own), good, **sums, later=later)
