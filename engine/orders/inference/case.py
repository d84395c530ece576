"""What is asked: a position, the evidence of the table after it, and how likely people play cards."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import NamedTuple

from engine.orders import cards
from engine.orders.bonuses import defence_dice
from engine.orders.inference.evidence import Evidence, Force, forces_of, is_possible
from engine.orders.mode import Card
from engine.orders.position import Outlook, Position, outlook_of
from engine.orders.steps import Deploy

PLAYS = 0.15
"""How likely people play a card that they have and may play."""
LOOSE = log(0.15)
"""How likely a card of unknown text has changed the number of dice, for each of the changes thought of."""
_LOOSE = (-1, 1, 2)
"""The changes in the number of dice that are thought of."""


class Guess(NamedTuple):
    """A deployment that may explain what is seen.

    In logarithms: `prior`, how likely people choose it; `bound`, how likely it is at most with all that is seen.
    """

    step: Deploy
    prior: float
    bound: float


class Case(NamedTuple):
    """A position as the acting faction sees it, the evidence, and by area the recorded units and their log-likelihood.

    `whole` is the sum of these, `wrong` the areas that cannot hold what is recorded, as a set.
    """

    outlook: Outlook
    evidence: Evidence
    forces: list[Force]
    logs: list[float]
    whole: float
    wrong: int

    def defence_dice(self, area: int) -> int:
        """Count the dice of the defender of an area."""
        return defence_dice(self.outlook.position, area, self.outlook.foe)

    def pools(self, dice: int, moment: str, action: str) -> Mapping[int, float]:
        """Return {number of dice: log-probability, at most} for what may have been rolled if `dice` are owed."""
        window = self.outlook.mode.windows.get((moment, action), ())
        added = sum(card.amount for card in window if card.verb == "dice" and self.chance(card))
        owed = {dice: 0.0, dice + added: 0.0}
        return dict.fromkeys(any_dice(dice), LOOSE) | owed if may_have_loose_dice(self.outlook.position) else owed

    def may_repeat(self, action: str) -> bool:
        """Return whether a card may let this action happen again."""
        found = self.outlook.mode.windows.get(("again", action), ())
        return any(self.chance(card) > 0 for card in found)

    def chance(self, card: Card) -> float:
        """Return the chance, 0 to 1, that the faction that a card is written for plays it."""
        return card_chance(self.outlook.position, cards.actor(self.outlook.position, card), card)


def case_of(position: Position, evidence: Evidence) -> Case:
    """Build the case for the faction whose turn it is."""
    forces = forces_of(position)
    logs = [evidence.at(area, force) for area, force in enumerate(forces)]
    wrong = sum(1 << area for area, score in enumerate(logs) if not is_possible(score))
    return Case(outlook_of(position, position.to_move), evidence, forces, logs, sum(logs), wrong)


def card_chance(position: Position, faction: int, card: Card) -> float:
    """Return the chance, 0 to 1, that a faction plays a card where it may.

    It depends on whether the faction has the card, or may have it in a hidden hand.
    """
    if card.name in position.spent[faction] or not cards.may_hold_card(position, faction, card.name):
        return 0.0
    hand = position.hands[faction]
    if not isinstance(hand, int):
        return PLAYS
    # the chance that at least one of the hidden cards is this one, each taken as drawn from all unseen cards
    hidden = sum(cards.unseen_copies(position, name) for name in position.board.mode.cards)
    return PLAYS * (1 - (1 - cards.unseen_copies(position, card.name) / hidden) ** hand)


def any_dice(dice: int) -> tuple[int, ...]:
    """Return the numbers of dice that a card of unknown text may turn `dice` into."""
    return tuple(dict.fromkeys(max(1, dice + more) for more in _LOOSE))


def may_have_loose_dice(position: Position) -> bool:
    """Return whether a card of unknown text was played this turn, or may be."""
    unknown = position.board.mode.table_cards
    return cards.has_loose_dice(position) or any(card_chance(position, who, card) for card in unknown for who in (0, 1))


def may_end_round(position: Position) -> bool:
    """Return whether the round may be over after one more deployment.

    A lost bonus may take the enemy's last commander.
    """
    mode, me = position.board.mode, position.to_move
    taken = any(bonus.verb == "commander" for bonus in mode.bonuses.values())
    left, theirs = position.commanders_left[me], position.commanders_left[1 - me]
    return left <= 1 and (position.passed[1 - me] or theirs <= int(taken))
