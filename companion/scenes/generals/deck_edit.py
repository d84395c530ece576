"""A deck being written: its cards, what is still missing, and what the rules say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.content import deck_drafts, decks
from companion.content.deck_draft import CardDraft, DeckDraft, deck_faults, deck_of, faults, new_card, unplayable
from companion.core.language import _, plural
from companion.scenes.base.stage import Scene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.generals.card_edit import CardEditScene
from companion.text.generals import kind_title
from companion.text.orders import card_count
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Screen, Text
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
        """What is there, what is missing, and the ways on."""
        look: Look = "off" if deck_faults(self.draft) else "primary"
        return Screen(
            title=self.draft.title,
            blocks=(*self._told(), *self._cards(), Text(_("A new card"), "strong"), self._new(), *self._away()),
            actions=(
                Button(_("Back"), Intent("back"), "quiet", note=_("it is kept") if self.changed else ""),
                Button(_("Its name"), Intent("rename")),
                Button(_("Save"), Intent("save"), look),
            ),
            banner=self.banner,
            banner_tone="bad",
            page=self.page,
        )

    def _told(self) -> tuple[Block, ...]:
        """How many cards there are, and why the deck cannot be played yet."""
        size = Text(_("{cards} of 40 to 60 (Game Play 1).").format(cards=card_count(self.draft.size)), "quiet")
        if deck_faults(self.draft):
            return (size,)
        return (size, *(Text(text, "warn") for text in unplayable(self.draft)))

    def _cards(self) -> tuple[Block, ...]:
        buttons = tuple(map(self._card, self.draft.cards))
        return (Buttons(buttons, 2),) if buttons else ()

    def _card(self, card: CardDraft) -> Button:
        """A card: how often, what, and what is missing."""
        wrong, kind = faults(card), str(card.of("kind"))
        title = card.of("title") or _("no title yet")
        cost = _("cost {n}").format(n=card.of("cost"))
        note = _("something is missing") if wrong else f"{kind_title(kind)} · {cost}"
        label = f"{card.of('copies') or 0} × {title}"
        return Button(label, Intent("card", card.name), "danger" if wrong else "plain", SIGNS[kind], note)

    def _new(self) -> Block:
        return Buttons(tuple(Button(kind_title(kind), Intent("new", kind), "quiet", SIGNS[kind]) for kind in KINDS), 3)

    def _away(self) -> tuple[Block, ...]:
        """A draft can be thrown away; what was saved before stays."""
        kept = any(one.name == self.draft.name for one in deck_drafts.all_drafts())
        return (Buttons((Button(_("Throw the changes away"), Intent("forget"), "quiet", "cross"),), 1),) if kept else ()

    # ---- touches --------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Open a card, write a new one, save, or go back."""
        self.banner = ""
        if intent.verb == "page":
            self.page += intent.n
        do = self._doings(intent).get(intent.verb)
        return do() if do is not None else None

    def _doings(self, intent: Intent) -> Mapping[str, Callable[[], Scene | None]]:
        return {
            "back": self._leave,
            "rename": self._rename,
            "save": self._save,
            "forget": self._forget,
            "card": lambda: self._open(intent.what),
            "new": lambda: CardEditScene(new_card(self.draft, intent.what), self) if intent.what in KINDS else None,
        }

    def _open(self, name: str) -> Scene | None:
        card = self.draft.card(name)
        return CardEditScene(card, self) if card is not None else None

    def put(self, draft: DeckDraft) -> None:
        """The deck as it is now: kept as a draft."""
        self.draft, self.changed = draft, True
        deck_drafts.keep(draft)

    def _leave(self) -> Scene:
        """Back; what was not saved is kept as a draft."""
        if self.changed:
            deck_drafts.keep(self.draft)
        return self.back

    def _rename(self) -> Scene:
        def done(title: str) -> Scene:
            self.put(replace(self.draft, title=title))
            return self

        return TypingScene(
            Ask(_("What is the deck called?"), self.draft.title, most=MOST_TITLE, names=True), done, self
        )

    def _save(self) -> Scene | None:
        """Onto the shelf; what is missing is said where it cannot be."""
        wrong = deck_faults(self.draft)
        if wrong:
            self.banner = plural(
                "Not yet: {n} thing is missing. The card marked here tells which.",
                "Not yet: {n} things are missing. The cards marked here tell which.",
                len(wrong),
            )
            return None
        decks.save_deck(deck_of(self.draft))
        deck_drafts.forget(self.draft.name)
        return self.back

    def _forget(self) -> Scene:
        deck_drafts.forget(self.draft.name)
        return self.back
