"""Tags and codes bound to the cards of a deck, and which card a code on the reader is."""

from __future__ import annotations

from companion.core.errors import TagsError
from companion.core.language import _, plural
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.text.faults import fault_words
from companion.text.orders import card_title
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text, Tone, back_button
from engine.orders.mode import Card
from hardware.events import CodeRead, Event


class TagsScene(StageScene):
    """The deck, how many tags each card has, and which card lies on a reader."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self.read = ""
        self.fault = ""
        try:
            stage.desk.tags.of(stage.board.mode)
        except TagsError as error:
            self.fault = fault_words(error)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the deck."""
        return tuple(self.stage.board.mode.cards.values())

    def bound(self, card: Card) -> tuple[str, ...]:
        """Return the codes that are bound to this card."""
        return self.stage.desk.tags.codes(self.stage.board.mode, card.name)

    def show(self) -> Screen:
        """Offer one button for each card, below what lies on the reader."""
        buttons = tuple(
            Button(
                card_title(self.stage.board, card.name),
                Intent("card", card.name),
                "chosen" if card.name == self._card_on_reader() else "plain",
                "tick" if len(self.bound(card)) == card.copies else "plan",
                plural("{n} of {all} tagged", "{n} of {all} tagged", len(self.bound(card)), all=card.copies),
            )
            for card in self.cards
        )
        return Screen(
            title=_("Card tags"),
            blocks=(self._message(), Buttons(buttons, 2)),
            actions=(back_button("primary"),),
            page=self.page,
        )

    def _card_on_reader(self) -> str | None:
        return self.stage.desk.tags.card(self.stage.board.mode, self.read) if self.read else None

    def _message(self) -> Block:
        """Return what was read last, or what to do."""
        if self.fault:
            return Text(self.fault, "bad")
        if not self.read:
            return Text(_("Put a card on the reader to see which one it is, or touch a card to tag it."))
        lying = self._card_on_reader()
        if lying is None:
            return Text(_("{code} isn't linked to a card yet. Touch its card.").format(code=self.read), "warn")
        title = card_title(self.stage.board, lying)
        return Text(_("{code} is {card}.").format(code=self.read, card=title), "good")

    def hear(self, event: Event) -> bool:
        """Show which card a code that was read belongs to."""
        if not isinstance(event, CodeRead):
            return False
        self.read, self.fault = event.code, ""
        return True

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch on a card, the page buttons, or Back."""
        if intent.verb == "card":
            return TagScene(self, intent.what)
        return super().touch(intent)


class TagScene(StageScene):
    """One card: every tag that is laid on a reader now becomes one of its copies."""

    back: TagsScene

    def __init__(self, deck: TagsScene, card: str) -> None:
        super().__init__(deck.stage, deck)
        self.mode = deck.stage.board.mode
        self.card = self.mode.cards[card]
        self.asked = ""  # a tag that is another card so far
        self.message: tuple[str, Tone] = ("", "plain")

    def show(self) -> Screen:
        """Show the card's tags, each with a way to remove it, and what comes next."""
        bound = self.back.bound(self.card)
        left = self.card.copies - len(bound)
        buttons = tuple(Button(code, Intent("unbind", code), "quiet", "cross", _("remove")) for code in bound)
        blocks: list[Block] = [Text(self._prompt(left), "strong")]
        blocks += [Text(*self.message)] if self.message[0] else []
        if self.asked:
            other = self.stage.desk.tags.card(self.mode, self.asked)
            move = _("Move it here from {card}").format(card=self.mode.cards[other].heading if other else "")
            blocks.append(Buttons((Button(move, Intent("move")),), 1))
        blocks += [Buttons(buttons, 2)] if buttons else []
        following = Button(_("Next card"), Intent("next"), "plain" if left else "primary")
        actions = (back_button(), following)
        return Screen(title=card_title(self.stage.board, self.card.name), blocks=tuple(blocks), actions=actions)

    def _prompt(self, left: int) -> str:
        if not left:
            return _("Every copy is tagged.")
        return plural(
            "Put a copy's tag on the reader: {n} of {all} still needs one.",
            "Put a copy's tag on the reader: {n} of {all} still need one.",
            left,
            all=self.card.copies,
        )

    def hear(self, event: Event) -> bool:
        """Bind a tag that was read to this card; ask first if the tag is another card's."""
        if not isinstance(event, CodeRead):
            return False
        known = self.stage.desk.tags.card(self.mode, event.code)
        self.asked = ""
        if known == self.card.name:
            self.message = _("{code} is already this card.").format(code=event.code), "plain"
        elif known is not None:
            self.asked = event.code
            form = _("{code} is currently {card}.")
            self.message = form.format(code=event.code, card=self.mode.cards[known].heading), "warn"
        else:
            self._bind(event.code)
        return True

    def _bind(self, code: str) -> None:
        try:
            self.stage.desk.tags.bind(self.mode, code, self.card.name)
        except TagsError as error:
            self.message = fault_words(error), "bad"
        else:
            self.message = _("{code} is {card} now.").format(code=code, card=self.card.heading), "good"

    def touch(self, intent: Intent) -> Scene | None:
        """Remove a tag, take one over from another card, go on to the next card, or go back."""
        if intent.verb == "unbind":
            self.stage.desk.tags.unbind(self.mode, intent.what)
            self.message, self.asked = ("", "plain"), ""
        elif intent.verb == "move" and self.asked:
            code, self.asked = self.asked, ""
            self._bind(code)
        elif intent.verb == "next":
            return self._next_card()
        return super().touch(intent)

    def _next_card(self) -> Scene:
        """Open the next card that lacks a tag, starting after this one; the deck if none does."""
        cards = self.back.cards
        here = cards.index(self.card)
        lacking = [card for card in (*cards[here + 1 :], *cards[:here]) if len(self.back.bound(card)) < card.copies]
        return TagScene(self.back, lacking[0].name) if lacking else self.back
