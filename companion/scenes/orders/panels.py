"""The form of a step of General Orders, and what it says of cards when it offers the step."""

from __future__ import annotations

from dataclasses import dataclass

from companion.scenes.base.panels import Close, Face, Offer, Reply, Why
from companion.ui.screen import Button, Intent, Look, Text, cancel_button, confirm_button
from engine.orders import game
from engine.orders.game import Owed
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.ruling import Ruling


@dataclass(frozen=True, slots=True)
class CardOffer(Offer[Step]):
    """A step whose form asked about cards: `asked` are those, which need no window of their own.

    rerolled: of a roll, whether a card is spent to roll again: None where nobody was asked.
    """

    asked_cards: frozenset[str] = frozenset()
    rerolled: bool | None = None

    def has_asked_all(self, owed: Owed | None) -> bool:
        """Return whether the form has already asked about everything owed after the step, which is only cards."""
        if owed is None or owed.wants != "accept":
            return False
        if owed.may_reroll and self.rerolled is not False:
            return False
        return {card for _faction, card in owed.cards} <= self.asked_cards


class Form:
    """A panel that gathers one step, judged with every touch: what is wrong stands there in words."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.board

    def step(self) -> Step:
        """Return the step as filled in so far."""
        raise NotImplementedError

    def show(self) -> Face:
        """Return the blocks, buttons and marks to show now."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Return whether enough is filled in to say what is wrong with it."""
        return True

    def ruling(self) -> Ruling:
        """Return what the rules say of the step as filled in now."""
        return game.judge(self.position, self.step())

    def objection(self) -> tuple[Text, ...]:
        """Return the first objection in words, once enough is filled in to object to."""
        ruling = self.ruling()
        if ruling.legal or not self.ready():
            return ()
        first = ruling.objections[0]
        return (Text(f"{first.message} ({first.citation})", "bad"),)

    def actions(self, label: str) -> tuple[Button, ...]:
        """Cancel, and the confirming button: bright once something is filled in and legal.

        It looks dead while the step is not legal, and then explains.
        """
        look: Look = "off" if not self.ruling().legal else "primary" if self.ready() else "plain"
        return cancel_button(), confirm_button(label, look)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Confirm, cancel, or change what is filled in."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "confirm":
            return CardOffer(self.step(), self.asked_cards()) if self.ruling().legal else Why(self.step())
        self.change(intent)
        return None

    def asked_cards(self) -> frozenset[str]:
        """Return the names of the cards this form asked about, which need no window of their own."""
        return frozenset()

    def change(self, intent: Intent) -> None:
        """Take a touch that fills in."""
