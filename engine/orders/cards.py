"""Operation cards: who may play what now, and what it adds (Operation Cards)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.position import Field, Hand, Outlook, Position, Stage, Turn, count_recallable
from engine.ruling import Hearing


class Table(Field, Protocol):
    """What the questions about cards look at: a position, or a draft of one."""

    @property
    def to_move(self) -> int:
        """Whose turn it is."""

    @property
    def turn(self) -> Turn | None:
        """The turn in progress."""

    @property
    def hands(self) -> Sequence[Hand]:
        """The hands, by faction."""

    @property
    def spent(self) -> Sequence[tuple[str, ...]]:
        """Special effects resolved this turn, by faction."""

    @property
    def discard(self) -> tuple[str, ...]:
        """The discard pile."""

    @property
    def winner(self) -> int | None:
        """Who has won, in a finished game."""

    def reserve(self, faction: int, kind: int) -> int:
        """Count the units of a kind in a faction's reserve."""


WITH_DEPLOY = ("deploy", "join", "shot")
"""The moments whose cards may be named in the deploy step itself."""
BLITZ = "blitz-reserve"
"""The reading by which an extra commander may be deployed with none in the reserve."""
LATE = "join-late"
"""The reading by which a card's units still join a move once the defender may have played a card."""
MOST_DICE = 12
"""The most dice that players may agree on, or that a card of unknown text may lead to."""


def hand_size(hand: Hand) -> int:
    """Return the number of cards in a hand."""
    return hand if isinstance(hand, int) else len(hand)


def deck_size(table: Table) -> int:
    """Count the cards left to draw before the discard pile is needed."""
    whole = sum(card.copies for card in table.board.mode.cards.values())
    return whole - sum(map(hand_size, table.hands)) - len(table.discard)


def unseen_copies(table: Table, card: str) -> int:
    """Count the copies of a card that are neither in a known hand nor in the discard pile.

    They are in the deck, or hidden in a hand.
    """
    known = sum(hand.count(card) for hand in table.hands if not isinstance(hand, int))
    return table.board.mode.cards[card].copies - known - table.discard.count(card)


def may_hold_card(table: Table, faction: int, card: str) -> bool:
    """Return whether a faction has the card, or may have it because its hand is hidden."""
    hand = table.hands[faction]
    if isinstance(hand, int):
        return hand > 0 and unseen_copies(table, card) > 0
    return card in hand


def may_hold_extra(table: Table, faction: int) -> bool:
    """Return whether a faction has a card that brings an extra commander, or may have one in a hidden hand."""
    named = (card.name for card in table.board.mode.cards.values() if card.verb == "extra")
    return any(may_hold_card(table, faction, name) for name in named)


def actor(table: Table, card: Card) -> int:
    """Return the faction for whom a card is written: the one whose turn it is, or its opponent."""
    return 1 - table.to_move if card.by == "opponent" else table.to_move


def playable_cards(table: Table) -> list[tuple[int, Card]]:
    """List the special effects that may be resolved now, with the faction that has them."""
    turn = table.turn
    if turn is None or not turn.open or not any(table.hands):
        return []
    action = table.board.spaces[turn.space].action.name
    windows = table.board.mode.windows
    window = windows.get((turn.stage.value, action), ())
    if LATE in table.readings:
        window = (*window, *(card for card in windows.get((Stage.JOIN.value, action), ()) if may_join_late(turn, card)))
    return [(actor(table, card), card) for card in window if _is_playable(table, card)]


def may_join_late(turn: Turn, card: Card) -> bool:
    """Return whether a card's units would join a move late: the defender may have played a card, but not rolled."""
    return card.verb == "join" and turn.stage is Stage.DEFENCE and not turn.again


def _is_playable(table: Table, card: Card) -> bool:
    faction = actor(table, card)
    if not may_hold_card(table, faction, card.name) or card.name in table.spent[faction]:
        return False
    if not card.unit:
        return True
    kind = table.board.mode.unit_index[card.unit]
    return table.reserve(faction, kind) > 0 or (_may_recall(table) and count_recallable(table.units[faction], kind) > 0)


def _may_recall(table: Table) -> bool:
    """Return whether units may be recalled for a card (reading short-reserve)."""
    return (
        "short-reserve" not in table.readings
        and table.turn is not None
        and table.board.spaces[table.turn.space].action.recall
    )


def announceable_cards(table: Table) -> list[tuple[int, Card]]:
    """List the cards that players resolve themselves and may announce now, with their factions.

    They hold no window open: as their texts are not known, they may be played at any time.
    """
    cards = table.board.mode.table_cards
    if not cards or table.winner is not None:
        return []
    return [(f, c) for f in (0, 1) for c in cards if may_hold_card(table, f, c.name) and c.name not in table.spent[f]]


def has_loose_dice(table: Table) -> bool:
    """Return whether a card that the players resolve themselves was played this turn.

    A roll may then have another number of dice.
    """
    spent = {name for names in table.spent for name in names}
    return any(card.name in spent for card in table.board.mode.table_cards)


def is_window_open(table: Table) -> bool:
    """Return whether a card could still be played or spent on a reroll at this stage of the turn."""
    turn = table.turn
    if turn is None or not turn.open:
        return False
    # any card can be spent on a reroll, whatever its text (Operation Cards)
    if turn.stage is Stage.ROLLED:
        return bool(table.hands[roller(table)])
    return bool(playable_cards(table))


def roller(table: Table) -> int:
    """Return the faction that rolls or has rolled: in a conflict the defender, in a shot the shooter."""
    turn = table.turn
    shot = turn is not None and table.board.spaces[turn.space].action.verb == "shoot"
    return table.to_move if shot else 1 - table.to_move


def judge_faction(hearing: Hearing, position: Position, name: str) -> int | None:
    """Return a faction's number; None, with a finding, if nobody of that name plays."""
    faction = position.board.mode.faction_index.get(name)
    hearing.weigh("faction.known", faction is not None, who=name)
    return faction


def judge_held(hearing: Hearing, position: Position, faction: int, name: str) -> Card | None:
    """Judge whether the faction has this card, and return it; None, with a finding, if the deck has no such card."""
    card, title = position.board.mode.cards.get(name), position.board.mode.card_title(name)
    if not hearing.weigh("card.known", card is not None, card=title):
        return None
    hearing.weigh("card.held", may_hold_card(position, faction, name), card=title, who=position.board.factions[faction])
    return card


def judge_once(hearing: Hearing, position: Position, faction: int, card: Card) -> bool:
    """Judge whether this is a player's only use of the special effect this turn; return whether it is."""
    who = position.board.factions[faction]
    return hearing.weigh("card.once-per-turn", card.name not in position.spent[faction], card=card.heading, who=who)


def judge_with_deploy(hearing: Hearing, outlook: Outlook, action: str, cards: tuple[str, ...]) -> list[Card]:
    """Judge the cards named in a deploy step, and return those that may be played with its action."""
    named = []
    hand = outlook.position.hands[outlook.me]
    hearing.weigh("card.enough", len(cards) <= hand_size(hand), who=outlook.board.factions[outlook.me], n=len(cards))
    for at, name in enumerate(cards):
        card = judge_held(hearing, outlook.position, outlook.me, name)
        if card is None:
            continue
        judge_once(hearing, outlook.position, outlook.me, card)
        hearing.weigh("card.same-twice", name not in cards[:at], card=card.heading)
        fits = card.action in ("", action) and card.by == "mover" and card.moment in WITH_DEPLOY
        hearing.weigh("card.moment", fits, card=card.heading, condition=card.condition)
        if fits:
            named.append(card)
    return named


def resolve(draft: Draft, faction: int, card: str) -> None:
    """Discard a card for its special effect, and remember that it was used this turn."""
    draft.spend(faction, card)
    draft.spent[faction] += (card,)
