"""Which of the dice that the camera sees are the roll that is owed, or of a turn that was seen: offered, never taken.

Dice lie about between rolls, so only those count that came to lie where they are since the turn began or the last roll
was recorded. What was seen but could not be read is left out of the offer, to be touched. Of dice that were rolled
again for a card the map shows the last roll alone, so what else was seen has to tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist

from companion.games.match import Match
from companion.games.position_facts import hand_size, may_hold
from companion.perception.adapters import SURE
from engine.errors import Illegal
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Play, Reroll, Roll, Step, cards_of
from vision.dice.reader import DiceReading

Faces = tuple[int | None, ...]
"""What each die of a throw showed; None where that could not be read."""
Throws = Callable[[int], Sequence[Faces]]
"""The throws of exactly so many dice that were seen since the turn began, in order."""

Point = tuple[float, float]

STILL_MM = 4.0  # a die seen within this distance of where one lay is the same die
FORGOTTEN_AFTER = 10  # looks in which a die was not seen
MISREAD = 0.02
"""How likely dice that were read for sure show something else, or are none of the game's."""
FIRST = 1
"""What lies there at the first look was rolled by nobody."""


@dataclass(frozen=True, slots=True)
class DiceOffer:
    """A roll as the camera saw it: the faces that were read, from left to right; people enter the other dice."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Lying:
    """A die: where it lies (board mm), its face (None: not read), the looks in which it was first and last seen."""

    at_mm: Point
    pips: int | None
    since: int
    last: int

    def same(self, at_mm: Point, pips: int | None) -> bool:
        """Return whether a die seen now may be this one, untouched."""
        alike = pips is None or self.pips is None or pips == self.pips
        return alike and dist(self.at_mm, at_mm) <= STILL_MM


@dataclass(frozen=True, slots=True)
class DiceWatch:
    """The dice beside a match, as its settled looks at the table showed them, in order.

    looks: how many there were; old: dice that came with the first `old` looks no longer count; rolls: for each look of
    this turn, the faces of the dice that were new in it.
    """

    looks: int = 0
    old: int = FIRST
    known: tuple[_Lying, ...] = ()
    rolls: tuple[Faces, ...] = ()

    def see(self, reading: DiceReading) -> DiceWatch:
        """Return the watch after a settled look; unchanged by one in which the board was not found."""
        if not reading.seen:
            return self
        looks = self.looks + 1
        places = [(die.at_mm, die.pips if die.confidence >= SURE else None) for die in reading.dice]
        places += [(at, None) for at in reading.unreadable]
        left = [die for die in self.known if die.last >= looks - FORGOTTEN_AFTER]
        now = list[_Lying]()
        for at_mm, pips in places:
            before = next((die for die in left if die.same(at_mm, pips)), _Lying(at_mm, pips, looks, looks))
            now.append(replace(before, pips=before.pips if pips is None else pips, last=looks))
            left = [other for other in left if dist(other.at_mm, now[-1].at_mm) > STILL_MM]
        new = sorted((die for die in now if die.since == looks), key=lambda die: die.at_mm)
        rolls = (*self.rolls, tuple(die.pips for die in new)) if looks > self.old else self.rolls
        return DiceWatch(looks, self.old, (*now, *left), rolls)

    def begin_turn(self) -> DiceWatch:
        """Return the watch for a new turn, or after a roll was taken: the dice that lie there now no longer count."""
        return DiceWatch(self.looks, max(self.looks, FIRST), self.known)

    def offer(self, dice: int) -> DiceOffer | None:
        """Return the roll of this many dice; None unless exactly that many have come, or were the last to come."""
        fresh = sorted(
            (die for die in self.known if die.last == self.looks and die.since > self.old),
            key=lambda die: -die.since,
        )
        thrown = fresh[:dice]
        if dice < 1 or len(thrown) < dice or any(die.since == thrown[-1].since for die in fresh[dice:]):
            return None
        faces = [die.pips for die in sorted(thrown, key=lambda die: die.at_mm) if die.pips is not None]
        return DiceOffer(tuple(faces))

    def throws(self, dice: int) -> tuple[Faces, ...]:
        """Return the faces of each throw of exactly so many dice since the turn began or a roll was taken."""
        return tuple(faces for faces in self.rolls if len(faces) == dice)


class DiceFollower:
    """Follows the dice of a game; `offer` is the roll to propose where one is owed, or None."""

    def __init__(self) -> None:
        self.offer: DiceOffer | None = None
        self.watch = DiceWatch()
        self._match: Match | None = None
        self._position: Position | None = None
        self._reading: DiceReading | None = None

    def follow(self, match: Match, seen: DiceReading | None) -> bool:
        """Take in the game and the dice that are seen; return whether `offer` has changed."""
        before = self.offer
        if match is not self._match:
            self._match, self._position, self.watch = match, None, DiceWatch()
        if match.position is not self._position:
            self._position = match.position
            if (match.steps and isinstance(match.steps[-1], Roll | Reroll)) or game.owed(match.position) is None:
                self.watch = self.watch.begin_turn()  # a recorded roll, or a turn that is over, makes the dice old
        if seen is not None and seen is not self._reading:
            self._reading = seen
            self.watch = self.watch.see(seen)
        owed = game.owed(match.position)
        self.offer = self.watch.offer(owed.dice) if owed is not None and owed.wants == "roll" else None
        return self.offer != before


# ---- the dice of turns that were seen -----------------------------------------------------------

Thrown = Callable[[int], DiceOffer | None]
"""The roll of so many dice that lies there."""


def with_dice(turns: Sequence[Explanation], position: Position, thrown: Thrown) -> tuple[Explanation, ...]:
    """Return the turns with the dice that lie there filled in as what they rolled, the likeliest first.

    Their likelihoods are shared out anew: turns that need other dice than lie there become very unlikely.
    """
    whole = sum(turn.likelihood for turn in turns)
    return share_out((_with_its_dice(turn, position, thrown) for turn in turns), whole)


def _with_its_dice(turn: Explanation, position: Position, thrown: Thrown) -> Explanation:
    rolls = [n for n, step in enumerate(turn.steps) if isinstance(step, Roll)]
    if len(rolls) != 1:  # of several rolls the dice that lie there tell the last alone
        return turn
    steps, number = list(turn.steps), rolls[0]
    roll = turn.steps[number]
    assert isinstance(roll, Roll)
    offer = thrown(len(roll.dice))
    if offer is None or len(offer.faces) < len(roll.dice):
        return turn
    steps[number] = replace(roll, dice=offer.faces)
    try:
        end = game.fold(position, steps)
    except Illegal:
        return replace(turn, likelihood=turn.likelihood * MISREAD)
    if (end.units, end.commanders) != (turn.position.units, turn.position.commanders):
        return replace(turn, likelihood=turn.likelihood * MISREAD)
    return replace(turn, steps=tuple(steps), position=end)


def shows_its_dice(turn: Explanation, thrown: Thrown) -> bool:
    """Return whether a turn rolled once, and the dice of that roll lie there."""
    rolls = [step.dice for step in turn.steps if isinstance(step, Roll)]
    return len(rolls) == 1 and thrown(len(rolls[0])) == DiceOffer(rolls[0])


def pips_of(turn: Explanation) -> int:
    """Return the sum of all pips that a turn rolled."""
    return sum(sum(step.dice) for step in turn.steps if isinstance(step, Roll))


def share_out(turns: Iterable[Explanation], whole: float) -> tuple[Explanation, ...]:
    """Return the turns, likeliest first, with their likelihoods scaled to add up to `whole`."""
    found = tuple(turns)
    now = sum(turn.likelihood for turn in found)
    if now:
        found = tuple(replace(turn, likelihood=turn.likelihood * whole / now) for turn in found)
    return tuple(sorted(found, key=lambda turn: -turn.likelihood))


# ---- dice rolled again for a card -----------------------------------------------------------------

ROLLS_AGAIN = 100.0
"""How much likelier a card that lies there was spent to roll again than laid for nothing."""
UNTHROWN = 0.02
"""The same for dice that were seen to be thrown, but not as often as cards were spent then."""


def last_roll(turn: Explanation) -> tuple[int, Roll] | None:
    """Return the last roll of a turn, with its index among the steps; None if nothing was rolled."""
    rolls = [(number, step) for number, step in enumerate(turn.steps) if isinstance(step, Roll)]
    return rolls[-1] if rolls else None


def most_rerolls(turn: Explanation, position: Position) -> int:
    """Return how many cards the roller may have spent on a turn's last roll: those that the turn leaves in hand."""
    found = last_roll(turn)
    if found is None:
        return 0
    by, mover = found[1].by, position.to_move_name
    named = [len(step.cards) for step in turn.steps if isinstance(step, Deploy) and by == mover]
    played = [1 for step in turn.steps if isinstance(step, Play | Reroll) and step.by == by]
    return max(0, hand_size(position, by) - sum((*named, *played)))


def rolls_before(turn: Explanation, position: Position, throws: Throws) -> tuple[Faces, ...]:
    """Return the throws seen before a turn's last roll that rerolls may explain; no more than cards allow."""
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
    """Return a turn's steps with a reroll by each of these cards before its last roll; raises Illegal if it can't be.

    before: the faces of the rolls that didn't count, if there are as many as cards and all were read; otherwise the
    last faces stand in for them. Whoever spends their last card isn't asked about another.
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
    """Return the faces if all of them could be read; else nothing."""
    known = tuple(face for face in faces if face is not None)
    return known if len(known) == len(faces) else ()


def with_laid_rerolls(
    turns: Sequence[Explanation], position: Position, laid: Sequence[str], throws: Throws
) -> tuple[Explanation, ...]:
    """Return the turns plus, for each that leaves a face-up card unexplained, a copy that spends it on a reroll.

    The likeliest come first; their likelihoods add up to what they did before.
    """
    more = (_rolled_for(turn, position, laid, throws) for turn in turns)
    whole = sum(turn.likelihood for turn in turns)
    return share_out((*turns, *(turn for turn in more if turn is not None)), whole)


def _rolled_for(turn: Explanation, position: Position, laid: Sequence[str], throws: Throws) -> Explanation | None:
    """Return the turn with a reroll for each face-up card that it leaves unexplained; None if it can't have one."""
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
