"""What legal turn turns a position into what is seen on the table, most likely first.

Looked for are a single turn without cards (a deployment or a pass), or the rest of a turn in progress. The changes
are worked from: each free action space gets the one deployment that could have made them, and is carried out to see
whether it does. Dice are those that explain the losses; where several totals do, the likeliest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

from engine.dice import pool_odds
from engine.errors import Illegal
from engine.orders import cards, game
from engine.orders.describe import describe_step
from engine.orders.guess import guesses
from engine.orders.misfits import Misfit, misfits, not_recalled
from engine.orders.odds import rolls
from engine.orders.outlook import outlook
from engine.orders.position import Position, Stage, Turn
from engine.orders.sight import Sight, changes, sight_of
from engine.orders.steps import Accept, Deploy, Pass, Remove, Roll, Step
from engine.orders.turn import ready

PASSES = 0.05
"""How likely people pass, against any deployment that changes nothing on the board."""
MOST = 24


@dataclass(frozen=True, slots=True)
class Explanation:
    """A legal turn that gives exactly what is seen: its steps, the position after them, and in words what happened.

    `likelihood` is its share among all explanations found, 0 to 1.
    """

    steps: tuple[Step, ...]
    position: Position
    why: str
    likelihood: float


@dataclass(frozen=True, slots=True)
class Inference:
    """The explanations, most likely first; where there is none, what is wrong where."""

    explanations: tuple[Explanation, ...]
    illegal: tuple[Misfit, ...]


def infer(
    position: Position, units: object, commanders: object = None, *, support: bool = True, most: int = MOST
) -> Inference:
    """What legal turn turns `position` into what is seen.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction, or a list of them}, None where nobody looked;
    without `support` nobody looked at the support board. At most `most` explanations are given.
    Raises BadPosition where what is seen names what this board does not have.
    """
    sight = sight_of(position.board, units, commanders, support)
    found = sorted(_explanations(position, sight), key=lambda one: -one.weight)
    whole = sum(one.weight for one in found)
    explanations = tuple(Explanation(one.steps, one.after, one.why, one.weight / whole) for one in found[:most])
    return Inference(explanations, () if found else _illegal(position, sight))


def _illegal(position: Position, sight: Sight) -> tuple[Misfit, ...]:
    """What is wrong where nothing explains what is seen; perhaps only that the commanders were not taken back."""
    here = ready(position, Pass())
    if sight.commanders is not None and sum(here.commanders_left) <= 1:
        ended = _explanations(position, replace(sight, commanders=(0, 0)))
        if any(sight.shows(_standing(here, one.steps[0])) for one in ended):
            return not_recalled(here, sight)
    return misfits(here, sight)


def _standing(position: Position, first: Step) -> tuple[int, int]:
    """The commanders on their spaces after the first step of an explanation, before they are taken back."""
    sides = list(position.commanders)
    if isinstance(first, Deploy):
        sides[position.to_move] |= 1 << position.board.space_index[first.space]
    return sides[0], sides[1]


class _Found(NamedTuple):
    steps: tuple[Step, ...]
    after: Position
    why: str
    weight: float


def _explanations(position: Position, sight: Sight) -> Iterator[_Found]:
    if position.turn is not None:
        yield from _played(position, (), sight, 1.0)
    here = ready(position, Pass())
    if here.turn is None and here.winner is None:
        yield from _turns(here, sight)


def _turns(position: Position, sight: Sight) -> Iterator[_Found]:
    found = changes(position, sight)
    if not found.all:
        yield from _played(position, (Pass(),), sight, PASSES)
    for guess in guesses(outlook(position, position.to_move), found, sight):
        yield from _played(position, (guess.step,), sight, guess.weight)


def _played(position: Position, steps: tuple[Step, ...], sight: Sight, weight: float) -> Iterator[_Found]:
    """The turn that begins with these steps, if it can end as is seen."""
    try:
        begun = game.fold(position, steps)
    except Illegal:
        return
    ending = _ending(begun, sight)
    if ending is not None and sight.agrees(ending.position):
        words = [describe_step(step, position) for step in steps] + ending.words
        why = "; ".join(words) or "nobody plays a card"
        yield _Found((*steps, *ending.steps), ending.position, why, weight * ending.chance)


# --- the rest of a turn -----------------------------------------------------------------


@dataclass(slots=True)
class _Ending:
    """How a turn goes on from a position: the steps so far, in words, and the chance of their dice."""

    position: Position
    steps: list[Step]
    words: list[str]
    chance: float = 1.0


def _ending(position: Position, sight: Sight) -> _Ending | None:
    """The rest of the turn in progress, with dice and losses as they must have been; None where no dice explain it."""
    ending = _Ending(position, [], [])
    while ending.position.turn is not None:
        step = _next_step(ending, ending.position.turn, sight)
        if step is None:
            return None
        ending.position = game.apply(ending.position, step)
        ending.steps.append(step)
    return ending


def _next_step(ending: _Ending, turn: Turn, sight: Sight) -> Step | None:
    position = ending.position
    if turn.stage in (Stage.DEFENCE, Stage.SHOT) or (turn.stage is Stage.JOIN and turn.contested):
        return _roll(ending, turn, sight)
    if turn.stage is Stage.LOSSES:
        removal = _removal(position, turn, sight)
        ending.words += [] if removal is None else [describe_step(removal, position)]
        return removal
    return Accept()


def _roll(ending: _Ending, turn: Turn, sight: Sight) -> Roll | None:
    """The likeliest dice that explain what is seen in the area they are rolled for."""
    position = ending.position
    area, dice = next(iter(rolls(position, turn)))
    odds = pool_odds(position.board.mode.die, dice)
    fitting = [pips for pips in odds if _explains(position, area, pips, sight)]
    if not fitting:
        return None
    pips = max(fitting, key=odds.__getitem__)
    by = position.board.factions[cards.roller(position)]
    others = ", ".join(str(other) for other in fitting if other != pips)
    ending.words.append(f"{by} rolls {pips}" + (f" (or {others})" if others else ""))
    ending.chance *= float(sum(odds[one] for one in fitting))
    return Roll(likeliest(position.board.mode.die, dice, pips), by)


def _explains(position: Position, area: int, pips: int, sight: Sight) -> bool:
    """Whether a total of pips leaves as many units of both sides in an area as are seen there."""
    me = position.to_move
    mine, theirs = (sum(row[area] for row in position.units[faction]) for faction in (me, 1 - me))
    if cards.roller(position) == me:
        theirs -= min(pips, theirs)
    else:
        mine -= min(pips, mine)
        mine, theirs = mine - min(mine, theirs), theirs - min(mine, theirs)
    falls = area == position.board.hq[1 - me] and not theirs
    cap = position.board.mode.caps[position.board.areas[area].kind]
    left = (mine, theirs) if falls else (min(mine, cap), min(theirs, cap))
    return left == (sight.standing(me, area), sight.standing(1 - me, area))


@cache
def likeliest(die: tuple[int, ...], dice: int, pips: int) -> tuple[int, ...]:
    """The faces, lowest first, that a roll of so many dice with this total most often shows.

    >>> likeliest((0, 1, 1, 1, 1, 2), 2, 2)
    (1, 1)
    """
    faces = Counter(die)
    rolls_of = (roll for roll in combinations_with_replacement(sorted(faces), dice) if sum(roll) == pips)
    return max(rolls_of, key=lambda roll: _ways(faces, roll))


def _ways(faces: Counter[int], roll: tuple[int, ...]) -> int:
    orders = factorial(len(roll)) // prod(factorial(n) for n in Counter(roll).values())
    return orders * prod(faces[face] for face in roll)


def _removal(position: Position, turn: Turn, sight: Sight) -> Remove | None:
    """The losses that the owner must have chosen: of what is not seen there any more. None where that is too little."""
    loss = turn.losses[0]
    left, units = loss.units, []
    for kind, rows in enumerate(zip(position.units[loss.faction], sight.units[loss.faction], strict=True)):
        now, then = (row[loss.area] for row in rows)
        gone = min(left, max(0, now - then))
        left -= gone
        units += [(position.board.mode.units[kind].name, gone)] if gone else []
    if left:
        return None
    board = position.board
    area = board.areas[loss.area].name if len(turn.losses) > 1 else None
    return Remove(tuple(units), board.factions[loss.faction], area)
