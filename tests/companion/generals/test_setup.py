"""A new card game: decks with their check, who moves first, the cards laid out, the game begun."""

from __future__ import annotations

from companion.app.app import App
from companion.scenes.base.new_game import HouseRulesScene
from companion.scenes.generals.decks import DeckChoiceScene, DeckLookScene, DecksScene
from companion.scenes.generals.setup import DuelSetUp, DuelSetupScene, FirstScene, LayScene
from companion.scenes.generals.table import DuelTable
from companion.scenes.home.home import GamesScene, setup_of
from companion.ui.screen import Columns, DeckCards, Intent, Slip, Verdict
from engine.generals.cards import MOST_COST, add_deck, read_deck, remove_deck
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
    columns = next(block for block in app.screen().blocks if isinstance(block, Columns))
    sides = (*columns.left, *columns.right)
    cut = [card for block in sides if isinstance(block, DeckCards) for card in block.cards]
    assert {card.cost for card in cut} == {0, 1}
    app.touch(Intent("cut", "red", 1))
    for _again in range(MOST_COST):
        app.touch(Intent("cut", "black", 1))
    assert f"No card in this deck costs {MOST_COST}." in hand.text()
    for _again in range(MOST_COST):
        app.touch(Intent("cut", "black", -1))
    app.touch(Intent("cut", "black", 1))
    app.touch(Intent("cut", "red", -1))
    hand.press("Black goes first", "Next")
    assert isinstance(app.scene, LayScene)
    for intent in (Intent("did", "", 1), Intent("did", "", 1), Intent("did", "", 0)):
        app.touch(intent)
    slips = [block for block in app.screen().blocks if isinstance(block, Slip)]
    assert [slip.mark for slip in slips] == ["yes", "", "", ""]
    assert slips[3].title == "Black goes first and draws no card on the first turn."
    hand.press("Start the game")
    assert isinstance(app.scene, DuelTable)
    assert app.scene.position.to_move_name == "black"
    assert scene.setup.players == {"red": "ana", "black": ""} or scene.setup.players["red"].casefold() == "ana"


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
        (slip,) = (block for block in app.screen().blocks if isinstance(block, Slip))
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
