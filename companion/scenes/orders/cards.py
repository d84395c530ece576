"""The operation cards: the deck with what each card does and when, a player's own hand behind a cover, and the app's.

What is noted of a player's hand stays in memory (`companion.games.private_hand`); a screen that shows it says so
(`Screen.private`), and no picture of it may be kept. What the app was told of its own lies beside the game.
"""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.match import Match
from companion.games.opponent import NAME
from companion.games.position_facts import hand_size
from companion.games.private_hand import HandNote, copies_out_of_sight, save_told_hand
from companion.perception.sync.state import CardsTaken
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.orders.card_panels import guessed_effect
from companion.text.orders import action_name, card_count, card_title, faction_name, join_words
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    CardBacks,
    Columns,
    DeckCard,
    DeckCards,
    Grid,
    Intent,
    Screen,
    Text,
    back_button,
)
from engine.orders.cards import WITH_DEPLOY, deck_size, playable_cards
from engine.orders.mode import Card
from engine.orders.position import Position
from hardware.events import CodeRead, Event

OPEN_S = 20.0
"""The time without a touch after which a hand is covered again."""


class CardsScene(BackScene):
    """The kinds of cards in the deck, and how many are in each hand and pile: nothing secret."""

    def __init__(self, stage: Stage, match: Match, back: Scene) -> None:
        super().__init__(back)
        self.stage = stage
        self.match = match

    def show(self) -> Screen:
        """Show the number of cards in each hand and pile, and a button for each kind of card."""
        return self._screen(self.match.position.board.factions)

    def show_to(self, faction: str) -> Screen:
        """Show what `show` does, with a button for this player's own hand alone."""
        return self._screen((faction,))

    def _screen(self, factions: tuple[str, ...]) -> Screen:
        position = self.match.position
        cards = tuple(
            Button(card.heading, Intent("card", card.name), note=card_note(position, card))
            for card in position.board.mode.cards.values()
        )
        hands = tuple(
            Button(self._hand_of(faction, len(factions) == 1), Intent("hand", faction), "quiet") for faction in factions
        )
        return Screen(
            title=_("Operation cards"),
            blocks=(card_counts(position), *effects_used(position), Buttons(cards, 2)),
            actions=(back_button("primary"), *hands),
            page=self.page,
        )

    def _hand_of(self, faction: str, own: bool) -> str:
        if own:
            return _("My hand")
        return _("{name}'s hand").format(name=self.match.players.get(faction) or faction_name(faction))

    def touch(self, intent: Intent) -> Scene | None:
        """Open a card's text or a hand, or go back."""
        if intent.verb == "card":
            return CardTextScene(self.match.position, intent.what, self)
        if intent.verb == "hand" and intent.seat in ("", intent.what):
            opponent = self.match.opponent
            if opponent is not None and opponent.side == intent.what:
                return ToldHandScene(self.stage, self.match, intent.what, self)
            return CoverScene(self.stage, self.match, (intent.what, self))
        return super().touch(intent)


class CardTextScene(BackScene):
    """One card: its text, when it may be played, and whether it may be now."""

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
                            (DeckCard(card.heading, None, card_note(self.position, card), text=_(card.text)),), True
                        ),
                    ),
                    (
                        *(Text(line) for line in guessed_effect(card)),
                        Text(_(card.condition)),
                        *((Text(now, "good"),) if now else ()),
                        Text(_("Or spend it to reroll your dice.")),
                    ),
                ),
            ),
            actions=(back_button("primary"),),
        )


def card_counts(position: Position) -> Block:
    """Return a table of the number of cards in each hand, the deck and the discard pile."""
    board = position.board
    rows = [(faction_name(faction), str(hand_size(position, faction))) for faction in board.factions]
    rows += [(_("Deck"), str(deck_size(position))), (_("Discard"), str(len(position.discard)))]
    return Grid(("", *(name for name, _n in rows)), ((_("Cards"), *(n for _name, n in rows)),))


def effects_used(position: Position) -> tuple[Block, ...]:
    """Return lines on the cards each player used this turn, as each effect may be used once a turn."""
    board = position.board
    lines = [
        _("{who} used {cards} this turn.").format(
            who=faction_name(faction), cards=join_words(card_title(board, card) for card in spent)
        )
        for faction, spent in zip(board.factions, position.spent, strict=True)
        if spent
    ]
    return tuple(Text(line, "quiet") for line in lines)


def card_note(position: Position, card: Card) -> str:
    """Return a card's action and its copies, or how many are discarded: "Advance · 1 of 3 discarded"."""
    action = action_name(card.action) if card.action else _("Any time")
    discarded = position.discard.count(card.name)
    if not discarded:
        return _("{action} · {copies}").format(action=action, copies=plural("{n} copy", "{n} copies", card.copies))
    form = _("{action} · {n} of {all} discarded")
    return form.format(action=action, n=discarded, all=card.copies)


# ---- a player's own hand -------------------------------------------------------------------------


class CoverScene:
    """Covers a hand until its owner touches "Show", so that the others can look away."""

    def __init__(self, stage: Stage, match: Match, whose: tuple[str, Scene]) -> None:
        self.stage = stage
        self.match = match
        self.faction, self.back = whose

    def show(self) -> Screen:
        """Cover the hand until its owner touches "Show"."""
        return Screen(
            title=_("{name}'s hand").format(name=self.name),
            blocks=(
                Text(_("For {name}'s eyes only.").format(name=self.name), "strong"),
                CardBacks(hand_size(self.match.position, self.faction)),
                Text(_("Hides after {n} seconds. Never saved.").format(n=round(OPEN_S))),
            ),
            actions=(back_button(), Button(_("Show"), Intent("show"), "primary")),
        )

    @property
    def name(self) -> str:
        """The player's name, or the faction's."""
        return self.match.players.get(self.faction) or faction_name(self.faction)

    def touch(self, intent: Intent) -> Scene | None:
        """Open the hand if its owner's half asks for it, or go back."""
        if intent.verb == "show" and intent.seat in ("", self.faction):
            return HandScene(self)
        return self.back if intent.verb == "back" else None


class HandScene:
    """A player's own hand: a touch on a card notes one more copy of it; past the last copy, none."""

    def __init__(self, cover: CoverScene) -> None:
        self.cover = cover
        self.page = 0
        self._touched = True
        self._since_s = 0.0
        self._laid: set[str] = set()

    def show(self) -> Screen:
        """Show the hand: a button for each kind of card, those noted marked."""
        position, faction = self.cover.match.position, self.cover.faction
        noted = self.cover.stage.services.private.of(self.cover.match, position, faction)
        now = {card.name for who, card in playable_cards(position) if position.board.factions[who] == faction}
        buttons = tuple(
            Button(
                card.heading,
                Intent("note", card.name),
                "chosen" if noted.get(card.name, 0) else "plain",
                note=self._note(card.name, now),
            )
            for card in position.board.mode.cards.values()
        )
        return Screen(
            title=_("{name}'s hand").format(name=self.cover.name),
            blocks=(self._count_text(sum(noted.values())), Buttons(buttons, 2)),
            actions=(Button(_("Hide"), Intent("cover"), "primary"),),
            page=self.page,
            private=True,
        )

    def _count_text(self, noted: int) -> Text:
        """Return a line on how many cards the hand has, and how many of them are noted."""
        held = hand_size(self.cover.match.position, self.cover.faction)
        if noted < held:
            told = plural(
                "You have {cards}, {n} noted here. Touch the ones you have.",
                "You have {cards}, {n} noted here. Touch the ones you have.",
                noted,
                cards=card_count(held),
            )
            return Text(told, "quiet")
        return Text(_("You have {cards}.").format(cards=card_count(held)), "quiet")

    def _note(self, name: str, now: set[str]) -> str:
        """Return how many copies of a card are noted and when it may be played; "" if none are noted."""
        match = self.cover.match
        card = match.position.board.mode.cards[name]
        held = self.cover.stage.services.private.of(match, match.position, self.cover.faction).get(name, 0)
        if not held:
            return ""
        if name in now:
            return _("{n} × · playable now").format(n=held)
        mine = match.position.to_move_name == self.cover.faction
        if mine and card.by == "mover" and card.moment in WITH_DEPLOY:
            return _("{n} × · {condition}").format(n=held, condition=_(card.condition))
        return _("{n} ×").format(n=held)

    def touch(self, intent: Intent) -> Scene | None:
        """Note a card, turn the page, or cover the hand."""
        self._touched = True
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "note" and intent.seat in ("", self.cover.faction):
            match = self.cover.match
            self.cover.stage.services.private.put(match, match.position, self.cover.faction, intent.what)
        return self.cover if intent.verb in ("cover", "back") else None

    def hear(self, event: Event) -> bool:
        """Note a card laid on the reader, each tag once.

        Return False for anything but a known card's code, so that another listener can handle it.
        """
        match, stage = self.cover.match, self.cover.stage
        if not isinstance(event, CodeRead) or (name := stage.desk.tags.card(match.board.mode, event.code)) is None:
            return False
        self._touched = True
        if event.code not in self._laid:
            self._laid.add(event.code)
            stage.services.private.put(match, match.position, self.cover.faction, name)
        return True

    def tick(self, now_s: float) -> Scene | None:
        """Return the cover once nobody has touched the hand for OPEN_S, else None."""
        if self._touched:
            self._touched, self._since_s = False, now_s
        return self.cover if now_s - self._since_s >= OPEN_S else None


# ---- the app's hand ------------------------------------------------------------------------------


def untold(stage: Stage, match: Match, side: str) -> int:
    """Return how many cards of a side's hand have not been entered yet."""
    position = match.position
    return hand_size(position, side) - sum(stage.services.private.of(match, position, side).values())


class ToldHandScene:
    """Lets the person enter the app's cards; what is not entered, the app cannot play."""

    def __init__(self, stage: Stage, match: Match, side: str, back: Scene) -> None:
        self.stage = stage
        self.match = match
        self.side = side
        self.back = back
        self.page = 0
        self._laid: set[str] = set()

    @property
    def _left(self) -> int:
        return untold(self.stage, self.match, self.side)

    def show(self) -> Screen:
        """Show how many cards are left to enter, and a button for each kind."""
        left, held = self._left, hand_size(self.match.position, self.side)
        cards = self.match.board.mode.cards.values()
        buttons = tuple(Button(card.heading, Intent("note", card.name)) for card in cards)
        asked = plural("{n} card left to enter.", "{n} cards left to enter.", left)
        how = _(
            "Lay each on the card reader, or look and touch its name. {who} can only play cards you've told it about."
        )
        again = Button(_("Start over"), Intent("again"), "quiet" if left < held else "off")
        return Screen(
            title=_("{name}'s hand").format(name=NAME),
            blocks=(Text(how.format(who=NAME)), Text(asked, "strong"), Buttons(buttons, 3)),
            actions=(Button(_("Leave them face down"), Intent("back")), again),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Enter a card, start over, or leave; go back after the last card."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "note":
            self._tell(intent.what)
        elif intent.verb == "again":
            self._note(HandNote({}, self.match.position.discard))
        return self.back if intent.verb == "back" or not self._left else None

    def hear(self, event: Event) -> bool:
        """Enter a card laid on the reader, each tag once.

        Return False for anything but a known card's code, so that another listener can handle it.
        """
        tags = self.stage.desk.tags
        if not isinstance(event, CodeRead) or (card := tags.card(self.match.board.mode, event.code)) is None:
            return False
        if event.code not in self._laid:
            self._laid.add(event.code)
            self._tell(card)
        return True

    def tick(self, _now_s: float) -> Scene | None:
        """Enter cards that the camera sees face up; return the scene before once all are in, this one if it saw any."""
        monitor = self.stage.senses.monitor
        laid = monitor.state.cards.fresh(self.match.board.mode)
        monitor.advance(CardsTaken())
        for card in laid:
            self._tell(card)
        if not self._left:
            return self.back
        return self if laid else None

    def _tell(self, name: str) -> None:
        """Enter one more copy of a card, if there can be one."""
        private, position = self.stage.services.private, self.match.position
        told = private.of(self.match, position, self.side)
        if self._left and told.get(name, 0) < copies_out_of_sight(position, name):
            private.put(self.match, position, self.side, name)
            self._note(private.notes[self.side])

    def _note(self, note: HandNote) -> None:
        """Set the app's known cards, and save them beside the game."""
        self.stage.services.private.remember(self.match, self.side, note)
        save_told_hand(self.match.path, note)
