"""Plays Generals Order by itself, both sides, one step at a time. Chance lives here, outside the rules.

A side first deploys, equips and uses cards where that gains something, looking as far as the best attack after it; then
its generals attack and move; then the turn ends. The other side answers with special cards. The better steps are picked
more often, never always, so that games differ and stay sensible.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.core.errors import UsageError
from companion.demo.by_itself import BoardlessDemo
from engine.codec import Json
from engine.generals.cards import EQUIPMENT, ZONES, Card, Deck
from engine.generals.effects import are_together
from engine.generals.game import activations, apply, judge, specials, uses
from engine.generals.position import SIDES, Fighter, Position, Side
from engine.generals.steps import Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.tally import points_of, upkeep_of

EAGERNESS = 1.6
GAIN = 0.15
"""What a step has to gain for it to be done at all."""
SPECIAL_GAIN = 0.3
SPECIAL_CHANCE = 0.9
CURIOSITY = 2.6
"""What it is worth to a side to use a card whose words only the players can follow."""
PRACTICE = ("practice-cranes", "practice-wolves")
LOST = 100.0
RESOURCE = 0.45
TURN_LEFT, FAR = 1.1, 9.0
"""What each turn is worth that the resources last for draw and upkeep, and how far a side looks ahead."""
HELD, NEXT_HELD = 2.5, 0.83
GENERAL, MILITARY, INTELLIGENCE = 2.0, 0.8, 0.3
AT_THE_CASTLE, ON_THE_WAY, HELD_OFF = 0.8, 0.25, 0.15
"""What a military point is worth that can attack the castle next turn, that can get there, that is held off."""
PREY, PREY_LATER, PREY_AFAR = 0.6, 0.4, 0.15
"""What part of a weaker general's worth it is to stand beside it, next to move or not, and to be able to get there."""
GUARD = 0.8
RUIN = 12.0
"""What it costs to end a turn that the resources do not do for."""


def set_up(seed: int) -> Json:
    """Return the `new` request of a demo game: each side's practice deck, and who moves first."""
    rng = random.Random(f"set-up {seed}")
    decks = dict(zip(SIDES, rng.sample(PRACTICE, 2), strict=True))
    return {"do": "new", "system": "generals", "decks": decks, "first": rng.choice(SIDES)}


class GeneralsPlayer:
    """Plays both sides, with their shuffled decks; the same seed plays the same game."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._hands = ShuffledDecks(random.Random(f"cards {seed}"))

    def step(self, position: Position) -> Step | None:
        """Choose the next step for whichever side has something to do; None once the game is over."""
        if position.winner is not None:
            return None
        hands = self._hands.follow(position)
        special = self._special(position, hands[1 - position.to_move])
        return special or self._turn(position, hands[position.to_move])

    def hand(self, position: Position, index: int) -> tuple[str, ...]:
        """Return the cards that a side holds in this demo, sorted."""
        return self._hands.follow(position)[index]

    def _special(self, position: Position, hand: Sequence[str]) -> Step | None:
        """Choose a special card against the last step, if one gains enough; now and then it is forgotten."""
        by = 1 - position.to_move
        named = [name for name in specials(position) if name in hand]
        found = [step for name in named for step in uses(position, name, by) if judge(position, step).legal]
        gains = [(step, rate_position(apply(position, step), by) - rate_position(position, by)) for step in found]
        step = self._pick(gains, SPECIAL_GAIN)
        return step if step is not None and self._rng.random() < SPECIAL_CHANCE else None

    def _turn(self, position: Position, hand: Sequence[str]) -> Step:
        index = position.to_move
        before = prospect(position, hand)
        prepared = ((step, apply(position, step)) for step in preparations(position, hand))
        gains = [(step, prospect(after, hand) - before + _curious(position, step)) for step, after in prepared]
        step = self._pick(gains, GAIN)
        if step is None:
            now = rate_position(position, index)
            step = self._pick([(act, rate_position(apply(position, act), index) - now) for act in acts(position)], GAIN)
        return End() if step is None else step

    def _pick(self, gains: Iterable[tuple[Step, float]], least: float) -> Step | None:
        """Pick one of the steps that gain enough, the better ones more often; None if there is none."""
        good = [(step, gain) for step, gain in gains if gain >= least]
        if not good:
            return None
        top = max(gain for _, gain in good)
        weights = [math.exp((gain - top) * EAGERNESS) for _, gain in good]
        return self._rng.choices([step for step, _ in good], weights)[0]


def prospect(position: Position, hand: Sequence[str]) -> float:
    """Return how good a position is for the side to move if it makes the best attack that it has now."""
    index = position.to_move
    steps = attacks(position, hand) if position.winner is None else ()
    return max([rate_position(position, index), *(rate_position(apply(position, step), index) for step in steps)])


def attacks(position: Position, hand: Sequence[str]) -> Iterator[Step]:
    """Yield every legal attack, by military points or by a card in this hand."""
    yield from (step for step in acts(position) if isinstance(step, Attack))
    for card in map(position.sides[position.to_move].deck.cards.__getitem__, dict.fromkeys(hand)):
        if card.kind == "event" and card.effect is not None and card.effect.verb == "strike":
            yield from _legal(position, uses(position, card.name))


def _curious(position: Position, step: Step) -> float:
    """Return a small bonus for playing cards whose effect the game's record cannot measure."""
    card = position.card(position.to_move, step.card) if isinstance(step, Use) else None
    return CURIOSITY if card is not None and card.effect is not None and card.effect.verb == "table" else 0.0


def preparations(position: Position, hand: Sequence[str]) -> Iterator[Step]:
    """Yield every legal step that deploys, equips, plays a card or activates an effect."""
    side = position.sides[position.to_move]
    for name in dict.fromkeys(hand):
        yield from _legal(position, _plays(position, side.deck.cards[name]))
    for fighter in side.fighters:
        if not fighter.used and side.deck.cards[fighter.card].effect is not None:
            yield from _legal(position, activations(position, fighter.label))


def _plays(position: Position, card: Card) -> Iterator[Step]:
    if card.kind == "general":
        yield Deploy(card.name)
    elif card.kind in EQUIPMENT:
        yield from (Equip(card.name, fighter.label) for fighter in position.sides[position.to_move].fighters)
    elif card.kind == "event":
        yield from uses(position, card.name)


def acts(position: Position) -> Iterator[Step]:
    """Yield every legal attack by a general, and every legal move."""
    others = [fighter.label for fighter in position.sides[1 - position.to_move].fighters]
    for fighter in position.sides[position.to_move].fighters:
        if not fighter.fresh and not fighter.acted:
            attacks: list[Step] = [Attack(fighter.label, target) for target in ("", *others)]
            yield from _legal(position, [*attacks, *(Move(fighter.label, zone) for zone in ZONES)])


def _legal(position: Position, steps: Iterable[Step]) -> Iterator[Step]:
    return (step for step in steps if judge(position, step).legal)


def _request(seed: int, board: str) -> Json:
    """Return the request as `set_up` does; UsageError if a board is named."""
    if board:
        raise UsageError("--board goes with General Orders and Sonae: a card game is played without one")
    return set_up(seed)


@dataclass(slots=True)
class _Cards:
    """One side's unseen cards: its hand, its resources (drawn from the end), its face-down discards."""

    deck: Deck
    hand: list[str] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


class ShuffledDecks:
    """Deals both sides' hidden cards, as the game only counts them; the same seed deals the same ones."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._sides: list[_Cards] = []

    def follow(self, position: Position) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Bring both hands up to date with this position and return them, sorted."""
        if [own.deck for own in self._sides] != [side.deck for side in position.sides]:
            self._sides = [_Cards(side.deck) for side in position.sides]
        for own, side in zip(self._sides, position.sides, strict=True):
            self._level(own, side)
        first, second = (tuple(sorted(own.hand)) for own in self._sides)
        return first, second

    def _level(self, own: _Cards, side: Side) -> None:
        """Remove the cards that all can see now, put in those hidden again, and make the numbers match the side's."""
        unseen = Counter({name: card.copies for name, card in side.deck.cards.items()})
        unseen.subtract(side.known())
        for cards in (own.hand, own.pile, own.gone):
            cards[:] = _still_unseen(cards, unseen)
        loose = sorted(unseen.elements())
        self._rng.shuffle(loose)
        wanted = max(0, side.hand - len(own.hand))
        own.hand += loose[:wanted]
        own.pile[:0] = loose[wanted:]
        # The hand and the pile get as many cards as the side has; the rest lies face down.
        own.hand.sort(key=lambda name: -rate_card(side.deck.cards[name]))
        while len(own.hand) > side.hand:
            own.gone.append(own.hand.pop())
        while len(own.hand) < side.hand:
            own.hand.append((own.pile or own.gone).pop())
        while len(own.pile) > side.resources:
            own.gone.append(own.pile.pop())
        while len(own.pile) < side.resources:
            own.pile.insert(0, own.gone.pop())


def _still_unseen(cards: list[str], unseen: Counter[str]) -> list[str]:
    """Return those of the listed cards that `unseen` still counts, taking them from it."""
    kept = []
    for name in cards:
        if unseen[name] > 0:
            unseen[name] -= 1
            kept.append(name)
    return kept


def rate_card(card: Card) -> float:
    """Return how much a card is worth to the hand that holds it: those worth least are paid with first."""
    if card.kind == "general":
        return 3 + 0.5 * card.military + 0.2 * card.intelligence - 0.6 * card.cost
    return _DEAR[card.kind] - 0.3 * card.cost


_DEAR = {"item": 3.2, "troop": 3.4, "event": 3.6, "special": 2.4}


def rate_position(position: Position, index: int) -> float:
    """Return how much better a position is for one side than for the other."""
    if position.winner is not None:
        return LOST if position.winner == index else -LOST
    return _side(position, index) - _side(position, 1 - index)


def _side(position: Position, index: int) -> float:
    side = position.sides[index]
    total = RESOURCE * side.resources + TURN_LEFT * turns_left(position, index)
    total += HELD * (1 - NEXT_HELD ** min(side.hand, side.deck.hand_limit)) / (1 - NEXT_HELD)
    total += sum(_value(position, index, fighter) for fighter in side.fighters)
    total += threat(position, index) + (GUARD if side.standing("outside") else 0.0)
    return total - (RUIN if upkeep_of(position, index).lost else 0.0)


def turns_left(position: Position, index: int) -> float:
    """Return for how many turns a side's resources last, a card drawn and upkeep paid in each; at most FAR."""
    side = position.sides[index]
    return min(FAR, side.resources / (1 + len(side.fighters)))


def threat(position: Position, index: int) -> float:
    """Return how much a side's generals threaten: the enemy castle, and the generals beside them or within reach."""
    rivals = position.sides[1 - index].fighters
    open_to_it = all(rival.zone != "outside" for rival in rivals)
    prey = PREY if index != position.to_move else PREY_LATER
    total = 0.0
    for fighter in position.sides[index].fighters:
        military = _military(position, index, fighter)
        weaker = [rival for rival in rivals if _military(position, 1 - index, rival) < military]
        beside = [_value(position, 1 - index, rival) for rival in weaker if are_together(fighter, rival)]
        on_guard = [_value(position, 1 - index, rival) for rival in weaker if rival.zone == "outside"]
        each = HELD_OFF if not open_to_it else AT_THE_CASTLE if fighter.zone == "siege" else ON_THE_WAY
        total += each * military + max(prey * max(beside, default=0.0), PREY_AFAR * max(on_guard, default=0.0))
    return total


def _military(position: Position, index: int, fighter: Fighter) -> int:
    return points_of(position, index, fighter, "military").total - fighter.military


def _value(position: Position, index: int, fighter: Fighter) -> float:
    # Without the intelligence of this turn, which doesn't last.
    intelligence = points_of(position, index, fighter, "intelligence").total - fighter.intelligence
    return GENERAL + MILITARY * _military(position, index, fighter) + INTELLIGENCE * intelligence


DEMO = BoardlessDemo("generals", GeneralsPlayer, _request)
