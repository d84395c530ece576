"""A new card game: decks written and chosen, who moves first, the cards laid out, the game begun."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

from companion.app.app import App
from companion.content import deck_draft, decks
from companion.core.errors import MatchError
from companion.scenes.base.new_game import HouseRulesScene
from companion.scenes.generals.deck_edit import CardEditScene, ChoiceScene, DeckEditScene
from companion.scenes.generals.decks import DeckChoiceScene, DeckLookScene, DecksScene, OneDeckScene
from companion.scenes.generals.setup import DuelSetUp, DuelSetupScene, FirstScene, LayScene
from companion.scenes.generals.table import DuelTable
from companion.scenes.home.home import GamesScene, setup_of
from companion.ui.screen import Columns, DeckCards, Intent, Slip, Verdict
from engine.generals.cards import MOST_COST, add_deck, load_deck, own_deck_names, read_deck, remove_deck
from tests.companion.generals.conftest import FOXES, Begin
from tests.companion.touching import Hand


def setup(app: App) -> DuelSetupScene:
    scene = setup_of("generals", app.stage, app.home)
    assert isinstance(scene, DuelSetupScene)
    app.scene = scene
    return scene


def test_a_game_begins_in_few_touches(app: App, hand: Hand) -> None:
    scene = setup(app)
    for letter in "ana":
        if not hasattr(app.scene, "typed_text"):
            hand.intent(Intent("type-name", "red"))
        app.touch(Intent("type", letter))
    hand.press("Done", "Next")
    assert isinstance(app.scene, FirstScene)
    assert "Tie: cut again" in hand.text()
    app.touch(Intent("next"))
    assert isinstance(app.scene, FirstScene)
    app.touch(Intent("cut", "black", 1))
    assert "Black decides." in hand.text()
    columns = hand.blocks(Columns)[0]
    sides = (*columns.left, *columns.right)
    cut = [card for block in sides if isinstance(block, DeckCards) for card in block.cards]
    assert {card.cost for card in cut} == {0, 1}
    app.touch(Intent("cut", "red", 1))
    for _again in range(MOST_COST):
        app.touch(Intent("cut", "black", 1))
    assert f"No card in this deck costs {MOST_COST}." in hand.text()
    for _again in range(MOST_COST - 1):
        app.touch(Intent("cut", "black", -1))
    app.touch(Intent("cut", "red", -1))
    hand.press("Black goes first", "Next")
    assert isinstance(app.scene, LayScene)
    for intent in (Intent("did", "", 1), Intent("did", "", 1), Intent("did", "", 0)):
        app.touch(intent)
    slips = hand.blocks(Slip)
    assert [slip.mark for slip in slips] == ["yes", "", "", ""]
    assert slips[3].title == "Black goes first and draws no card on the first turn."
    hand.press("Start the game")
    assert isinstance(app.scene, DuelTable)
    assert app.scene.position.to_move_name == "black"
    assert scene.setup.players["red"].casefold() == "ana"


def test_names_and_decks_of_the_last_game_are_there(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(decks={"red": "practice-wolves", "black": "practice-cranes"})
    table.match.close()
    scene = setup(app)
    assert scene.setup.decks == {"red": "practice-wolves", "black": "practice-cranes"}
    assert scene.setup.players == {"red": "Ana", "black": "Bo"}
    hand.press("Swap sides")
    assert scene.setup.players == {"red": "Bo", "black": "Ana"}
    app.touch(Intent("name", "black/Bo"))
    assert scene.setup.players == {"red": "Ana", "black": "Bo"}


def test_a_deck_is_looked_at_before_it_is_played(app: App, hand: Hand) -> None:
    scene = setup(app)
    app.touch(Intent("deck", "red"))
    assert isinstance(app.scene, DeckChoiceScene)
    hand.press("Practice deck: Wolves and Pines")
    assert isinstance(app.scene, DeckLookScene)
    assert Verdict(True, "This deck is legal.") in app.screen().blocks
    assert "invented" in hand.text()
    hand.press("Use this deck")
    assert scene.setup.decks["red"] == "practice-wolves"
    app.touch(Intent("deck", "red"))
    hand.press("Your decks")
    assert isinstance(app.scene, DecksScene)


def test_a_deck_against_the_rules_says_why_and_is_not_played(app: App, hand: Hand) -> None:
    add_deck(read_deck("few", FOXES, "few.toml"))
    try:
        scene = setup(app)
        app.touch(Intent("deck", "red"))
        assert hand.button("Foxes").look == "danger"
        hand.press("Foxes")
        (slip,) = hand.blocks(Slip)
        assert (slip.title, slip.cite) == ("The deck has 18 cards; it needs 40 to 60.", "Game Play 1, p. 3")
        hand.press("Use this deck")
        assert isinstance(app.scene, DeckLookScene)
        scene.setup.decks["red"] = "few"
        app.scene = scene
        hand.press("Quick start")
        assert app.scene is scene
        assert "Red: this deck isn't legal" in app.screen().banner
    finally:
        remove_deck("few")


def test_chance_says_who_moves_first(app: App, hand: Hand) -> None:
    setup(app)
    hand.press("Next", "Choose at random")
    chosen = [button.label for button in hand.all_buttons() if button.look == "chosen"]
    assert len(chosen) == 1
    hand.press("Back", "Quick start")
    assert isinstance(app.scene, DuelTable)


def test_a_game_that_cannot_begin_says_so(app: App, hand: Hand) -> None:
    setup(app)
    with mock.patch.object(app.stage.services.games, "start", side_effect=MatchError("full")):
        hand.press("Quick start")
    assert isinstance(app.scene, DuelSetupScene)
    assert app.scene.show().banner


def test_house_rules_and_other_games(app: App, hand: Hand) -> None:
    scene = setup(app)
    hand.press("House rules")
    assert isinstance(app.scene, HouseRulesScene)
    app.touch(Intent("answer", "guards/other"))
    hand.press("Back")
    assert scene.setup.request()["readings"] == {"guards": "other"}
    hand.press("Quick start")
    assert isinstance(app.scene, DuelTable)
    assert app.scene.position.readings == {"guards"}
    app.scene = scene
    hand.intent(Intent("games"))
    assert isinstance(app.scene, GamesScene)


def test_a_deck_that_is_gone_leads_to_the_practice_decks(app: App, begin: Begin, foxes: str) -> None:
    begin(decks={"red": foxes, "black": foxes}).match.close()
    assert DuelSetUp(app.stage).decks == {"red": foxes, "black": foxes}
    remove_deck(foxes)
    assert DuelSetUp(app.stage).decks == {"red": "practice-cranes", "black": "practice-wolves"}


@pytest.fixture
def shelf(app: App) -> Iterator[DecksScene]:
    """Yield the shelf on stage; what is put on it is forgotten in the end."""
    app.scene = DecksScene(app.home)
    yield app.scene
    for name in own_deck_names():
        remove_deck(name)


def new_deck(app: App, hand: Hand, title: str) -> DeckEditScene:
    hand.press("New deck").write(title).press("Done")
    assert isinstance(app.scene, DeckEditScene)
    return app.scene


def test_a_card_is_written_field_by_field(app: App, hand: Hand, shelf: DecksScene) -> None:
    edit = new_deck(app, hand, "Foxes")
    hand.press("General")
    card = app.scene
    assert isinstance(card, CardEditScene)
    assert hand.button("Title").note == "Still missing."
    hand.press("Title").write("Fox").press("Done")
    hand.press("Faction").write("Foxes").press("Done")
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


def test_a_card_is_taken_out_by_two_touches_and_what_is_missing_is_said(
    app: App, hand: Hand, shelf: DecksScene
) -> None:
    edit = new_deck(app, hand, "Foxes")
    hand.press("Item card", "Done").intent(Intent("card", "item"))
    hand.press("Remove")
    assert "again" in hand.text()
    hand.press("Remove")
    assert edit.draft.cards == ()
    hand.press("Event card", "Done")
    assert hand.button("Save").look == "off"
    hand.press("Save")
    assert "2 things are missing" in app.screen().banner
    hand.press("Back")
    assert hand.app.scene is shelf
    assert hand.button("Foxes").note == "unfinished: 1 card"
    hand.press("Foxes", "Discard changes")
    assert deck_draft.all_drafts() == ()


def test_a_practice_deck_is_copied_renamed_shared_changed_and_deleted(app: App, hand: Hand, shelf: DecksScene) -> None:
    name = "copy-of-practice-deck-cranes-a"
    hand.press("Copy a deck", "Practice deck: Cranes and Reeds", "Name")
    hand.write("\b" * 40)
    hand.write("Mine").press("Done")
    hand.press("Save")
    assert hand.app.scene is shelf
    deck = load_deck(name)
    assert (deck.title.casefold(), deck.known, deck.size) == ("mine", "owner", 50)
    hand.intent(Intent("deck", name))
    assert isinstance(app.scene, OneDeckScene)
    hand.press("Share")
    assert name in app.screen().banner
    hand.press("Edit").intent(Intent("card", "crane_captain"))
    app.touch(Intent("number", "copies", -1))
    hand.press("Done", "Save")
    assert load_deck(name).size == 49
    hand.intent(Intent("deck", name)).press("Copy", "Back").intent(Intent("deck", name)).press("Delete")
    assert "Saved games keep their own copy." in hand.text()
    hand.press("Delete")
    assert hand.app.scene is shelf
    assert own_deck_names() == ()


def test_a_file_that_is_no_deck_is_named(app: App, hand: Hand, shelf: DecksScene) -> None:
    folder = decks.DECKS.folder()
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_text("title =", encoding="utf-8")
    (slip,) = hand.blocks(Slip)
    assert slip.title == "torn.toml is not a deck"
    app.touch(Intent("deck", "torn"))
    assert hand.app.scene is shelf
    assert app.screen().banner


def choose(app: App, **values: str) -> None:
    for key, value in values.items():
        app.touch(Intent("field", key.replace("_", ".")))
        app.touch(Intent("choose", value))


def test_choices_are_left_out_or_gone_back_from_and_a_feature_has_its_own_fields(
    app: App, hand: Hand, shelf: DecksScene
) -> None:
    new_deck(app, hand, "Foxes")
    hand.press("Special card")
    assert isinstance(app.scene, CardEditScene)
    choose(app, after="move", effect_verb="damage", kind="special")
    assert hand.button("Answers").note == "a move"
    app.touch(Intent("field", "after"))
    hand.press("Back")
    app.touch(Intent("field", "text"))
    hand.write("").press("Done")
    hand.press("Cancel")
    assert isinstance(app.scene, DeckEditScene)
    hand.press("General")
    choose(app, feature_verb="military", feature_when="kin", arrives="siege")
    choose(app, arrives="-")
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
