"""Dice that were rolled again for a card: the map shows the last roll alone, so what else was seen has to tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.games.position_facts import hand_size, may_hold
from companion.perception.certainty import shared_out
from engine.errors import Illegal
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Play, Reroll, Roll, Step, cards_of

Faces = tuple[int | None, ...]
"""What each die of a throw showed; None where that could not be read."""
Throws = Callable[[int], Sequence[Faces]]
"""The throws of exactly so many dice that were seen since the turn began, in order."""

ROLLS_AGAIN = 100.0
"""How much likelier a card that lies there was spent to roll again than laid for nothing."""
UNTHROWN = 0.02
"""The same for dice that were seen to be thrown, but not as often as cards were spent then."""


def last_roll(turn: Explanation) -> tuple[int, Roll] | None:
    """Return the last roll of a turn with its number among the steps; None where none was rolled."""
    rolls = [(number, step) for number, step in enumerate(turn.steps) if isinstance(step, Roll)]
    return rolls[-1] if rolls else None


def most_rerolls(turn: Explanation, position: Position) -> int:
    """Return how many cards may have been spent on the last roll of a turn: what the turn leaves its roller."""
    found = last_roll(turn)
    if found is None:
        return 0
    by, mover = found[1].by, position.to_move_name
    named = [len(step.cards) for step in turn.steps if isinstance(step, Deploy) and by == mover]
    played = [1 for step in turn.steps if isinstance(step, Play | Reroll) and step.by == by]
    return max(0, hand_size(position, by) - sum((*named, *played)))


def rolls_before(turn: Explanation, position: Position, throws: Throws) -> tuple[Faces, ...]:
    """Return what the dice of a turn's last roll showed in the throws before it, no more of them than cards for it."""
    found = last_roll(turn)
    if found is None:
        return ()
    dice = len(found[1].dice)
    told = sum(isinstance(step, Roll) and len(step.dice) == dice for step in turn.steps)
    seen = tuple(throws(dice))
    again = max(0, min(len(seen) - told, most_rerolls(turn, position)))
    return seen[len(seen) - 1 - again : len(seen) - 1]


def with_rerolls(
    turn: Explanation, position: Position, cards: Sequence[str], before: Sequence[Faces] = ()
) -> tuple[Step, ...]:
    """Return the steps of a turn that rolled again for each of these cards; Illegal where it can't have.

    before: what was seen of the rolls that didn't count, if that is as many as the cards. The faces that came
    last stand for a roll that wasn't seen. Whoever spends the last card is asked about none afterwards.
    """
    found = last_roll(turn)
    assert found is not None
    number, roll = found
    rolls = [replace(roll, dice=faces) for faces in map(_read, before) if faces and len(before) == len(cards)]
    rolls = rolls if len(rolls) == len(cards) else [roll] * len(cards)
    again = (step for first, card in zip(rolls, cards, strict=True) for step in (first, Reroll(card, roll.by)))
    steps: list[Step] = [*turn.steps[:number], *again, roll]
    here = game.fold(position, steps)
    for step in turn.steps[number + 1 :]:
        owed = game.owed(here)
        if not isinstance(step, Accept) or (owed is not None and owed.wants == "accept"):
            here = game.apply(here, step)
            steps.append(step)
    return tuple(steps)


def _read(faces: Faces) -> tuple[int, ...]:
    """Return the faces, if all of them could be read; else nothing."""
    known = tuple(face for face in faces if face is not None)
    return known if len(known) == len(faces) else ()


def with_laid_rerolls(
    turns: Sequence[Explanation], position: Position, laid: Sequence[str], throws: Throws
) -> tuple[Explanation, ...]:
    """Return the turns plus, for each that does not explain a face-up card, a copy which spent it on a reroll.

    The likeliest first; how likely they are together stays the same.
    """
    more = (_rolled_for(turn, position, laid, throws) for turn in turns)
    whole = sum(turn.likelihood for turn in turns)
    return shared_out((*turns, *(turn for turn in more if turn is not None)), whole)


def _rolled_for(turn: Explanation, position: Position, laid: Sequence[str], throws: Throws) -> Explanation | None:
    """Return the turn, its last roll thrown again for each card that lies there for nothing; None if it can't be."""
    found, used = last_roll(turn), Counter(name for step in turn.steps for name in cards_of(step))
    cards = tuple((Counter(laid) - used).elements())
    before = rolls_before(turn, position, throws)
    if found is None or not cards or not all(may_hold(position, found[1].by, name) for name in cards):
        return None
    try:
        steps = with_rerolls(turn, position, cards, before)
        after = game.fold(position, steps)
    except Illegal:
        return None
    fits = not throws(len(found[1].dice)) or len(before) == len(cards)
    odds = ROLLS_AGAIN ** len(cards) * (1.0 if fits else UNTHROWN)
    return replace(turn, steps=steps, position=after, likelihood=turn.likelihood * odds)
