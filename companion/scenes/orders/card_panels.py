"""Cards at the table: which is played, what it adds, and which were or are spent to roll again."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _, plural
from companion.games.position_facts import may_hold, reserve
from companion.perception.dice import Faces, last_roll, most_rerolls, with_rerolls
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Close, Face, Offer, Open, Reply, Take, Why
from companion.scenes.orders.forms import Counts, Form, key_of, key_text
from companion.scenes.orders.targeting import likely_first, target_button
from companion.text.orders import area_label, card_title, faction_name, sentence
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Prompt,
    Stepper,
    Steppers,
    Text,
    cancel_button,
    confirm_button,
)
from engine.errors import Illegal
from engine.orders import game
from engine.orders.actions import muster
from engine.orders.cards import announceable_cards
from engine.orders.inference.infer import Explanation
from engine.orders.mode import PLACING, Card
from engine.orders.position import Position, outlook_of
from engine.orders.steps import Deploy, Play, Reroll, Step


def card_buttons(position: Position, cards: Sequence[tuple[str, str]], *, named: bool) -> tuple[Block, ...]:
    """Return a button for each (faction, card); empty without cards. named: each says whose card it is."""
    buttons = tuple(
        Button(
            card_title(position.board, card),
            Intent("play", f"{faction}/{card}"),
            "plain",
            "plan",
            note=faction_name(faction) if named else "",
        )
        for faction, card in cards
    )
    return (Buttons(buttons, 2),) if buttons else ()


def open_card(position: Position, what: str) -> Reply[Step]:
    """Return the reply to a touched card: play it, or open the panel for what it needs. what: "faction/card"."""
    faction, name = key_of(what)
    card = position.board.mode.cards[name]
    if card.verb == "table":
        return Open(TableCardPanel(position, Play(name, faction)))
    if card.verb == "dice":
        return Offer(Play(name, faction))
    return Open(CardForm(position, card, faction))


class CardsPanel:
    """Offers the cards that may be played now. asked: the faction in the prompt, by default the one to move."""

    def __init__(self, position: Position, cards: Sequence[tuple[str, str]], asked: str = "") -> None:
        self.position = position
        self.cards = cards
        self.asked = asked or position.to_move_name

    def show(self) -> Face:
        """Show a button for each player's cards that may be played."""
        title = Prompt(self.asked, _("Which card?"))
        return Face((title, *card_buttons(self.position, self.cards, named=True)), (cancel_button(),))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Play the touched card, or close the panel."""
        if intent.verb == "play":
            return open_card(self.position, intent.what)
        return Close() if intent.verb == "cancel" else None


class RerollPanel:
    """Asks which card is spent to reroll."""

    def __init__(self, position: Position, faction: str) -> None:
        self.position = position
        self.faction = faction

    def show(self) -> Face:
        """Show a button for each card that the roller holds or may hold."""
        buttons = tuple(
            Button(
                card.heading,
                Intent("spend", card.name),
                "plain" if game.judge(self.position, Reroll(card.name, self.faction)).legal else "off",
                "plan",
            )
            for card in self.position.board.mode.cards.values()
            if may_hold(self.position, self.faction, card.name)
        )
        title = Prompt(self.faction, _("Which card does {who} spend?").format(who=faction_name(self.faction)))
        return Face((title, Buttons(buttons, 3)), (cancel_button(),))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Spend the touched card, or close the panel."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb != "spend":
            return None
        step: Step = Reroll(intent.what, self.faction)
        return Offer(step) if game.judge(self.position, step).legal else Why(step)


class CardForm(Form):
    """The form for what a card adds: units that join, units placed, or a new target."""

    def __init__(self, position: Position, card: Card, faction: str) -> None:
        super().__init__(position)
        self.card = card
        self.faction = faction
        self.counts = Counts()
        self.target: str | None = None
        self.units = min(card.amount, reserve(position, faction, card.unit)) if card.unit else 0

    def step(self) -> Play:
        """Return the play of the card with what has been chosen so far."""
        if self.card.verb == "again":
            return Play(self.card.name, self.faction, target=self.target)
        if self.card.verb == "place":
            return Play(self.card.name, self.faction, place=self.counts.loads())
        return Play(self.card.name, self.faction, units=self.units)

    def ready(self) -> bool:
        """Return whether the target or the places have been chosen, if the card needs them."""
        return self.target is not None or self.counts.total() > 0 or self.card.verb == "join"

    def areas(self) -> list[str]:
        """Return the areas where the rules allow the card."""
        return [area.name for area in self.board.areas if game.judge(self.position, self._probe(area.name)).legal]

    def _probe(self, area: str) -> Play:
        if self.card.verb == "again":
            return Play(self.card.name, self.faction, target=area)
        return Play(self.card.name, self.faction, place=((area, self.card.unit, 1),))

    def change(self, intent: Intent) -> None:
        """Change the number of units, the target, or the areas where units are placed."""
        match intent.verb:
            case "units":
                self.units = min(max(self.units + intent.n, 1), self.card.amount)
            case "area" | "target" if self.card.verb == "again":
                self.target = intent.what
            case "area" if intent.what in self.areas():
                self.counts.next((intent.what, self.card.unit), self._room(intent.what))
            case "count":
                self.counts.change(intent.what, intent.n, self._room(key_of(intent.what)[0]))

    def _room(self, area: str) -> int:
        left = self.card.amount - self.counts.total() + self.counts.of.get((area, self.card.unit), 0)
        action = self.board.spaces[self.position.turn.space].action if self.position.turn else None
        if action is None or action.limit != PLACING:
            return left
        seen = outlook_of(self.position, self.position.to_move)
        return min(left, muster.room(seen, action, self.board.area_index[area]))

    def show(self) -> Face:
        """Show the card's text and what must be chosen for it."""
        areas = self.areas() if self.card.verb in ("again", "place") else []
        text = _("{who}: {card}")
        blocks: tuple[Block, ...] = (
            Prompt(
                self.faction, text.format(who=faction_name(self.faction), card=self.card.heading), _(self.card.text)
            ),
            *self._inputs(areas),
            *self.objection(),
        )
        marks: dict[str, str] = dict.fromkeys(areas, "live")
        if self.target:
            marks[self.target] = "target"
        counted = frozenset(areas if self.card.verb == "place" else ())
        return Face(blocks, self.actions(_("Play it")), Marks(marks, dict(self.counts.of), counted=counted))

    def _inputs(self, areas: list[str]) -> tuple[Block, ...]:
        if self.card.verb == "again":
            buttons = (
                target_button(self.position, self.faction, area, area == self.target)
                for area in likely_first(self.position, self.faction, areas)
            )
            return (Buttons(tuple(buttons), 3),)
        if self.card.verb == "place":
            keys = [(area, self.card.unit) for area in areas]
            steppers = (
                Stepper(key[0], self.counts.of.get(key, 0), self._room(key[0]), "count", key_text(key)) for key in keys
            )
            return (Steppers(tuple(steppers)),)
        return (Steppers((Stepper(_("Units"), self.units, self.card.amount, "units", self.card.unit),)),)


class PlayPanel:
    """Asks to confirm a card laid on the reader: to play it, or to spend it for a reroll."""

    verb = "confirm"

    def __init__(self, position: Position, step: Play | Reroll) -> None:
        self.position = position
        self.step = step
        self.faction = step.by
        self.card = position.board.mode.cards[step.card]

    def show(self) -> Face:
        """Show the card's text, or that it is spent to reroll."""
        spends = isinstance(self.step, Reroll)
        title = Prompt(
            self.faction,
            _("{who}: {card}").format(who=faction_name(self.faction), card=self.card.heading),
            _("Spent to reroll.") if spends else _(self.card.text),
        )
        label = _("Spend it") if spends else _("Play it")
        return Face((title,), (cancel_button(), confirm_button(label)))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Submit the step, or close the panel."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb != self.verb:
            return None
        return Offer(self.step) if game.judge(self.position, self.step).legal else Why(self.step)


class TableCardPanel(PlayPanel):
    """Announces a card of unknown text: the players resolve it, then enter the result by hand."""

    verb = "announce"

    def show(self) -> Face:
        """Show what is known of the card, and how to enter what it changes."""
        text = _("{who}: {card}").format(who=faction_name(self.faction), card=self.card.heading)
        blocks: tuple[Block, ...] = (
            Prompt(self.faction, text, _("Do what the card says, then enter what changed.")),
            *(Text(line, "quiet") for line in guessed_effect(self.card)),
            Text(_("Then enter what changed: touch an area, then “Board is different”.")),
        )
        return Face(blocks, (cancel_button(), confirm_button(_("Announce"), intent=Intent("announce"))))


def guessed_effect(card: Card) -> tuple[str, ...]:
    """Return a line that guesses what a card of unknown text does; empty if there is no clue."""
    if not card.likely:
        return ()
    form = _("Probably: {text} (As in {source}; your card decides.)")
    return (form.format(text=sentence(_(card.likely)), source=_(card.likely_from)),)


def cards_to_announce(position: Position) -> list[tuple[str, str]]:
    """Return the cards of unknown text that may be announced at a position, as (faction, card)."""
    return [(position.board.factions[who], card.name) for who, card in announceable_cards(position)]


ONE_CARD = (CardForm, PlayPanel, TableCardPanel, RerollPanel)
"""The panels that only the half of their `faction` can answer."""


# ---- cards that were spent to roll again: nobody sees those on the map ----------------------------

MOST_OFFERED = 3
"""The most rerolls to offer beside a turn; further cards are added one by one."""


def rolled_again(turn: Explanation, position: Position) -> tuple[Button, ...]:
    """Return buttons for how many cards were spent to reroll a turn's dice; none if no reroll was possible."""
    most = min(most_rerolls(turn, position), MOST_OFFERED)
    return tuple(
        Button(_("Rerolled"), Intent("rerolled", "", n), "quiet", note=plural("{n} card", "{n} cards", n))
        for n in range(1, most + 1)
    )


def target_buttons(turns: tuple[Explanation, ...]) -> Buttons:
    """Return a button for each of these turns, labelled with its target; a touch takes that turn."""
    return Buttons(
        tuple(
            Button(area_label(target_of(turn)), Intent("take", "", n), "plain", "commander")
            for n, turn in enumerate(turns)
        ),
        2,
    )


def target_of(turn: Explanation) -> str:
    """Return the area that a turn targets; "" if it has no target."""
    first = turn.steps[0]
    return (first.target if isinstance(first, Deploy) else None) or ""


class RerolledPanel:
    """Asks which cards were spent to reroll, one touch each; with the last one the turn is taken.

    turns: the turn, or one for each possible target, of which a touch picks one; number: how many cards were spent;
    before: the faces seen of the rolls that didn't count.
    """

    def __init__(
        self, position: Position, turns: tuple[Explanation, ...], number: int, before: Sequence[Faces] = ()
    ) -> None:
        found = last_roll(turns[0])
        assert found is not None
        self.position = position
        self.turns = turns
        self.number = number
        self.before = before
        self.faction = found[1].by
        self.spent: tuple[str, ...] = ()

    @property
    def _is_named(self) -> bool:
        return len(self.spent) == self.number

    def show(self) -> Face:
        """Show the cards that may have been spent; once all are named, the possible targets."""
        marks = Marks(dict.fromkeys(filter(None, map(target_of, self.turns)), "target"))
        if self._is_named:
            blocks = (Prompt(self.faction, _("Which area was the target?")), target_buttons(self.turns))
            return Face(blocks, (cancel_button(),), marks)
        asked = plural(
            "Which card did {who} spend to reroll?",
            "Which {n} cards did {who} spend to reroll?",
            self.number,
            who=faction_name(self.faction),
        )
        more = Button(_("One more card"), Intent("one-more"), "quiet")
        actions = (more,) if self.number < most_rerolls(self.turns[0], self.position) else ()
        return Face((Prompt(self.faction, asked), self.cards()), (cancel_button(), *actions), marks)

    def cards(self) -> Buttons:
        """Return a button for each card that this side holds or may hold, with the spent ones marked."""
        cards = tuple(
            Button(
                card.heading,
                Intent("spend", card.name),
                "chosen" if card.name in self.spent else "plain",
                note=f"× {self.spent.count(card.name)}" if self.spent.count(card.name) > 1 else "",
            )
            for card in self.position.board.mode.cards.values()
            if may_hold(self.position, self.faction, card.name)
        )
        return Buttons(cards, 4)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Name a spent card or allow one more; take the turn once all are named and its target is clear."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "one-more" and self.number < most_rerolls(self.turns[0], self.position):
            self.number += 1
        if intent.verb == "spend" and not self._is_named:
            return self._spend(intent.what)
        if intent.verb == "take" and self._is_named:
            return self._take(self.turns[intent.n])
        return None

    def _spend(self, card: str) -> Reply[Step]:
        more = (*self.spent, card)
        try:
            with_rerolls(self.turns[0], self.position, more)
        except Illegal:
            more = tuple(kept for kept in self.spent if kept != card)
        self.spent = more
        return self._take(self.turns[0]) if self._is_named and len(self.turns) == 1 else None

    def _take(self, turn: Explanation) -> Reply[Step]:
        return Take(with_rerolls(turn, self.position, self.spent, self.before))
