"""What a traced board has besides its map: the numbers of the support board, and the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.text.orders import action_name, faction_name, short_units
from companion.tracing.draft import Draft, OwnCard, SupportNumber
from companion.tracing.work import TraceWork
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Choice,
    Intent,
    Screen,
    Stepper,
    Steppers,
    Switch,
    Text,
    back_button,
)
from engine.orders.board_checks import FITTING, MOST_NUMBER, WITH_UNITS
from engine.orders.mode import Mode

MOST_TEXT = 160
MOST_OF_A_CARD = 9
"""The most copies of a card, and the largest amount on one: more than any printed card has."""


# ---- the support board ------------------------------------------------------------------------


def support_of(draft: Draft, mode: Mode) -> dict[str, SupportNumber]:
    """Return the numbers of all support spaces by name: the owner's, or else the usual ones."""
    own = {row.space: row for row in draft.support}
    usual = {
        name: SupportNumber(name, row.amount, row.siege, row.initiative, tuple(row.amounts.items()))
        for name, row in mode.support.items()
    }
    return usual | own


def support_blocks(work: TraceWork) -> tuple[Block, ...]:
    """Return the page for the support board's numbers, with steppers for each faction if they differ."""
    rows = support_of(work.draft, work.mode)
    differ = any(row.amounts for row in rows.values())
    steppers = [stepper for row in rows.values() for stepper in _steppers(row, work.mode, differ)]
    blocks: list[Block] = [Text(_("Enter the numbers on your support board."))]
    if not work.draft.support:
        blocks.append(Text(_("Shown: the known numbers, or our practice ones."), "quiet"))
    text = _("Each faction gets its own numbers.")
    blocks += [Steppers(tuple(steppers)), Switch(_("Different for each faction"), text, differ, Intent("differs"))]
    return tuple(blocks)


def _steppers(row: SupportNumber, mode: Mode, differ: bool) -> list[Stepper]:
    """Return the steppers of one space, one for each faction if `differ`; draws never differ."""
    name, _colon, number = row.space.partition(":")
    label = f"{action_name(name)} {number}"
    if not differ or mode.actions[name].verb == "draw":
        found = [Stepper(label, row.amount, MOST_NUMBER, "support", f"{row.space}/amount")]
    else:
        amounts = dict(row.amounts)
        found = [
            Stepper(f"{label} · {faction_name(faction)}", amounts.get(faction, row.amount), MOST_NUMBER, "support",
                    f"{row.space}/{faction}")
            for faction in mode.factions
        ]  # fmt: skip
    kinds = [unit for unit in mode.units if unit.place == mode.actions[name].kind]
    if len(kinds) > 1:
        siege = short_units(kinds[-1].name)
        found.append(Stepper(f"{label} · {siege}", row.siege, row.amount, "support", f"{row.space}/siege"))
    return found


def support_changed(work: TraceWork, intent: Intent) -> Draft:
    """Return the draft after a touch on a stepper or the switch, which makes all numbers the owner's."""
    rows = support_of(work.draft, work.mode)
    if intent.verb == "differs":
        differ = any(row.amounts for row in rows.values())
        factions = work.mode.factions
        drawn = {name for name, action in work.mode.actions.items() if action.verb == "draw"}
        rows = {
            name: replace(row, amounts=() if differ or name.partition(":")[0] in drawn
                          else tuple((faction, row.amount) for faction in factions))
            for name, row in rows.items()
        }  # fmt: skip
    else:
        space, _slash, key = intent.what.partition("/")
        rows[space] = _stepped(rows[space], key, intent.n)
    return replace(work.draft, support=tuple(rows.values()))


def _stepped(row: SupportNumber, key: str, n: int) -> SupportNumber:
    if key == "amount":
        return replace(row, amount=_within(row.amount + n))
    if key == "siege":
        return replace(row, siege=min(_within(row.siege + n), row.amount))
    amounts = tuple((who, _within(amount + n) if who == key else amount) for who, amount in row.amounts)
    return replace(row, amounts=amounts, amount=max(amount for _who, amount in amounts))


def _within(n: int) -> int:
    return min(max(n, 0), MOST_NUMBER)


# ---- cards ------------------------------------------------------------------------------------


def cards_of(draft: Draft, mode: Mode) -> dict[str, OwnCard]:
    """Return all cards by name: as the owner entered them, or else as the mode has them."""
    if draft.cards:
        return {card.name: card for card in draft.cards}
    keys = [field.name for field in fields(OwnCard)]
    return {card.name: OwnCard(**{key: getattr(card, key) for key in keys}) for card in mode.cards.values()}


def card_blocks(work: TraceWork) -> tuple[Block, ...]:
    """Return the page with a button for each card."""
    cards = cards_of(work.draft, work.mode)
    buttons = tuple(
        Button(
            title_of(card, work.mode),
            Intent("card", card.name),
            "plain",
            note=f"{card.copies} · {verb_name(card.verb)}",
        )
        for card in cards.values()
    )
    return (Text(_("Touch a card to enter what yours says.")), Buttons(buttons, 2))


def title_of(card: OwnCard, mode: Mode) -> str:
    """Return a card's title as the edition in use prints it."""
    known = mode.cards.get(card.name)
    return known.heading if known is not None else card.title


def verb_name(verb: str) -> str:
    """Return the effect that a card's verb stands for, in a word or two."""
    names = {
        "dice": _("more dice"), "place": _("more units"), "join": _("units join in"), "share": _("shares a space"),
        "again": _("roll again"), "extra": _("one more commander"), "table": _("players resolve it"),
    }  # fmt: skip
    return names[verb]


class OwnCardScene(SubScene):
    """Edits one card: its text, its copies, and its effect, if the engine has a verb for that."""

    def __init__(self, work: TraceWork, name: str, back: Scene) -> None:
        super().__init__(back)
        self.work = work
        self.name = name

    @property
    def card(self) -> OwnCard:
        """The card as entered so far."""
        return cards_of(self.work.draft, self.work.mode)[self.name]

    def show(self) -> Screen:
        """Show the card's text, copies and effect and, if the engine knows the effect, its details."""
        card = self.card
        verbs = ["table", *(verb for verb in FITTING if fitting_actions(verb, self.work.mode))]
        blocks: list[Block] = [
            Text(_(card.text) if card.text else _("No text yet."), "plain" if card.text else "quiet"),
            Steppers(self._numbers(card)),
            self._choice(_("What it does"), "verb", {verb: verb_name(verb) for verb in verbs}),
        ]
        if card.verb != "table":
            blocks += self._how(card)
        return Screen(
            title=title_of(card, self.work.mode),
            blocks=tuple(blocks),
            actions=(Button(_("Enter its text"), Intent("text"), "quiet"), back_button("primary")),
            page=self.page,
        )

    def _numbers(self, card: OwnCard) -> tuple[Stepper, ...]:
        copies = Stepper(_("Copies"), card.copies, MOST_OF_A_CARD, "n", "copies")
        if card.verb in ("table", "share", "again", "extra"):
            return (copies,)
        return (copies, Stepper(_("How many"), card.amount, MOST_OF_A_CARD, "n", "amount"))

    def _how(self, card: OwnCard) -> list[Block]:
        mode = self.work.mode
        actions = fitting_actions(card.verb, mode)
        found = (
            [self._choice(_("Action"), "action", {name: action_name(name) for name in actions})] if all(actions) else []
        )
        if card.verb in WITH_UNITS:
            found.append(
                self._choice(_("Unit"), "unit", {unit: short_units(unit) for unit in _kinds(card.action, mode)})
            )
        return found

    def _choice(self, label: str, key: str, answers: Mapping[str, str]) -> Block:
        now = getattr(self.card, key)
        return Choice(
            label,
            tuple(
                Button(words, Intent("set", f"{key}/{answer}"), "chosen" if answer == now else "plain")
                for answer, words in answers.items()
            ),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Ask for the text, change a number, or change a choice and whatever follows from it; or go back."""
        match intent.verb:
            case "text":
                ask = Ask(_("What does the card say?"), self.card.text, most=MOST_TEXT, empty=True)

                def take(text: str) -> Scene:
                    self._put(replace(self.card, text=text))
                    return self

                return TypingScene(ask, take, self)
            case "n":
                now = self.card.copies if intent.what == "copies" else self.card.amount
                self._put(_with(self.card, intent.what, min(max(now + intent.n, 0), MOST_OF_A_CARD)))
            case "set":
                key, _slash, value = intent.what.partition("/")
                self._put(fit_card(_with(self.card, key, value), self.work.mode))
        return super().touch(intent)

    def _put(self, card: OwnCard) -> None:
        """Store the changed card, which makes the whole deck the owner's."""
        cards = {**cards_of(self.work.draft, self.work.mode), card.name: card}
        self.work.put(replace(self.work.draft, cards=tuple(cards.values())))


def _with(card: OwnCard, key: str, value: str | int) -> OwnCard:
    changes: dict[str, Any] = {key: value}
    return replace(card, **changes)


def fitting_actions(verb: str, mode: Mode) -> list[str]:
    """Return the actions of a mode that a card of this verb can go with; [""] if it goes with any deployment."""
    verbs = FITTING[verb]
    return [""] if "" in verbs else [action.name for action in mode.actions.values() if action.verb in verbs]


def _kinds(action: str, mode: Mode) -> list[str]:
    """Return the kinds of units whose place, such as land or water, is the one that the action acts in."""
    return [unit.name for unit in mode.units if unit.place == mode.actions[action].kind]


def fit_card(card: OwnCard, mode: Mode) -> OwnCard:
    """Return the card with its action, unit, moment and player made to fit what the card does."""
    if card.verb not in FITTING:
        return replace(card, moment="any", action="", unit="", amount=0, by="either")
    actions = fitting_actions(card.verb, mode)
    action = card.action if card.action in actions else actions[0]
    moment, by = FITTING[card.verb][mode.actions[action].verb if action else ""]
    kinds = _kinds(action, mode) if card.verb in WITH_UNITS else [""]
    unit = card.unit if card.unit in kinds else kinds[0]
    return replace(card, action=action, moment=moment, unit=unit, by=by, amount=card.amount or 1)
