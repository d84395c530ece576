"""Plays Generals Order by itself, both sides, one step at a time. Chance lives here, outside the rules.

A side first deploys, equips and uses cards where that gains something, looking as far as the best attack after it; then
its generals attack and move; then the turn ends. The other side answers with special cards. The better steps are picked
more often, never always, so that games differ and stay sensible.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence

from companion.core.errors import UsageError
from companion.demo.by_itself import BoardlessDemo, DocsPicture
from companion.demo.generals_hands import ShuffledDecks
from companion.demo.generals_weighing import worth
from engine.codec import Json
from engine.generals.cards import EQUIPMENT, ZONES, Card
from engine.generals.game import activations, apply, judge, specials, uses
from engine.generals.position import SIDES, Position
from engine.generals.steps import Attack, Deploy, End, Equip, Move, Step, Use

EAGERNESS = 1.6
GAIN = 0.15
"""What a step has to gain for it to be done at all."""
SPECIAL_GAIN = 0.3
SPECIAL_CHANCE = 0.9
CURIOSITY = 2.6
"""What it is worth to a side to use a card whose words only the players can follow."""
PRACTICE = ("practice-cranes", "practice-wolves")


def set_up(seed: int) -> Json:
    """The `new` request of a demo game: which side has which practice deck, and who moves first."""
    rng = random.Random(f"set-up {seed}")
    decks = dict(zip(SIDES, rng.sample(PRACTICE, 2), strict=True))
    return {"do": "new", "system": "generals", "decks": decks, "first": rng.choice(SIDES)}


class GeneralsPlayer:
    """Both players and their shuffled decks; the same seed plays the same game."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._hands = ShuffledDecks(random.Random(f"cards {seed}"))

    def step(self, position: Position) -> Step | None:
        """The next step of a game, of whoever has something to do; None once it is over."""
        if position.winner is not None:
            return None
        hands = self._hands.follow(position)
        special = self._special(position, hands[1 - position.to_move])
        return special or self._turn(position, hands[position.to_move])

    def hand(self, position: Position, index: int) -> tuple[str, ...]:
        """The cards that a side holds in this demo."""
        return self._hands.follow(position)[index]

    def _special(self, position: Position, hand: Sequence[str]) -> Step | None:
        """A special card in answer to what was just done, where it gains something; now and then it is forgotten."""
        by = 1 - position.to_move
        named = [name for name in specials(position) if name in hand]
        found = [step for name in named for step in uses(position, name, by) if judge(position, step).legal]
        gains = [(step, worth(apply(position, step), by) - worth(position, by)) for step in found]
        step = self._pick(gains, SPECIAL_GAIN)
        return step if step is not None and self._rng.random() < SPECIAL_CHANCE else None

    def _turn(self, position: Position, hand: Sequence[str]) -> Step:
        index = position.to_move
        before = prospect(position, hand)
        prepared = ((step, apply(position, step)) for step in preparations(position, hand))
        gains = [(step, prospect(after, hand) - before + _curious(position, step)) for step, after in prepared]
        step = self._pick(gains, GAIN)
        if step is None:
            now = worth(position, index)
            step = self._pick([(act, worth(apply(position, act), index) - now) for act in acts(position)], GAIN)
        return End() if step is None else step

    def _pick(self, gains: Iterable[tuple[Step, float]], least: float) -> Step | None:
        """One of the steps that gain enough, the better ones more often; None where there is none."""
        good = [(step, gain) for step, gain in gains if gain >= least]
        if not good:
            return None
        top = max(gain for _, gain in good)
        weights = [math.exp((gain - top) * EAGERNESS) for _, gain in good]
        return self._rng.choices([step for step, _ in good], weights)[0]


def prospect(position: Position, hand: Sequence[str]) -> float:
    """What a position is worth to the side that moves, with the best attack that it has now."""
    index = position.to_move
    steps = attacks(position, hand) if position.winner is None else ()
    return max([worth(position, index), *(worth(apply(position, step), index) for step in steps)])


def attacks(position: Position, hand: Sequence[str]) -> Iterator[Step]:
    """Every legal attack, by military points or by a card that may still be in the hand."""
    yield from (step for step in acts(position) if isinstance(step, Attack))
    for card in map(position.sides[position.to_move].deck.cards.__getitem__, dict.fromkeys(hand)):
        if card.kind == "event" and card.effect is not None and card.effect.verb == "strike":
            yield from _legal(position, uses(position, card.name))


def _curious(position: Position, step: Step) -> float:
    """A little for cards that the record does not feel."""
    card = position.card(position.to_move, step.card) if isinstance(step, Use) else None
    return CURIOSITY if card is not None and card.effect is not None and card.effect.verb == "table" else 0.0


def preparations(position: Position, hand: Sequence[str]) -> Iterator[Step]:
    """Every legal step that deploys, equips, uses a card or activates an effect."""
    side = position.sides[position.to_move]
    for name in dict.fromkeys(hand):
        yield from _legal(position, _plays(position, side.deck.cards[name]))
    for one in side.fighters:
        if not one.used and side.deck.cards[one.card].effect is not None:
            yield from _legal(position, activations(position, one.label))


def _plays(position: Position, card: Card) -> Iterator[Step]:
    if card.kind == "general":
        yield Deploy(card.name)
    elif card.kind in EQUIPMENT:
        yield from (Equip(card.name, one.label) for one in position.sides[position.to_move].fighters)
    elif card.kind == "event":
        yield from uses(position, card.name)


def acts(position: Position) -> Iterator[Step]:
    """Every legal attack and move."""
    others = [one.label for one in position.sides[1 - position.to_move].fighters]
    for one in position.sides[position.to_move].fighters:
        if not one.fresh and not one.acted:
            attacks: list[Step] = [Attack(one.label, target) for target in ("", *others)]
            yield from _legal(position, [*attacks, *(Move(one.label, zone) for zone in ZONES)])


def _legal(position: Position, steps: Iterable[Step]) -> Iterator[Step]:
    return (step for step in steps if judge(position, step).legal)


def _request(seed: int, board: str) -> Json:
    """As `set_up`; UsageError where a board is named."""
    if board:
        raise UsageError("--board goes with General Orders and Sonae: a card game is played without one")
    return set_up(seed)


DEMO = BoardlessDemo("generals", GeneralsPlayer, _request, DocsPicture(seed=4, steps=38, file="duel.png"))
