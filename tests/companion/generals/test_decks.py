"""Owners' decks on the screen: written, copied, saved, shared, deleted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.app.app import App
from companion.content import deck_draft, decks
from companion.scenes.generals.deck_edit import CardEditScene, ChoiceScene, DeckEditScene
from companion.scenes.generals.decks import DecksScene, OneDeckScene
from companion.ui.screen import Intent, Slip
from engine.generals.cards import load_deck, own_deck_names, remove_deck
from tests.companion.touching import Hand


@pytest.fixture
def shelf(app: App) -> Iterator[DecksScene]:
    """Yield the shelf on stage; what is put on it is forgotten in the end."""
    app.scene = DecksScene(app.home)
    yield app.scene
    for name in own_deck_names():
        remove_deck(name)


def typed(app: App, text: str) -> None:
    for letter in text:
        app.touch(Intent("type", letter))
    app.touch(Intent("done"))


def new_deck(app: App, hand: Hand, title: str) -> DeckEditScene:
    hand.press("New deck")
    typed(app, title)
    assert isinstance(app.scene, DeckEditScene)
    return app.scene


def test_a_card_is_written_field_by_field(app: App, hand: Hand, shelf: DecksScene) -> None:
    edit = new_deck(app, hand, "Foxes")
    hand.press("General")
    card = app.scene
    assert isinstance(card, CardEditScene)
    assert hand.button("Title").note == "Still missing."
    hand.press("Title")
    typed(app, "Fox")
    hand.press("Faction")
    typed(app, "Foxes")
    hand.press("Effect")
    assert isinstance(app.scene, ChoiceScene)
    app.touch(Intent("choose", "draw"))
    assert "Effect: amount: Still missing." in hand.text()
    for intent in (Intent("number", "effect.amount", 1), Intent("number", "military", 1), Intent("number", "cost", -1),
                   Intent("number", "military", -1), Intent("switch", "swift"), Intent("page", "", 1)):  # fmt: skip
        app.touch(intent)
    hand.press("Done")
    assert hand.app.scene is edit
    values = dict(edit.draft.cards[0].values)
    assert values["title"] == "Fox"
    assert (values["effect.verb"], values["effect.amount"], values["swift"]) == ("draw", 1, True)
    assert hand.button("1 × Fox").note == "General · cost 0"
    assert [draft.title for draft in deck_draft.all_drafts()] == ["Foxes"]


def test_what_is_missing_is_said_and_the_deck_kept(app: App, hand: Hand, shelf: DecksScene) -> None:
    new_deck(app, hand, "Foxes")
    hand.press("Event card", "Done")
    assert hand.button("Save").look == "off"
    hand.press("Save")
    assert "2 things are missing" in app.screen().banner
    hand.press("Back")
    assert hand.app.scene is shelf
    assert hand.button("Foxes").note == "unfinished: 1 card"
    hand.press("Foxes", "Discard changes")
    assert deck_draft.all_drafts() == ()


def test_a_card_is_taken_out_after_a_second_touch(app: App, hand: Hand, shelf: DecksScene) -> None:
    edit = new_deck(app, hand, "Foxes")
    hand.press("Item card", "Done").intent(Intent("card", "item"))
    hand.press("Remove")
    assert "again" in hand.text()
    hand.press("Remove")
    assert edit.draft.cards == ()


def test_a_practice_deck_copied_is_ones_own(app: App, hand: Hand, shelf: DecksScene) -> None:
    hand.press("Copy a deck", "Practice deck: Cranes and Reeds")
    hand.press("Name")
    for _letter in range(40):
        app.touch(Intent("type", "\b"))
    typed(app, "Mine")
    hand.press("Save")
    assert hand.app.scene is shelf
    deck = load_deck("copy-of-practice-deck-cranes-a")
    assert (deck.title.casefold(), deck.known, deck.size) == ("mine", "owner", 50)


def test_a_deck_is_shared_changed_and_deleted(app: App, hand: Hand, shelf: DecksScene) -> None:
    hand.press("Copy a deck", "Practice deck: Cranes and Reeds", "Save")
    hand.intent(Intent("deck", "copy-of-practice-deck-cranes-a"))
    assert isinstance(app.scene, OneDeckScene)
    hand.press("Share")
    assert "copy-of-practice-deck" in app.screen().banner
    hand.press("Edit").intent(Intent("card", "crane_captain"))
    app.touch(Intent("number", "copies", -1))
    hand.press("Done", "Save")
    assert load_deck("copy-of-practice-deck-cranes-a").size == 49
    hand.intent(Intent("deck", "copy-of-practice-deck-cranes-a"))
    hand.press("Copy")
    hand.press("Back").intent(Intent("deck", "copy-of-practice-deck-cranes-a"))
    hand.press("Delete")
    assert "Saved games keep their own copy." in hand.text()
    hand.press("Delete")
    assert hand.app.scene is shelf
    assert own_deck_names() == ()


def test_a_file_that_is_no_deck_is_named(app: App, hand: Hand, shelf: DecksScene) -> None:
    folder = decks.DECKS.folder()
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_text("title =", encoding="utf-8")
    (slip,) = (block for block in app.screen().blocks if isinstance(block, Slip))
    assert slip.title == "torn.toml is not a deck"
    app.touch(Intent("deck", "torn"))
    assert hand.app.scene is shelf
    assert app.screen().banner


def test_choices_are_left_out_or_gone_back_from(app: App, hand: Hand, shelf: DecksScene) -> None:
    new_deck(app, hand, "Foxes")
    hand.press("Special card")
    card = app.scene
    assert isinstance(card, CardEditScene)
    for key, value in (("after", "move"), ("effect.verb", "damage"), ("kind", "special")):
        app.touch(Intent("field", key))
        app.touch(Intent("choose", value))
    assert hand.button("Answers").note == "a move"
    app.touch(Intent("field", "after"))
    hand.press("Back")
    app.touch(Intent("field", "text"))
    typed(app, "")
    hand.press("Cancel")
    assert isinstance(app.scene, DeckEditScene)


def test_a_feature_has_its_own_fields(app: App, hand: Hand, shelf: DecksScene) -> None:
    new_deck(app, hand, "Foxes")
    hand.press("General")
    for key, value in (("feature.verb", "military"), ("feature.when", "kin"), ("arrives", "siege"), ("arrives", "-")):
        app.touch(Intent("field", key))
        app.touch(Intent("choose", value))
    assert hand.button("Feature").note == "+1 military at all times"
    assert hand.button("Feature: condition").note == "with at least 1 general of its faction also on the battlefield"
    assert hand.button("Arrives").note == "inside its city"


def test_a_deck_that_somebody_brought_is_taken_over(app: App, hand: Hand, shelf: DecksScene) -> None:
    hand.press("Copy a deck", "Practice deck: Wolves and Pines", "Save")
    hand.intent(Intent("deck", "copy-of-practice-deck-wolves-a"))
    hand.press("Share", "Delete", "Delete")
    assert hand.button("copy-of-practice-deck-wolves-a.toml").note == "use it"
    (decks.DECKS.folder().parent / "shared" / "list.toml").write_text("title = 1", encoding="utf-8")
    hand.press("copy-of-practice-deck-wolves-a.toml")
    assert own_deck_names() == ("copy-of-practice-deck-wolves-a",)
    app.touch(Intent("take", "", 7))
    assert hand.app.scene is shelf
