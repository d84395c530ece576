"""Panels: the right side of the table, one at a time. Each shows blocks and marks and answers a touch with a reply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from companion.core.language import _
from companion.scenes.base.map_picture import Marks
from companion.ui.screen import Block, Button, Intent, Look, Text
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Agreed, Step
from engine.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Face:
    """What a panel gives to the screen of the table."""

    blocks: tuple[Block, ...]
    actions: tuple[Button, ...]
    marks: Marks = field(default_factory=Marks)


@dataclass(frozen=True, slots=True)
class Offer:
    """Take this step: the table says that it happened. `asked` are cards that it was asked about already.

    rerolled: of a roll, whether a card is spent to roll again: None where nobody was asked.
    """

    step: Step
    asked: frozenset[str] = frozenset()
    rerolled: bool | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Show the ruling on this step."""

    step: Step


@dataclass(frozen=True, slots=True)
class Open:
    """Let another panel take over."""

    panel: Panel


@dataclass(frozen=True, slots=True)
class Close:
    """Back to what the position asks for."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take all these steps: the turn that was seen on the board."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Agree:
    """Record what both players agree on, once both have said so."""

    step: Agreed


@dataclass(frozen=True, slots=True)
class Refuse:
    """None of the turns proposed was done."""


@dataclass(frozen=True, slots=True)
class Answer:
    """This stands in an area, people say: (faction, unit, number) each."""

    area: str
    units: tuple[tuple[str, str, int], ...]


Reply = Offer | Why | Open | Close | Take | Agree | Refuse | Answer | None


def answered(position: Position, offer: Offer) -> bool:
    """Whether after what was offered only cards are open that its form has just asked about."""
    owed = game.owed(position)
    if owed is None or owed.wants != "accept":
        return False
    if owed.may_reroll and offer.rerolled is not False:
        return False
    return {card for _faction, card in owed.cards} <= offer.asked


class Panel(Protocol):
    """One state of the right side of the table."""

    def show(self) -> Face:
        """What it shows now."""

    def touch(self, intent: Intent) -> Reply:
        """React to a touch; None where nothing beyond the panel changes."""


class Form:
    """A panel that gathers one step, judged with every touch: what is wrong stands there in words."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.board

    def step(self) -> Step:
        """The step as filled in so far."""
        raise NotImplementedError

    def show(self) -> Face:
        """What it shows now."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Whether enough is filled in to say what is wrong with it."""
        return True

    def ruling(self) -> Ruling:
        """What the rules say of it now."""
        return game.judge(self.position, self.step())

    def objection(self) -> tuple[Text, ...]:
        """The first objection in words, once there is something to object to."""
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
        return Button(_("Cancel"), Intent("cancel"), "quiet"), Button(label, Intent("confirm"), look)

    def touch(self, intent: Intent) -> Reply:
        """Confirm, cancel, or change what is filled in."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "confirm":
            return Offer(self.step(), self.asked()) if self.ruling().legal else Why(self.step())
        self.change(intent)
        return None

    def asked(self) -> frozenset[str]:
        """The cards that this form asked about: they need no window of their own."""
        return frozenset()

    def change(self, intent: Intent) -> None:
        """Take a touch that fills in."""
