"""Home, and how a new game begins: by touches, without a screen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.app.app import App
from companion.games.chance import Thrown
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.typing import TypingScene
from companion.scenes.home.home import HomeMoreScene, HomeScene
from companion.scenes.home.saved import SavedScene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.settings.checkup import CheckScene
from companion.scenes.settings.settings import SettingsScene
from companion.scenes.setup.chance import ChanceScene
from companion.scenes.setup.layout import LayoutScene
from companion.scenes.setup.setup import SetupScene
from companion.scenes.table.board_table import BoardTable
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Deploy
from tests.companion.equip import equip
from tests.companion.touching import Hand, buttons, words

GO_ON = "Continue last game"


@pytest.fixture
def hand(hand: Hand) -> Hand:
    equip(hand.app.stage, chance=Thrown(1))
    return hand


def scene(hand: Hand) -> BoardTable:
    assert isinstance(hand.app.scene, BoardTable)
    return hand.app.scene


def labels(hand: Hand) -> list[str]:
    return [one.label for one in hand.all_buttons()]


def played(folder: Path, name: str, red: str, black: str) -> Path:
    """An earlier game of two people on the disk."""
    path = folder / "games" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    tokens = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}
    Match.start(path, "sengoku-rivers", "red", tokens, {"red": red, "black": black}).close()
    return path


# ---- home -----------------------------------------------------------------------------------------


def test_home_offers_no_game_to_go_on_with_where_there_is_none(hand: Hand) -> None:
    assert GO_ON not in labels(hand)
    assert hand.button("New game").look == "primary", "one thing stands out"
    assert [one.look for one in hand.all_buttons()].count("primary") == 1
    assert hand.screen.map is not None
    hand.app.touch(Intent("resume"))
    assert isinstance(hand.app.scene, HomeScene)


def test_the_last_game_goes_on_where_it_stopped(hand: Hand) -> None:
    scene(hand.start()).match.offer(Deploy("advance:c4", moves=(("d5", "troop", 2),)))
    position = hand.position
    scene(hand).match.close()
    again = Hand(App())
    assert "Black to move\nRed vs Black · round 1 · today" in again.text()
    assert again.button("New game").look == "plain"
    assert again.screen.map is not None
    assert {area.name: area.stacks for area in again.screen.map.areas}["c4"], "the map shows where it stands"
    again.press(GO_ON)
    assert again.position == position


def test_home_names_the_players(hand: Hand, tmp_path: Path) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    assert "Ana to move\nAna vs Takeshi · round 1" in hand.text()


KILLED = """
import os, signal
from companion.app.app import App
from engine.orders.steps import Deploy, Pass
from tests.companion.touching import Hand

hand = Hand(App()).start()
there, on = Deploy("advance:c4", moves=(("d5", "troop", 2),)), Deploy("advance:b5", moves=(("c4", "troop", 1),))
for step in (there, Pass(), on):
    assert hand.app.scene.match.offer(step).legal
hand.app.scene.refresh()
hand.dice(1)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.long
def test_after_a_power_cut_the_game_stands_at_its_last_confirmed_step(hand: Hand) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED], cwd=Path(__file__).parents[3], check=False)
    assert killed.returncode == -signal.SIGKILL
    hand.press(GO_ON)
    assert len(scene(hand).match.steps) == 3
    assert not hand.screen.banner
    assert "Black rolls 1 die for b5" in hand.text(), "the die was not confirmed: it is asked for again"
    assert hand.position.units_in("b5") == {"red": {"troop": 1}, "black": {"troop": 3}}


def test_a_game_that_is_cut_off_opens_with_a_sentence(hand: Hand) -> None:
    hand.start().press("Pass")
    path = scene(hand).match.path
    scene(hand).match.close()
    path.write_bytes(path.read_bytes() + b'{"deploy": "adv')
    again = Hand(App())
    again.press(GO_ON)
    assert "step 1" in again.screen.banner
    again.app.touch(Intent("hush"))
    assert not again.screen.banner


def test_a_file_that_is_no_game_is_passed_over_and_kept(hand: Hand, tmp_path: Path) -> None:
    hand.start().app.touch(Intent("menu"))
    hand.press("Home")
    torn = tmp_path / "games" / "torn.jsonl"
    torn.write_text('{"do": "ne')
    os.utime(torn, (2e9, 2e9))
    hand.press(GO_ON)
    assert scene(hand).match.path.name == "game.jsonl"
    assert torn.read_text() == '{"do": "ne'


def test_a_game_that_is_open_elsewhere_is_not_opened(hand: Hand) -> None:
    hand.start()
    again = Hand(App())
    again.press(GO_ON)
    assert isinstance(again.app.scene, HomeScene)
    assert "open in another" in again.screen.banner
    again.press("More")
    assert isinstance(again.app.scene, HomeMoreScene)
    assert isinstance(again.press("Back").app.scene, HomeScene)
    assert not again.screen.banner


def test_more_leads_to_the_readings_and_out(hand: Hand) -> None:
    hand.press("More", "Unclear rules")
    asked = [block for block in hand.screen.blocks if isinstance(block, scr.Slip)]
    assert "May you shoot at an area with no enemy units?" in [one.title for one in asked]
    assert all(one.text.startswith("You play: ") and one.cite for one in asked)
    hand.press("Back", "About Gunbai")
    assert "MIT" in hand.text()
    hand.press("Back", "Quit Gunbai")
    assert not hand.app.running


def test_home_leads_to_rules_settings_and_statistics(hand: Hand) -> None:
    for button, title in (("Rules", RulesScene), ("Settings", SettingsScene), ("Statistics", StatisticsScene)):
        hand.press(button)
        assert isinstance(hand.app.scene, title)
        hand.app.touch(Intent("back"))
        assert isinstance(hand.app.scene, HomeScene)


def test_only_what_the_machine_has_is_offered(hand: Hand) -> None:
    hand.press("More")
    assert not {"Health check", "Score a photo", "Set up the camera", "Watch a demo"} & set(labels(hand))
    for verb in ("check", "photo", "calibrate", "elsewhere"):
        hand.app.touch(Intent(verb))
        assert isinstance(hand.app.scene, HomeMoreScene)
    equip(hand.app.stage, doctor=lambda: ())
    hand.press("Health check")
    assert isinstance(hand.app.scene, CheckScene)


def test_home_tells_the_houses_own_rules(hand: Hand) -> None:
    hand.app.stage.change(readings={"empty-deck": "other"})
    hand.press("More", "Unclear rules")
    [switched] = [block for block in hand.screen.blocks if isinstance(block, scr.Slip) and block.chosen]
    assert switched.text.startswith("You play: There are no more cards to draw.")
    assert "Standard: " in switched.text
    hand.press("Back", "Back", "New game")
    assert hand.button("House rules").note == "1 changed"


# ---- who plays ------------------------------------------------------------------------------------


def test_a_new_game_can_be_left_at_every_page(hand: Hand) -> None:
    assert isinstance(hand.press("New game", "Back").app.scene, HomeScene)
    hand.press("New game", "Next", "Back")
    assert isinstance(hand.app.scene, SetupScene)


def test_players_who_know_each_other_begin_in_two_touches(hand: Hand, tmp_path: Path) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    hand.press("New game", "Quick start")
    assert scene(hand).match.players == {"red": "Ana", "black": "Takeshi"}
    request = json.loads(scene(hand).match.path.read_text().splitlines()[0])
    assert request["chance"] == {"initiative": "app", "bonuses": "app"}
    assert hand.position.initiative_name in ("red", "black")
    assert len(set(hand.position.bonuses) - {""}) == 3


def test_a_newcomer_is_led_to_the_first_turn_in_six_touches(hand: Hand, tmp_path: Path) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    hand.press("New game", "Next", "Flip for me", "Draw at random", "Next", "Skip to the game")
    assert scene(hand).match.steps == ()


def test_the_names_of_the_last_game_stand_there_and_sides_are_changed(hand: Hand, tmp_path: Path) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    hand.press("New game")
    assert hand.button("Ana").look == "chosen"
    hand.press("Swap sides", "Quick start")
    assert scene(hand).match.players == {"red": "Takeshi", "black": "Ana"}


def test_a_name_is_chosen_by_one_touch_and_never_stands_on_both_sides(hand: Hand, tmp_path: Path) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    hand.press("New game")
    hand.intent(Intent("name", "red/Takeshi"))
    hand.press("Quick start")
    assert scene(hand).match.players == {"red": "Takeshi", "black": "Ana"}


def test_a_name_is_taken_away_by_a_second_touch(hand: Hand, tmp_path: Path) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    hand.press("New game").intent(Intent("name", "red/Ana")).press("Quick start")
    assert scene(hand).match.players == {"black": "Takeshi"}


def test_a_new_name_is_typed_once_and_remembered(hand: Hand) -> None:
    hand.press("New game").intent(Intent("type-name", "black"))
    assert isinstance(hand.app.scene, TypingScene)
    for letter in "Zoé":
        hand.app.touch(Intent("type", letter))
    hand.press("Done", "Quick start")
    assert scene(hand).match.players == {"black": "Zoé"}
    scene(hand).match.close()
    again = Hand(App()).press("New game")
    assert again.button("Zoé").intent == Intent("name", "red/Zoé")


def test_everybody_who_has_played_here_can_be_chosen(hand: Hand, tmp_path: Path) -> None:
    for n, name in enumerate(("Bia", "Caio", "Duda", "Edu")):
        played(tmp_path, f"evening-{n}", "Ana", name)
    hand.press("New game").intent(Intent("type-name", "black"))
    assert [one.label for one in hand.all_buttons()][:5] == ["Ana", "Bia", "Caio", "Duda", "Edu"]
    hand.press("Back").intent(Intent("type-name", "black")).press("Bia")
    assert isinstance(hand.app.scene, SetupScene)
    hand.intent(Intent("type-name", "red")).press("Type a name")
    assert isinstance(hand.app.scene, TypingScene)
    hand.press("Cancel", "Back", "Quick start")
    assert scene(hand).match.players == {"red": "Ana", "black": "Bia"}


def test_seats_are_changed_by_turning_the_screen(hand: Hand) -> None:
    hand.press("New game")
    assert "Swap seats: rotate the screen" not in labels(hand)
    hand.app.stage.change(layout="two")
    hand.press("Swap seats: rotate the screen")
    assert hand.app.stage.settings.rotation_degrees == 180


def test_another_board_is_chosen_and_the_next_game_starts_from_it(hand: Hand) -> None:
    hand.press("New game")
    assert hand.button("Sengoku Jidai: Rivers").intent == Intent("boards")
    hand.press("Sengoku Jidai: Rivers")
    assert hand.button("Sengoku Jidai: Fortress").note == "practice board"
    hand.press("Sengoku Jidai: Fortress")
    assert hand.screen.map is not None
    assert hand.screen.map.board.name == "sengoku-fortress", "it is shown"
    hand.app.touch(Intent("board", "no-such"))
    hand.press("Done")
    assert hand.button("Sengoku Jidai: Fortress").note == "practice board"
    hand.press("Quick start")
    assert hand.position.board.name == "sengoku-fortress"
    assert hand.app.stage.board.name == "sengoku-fortress", "remembered"
    assert hand.app.stage.settings.board == "sengoku-fortress"


def test_a_board_that_is_gone_is_replaced_by_the_first(hand: Hand) -> None:
    hand.app.stage.change(board="wwii-alpine-gone")
    hand.press("New game", "Quick start")
    assert hand.position.board.name == "sengoku-rivers"


def test_house_rules_are_chosen_before_the_game_and_told_in_it(hand: Hand) -> None:
    hand.app.stage.change(readings={"empty-deck": "other"})
    hand.press("New game")
    assert hand.button("House rules").note == "1 changed"
    hand.press("House rules")
    pairs = [block for block in hand.screen.blocks if isinstance(block, scr.Options)]
    chosen = [pair for pair in pairs if pair.options[1].chosen]
    assert len(chosen) == 1
    for pair, answer in (("empty-target", "other"), ("empty-deck", "default"), ("place-fewer", "other")):
        hand.app.touch(Intent("answer", f"{pair}/{answer}"))
    hand.app.touch(Intent("answer", "place-fewer/default"))
    hand.app.touch(Intent("page", "", 1))
    assert hand.screen.page == 1
    hand.press("Done", "Quick start")
    assert hand.position.readings == {"empty-target"}
    assert '"readings": {"empty-target": "other"}' in scene(hand).match.path.read_text()


# ---- marker and tokens ----------------------------------------------------------------------------


def test_a_game_starts_only_when_everything_is_reported(hand: Hand) -> None:
    hand.press("New game", "Next")
    assert hand.button("Next").look == "off"
    assert "Still to choose: initiative, Sun, Moon, Star" in hand.text()
    hand.press("Black", "Next")
    assert isinstance(hand.app.scene, ChanceScene)
    assert hand.screen.banner == "Still to choose: Sun, Moon, Star"
    hand.press("Hidden Base", "Barracks")
    assert "Token on the Star slot, in c5" in hand.text(), "the next slot is marked by itself"
    hand.press("War Room", "Next", "Skip to the game")
    assert hand.position.initiative_name == "black"
    assert hand.position.bonuses == ("hidden_base", "barracks", "war_room")
    request = json.loads(scene(hand).match.path.read_text().splitlines()[0])
    assert request["chance"] == {"initiative": "table", "bonuses": "table"}


def test_a_token_lies_on_one_slot_only(hand: Hand) -> None:
    hand.press("New game", "Next", "Red", "Barracks")
    elsewhere = hand.button("Barracks")
    assert (elsewhere.look, elsewhere.note) == ("plain", "Sun · d1"), "it lies somewhere, and isn't dead"
    hand.press("Barracks")
    assert "Still to choose: Sun, Star" in hand.text(), "it was moved"


def test_a_slot_is_chosen_on_the_map(hand: Hand) -> None:
    hand.press("New game", "Next").area("c5").press("Barracks").area("a1")
    assert hand.screen.map is not None
    lie = {area.name: area.bonus for area in hand.screen.map.areas if area.bonus}
    assert lie == {"c5": "barracks"}
    assert {area.name for area in hand.screen.map.areas if area.mark == "chosen"} == {"d1"}


def test_the_app_flips_once_and_draws_only_what_is_missing(hand: Hand) -> None:
    hand.press("New game", "Next", "Flip for me", "Barracks", "Draw at random")
    setup = hand.app.scene.setup  # type: ignore[attr-defined]
    assert "The app flipped the marker" in hand.text()
    assert hand.button("Flip for me").look == hand.button("Draw at random").look == "off"
    before = (setup.initiative, dict(setup.tokens))
    hand.press("Flip for me", "Draw at random")
    assert (setup.initiative, setup.tokens) == before
    assert setup.tokens["sun"] == "barracks"
    assert len(set(setup.tokens.values())) == 3


def test_every_flip_and_draw_of_the_app_is_possible() -> None:
    tokens = ("barracks", "war_room", "pirate_haven", "shipyard", "hidden_base")
    flips = {Thrown(seed).one(("red", "black")) for seed in range(40)}
    draws = {Thrown(seed).some(tokens, 3) for seed in range(600)}
    assert flips == {"red", "black"}
    assert len(draws) == 60, "every row of three of five"
    assert Thrown().one(("red", "black")) in flips


def test_a_new_game_that_cannot_be_saved_begins_in_memory_and_says_so(hand: Hand, tmp_path: Path) -> None:
    hand.press("New game")
    if (tmp_path / "games").exists():
        (tmp_path / "games").rmdir()
    (tmp_path / "games").write_text("a file where the folder belongs")
    hand.press("Quick start")
    assert isinstance(hand.app.scene, BoardTable)
    match = hand.app.scene.match
    hand.app.tick(0.0)
    told = "Not saved: the games folder is missing. You can keep playing; nothing is being saved."
    assert hand.screen.banner == told
    hand.press("Pass")
    assert hand.screen.status is not None
    assert hand.screen.status.unsaved == "1 step"
    (tmp_path / "games").unlink()
    hand.app.tick(6.0)
    assert hand.screen.banner == "Everything is saved again."
    assert read_journal(match.path).steps == match.steps
    assert len(match.steps) == 1


def test_a_game_that_began_in_memory_leaves_nothing_behind_when_it_is_called_off(hand: Hand, tmp_path: Path) -> None:
    hand.press("New game", "Next", "Red", "Barracks", "War Room", "Shipyard")
    if (tmp_path / "games").exists():
        (tmp_path / "games").rmdir()
    (tmp_path / "games").write_text("a file where the folder belongs")
    hand.press("Next")
    assert isinstance(hand.app.scene, LayoutScene)
    hand.press("Back")
    assert isinstance(hand.app.scene, ChanceScene)
    assert not hand.app.fault


# ---- the board is laid ----------------------------------------------------------------------------


@pytest.fixture
def laying(hand: Hand) -> Hand:
    hand.press("New game", "Next", "Red", "Barracks", "War Room", "Shipyard", "Next")
    assert isinstance(hand.app.scene, LayoutScene)
    return hand


def marked(hand: Hand, mark: str) -> set[str]:
    assert hand.screen.map is not None
    return {area.name for area in hand.screen.map.areas if area.mark == mark}


def test_the_map_shows_where_every_piece_goes(laying: Hand) -> None:
    assert marked(laying, "live") == {"d3", "d5", "e1", "e3", "e4"}
    assert laying.button("e4").note == "3 ships"
    laying.press("Done")
    assert marked(laying, "live") == {"a1", "a3", "a4", "b3", "b5"}
    laying.press("Done")
    assert laying.button("Moon · b1").note == "War Room"
    laying.press("Done")
    assert laying.button("Cards").note == "shuffle 24, face down"
    assert laying.button("Round marker").note == "on 1, Red side up"
    laying.press("Start playing")
    assert scene(laying).match.steps == ()


def test_a_thing_is_ticked_on_the_map_or_in_the_list_and_unticked(laying: Hand) -> None:
    laying.area("e4").press("d3")
    assert marked(laying, "chosen") == {"e4", "d3"}
    laying.area("d3").area("a1")
    assert marked(laying, "chosen") == {"e4"}, "Black's units come later"


def test_each_player_lays_their_own_side(laying: Hand) -> None:
    layout = laying.app.scene
    assert isinstance(layout, LayoutScene)
    laying.app.stage.change(layout="two")
    mine = {seat: [one.label for one in buttons(layout.show_to(seat).blocks)] for seat in ("red", "black")}
    assert mine == {"red": ["d3", "d5", "e1", "e3", "e4"], "black": ["a1", "a3", "a4", "b3", "b5"]}
    laying.app.touch(Intent("area", "a1", seat="black"))
    laying.app.touch(Intent("area", "a3", seat="red"))
    assert layout.ticked == {"a1", "a3"}, "the map is shared: whoever touches it"
    picture = layout.show_to("red").map
    assert picture is not None
    assert {area.name for area in picture.areas if area.mark == "chosen"} == {"a1", "a3"}
    assert sum(area.mark == "live" for area in picture.areas) == 8
    for _group in range(3):
        laying.app.touch(Intent("all", seat="red"))
    assert "still setting up" in words(layout.show_to("red").blocks)
    laying.app.touch(Intent("back", seat="red"))
    assert "Beside the board" in words(layout.show_to("red").blocks)
    laying.app.touch(Intent("all", seat="red"))
    for _group in range(3):
        assert isinstance(laying.app.scene, LayoutScene)
        laying.app.touch(Intent("all", seat="black"))
    assert scene(laying).match.steps == (), "both have said so"


def test_going_back_leaves_no_game_behind(laying: Hand, tmp_path: Path) -> None:
    laying.press("Done", "Back")
    assert isinstance(laying.app.scene, LayoutScene)
    laying.press("Back")
    assert isinstance(laying.app.scene, ChanceScene)
    assert list((tmp_path / "games").glob("*.jsonl")) == []
    laying.press("Next", "Skip to the game")
    assert scene(laying).match.path.name == "game.jsonl"


def test_saved_games_can_be_left_and_lead_to_a_new_game(hand: Hand) -> None:
    hand.press("Saved games")
    assert isinstance(hand.app.scene, SavedScene)
    assert "No games yet" in hand.text()
    hand.press("New game")
    assert isinstance(hand.app.scene, SetupScene)
