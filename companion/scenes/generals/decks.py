"""Decks in the app: the shelf of the owners' decks and drafts, copying a deck, and choosing one to play with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.content import deck_draft
from companion.content.deck_draft import DeckDraft, draft_of
from companion.content.decks import DECKS, free_name
from companion.core.language import _
from companion.scenes.base.shelf_scenes import OwnFileScene, ShelfScene, ShelfWords
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.generals.deck_edit import DeckEditScene
from companion.text.generals import (
    deck_cards,
    deck_check,
    deck_note,
    deck_sample,
    deck_title,
    invented_warning,
    is_playable,
)
from companion.text.orders import card_count
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Screen, Text, back_button
from companion.ui.small_map import SmallDeck
from engine.generals.cards import KINDS, MOST_TITLE, Deck, deck_names, load_deck

SAMPLE, CHOSEN = 5, 10  # cards to show of a deck, and of the chosen one, so that people recognise it
KIND_SIGNS = dict(zip(KINDS, ("general", "item", "troop", "effect", "target"), strict=True))


class DecksScene(ShelfScene[Deck]):
    """The shelf of the owners' decks and drafts, with buttons for new ones."""

    def __init__(self, back: Scene) -> None:
        super().__init__(DECKS, back)

    def words(self) -> ShelfWords:
        """Return the title and the sentences of the decks' shelf."""
        empty = _("Enter the cards you own: the rules don't list the printed ones. Or copy a practice deck.")
        return ShelfWords(_("Your decks"), _("{file} is not a deck"), empty=empty)

    def with_example(self, screen: Screen) -> Screen:
        """Add to the screen some cards of the decks that can be copied."""
        return replace(screen, blocks=(*screen.blocks, *_samples(map(load_deck, deck_names()))))

    def thing_button(self, thing: Deck) -> Button:
        """Make the button that opens a deck, with its title and a short note."""
        return _deck_button(thing)

    def drafts(self) -> Iterable[Button]:
        """Yield the decks that are still being written."""
        for draft in deck_draft.all_drafts():
            note = _("unfinished: {cards}").format(cards=card_count(draft.size))
            yield Button(draft.title, Intent("draft", draft.name), sign="pencil", note=note)

    def ways(self) -> tuple[Button, ...]:
        """Return the buttons for copying a deck and for starting a new one."""
        return Button(_("Copy a deck"), Intent("copy")), Button(_("New deck"), Intent("new"), "primary")

    def lead(self, intent: Intent) -> Scene | None:
        """Return the scene to write a new deck, to choose one to copy, or to open a draft or a saved deck."""

        def write_new(title: str) -> Scene:
            return DeckEditScene(DeckDraft(free_name(title), title), self, new=True)

        match intent.verb:
            case "new":
                return TypingScene(Ask(_("Name this deck"), most=MOST_TITLE, names=True), write_new, self)
            case "copy":
                return CopyScene(self)
            case "deck":
                return OneDeckScene(load_deck(intent.what), self)
            case "draft":
                draft = next((draft for draft in deck_draft.all_drafts() if draft.name == intent.what), None)
                return DeckEditScene(draft, self) if draft is not None else None
        return None


def deck_picture(deck: Deck) -> SmallDeck:
    """Return the small picture of a deck: a fan of cards, one for each kind that the deck has, a general on top."""
    kinds = {card.kind for card in deck.cards.values()}
    return SmallDeck(tuple(KIND_SIGNS[kind] for kind in reversed(KINDS) if kind in kinds))


def _deck_button(deck: Deck, look: Look = "plain") -> Button:
    """Return the button of a deck: its title, a short note, and its cards drawn small."""
    return Button(deck_title(deck), Intent("deck", deck.name), look, note=deck_note(deck), picture=deck_picture(deck))


def _samples(decks: Iterable[Deck]) -> Iterator[Block]:
    """Yield the title of each deck, followed by a few of its cards."""
    for deck in decks:
        yield from (Text(deck_title(deck), "strong"), deck_sample(deck, SAMPLE))


class CopyScene(SubScene):
    """The choice of the deck that a new one starts from."""

    def show(self) -> Screen:
        """Offer all decks."""
        known = [load_deck(name) for name in deck_names()]
        blocks = (Buttons(tuple(map(_deck_button, known)), 2), *_samples(known))
        return Screen(_("Which deck to copy?"), blocks, (back_button(),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Open the editor with a copy of the touched deck, or go back."""
        if intent.verb == "deck" and intent.what in deck_names():
            return edit_copy(load_deck(intent.what), self.back)
        return super().touch(intent)


def edit_copy(deck: Deck, back: Scene) -> Scene:
    """Return the editor of a new deck that begins as a copy of the given one."""
    title = _("Copy of {deck}").format(deck=deck_title(deck))[:MOST_TITLE]
    return DeckEditScene(replace(draft_of(deck), name=free_name(title), title=title), back, new=True)


class OneDeckScene(OwnFileScene[Deck]):
    """A deck on the shelf: whether it can be played, its cards, and buttons to edit, copy, share or delete it."""

    def __init__(self, deck: Deck, back: DecksScene) -> None:
        super().__init__(DECKS, deck, back)
        self.page = 0

    def show(self) -> Screen:
        """Show whether the deck can be played, what can be done with it, and its cards."""
        deck = self.thing
        ways = Buttons(
            (
                Button(_("Copy"), Intent("copy"), sign="deck"),
                Button(_("Share"), Intent("share"), sign="share"),
                Button(_("Delete"), Intent("delete"), "danger" if self.asked else "plain", "cross"),
            ),
            3,
        )
        sure = (Text(_("Delete this deck? Saved games keep their own copy."), "warn"),) if self.asked else ()
        return Screen(
            title=deck_title(deck),
            blocks=(*sure, *deck_check(deck), ways, *invented_warning(deck), *deck_cards(deck)),
            actions=(back_button(), Button(_("Edit"), Intent("edit"), "primary")),
            banner=self.banner,
            banner_tone="good",
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Edit, copy, share or delete the deck, turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
            return None
        self.page = 0
        if intent.verb == "edit":
            return DeckEditScene(draft_of(self.thing), self.back)
        if intent.verb == "copy":
            return edit_copy(self.thing, self.back)
        return super().touch(intent)


class DeckChoiceScene(SubScene):
    """The choice of a side's deck; a touch shows what is in a deck and whether it can be played.

    decks: {side: name of its deck}, changed by the choice; who: the side that chooses.
    """

    def __init__(self, title: str, decks: dict[str, str], who: str, back: Scene) -> None:
        super().__init__(back)
        self.title = title
        self.decks = decks
        self.who = who

    def show(self) -> Screen:
        """Offer the decks, saying why some can't be played yet, and show some cards of the chosen one."""
        buttons = tuple(_deck_button(deck, self._look(deck)) for deck in map(load_deck, deck_names()))
        own = Button(_("Your decks"), Intent("own"), "quiet", "pencil", _("enter the cards you own"))
        chosen = deck_sample(load_deck(self.decks[self.who]), CHOSEN)
        return Screen(self.title, (Buttons((*buttons, own), 2), chosen), (back_button(),), page=self.page)

    def _look(self, deck: Deck) -> Look:
        if deck.name == self.decks[self.who]:
            return "chosen"
        return "plain" if is_playable(deck) else "danger"

    def touch(self, intent: Intent) -> Scene | None:
        """Open a deck, or the owners' decks, or go back."""
        if intent.verb == "deck" and intent.what in deck_names():
            return DeckLookScene(self, load_deck(intent.what))
        return DecksScene(self) if intent.verb == "own" else super().touch(intent)


class DeckLookScene(SubScene):
    """A deck that could be chosen: whether it can be played and why not, and all its cards."""

    back: DeckChoiceScene

    def __init__(self, back: DeckChoiceScene, deck: Deck) -> None:
        super().__init__(back)
        self.deck = deck

    def show(self) -> Screen:
        """Show whether the deck can be played, then its cards."""
        blocks = (*deck_check(self.deck), *invented_warning(self.deck), *deck_cards(self.deck))
        look: Look = "primary" if is_playable(self.deck) else "off"
        actions = (back_button(), Button(_("Use this deck"), Intent("take"), look))
        return Screen(deck_title(self.deck), blocks, actions, page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose the deck if it can be played, turn the page, or go back."""
        if intent.verb != "take":
            return super().touch(intent)
        if not is_playable(self.deck):
            return None
        self.back.decks[self.back.who] = self.deck.name
        return self.back.back
