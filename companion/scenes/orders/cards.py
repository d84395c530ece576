"""The operation cards: who holds how many, what lies in the discard pile, and what each of them does and when."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.match import Match
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.orders.card_panels import likely
from companion.scenes.orders.cards_private import CoverScene
from companion.scenes.orders.told_hand import ToldHandScene
from companion.text.orders import action_name, card_title, faction_name, join_words
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Columns,
    DeckCard,
    DeckCards,
    Grid,
    Intent,
    Screen,
    Text,
    back_button,
)
from engine.orders.cards import deck_size, hand_size, playable_cards
from engine.orders.mode import Card
from engine.orders.position import Position


class CardsScene(BackScene):
    """All cards of the deck, face up: nothing here is secret."""

    def __init__(self, stage: Stage, match: Match, back: Scene) -> None:
        super().__init__(back)
        self.stage = stage
        self.match = match

    def show(self) -> Screen:
        """Show the number of cards in each hand and pile, and a button for each kind of card."""
        return self._screen(self.match.position.board.factions)

    def show_to(self, faction: str) -> Screen:
        """Show the same, with the way to this player's own hand only."""
        return self._screen((faction,))

    def _screen(self, factions: tuple[str, ...]) -> Screen:
        position = self.match.position
        cards = tuple(
            Button(card.heading, Intent("card", card.name), note=in_sight(position, card))
            for card in position.board.mode.cards.values()
        )
        hands = tuple(
            Button(self._hand_of(faction, len(factions) == 1), Intent("hand", faction), "quiet") for faction in factions
        )
        return Screen(
            title=_("Operation cards"),
            blocks=(counts(position), *effects_used(position), Buttons(cards, 2)),
            actions=(back_button("primary"), *hands),
            page=self.page,
        )

    def _hand_of(self, faction: str, own: bool) -> str:
        if own:
            return _("My hand")
        return _("{name}'s hand").format(name=self.match.players.get(faction) or faction_name(faction))

    def touch(self, intent: Intent) -> Scene | None:
        """Open a card's text, a hand behind its cover, or the page before."""
        if intent.verb == "card":
            return CardTextScene(self.match.position, intent.what, self)
        if intent.verb == "hand" and intent.seat in ("", intent.what):
            opponent = self.match.opponent
            if opponent is not None and opponent.side == intent.what:
                return ToldHandScene(self.stage, self.match, intent.what, self)
            return CoverScene(self.stage, self.match, (intent.what, self))
        return super().touch(intent)


class CardTextScene(BackScene):
    """One card: its text, when it may be played, and whether that is now."""

    def __init__(self, position: Position, card: str, back: Scene) -> None:
        super().__init__(back)
        self.position = position
        self.card = position.board.mode.cards[card]

    def show(self) -> Screen:
        """Show the card's text, and whether it can be played now."""
        board, card = self.position.board, self.card
        now = _("Playable now.") if card in [playable for _faction, playable in playable_cards(self.position)] else ""
        return Screen(
            title=card_title(board, card.name),
            blocks=(
                Columns(
                    (
                        DeckCards(
                            (DeckCard(card.heading, None, in_sight(self.position, card), text=_(card.text)),), True
                        ),
                    ),
                    (
                        *(Text(line) for line in likely(card)),
                        Text(_(card.condition)),
                        *((Text(now, "good"),) if now else ()),
                        Text(_("Or spend it to reroll your dice.")),
                    ),
                ),
            ),
            actions=(back_button("primary"),),
        )


def counts(position: Position) -> Block:
    """Count the cards in each hand, the deck and the discard pile."""
    board = position.board
    rows = [(faction_name(faction), str(hand_size(position.hand(faction)))) for faction in board.factions]
    rows += [(_("Deck"), str(deck_size(position))), (_("Discard"), str(len(position.discard)))]
    return Grid(("", *(name for name, _n in rows)), ((_("Cards"), *(n for _name, n in rows)),))


def effects_used(position: Position) -> tuple[Block, ...]:
    """List the special effects used this turn; each player may use each of them once a turn."""
    board = position.board
    lines = [
        _("{who} used {cards} this turn.").format(
            who=faction_name(faction), cards=join_words(card_title(board, card) for card in spent)
        )
        for faction, spent in zip(board.factions, position.spent, strict=True)
        if spent
    ]
    return tuple(Text(line, "quiet") for line in lines)


def in_sight(position: Position, card: Card) -> str:
    """Name a card's action and how many copies were discarded: "Advance · 1 of 3 discarded"."""
    action = action_name(card.action) if card.action else _("Any time")
    discarded = position.discard.count(card.name)
    if not discarded:
        return _("{action} · {copies}").format(action=action, copies=plural("{n} copy", "{n} copies", card.copies))
    form = _("{action} · {n} of {all} discarded")
    return form.format(action=action, n=discarded, all=card.copies)
