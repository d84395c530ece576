"""Plan: draw operation cards, and with the symbol take the initiative (Plan)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.orders import bonuses
from engine.orders.board import Space
from engine.orders.cards import deck_size, hand_size, unseen_copies
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.position import Hand, Option, Outlook, Position, Stage, Turn
from engine.orders.steps import Deploy
from engine.ruling import Hearing
from engine.words import join_words, say

LAST = "last-round-initiative"
"""The reading by which nobody can take the initiative in the last round."""


def nominal_amount(outlook: Outlook, space: Space) -> int:
    """Count the cards that a Plan gives by its printed number and a bonus, even if there are too few to draw."""
    return space.amount_for(outlook.board.factions[outlook.me]) + bonuses.bonus_amount(outlook, space.action.name)


def amount(outlook: Outlook, space: Space) -> int:
    """Count the cards that a Plan draws now, no more than there are to draw (reading empty-deck)."""
    back = len(outlook.position.discard) if _may_reshuffle(outlook.position) else 0
    return min(nominal_amount(outlook, space), deck_size(outlook.position) + back)


def _may_reshuffle(position: Position) -> bool:
    return "empty-deck" not in position.readings


def option(outlook: Outlook, space: Space) -> Option | None:
    """Return the option to draw, with the number of cards."""
    return Option(space, 0, amount(outlook, space))


def judge(hearing: Hearing, outlook: Outlook, step: Deploy, _cards: Sequence[Card]) -> None:
    """Judge a Plan: whether as many cards are drawn as the space gives, and whether they can be.

    No card changes a Plan.
    """
    position, space = outlook.position, outlook.board.space(step.space)
    if hearing.thorough and _last_chance(position, space, outlook.me):
        outcome = "kept" if LAST in position.readings else "taken"
        hearing.weigh(f"plan.{outcome}", True, who=position.to_move_name)
    due, deck = amount(outlook, space), deck_size(position)
    drawn = 0 if step.draw is None else hand_size(step.draw)
    short = nominal_amount(outlook, space) > deck
    rule = "plan.short-deck" if short else "plan.amount"
    if not hearing.weigh(rule, drawn == due, due=due, drawn=drawn, deck=deck) or not isinstance(step.draw, tuple):
        return
    again, fitting = short and _may_reshuffle(position), True
    for card, n in Counter(step.draw).items():
        if hearing.weigh("card.known", card in outlook.mode.cards, card=outlook.mode.card_title(card)):
            left = unseen_copies(position, card) + (position.discard.count(card) if again else 0)
            fitting &= hearing.weigh("plan.copies", n <= left, card=outlook.mode.card_title(card), n=n, left=left)
    if again and fitting:
        _judge_last_cards(hearing, position, step.draw)


def _judge_last_cards(hearing: Hearing, position: Position, drawn: tuple[str, ...]) -> None:
    """Judge whether a draw that empties the deck names all its cards.

    The rest of the draw comes from the discard pile, shuffled anew.
    """
    deck, n = deck_size(position), Counter(drawn)
    # how many of each card must come from the deck, as the discard pile has no more, and how many can
    must = sum(max(0, n[card] - position.discard.count(card)) for card in n)
    can = sum(min(n[card], unseen_copies(position, card)) for card in n)
    left = {card.heading: unseen_copies(position, card.name) for card in position.board.mode.cards.values()}
    hidden = any(isinstance(hand, int) and hand for hand in position.hands)
    last = say("cards not seen yet") if hidden else join_words(f"{n} × {card}" for card, n in left.items() if n)
    hearing.weigh("plan.last-cards", must <= deck <= can, last=last)


def perform(draft: Draft, outlook: Outlook, step: Deploy) -> None:
    """Carry out a Plan: draw the cards and, with the symbol, take the initiative at once.

    Source: the reading last-round-initiative.
    """
    space = outlook.board.space(step.space)
    drawn: Hand = step.draw if step.draw is not None else 0
    if hand_size(drawn) > deck_size(outlook.position):
        draft.discard = ()
    draft.hands[outlook.me] = _joined_hand(draft.hands[outlook.me], drawn)
    draft.tell("drew", outlook.me, units=hand_size(drawn))
    reading = LAST if _last_chance(outlook.position, space, outlook.me) else ""
    if reading in draft.readings:
        draft.tell_by(reading, "kept", outlook.me)
    elif _may_turn(draft, space, outlook.me):
        draft.initiative = outlook.me
        draft.tell_by(reading, "initiative", outlook.me)
    draft.turn = Turn(space.index, Stage.JOIN)


def takes_initiative(now: Position, space: Space, faction: int) -> bool:
    """Return whether a faction would take the initiative by deploying to a space (Plan).

    Whether it still can in the last round is the reading last-round-initiative.
    """
    return _may_turn(now, space, faction) and not (_last_chance(now, space, faction) and LAST in now.readings)


def _may_turn(now: Position | Draft, space: Space, faction: int) -> bool:
    return space.support is not None and space.support.initiative and now.initiative != faction


def _last_chance(now: Position, space: Space, faction: int) -> bool:
    """Return whether the initiative would change hands in the last round, which a reading may forbid."""
    mode = now.board.mode
    return LAST in mode.readings and now.round == mode.rounds and _may_turn(now, space, faction)


def _joined_hand(hand: Hand, drawn: Hand) -> Hand:
    if not hand_size(drawn):
        return hand
    if isinstance(hand, tuple) and isinstance(drawn, tuple):
        return tuple(sorted(hand + drawn))
    return hand_size(hand) + hand_size(drawn)
