"""The form of a step of General Orders: its numbers, what it says of cards, and what all deployments share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.core.language import _
from companion.games.position_facts import may_hold, reserve
from companion.scenes.base.panels import Close, Face, Offer, Reply, Why
from companion.scenes.orders.forecast import ends, step_odds_blocks
from companion.text.orders import area_name, faction_name, space_title, unit_count
from companion.ui.screen import (
    Block,
    Button,
    Intent,
    Look,
    Prompt,
    Stepper,
    Steppers,
    Text,
    cancel_button,
    confirm_button,
)
from engine.orders import game
from engine.orders.board import Space
from engine.orders.game import Owed
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Deploy, Load, Step
from engine.ruling import Ruling

Key = tuple[str, str]  # (area or "reserve", unit)


class Counts:
    """Numbers by area and unit, which steppers and touches on the map change."""

    def __init__(self) -> None:
        self.of: dict[Key, int] = {}

    def change(self, what: str, n: int, most: int) -> None:
        """Add n to a number, kept between 0 and `most`. what: the key as text."""
        key = key_of(what)
        self.of[key] = min(max(self.of.get(key, 0) + n, 0), most)

    def next(self, key: Key, most: int, least: int = 0) -> None:
        """Add one to a number; past `most`, start again at `least`."""
        now = self.of.get(key, 0)
        self.of[key] = now + 1 if now < most else least

    def loads(self, allowed: Iterable[Key] | None = None) -> tuple[Load, ...]:
        """Return the non-zero numbers as a step's loads (area, unit, n). allowed: only these keys; None for all."""
        kept = self.of if allowed is None else [key for key in self.of if key in set(allowed)]
        return tuple((area, unit, self.of[area, unit]) for area, unit in kept if self.of[area, unit])

    def total(self) -> int:
        """Return the sum of all numbers."""
        return sum(self.of.values())


def key_text(key: Key) -> str:
    """Return the key as text for an intent: "area/unit"."""
    return "/".join(key)


def key_of(what: str) -> Key:
    """Return the key that an intent's text "area/unit" names."""
    area, _slash, unit = what.partition("/")
    return area, unit


@dataclass(frozen=True, slots=True)
class CardOffer(Offer[Step]):
    """A step to record, and the cards its form has asked about, so that nobody is asked again.

    rerolled: whether a card is spent to reroll; None if the form didn't ask.
    """

    asked_cards: frozenset[str] = frozenset()
    rerolled: bool | None = None

    def has_asked_all(self, owed: Owed | None) -> bool:
        """Return whether only cards are owed after the step, and the form has asked about all of them."""
        if owed is None or owed.wants != "accept":
            return False
        if owed.may_reroll and self.rerolled is not False:
            return False
        return {card for _faction, card in owed.cards} <= self.asked_cards


class Form:
    """The base of panels that gather one step; after every touch they say what the rules object to."""

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
        """Return the ruling on the step as filled in so far."""
        return game.judge(self.position, self.step())

    def objection(self) -> tuple[Text, ...]:
        """Return the first objection in words; empty while there is none, or too little is filled in."""
        ruling = self.ruling()
        if ruling.legal or not self.ready():
            return ()
        first = ruling.objections[0]
        return (Text(f"{first.message} ({first.citation})", "bad"),)

    def actions(self, label: str) -> tuple[Button, ...]:
        """Return the buttons to cancel and to confirm; confirm is off while the step is illegal, and explains why."""
        look: Look = "off" if not self.ruling().legal else "primary" if self.ready() else "plain"
        return cancel_button(), confirm_button(label, look)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Submit the step or open the ruling against it, close the form, or change what is filled in."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "confirm":
            return CardOffer(self.step(), self.asked_cards()) if self.ruling().legal else Why(self.step())
        self.change(intent)
        return None

    def asked_cards(self) -> frozenset[str]:
        """Return the names of the cards that this form has asked about; none here."""
        return frozenset()

    def change(self, intent: Intent) -> None:
        """Change what is filled in, as the touch says."""


# ---- deployments ---------------------------------------------------------------------------------


class DeployForm(Form):
    """The base of the forms of deployments. asks: whether to offer cards; foretells: whether to show forecasts."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position)
        self.space: Space = self.board.space(space)
        self.cards = cards
        self.mover = position.to_move_name
        self.asks = True
        self.foretells = True

    def begin(self, area: str = "") -> None:
        """Fill in the usual choices. area: the source or target touched on the way here, or ""."""

    def fill(self, step: Deploy) -> None:
        """Fill in the choices of this deployment; its space and cards are the form's already."""

    def title(self, hint: str = "") -> Prompt:
        """Return the prompt: who deploys where, with this hint on what to touch."""
        text = _("{who}: {space}").format(who=faction_name(self.mover), space=space_title(self.space))
        return Prompt(self.mover, text, hint)

    def step(self) -> Deploy:
        """Return the deployment as filled in so far."""
        raise NotImplementedError

    def addable_cards(self) -> list[Card]:
        """Return the cards that can be added and the mover may hold; unless the form asks, only those already added."""
        shared = bool(self.position.commanders_on(self.space.name))
        return [
            card
            for card in self.board.mode.cards.values()
            if card.action in ("", self.space.action.name)
            and card.by == "mover"
            and (card.moment == "join" or card.verb == "extra" or (card.verb == "share" and shared))
            and (card.verb != "extra" or self.position.standing_by(self.mover))
            and may_hold(self.position, self.mover, card.name)
            and (self.asks or card.name in self.cards)
        ]

    def asked_cards(self) -> frozenset[str]:
        """Return the names of the cards that this form has a switch for."""
        return frozenset(card.name for card in self.addable_cards())

    def actions(self, label: str) -> tuple[Button, ...]:
        """Return the buttons: cancel, a switch for each card that can be added, and confirm."""
        cancel, confirm = super().actions(label)
        cards = tuple(
            Button(card.heading, Intent("card", card.name), "chosen" if card.name in self.cards else "plain", "plan")
            for card in self.addable_cards()
        )
        return cancel, *cards, confirm

    def added(self, verb: str) -> list[Card]:
        """Return the cards added to this deployment that have this effect."""
        return [card for name in self.cards if (card := self.board.mode.cards[name]).verb == verb]

    def toggle(self, card: str) -> None:
        """Add a card to the deployment, or remove it."""
        self.cards = tuple(kept for kept in self.cards if kept != card) if card in self.cards else (*self.cards, card)

    def forecast(self) -> tuple[Block, ...]:
        """Return blocks on the odds and effects of the deployment; empty if the settings want no forecasts."""
        return step_odds_blocks(self.position, self.step()) if self.foretells else ()

    def supply(self) -> Mapping[str, str]:
        """Return the areas whose supply the deployment would gain or cut: {area: "gained" or "cut"}.

        They are those of the likeliest end that changes any; empty if the settings want no forecasts.
        """
        for end in ends(self.position, self.step()) if self.foretells else ():
            marks = {area: "cut" for _who, areas in end.cut for area in areas}
            marks.update({area: "gained" for _who, areas in end.gained for area in areas})
            if marks:
                return marks
        return {}

    def why(self, step: Deploy) -> Reply[Step]:
        """Return the reply that opens the ruling on an illegal deployment; None if it is legal."""
        return None if game.judge(self.position, step).legal else Why(step)


def listed_reserve(position: Position, faction: str, units: Iterable[str]) -> str:
    """Return what a faction has of these units in its reserve, in words."""
    return ", ".join(unit_count(unit, reserve(position, faction, unit)) for unit in units)


def recallable(position: Position, mover: str, short: Iterable[str]) -> dict[Key, int]:
    """Return the most units of each of these kinds to recall from each area: {(area, unit): number}.

    One unit has to stay in each area, and only areas under the mover's control count.
    """
    kinds, found = set(short), {}
    for area in position.board.areas:
        if position.controller(area.name) == mover:
            units = position.units_in(area.name)[mover]
            spare = sum(units.values()) - 1
            found.update({(area.name, u): min(n, spare) for u, n in units.items() if u in kinds and spare})
    return found


def recall_blocks(sources: dict[Key, int], back: Counts) -> tuple[Block, ...]:
    """Return steppers for what to recall; empty if nothing can be. sources: the most for each; back: chosen so far."""
    if not sources:
        return ()
    steppers = tuple(
        Stepper(
            _("from {area}").format(area=area_name(area)),
            back.of.get((area, unit), 0),
            most,
            "back",
            key_text((area, unit)),
        )
        for (area, unit), most in sources.items()
    )
    return Text(_("Not enough in reserve. Recall from:"), "warn"), Steppers(steppers)
