"""Against the app in few touches, kept in the saved game, for a rematch and with swapped sides."""

from __future__ import annotations

import json

import pytest

from companion.games.match import Match, open_game
from companion.games.opponent import NAME
from companion.scenes.setup.layout import ChanceScene, groups
from companion.scenes.setup.setup import RematchSetUp, SetupScene
from companion.scenes.setup.state import SetUp
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.solo_table import SoloTable
from companion.ui.screen import Intent
from engine.orders.player.levels import Worth
from engine.orders.steps import Pass
from tests.companion.touching import Hand


def setup(hand: Hand) -> SetUp:
    assert isinstance(hand.app.scene, SetupScene | ChanceScene)
    return hand.app.scene.setup


def solo(hand: Hand) -> SoloTable:
    assert isinstance(hand.app.scene, SoloTable)
    return hand.app.scene


def against(hand: Hand, side: str) -> Hand:
    return hand.intent(Intent("against", side))


def test_a_game_against_the_app_takes_four_touches_and_is_of_two_where_nobody_says_so(hand: Hand) -> None:
    hand.press("New game", "Quick start")
    assert type(hand.app.scene) is BoardTable
    assert "opponent" not in hand.app.scene.match.request
    hand.app.touch(Intent("menu"))
    against(hand.press("Home", "New game"), "black")
    notes = {button.label: (button.look, button.note) for button in hand.all_buttons() if button.intent.verb == "level"}
    assert notes == {
        "Beginner": ("plain", "still learning"),
        "Gentle": ("plain", "simple moves, misses things"),
        "Even": ("chosen", "a fair fight"),
        "Strong": ("plain", "plays to win"),
        "Master": ("plain", "takes its time"),
    }
    hand.press("Gentle", "Quick start")
    table = solo(hand)
    assert (table.opponent.side, table.opponent.level) == ("black", "child")
    first = json.loads(table.match.path.read_text().splitlines()[0])
    assert first["opponent"] == {"side": "black", "level": "child", "seed": table.opponent.seed}
    assert first["players"] == {"black": NAME}


def test_the_app_changes_sides_and_makes_room_for_a_person(hand: Hand) -> None:
    setup(hand.press("New game")).name_player("black", "Ana")
    against(hand, "black")
    assert setup(hand).players == {"red": "Ana", "black": NAME}
    hand.press("Swap sides")
    assert (setup(hand).players, setup(hand).app_side) == ({"red": NAME, "black": "Ana"}, "red")
    against(hand, "black")
    assert (setup(hand).players, setup(hand).app_side) == ({"red": "Ana", "black": NAME}, "black")
    hand.press("Two players")
    assert (setup(hand).players, setup(hand).app_side) == ({"red": "Ana", "black": ""}, "")
    setup(hand).name_player("black", "Nyn")
    against(hand, "red")
    assert setup(hand).players == {"red": NAME, "black": "Nyn"}
    setup(hand).choose_board("wwii-alpine")
    assert (setup(hand).app_side, setup(hand).players) == ("blue", {"blue": NAME, "yellow": "Nyn"}), "the seat stays"


def test_who_thinks_ahead_may_take_its_time_in_this_game_and_the_next(hand: Hand) -> None:
    against(hand.press("New game"), "black").press("Gentle", "How Gunbai plays")
    assert not [button for button in hand.all_buttons() if button.intent.verb == "pace"]
    hand.press("Back", "Even", "How Gunbai plays", "Takes its time", "Back", "Quick start")
    table = solo(hand)
    assert json.loads(table.match.path.read_text().splitlines()[0])["opponent"]["pace"] == "long"
    assert table.opponent.pace == hand.app.stage.settings.opponent_pace == SetUp(hand.app.stage).pace == "long"
    assert RematchSetUp(table, swap=False).pace == "long"


def test_it_plays_as_a_commander_of_the_boards_era(hand: Hand) -> None:
    against(hand.press("New game"), "black").press("How Gunbai plays", "The Falcon", "Back")
    assert "Even · The Falcon" in hand.text()
    setup(hand).choose_board("wwii-alpine")
    assert setup(hand).commander == "", "another era has other commanders"
    hand.press("How Gunbai plays")
    offered = [button.intent.what for button in hand.all_buttons() if button.intent.verb == "commander"]
    assert offered == ["", "rider", "surveyor", "quartermaster"]
    hand.press("Back")
    setup(hand).choose_board("sengoku-rivers")
    hand.press("How Gunbai plays", "The Falcon", "Back")
    setup(hand).choose_board("sengoku-fortress")
    assert setup(hand).commander == "falcon"
    hand.press("Quick start")
    table = solo(hand)
    assert table.opponent.commander == RematchSetUp(table, swap=True).commander == "falcon"
    table.match.offer(Pass())
    state = SetUp(hand.app.stage)
    assert NAME not in (*state.names, *state.players.values()), "the next game of two has no player of that name"


@pytest.mark.parametrize("swap", [False, True])
def test_two_troops_are_laid_with_the_rest_and_kept_in_the_saved_game(hand: Hand, swap: bool) -> None:
    against(hand.press("New game"), "black").press("How Gunbai plays", "Two troops", "Back", "Quick start")
    table = solo(hand)
    before = table.match.positions[0].units_in("e3")["red"]["troop"]
    assert table.match.position.units_in("e3")["red"]["troop"] == before + 2
    assert any("5 troops" in str(item) for group in groups(table.match.position) for item in group.things)
    again = RematchSetUp(table, swap).start()
    assert again.opponent is not None
    person, home = ("black", "a3") if swap else ("red", "e3")
    assert again.position.units_in(home)[person]["troop"] == before + 2
    again.close()
    reopened = open_game(again.path)
    assert reopened.position == again.position, "whoever reads the game has them too"
    reopened.close()


def test_undo_leaves_the_head_start(hand: Hand) -> None:
    against(hand.press("New game"), "black").press("How Gunbai plays", "Two troops", "The initiative", "Back")
    assert setup(hand).head_start == "initiative"
    hand.press("How Gunbai plays", "Two troops", "Back", "Quick start")
    table = solo(hand)
    hand.intent(Intent("undo"))
    assert (len(table.match.steps), table.banner) == (1, "Nothing to undo.")
    table.match.offer(Pass())
    table.refresh()
    hand.intent(Intent("undo"))
    assert len(table.match.steps) == 1


def test_the_initiative_is_given_and_taken_back(hand: Hand) -> None:
    against(hand.press("New game"), "red").press("How Gunbai plays", "The initiative", "Back", "Next")
    assert setup(hand).initiative == "black"
    assert hand.button(NAME).note == "Red", "the marker is flipped for the app as for anybody"
    hand.press("Back", "How Gunbai plays", "None", "Back", "Next")
    assert setup(hand).initiative == ""
    hand.press("Back", "How Gunbai plays", "The initiative", "Back", "Quick start")
    table = solo(hand)
    assert table.match.position.initiative_name == "black"
    assert RematchSetUp(table, swap=True).initiative == "red"


def test_what_a_head_start_is_worth_is_told_where_enough_games_were_played(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = {"none": Worth(10, 50), "troops": Worth(18, 50), "initiative": Worth(1, 4)}
    monkeypatch.setattr("companion.scenes.setup.setup.head_start_results", lambda weaker, stronger: counted)
    against(hand.press("New game"), "red").press("How Gunbai plays")
    assert "games of" not in hand.text()
    hand.press("Two troops")
    assert "In games of Gentle against Even: 36 % won with it, 20 % without (50 each)." in hand.text()
    hand.press("The initiative")
    assert "games of" not in hand.text()


@pytest.mark.parametrize("swap", [False, True])
def test_a_rematch_is_against_the_app_too(hand: Hand, swap: bool) -> None:
    against(hand.press("New game"), "black").press("Strong", "Quick start")
    table = solo(hand)
    again = RematchSetUp(table, swap)
    assert (again.app_side, again.level) == ("red" if swap else "black", "strong")
    match = again.start()
    assert match.opponent is not None
    assert (match.opponent.side, match.opponent.level) == ("red" if swap else "black", "strong")
    assert match.players == {"red" if swap else "black": NAME}


def test_a_game_is_gone_on_with_against_the_app(hand: Hand) -> None:
    against(hand.press("New game"), "black").press("Quick start")
    table = solo(hand)
    match: Match = table.match
    match.offer(Pass())
    match.close()
    hand.app.scene = hand.app.home
    hand.press("Continue last game")
    assert solo(hand).opponent == table.opponent
