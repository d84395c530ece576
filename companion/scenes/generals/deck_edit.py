"""A deck being written: its cards, what is still missing, and what the rules say of it."""

from __future__ import annotations

from dataclasses import replace

from companion.content import deck_draft, decks
from companion.content.deck_draft import CardDraft, DeckDraft, deck_faults, deck_of, faults, new_card, unplayable
from companion.core.language import _, plural
from companion.scenes.base.stage import Scene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.generals.card_edit import CardEditScene
from companion.text.generals import kind_title
from companion.text.orders import card_count
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text, back_button
from engine.generals.cards import KINDS, MOST_TITLE

SIGNS = {"general": "general", "item": "item", "troop": "troop", "event": "effect", "special": "hand"}


class DeckEditScene:
    """The cards as buttons, new ones of each kind, and saving. What is not saved is kept as a draft."""

    whole = True

    def __init__(self, draft: DeckDraft, back: Scene, *, new: bool = False) -> None:
        self.draft = draft
        self.back = back
        self.changed = new
        self.banner = ""
        self.page = 0

    def show(self) -> Screen:
        """Show the cards of the deck, what is missing, and the ways on."""
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
            blocks.append(Buttons((away,), 1))  # what was saved before stays
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
            case "page":
                self.page += intent.n
            case "back":
                if self.changed:
                    deck_draft.keep_draft(self.draft)
                return self.back
            case "forget":
                deck_draft.forget_draft(self.draft.name)
                return self.back
            case "rename":
                ask = Ask(_("Name this deck"), self.draft.title, most=MOST_TITLE, names=True)
                return TypingScene(ask, self._rename, self)
            case "save":
                return self._save()
            case "card":
                card = self.draft.card(intent.what)
                return CardEditScene(card, self) if card is not None else None
            case "new" if intent.what in KINDS:
                return CardEditScene(new_card(self.draft, intent.what), self)
        return None

    def put(self, draft: DeckDraft) -> None:
        """Take over the changed deck and keep it as a draft."""
        self.draft, self.changed = draft, True
        deck_draft.keep_draft(draft)

    def _rename(self, title: str) -> Scene:
        self.put(replace(self.draft, title=title))
        return self

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
