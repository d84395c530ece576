"""Plays by itself: turns chosen among the legal ones, dice rolled, cards drawn. Chance lives here, outside the rules.

A turn is chosen by looking one turn ahead: every die is taken for a one, which is what it shows on average,
and the positions that come out are weighed. The better ones are picked more often, never always, so that
games differ and stay sensible.
"""

from __future__ import annotations

import math
import random
from collections import Counter

from companion.demo.prospects import by_extra, deployments, window_plays
from companion.demo.weighing import CARD, worth
from engine.orders import game
from engine.orders.game import Owed
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Pass, Play, Remove, Reroll, Return, Roll, Step

EAGERNESS = 1.2
CARD_CHANCE = 0.9
EXTRA_CHANCE = 0.5
CARD_WORTH_PLAYING = 0.3
AVERAGE_FACE = 1


class Autoplayer:
    """Both players, the dice and the deck of a game; the same seed plays the same game."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def step(self, position: Position) -> Step:
        """The next step of a game that is not finished: what the table owes, or a new turn."""
        owed = game.owed(position)
        return self._turn(position) if owed is None else self._answer(position, owed)

    def _turn(self, position: Position) -> Step:
        best = _best_of_each_space(position, deployments(position, self._rng))
        if not best:
            return Pass()
        top = max(value for _, value in best)
        weights = [math.exp((value - top) * EAGERNESS) for _, value in best]
        chosen = self._rng.choices([step for step, _ in best], weights)[0]
        extra = by_extra(position, chosen)
        if extra != chosen and self._rng.random() < EXTRA_CHANCE:
            chosen = extra
        if not isinstance(chosen.draw, int):
            return chosen
        cards = draw(position, chosen.draw, self._rng)
        return Deploy(chosen.space, draw=chosen.draw if cards is None else cards, cards=chosen.cards)

    def _answer(self, position: Position, owed: Owed) -> Step:
        card = self._card(position, owed)
        if card is not None:
            return card
        if owed.wants == "roll":
            faces = position.board.mode.die
            return Roll(tuple(self._rng.choice(faces) for _ in range(owed.dice)), owed.by)
        return quiet_answer(position, owed)

    def _card(self, position: Position, owed: Owed) -> Play | Reroll | None:
        """The best card for the window that is open, where it gains something; now and then it is forgotten."""
        best, most = None, CARD_WORTH_PLAYING
        for play in window_plays(position, owed):
            after, before = settled(game.apply(position, play)), settled(position)
            gain = worth(after, play.by) - worth(before, play.by) + CARD
            if gain > most:
                best, most = play, gain
        return best if best is not None and self._rng.random() < CARD_CHANCE else None


def _best_of_each_space(position: Position, found: list[Deploy]) -> list[tuple[Deploy, float]]:
    """Of all ways to use a space only the best counts, or spaces with many ways would be picked too often."""
    best: dict[str, tuple[Deploy, float]] = {}
    before = worth(position, position.to_move_name)
    for step in found:
        value = worth(settled(game.apply(position, step)), position.to_move_name) - before
        if step.space not in best or value > best[step.space][1]:
            best[step.space] = (step, value)
    return list(best.values())


def settled(position: Position) -> Position:
    """The position once the turn in progress has ended as it does on average, without cards."""
    owed = game.owed(position)
    while owed is not None:
        average = Roll((AVERAGE_FACE,) * owed.dice, owed.by) if owed.wants == "roll" else quiet_answer(position, owed)
        position = game.apply(position, average)
        owed = game.owed(position)
    return position


def quiet_answer(position: Position, owed: Owed) -> Step:
    """Losses of the cheapest units first, the first commander that may go back, and no card."""
    if owed.wants == "return":
        return Return(owed.spaces[0], owed.by)
    if owed.wants == "remove" and owed.area is not None:
        here = Counter(position.units_in(owed.area).get(owed.by, {}))
        return Remove(_cheapest(here, owed.units, position), owed.by, owed.area)
    return Accept()


def _cheapest(here: Counter[str], losses: int, position: Position) -> tuple[tuple[str, int], ...]:
    taken = []
    for kind in position.board.mode.units:
        number = min(here[kind.name], losses)
        losses -= number
        if number:
            taken.append((kind.name, number))
    return tuple(taken)


def draw(position: Position, number: int, rng: random.Random) -> tuple[str, ...] | None:
    """Cards from the shuffled draw pile; the discard pile follows when it runs out. None where a hand is hidden."""
    pile = draw_pile(position)
    if pile is None:
        return None
    drawn = rng.sample(pile, min(number, len(pile)))
    again = sorted(position.discard)
    return tuple(drawn + rng.sample(again, min(number - len(drawn), len(again))))


def draw_pile(position: Position) -> list[str] | None:
    """The cards that are neither in a hand nor discarded, sorted; None where a hand is only a number."""
    cards = Counter(position.board.mode.deck)
    cards.subtract(position.discard)
    for faction in position.board.factions:
        hand = position.hand(faction)
        if isinstance(hand, int):
            return None
        cards.subtract(hand)
    return sorted((+cards).elements())
