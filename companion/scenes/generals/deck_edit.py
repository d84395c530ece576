"""The editor of a deck: a form for each card, with what is still missing and why the rules don't allow the deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.content import deck_draft, decks
from companion.content.deck_draft import (
    CHOICE,
    LINE,
    NUMBER,
    PARTS,
    SWITCH,
    CardDraft,
    DeckDraft,
    Field,
    Value,
    deck_faults,
    deck_of,
    faults,
    fields_of,
    new_card,
    set_value,
    unplayable,
)
from companion.core.language import _, plural
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.text.generals import goal_words, kind_title
from companion.text.orders import card_count, sentence
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Look,
    Screen,
    Slip,
    Stepper,
    Steppers,
    Switch,
    Text,
    back_button,
    cancel_button,
)
from engine.generals.cards import KINDS, MOST_TITLE, Effect, Feature
from engine.generals.words import effect_words, feature_words, trigger_words, when_words

CLEARED = "-"


class CardEditScene(SubScene):
    """The form of a card; "Done" puts the card into the deck, complete or not."""

    back: DeckEditScene

    def __init__(self, card: CardDraft, back: DeckEditScene) -> None:
        super().__init__(back)
        self.card = card
        self.asked = False

    def show(self) -> Screen:
        """Show texts and choices as buttons, numbers as steppers, and what is still missing.

        The fields are grouped: the card itself, its effect, its feature.
        """
        wrong, fields = faults(self.card), fields_of(self.card)
        parts = ([field for field in fields if field.key.rpartition(".")[0] == part] for part in ("", *PARTS))
        blocks = (block for part in parts for block in self._part(part, wrong))
        known = self.back.draft.card(self.card.name) is not None
        away = Button(_("Remove"), Intent("away"), "danger" if self.asked else "quiet", "cross")
        sure = (Text(_("Touch “Remove” again to remove this card from the deck."), "warn"),) if self.asked else ()
        return Screen(
            title=str(self.card.of("title") or kind_title(str(self.card.of("kind")))),
            blocks=(*sure, *blocks),
            actions=(
                cancel_button("back"),
                *((away,) if known else ()),
                Button(_("Done"), Intent("done"), "primary"),
            ),
            page=self.page,
        )

    def _part(self, fields: list[Field], wrong: dict[str, str]) -> Iterator[Block]:
        buttons = tuple(
            self._button(field, wrong.get(field.key, "")) for field in fields if field.form in (LINE, CHOICE)
        )
        counts = ((field, self.card.of(field.key)) for field in fields if field.form == NUMBER)
        numbers = tuple(
            Stepper(field_title(count.key), n if isinstance(n, int) else 0, count.most, "number", count.key)
            for count, n in counts
        )
        if buttons:
            yield Buttons(buttons, 2)
        if numbers:
            yield Steppers(numbers)
        for field in fields:
            if field.form == SWITCH:
                on = bool(self.card.of(field.key))
                yield Switch(
                    field_title(field.key),
                    _("It can move or attack the turn it is deployed."),
                    on,
                    Intent("switch", field.key),
                )
            if field.form == NUMBER and field.key in wrong:
                yield Text(f"{field_title(field.key)}: {wrong[field.key]}", "bad")

    def _button(self, field: Field, wrong: str) -> Button:
        value = self.card.of(field.key)
        words = value_words(self.card, field.key, value) if value is not None else ""
        unsaid = goal_words("city") if field.key == "arrives" else _("none")
        look: Look = "danger" if wrong else "plain" if words else "quiet"
        return Button(field_title(field.key), Intent("field", field.key), look, note=wrong or words or unsaid)

    # ---- touches --------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Change a value, put the card into the deck, take it out, or leave it."""
        if intent.verb == "away" and self.asked:
            self.back.put(self.back.draft.without(self.card.name))
            return self.back
        if intent.verb != "page":
            self.asked = intent.verb == "away"
        field = next((field for field in fields_of(self.card) if field.key == intent.what), None)
        if field is not None:
            return self._change(field, intent)
        if intent.verb == "done":
            self.back.put(self.back.draft.with_card(self.card))
            return self.back
        return super().touch(intent)

    def _change(self, field: Field, intent: Intent) -> Scene | None:
        match intent.verb:
            case "number":
                value = self.card.of(field.key)
                n = (value if isinstance(value, int) else 0) + intent.n
                gone = n < field.least and not field.needed
                self.set_field(field.key, None if gone else min(max(n, field.least), field.most))
            case "switch":
                self.set_field(field.key, None if self.card.of(field.key) else True)
            case "field" if field.form == CHOICE:
                return ChoiceScene(self, field)
            case "field":
                text, names = str(self.card.of(field.key) or ""), field.key in ("title", "faction")
                ask = Ask(field_title(field.key), text, most=field.most, names=names, empty=not field.needed)

                def take(typed: str) -> Scene:
                    self.set_field(field.key, typed or None)
                    return self

                return TypingScene(ask, take, self)
        return None

    def set_field(self, key: str, value: Value | None) -> None:
        """Set a field of the card; None clears it."""
        self.card = set_value(self.card, key, value)


class ChoiceScene(SubScene):
    """The choice of a field's value, with each value in words."""

    back: CardEditScene

    def __init__(self, back: CardEditScene, field: Field) -> None:
        super().__init__(back)
        self.field = field

    def show(self) -> Screen:
        """Offer one slip for each value, and one for "none" where the field is optional."""
        now, key = self.back.card.of(self.field.key), self.field.key
        slips = [
            Slip(
                sentence(value_words(self.back.card, key, choice)),
                intent=Intent("choose", choice),
                chosen=choice == now,
            )
            for choice in self.field.choices
        ]
        if not self.field.needed:
            slips.insert(0, Slip(_("None."), intent=Intent("choose", CLEARED), chosen=now is None))
        return Screen(field_title(key), tuple(slips), (back_button(),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose the value that was touched, or go back."""
        if intent.verb != "choose":
            return super().touch(intent)
        if intent.what in (CLEARED, *self.field.choices):
            self.back.set_field(self.field.key, None if intent.what == CLEARED else intent.what)
        return self.back


def field_title(key: str) -> str:
    """Return the title of a card's field: "Effect: cost" for "effect.cost"."""
    names = {
        "title": _("Title"), "kind": _("Kind"), "copies": _("Copies"), "cost": _("Cost"), "faction": _("Faction"),
        "military": _("Military"), "intelligence": _("Intelligence"), "arrives": _("Arrives"), "swift": _("Acts at "
                                                                                                          "once"),
        "after": _("Answers"), "text": _("Card text"),
        "effect.verb": _("Effect"), "effect.amount": _("Effect: amount"), "effect.cost": _("Effect: cost"),
        "effect.text": _("Effect: text"),
        "feature.verb": _("Feature"), "feature.when": _("Feature: condition"), "feature.least": _("Feature: at least"),
        "feature.amount": _("Feature: amount"), "feature.text": _("Feature: text"),
    }  # fmt: skip
    return names[key]


def value_words(card: CardDraft, key: str, value: Value | None) -> str:
    """Return the value of a card's field in words."""
    amount, least = (int(card.of(figure) or 1) for figure in ("effect.amount", "feature.least"))
    match key:
        case "kind":
            return kind_title(str(value))
        case "arrives":
            return goal_words(str(value))
        case "after":
            return trigger_words(str(value))
        case "effect.verb":
            return effect_words(Effect(str(value), amount))
        case "feature.verb":
            more = int(card.of("feature.amount") or 1)
            return feature_words(Feature(str(value), "always", 1, more)).partition(":")[0]
        case "feature.when":
            return when_words(Feature("table", str(value), least))
    return str(value)


SIGNS = {"general": "general", "item": "item", "troop": "troop", "event": "effect", "special": "hand"}


class DeckEditScene(SubScene):
    """The editor of a deck: its cards, buttons for new ones, and saving; what isn't saved is kept as a draft.

    new: keep it as a draft even if nothing was changed.
    """

    def __init__(self, draft: DeckDraft, back: Scene, *, new: bool = False) -> None:
        super().__init__(back)
        self.draft = draft
        self.changed = new
        self.banner = ""

    def show(self) -> Screen:
        """Show the cards of the deck, what is missing, and buttons for new cards."""
        wrong = deck_faults(self.draft)
        size = _("{cards}; a deck needs 40 to 60 (Game Play 1).").format(cards=card_count(self.draft.size))
        blocks: list[Block] = [Text(size, "quiet")]
        if not wrong:
            blocks += [Text(why, "warn") for why in unplayable(self.draft)]
        if self.draft.cards:
            blocks.append(Buttons(tuple(map(_card_button, self.draft.cards)), 2))
        kinds = tuple(Button(kind_title(kind), Intent("new", kind), "quiet", SIGNS[kind]) for kind in KINDS)
        blocks += [Text(_("New card"), "strong"), Buttons(kinds, 3)]
        if any(draft.name == self.draft.name for draft in deck_draft.all_drafts()):
            away = Button(_("Discard changes"), Intent("forget"), "quiet", "cross")
            blocks.append(Buttons((away,), 1))  # deletes the draft only, not the saved deck
        return Screen(
            title=self.draft.title,
            blocks=tuple(blocks),
            actions=(
                back_button(note=_("saved") if self.changed else ""),
                Button(_("Name"), Intent("rename")),
                Button(_("Save"), Intent("save"), "off" if wrong else "primary"),
            ),
            banner=self.banner,
            banner_tone="bad",
            page=self.page,
        )

    # ---- touches --------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Open a card, write a new one, save, or go back; what was not saved is kept as a draft."""
        self.banner = ""
        match intent.verb:
            case "back" if self.changed:
                deck_draft.keep_draft(self.draft)
            case "forget":
                deck_draft.forget_draft(self.draft.name)
                return self.back
            case "rename":
                ask = Ask(_("Name this deck"), self.draft.title, most=MOST_TITLE, names=True)

                def rename(title: str) -> Scene:
                    self.put(replace(self.draft, title=title))
                    return self

                return TypingScene(ask, rename, self)
            case "save":
                return self._save()
            case "card":
                card = self.draft.card(intent.what)
                return CardEditScene(card, self) if card is not None else None
            case "new" if intent.what in KINDS:
                return CardEditScene(new_card(self.draft, intent.what), self)
        return super().touch(intent)

    def put(self, draft: DeckDraft) -> None:
        """Put a changed deck in place of this one, and keep it as a draft."""
        self.draft, self.changed = draft, True
        deck_draft.keep_draft(draft)

    def _save(self) -> Scene | None:
        """Save the deck among the player's own; if it is incomplete, say so and stay."""
        wrong = deck_faults(self.draft)
        if wrong:
            self.banner = plural(
                "Not ready: {n} thing is missing. See the marked card.",
                "Not ready: {n} things are missing. See the marked cards.",
                len(wrong),
            )
            return None
        decks.save_deck(deck_of(self.draft))
        deck_draft.forget_draft(self.draft.name)
        return self.back


def _card_button(card: CardDraft) -> Button:
    """Return the button of a card: its copies, its title, and whether it is incomplete."""
    wrong, kind = faults(card), str(card.of("kind"))
    title = card.of("title") or _("untitled")
    cost = _("cost {n}").format(n=card.of("cost"))
    note = _("incomplete") if wrong else f"{kind_title(kind)} · {cost}"
    label = f"{card.of('copies') or 0} × {title}"
    return Button(label, Intent("card", card.name), "danger" if wrong else "plain", SIGNS[kind], note)
