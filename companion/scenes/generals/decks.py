"""Owners' decks: what is on the shelf, what is being written; a new one, a copy, sharing, deleting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from companion.content import deck_drafts, decks
from companion.content.deck_draft import DeckDraft, draft_of
from companion.core.errors import OwnFileError
from companion.core.language import _
from companion.core.storage import data_dir
from companion.games.shelf import sticks
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.generals.deck_edit import DeckEditScene
from companion.text.decks import deck_cards, deck_check, deck_known, deck_note
from companion.text.faults import fault_words
from companion.text.orders import card_count
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text
from engine.errors import EngineError
from engine.generals.cards import MOST_TITLE, Deck, deck_names, load_deck


class DecksScene:
    """The owners' decks and drafts, and the ways to more of them."""

    whole = True

    def __init__(self, stage: Stage, back: Scene) -> None:
        self.stage = stage
        self.back = back
        self.banner = ""
        self.page = 0

    def show(self) -> Screen:
        """Buttons for decks and drafts, slips for files that are none."""
        shelf = decks.register()
        buttons = [
            Button(one.title, Intent("deck", one.name), sign="deck", note=deck_note(one)) for one in shelf.things
        ]
        buttons += map(_unfinished, deck_drafts.kept())
        buttons += [
            Button(path.name, Intent("take", "", n), sign="plus", note=_("take it over"))
            for n, path in enumerate(deck_files())
        ]
        empty = Text(
            _("Write down the cards that you have: the printed ones are not in the rules. Or copy a practice deck.")
        )
        found: tuple[Block, ...] = (Buttons(tuple(buttons), 2),) if buttons else (empty,)
        broken = tuple(
            Slip(_("{file} is no deck").format(file=path.name), why, mark="no") for path, why in shelf.broken
        )
        return Screen(
            title=_("Your own decks"),
            blocks=(*found, *broken),
            actions=(
                Button(_("Back"), Intent("back"), "quiet"),
                Button(_("Copy a deck"), Intent("copy")),
                Button(_("New deck"), Intent("new"), "primary"),
            ),
            banner=self.banner,
            banner_tone="bad",
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open what was touched."""
        self.banner = ""
        if intent.verb == "page":
            self.page += intent.n
        lead = self._leads(intent).get(intent.verb)
        try:
            return lead() if lead is not None else None
        except (OwnFileError, EngineError) as error:
            self.banner = fault_words(error)
            return None

    def _leads(self, intent: Intent) -> Mapping[str, Callable[[], Scene | None]]:
        return {
            "back": lambda: self.back,
            "new": self._new,
            "copy": lambda: CopyScene(self),
            "deck": lambda: OneDeckScene(load_deck(intent.what), self),
            "draft": lambda: self._draft(intent.what),
            "take": lambda: self._take(intent.n),
        }

    def _new(self) -> Scene:
        def done(title: str) -> Scene:
            return DeckEditScene(DeckDraft(decks.free_name(title), title), self, new=True)

        return TypingScene(Ask(_("What is the deck called?"), most=MOST_TITLE, names=True), done, self)

    def _take(self, number: int) -> None:
        files = deck_files()
        if 0 <= number < len(files):
            decks.DECKS.import_file(files[number])

    def _draft(self, name: str) -> Scene | None:
        draft = next((one for one in deck_drafts.kept() if one.name == name), None)
        return DeckEditScene(draft, self) if draft is not None else None


def deck_files() -> list[Path]:
    """Files with a deck, on memory sticks and among the shared files, that are not on the shelf yet."""
    return decks.DECKS.offered((*sticks(), data_dir() / "shared"))


def _unfinished(draft: DeckDraft) -> Button:
    note = _("unfinished: {cards}").format(cards=card_count(draft.size))
    return Button(draft.title, Intent("draft", draft.name), sign="pencil", note=note)


class CopyScene:
    """Which deck is the start of a new one?"""

    whole = True

    def __init__(self, before: DecksScene) -> None:
        self.before = before
        self.page = 0

    def show(self) -> Screen:
        """All decks."""
        known = [load_deck(name) for name in deck_names()]
        buttons = tuple(Button(one.title, Intent("deck", one.name), sign="deck", note=deck_note(one)) for one in known)
        back = Button(_("Back"), Intent("back"), "quiet")
        return Screen(_("Copy which deck?"), (Buttons(buttons, 2),), (back,), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Copy it, or back."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "deck" and intent.what in deck_names():
            return copied(load_deck(intent.what), self.before)
        return self.before if intent.verb == "back" else None


def copied(deck: Deck, back: Scene) -> Scene:
    """A deck of one's own that begins as another one."""
    title = _("Copy of {deck}").format(deck=deck.title)[:MOST_TITLE]
    return DeckEditScene(replace(draft_of(deck), name=decks.free_name(title), title=title), back, new=True)


class OneDeckScene:
    """A deck on the shelf: whether it may be played, its cards, and what can be done with it."""

    whole = True

    def __init__(self, deck: Deck, back: DecksScene) -> None:
        self.deck = deck
        self.back = back
        self.asked = False
        self.banner = ""
        self.page = 0

    def show(self) -> Screen:
        """The check, the ways on, the cards."""
        ways = Buttons(
            (
                Button(_("Copy it"), Intent("copy"), sign="deck"),
                Button(_("Share"), Intent("share"), sign="log"),
                Button(_("Delete it"), Intent("delete"), "danger" if self.asked else "plain", "cross"),
            ),
            3,
        )
        sure = (Text(_("Delete this deck? Saved games of it keep a copy of their own."), "warn"),) if self.asked else ()
        return Screen(
            title=self.deck.title,
            blocks=(
                *sure,
                *deck_check(self.deck),
                ways,
                *deck_known(self.deck),
                *deck_cards(self.deck),
            ),
            actions=(Button(_("Back"), Intent("back"), "quiet"), Button(_("Change it"), Intent("edit"), "primary")),
            banner=self.banner,
            banner_tone="good",
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Change, copy, share, or delete it after a second touch."""
        self.banner = ""
        if intent.verb == "page":
            self.page += intent.n
            return None
        if intent.verb == "delete" and self.asked:
            decks.DECKS.delete(self.deck.name)
            return self.back
        self.asked, self.page = intent.verb == "delete", 0
        if intent.verb == "share":
            self.banner = _("Written to {file}").format(file=decks.DECKS.share(self.deck.name))
        if intent.verb == "edit":
            return DeckEditScene(draft_of(self.deck), self.back)
        if intent.verb == "copy":
            return copied(self.deck, self.back)
        return self.back if intent.verb == "back" else None
