"""A new game: who plays from where, marker, tokens and board, and the pieces laid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.app.app import App
from companion.games.chance import Thrown
from companion.games.journal import read_journal
from companion.scenes.base.typing import TypingScene
from companion.scenes.home.home import HomeScene
from companion.scenes.setup.layout import ChanceScene, LayoutScene
from companion.scenes.setup.setup import SetupScene
from companion.scenes.setup.state import SetUp
from companion.scenes.table.board_table import BoardTable
from companion.ui import screen as scr
from companion.ui.screen import Columns, Intent, Prompt
from tests.companion.scenes.home.conftest import labels, played, scene
from tests.companion.touching import Hand, buttons, words


def test_players_who_know_each_other_begin_in_two_touches(hand: Hand, tmp_path: Path) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    hand.press("New game", "Quick start")
    assert scene(hand).match.players == {"red": "Ana", "black": "Takeshi"}
    request = json.loads(scene(hand).match.path.read_text().splitlines()[0])
    assert request["chance"] == {"initiative": "app", "bonuses": "app"}
    assert hand.position.initiative_name in ("red", "black")
    assert len(set(hand.position.bonuses) - {""}) == 3


def test_a_newcomer_is_led_to_the_first_turn_in_six_touches_and_may_leave_at_every_page(hand: Hand) -> None:
    hand.press("Saved games")
    assert "No games yet" in hand.text()
    assert isinstance(hand.press("New game").app.scene, SetupScene)
    assert isinstance(hand.press("Back", "New game", "Back").app.scene, HomeScene)
    assert isinstance(hand.press("New game", "Next", "Back").app.scene, SetupScene)
    hand.press("Back", "New game", "Next", "Flip for me", "Draw at random", "Next", "Skip to the game")
    assert scene(hand).match.steps == ()


@pytest.mark.parametrize(
    ("touch", "players"),
    [
        ("swap", {"red": "Takeshi", "black": "Ana"}),
        ("name red/Takeshi", {"red": "Takeshi", "black": "Ana"}),  # which never stands on both sides
        ("name red/Ana", {"black": "Takeshi"}),  # a second touch takes it away
    ],
)
def test_the_names_of_the_last_game_stand_there_and_are_changed_by_one_touch(
    hand: Hand, tmp_path: Path, touch: str, players: dict[str, str]
) -> None:
    played(tmp_path, "evening", "Ana", "Takeshi")
    assert hand.press("New game").button("Ana").look == "chosen"
    verb, _space, what = touch.partition(" ")
    assert Intent(verb, what) in [button.intent for button in hand.all_buttons()]
    hand.intent(Intent(verb, what)).press("Quick start")
    assert scene(hand).match.players == players


def test_a_new_name_is_typed_once_and_remembered(hand: Hand) -> None:
    hand.press("New game").intent(Intent("type-name", "black"))
    assert isinstance(hand.app.scene, TypingScene)
    hand.write("Zoé")
    hand.press("Done", "Quick start")
    assert scene(hand).match.players == {"black": "Zoé"}
    scene(hand).match.close()
    again = Hand(App()).press("New game")
    assert again.button("Zoé").intent == Intent("name", "red/Zoé")


def test_everybody_who_has_played_here_can_be_chosen(hand: Hand, tmp_path: Path) -> None:
    for n, name in enumerate(("Bia", "Caio", "Duda", "Edu")):
        played(tmp_path, f"evening-{n}", "Ana", name)
    hand.press("New game").intent(Intent("type-name", "black"))
    assert [button.label for button in hand.all_buttons()][:5] == ["Ana", "Bia", "Caio", "Duda", "Edu"]
    hand.press("Back").intent(Intent("type-name", "black")).press("Bia")
    assert isinstance(hand.app.scene, SetupScene)
    hand.intent(Intent("type-name", "red")).press("Type a name")
    assert isinstance(hand.app.scene, TypingScene)
    hand.press("Cancel", "Back", "Quick start")
    assert scene(hand).match.players == {"red": "Ana", "black": "Bia"}


def test_another_board_is_chosen_and_the_next_game_starts_from_it(hand: Hand) -> None:
    hand.app.stage.change(board="wwii-alpine-gone")
    hand.press("New game")
    assert hand.button("Sengoku Jidai: Rivers").intent == Intent("boards"), "one that is gone gives way to the first"
    hand.press("Sengoku Jidai: Rivers")
    assert hand.button("Sengoku Jidai: Fortress").note == "practice board"
    hand.press("Sengoku Jidai: Fortress")
    assert hand.picture.board.name == "sengoku-fortress", "it is shown"
    hand.app.touch(Intent("board", "no-such"))
    hand.press("Back")
    assert hand.button("Sengoku Jidai: Fortress").note == "practice board"
    hand.press("Quick start")
    assert hand.position.board.name == "sengoku-fortress"
    assert hand.app.stage.board.name == "sengoku-fortress", "remembered"
    assert hand.app.stage.settings.board == "sengoku-fortress"


def test_house_rules_are_chosen_before_the_game_and_told_in_it(hand: Hand) -> None:
    hand.app.stage.change(readings={"empty-deck": "other"})
    hand.press("New game")
    assert hand.button("House rules").note == "1 changed"
    hand.press("House rules")
    pairs = hand.blocks(scr.Options)
    chosen = [pair for pair in pairs if pair.options[1].chosen]
    assert len(chosen) == 1
    for pair, answer in (("empty-target", "other"), ("empty-deck", "default"), ("place-fewer", "other")):
        hand.app.touch(Intent("answer", f"{pair}/{answer}"))
    hand.app.touch(Intent("answer", "place-fewer/default"))
    hand.app.touch(Intent("page", "", 1))
    assert hand.screen.page == 1
    hand.press("Back", "Quick start")
    assert hand.position.readings == {"empty-target"}
    assert '"readings": {"empty-target": "other"}' in scene(hand).match.path.read_text()


def test_each_seat_says_who_plays_which_side_and_is_changed_by_turning_the_screen(hand: Hand) -> None:
    hand.press("New game")
    assert seats(hand) == [("red", "Red", "a person plays"), ("black", "Black", "a person plays")]
    hand.app.touch(Intent("against", "black"))
    assert seats(hand)[1] == ("black", "Gunbai", "Black · Even")
    assert "Swap seats: rotate the screen" not in labels(hand)
    hand.app.stage.change(layout="two")
    hand.press("Swap seats: rotate the screen")
    assert hand.app.stage.settings.rotation_degrees == 180


def seats(hand: Hand) -> list[tuple[str, str, str]]:
    """Each seat's side, who sits there, and what is said below."""
    columns = hand.blocks(Columns)[0]
    heads = (block for side in (columns.left, columns.right) for block in side if isinstance(block, Prompt))
    return [(head.faction, head.text, head.hint) for head in heads]


def test_a_game_starts_only_when_everything_is_reported(hand: Hand) -> None:
    hand.press("New game", "Next")
    assert hand.button("Next").look == "off"
    assert "Still to choose: initiative, Sun, Moon, Star" in hand.text()
    hand.press("Black", "Next")
    assert isinstance(hand.app.scene, ChanceScene)
    assert hand.screen.banner == "Still to choose: Sun, Moon, Star"
    hand.press("Hidden Base", "Barracks")
    assert "Token for c5 (Star)" in hand.text(), "the next slot is marked by itself"
    hand.press("War Room", "Next", "Skip to the game")
    assert hand.position.initiative_name == "black"
    assert hand.position.bonuses == ("hidden_base", "barracks", "war_room")
    request = json.loads(scene(hand).match.path.read_text().splitlines()[0])
    assert request["chance"] == {"initiative": "table", "bonuses": "table"}


def test_a_token_lies_on_one_slot_only_which_is_chosen_on_the_map(hand: Hand) -> None:
    hand.press("New game", "Next", "Red", "Barracks")
    elsewhere = hand.button("Barracks")
    assert (elsewhere.look, elsewhere.note) == ("plain", "Sun · d1"), "it lies somewhere, and isn't dead"
    hand.press("Barracks")
    assert "Still to choose: Sun, Star" in hand.text(), "it was moved"
    hand.area("c5").press("Barracks").area("a1")
    lie = {area.name: area.bonus for area in hand.picture.areas if area.bonus}
    assert lie == {"c5": "barracks"}
    assert marked(hand, "chosen") == {"d1"}


def test_the_app_flips_once_and_draws_only_what_is_missing(hand: Hand) -> None:
    hand.press("New game", "Next", "Flip for me", "Barracks", "Draw at random")
    setup = hand.app.scene.setup  # type: ignore[attr-defined]
    assert "Gunbai flipped the marker" in hand.text()
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


def no_games_folder(data: Path) -> None:
    if (data / "games").exists():
        (data / "games").rmdir()
    (data / "games").write_text("a file where the folder belongs")


def test_a_new_game_that_cannot_be_saved_begins_in_memory_and_says_so(hand: Hand, tmp_path: Path) -> None:
    hand.press("New game")
    no_games_folder(tmp_path)
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
    no_games_folder(tmp_path)
    hand.press("Next")
    assert isinstance(hand.app.scene, LayoutScene)
    hand.press("Back")
    assert isinstance(hand.app.scene, ChanceScene)
    assert not hand.app.fault


def test_setting_up_is_drawn_again_only_where_the_camera_has_seen_the_board(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.press("New game")
    for kind in (SetupScene, ChanceScene):
        assert isinstance(setting_up := hand.app.scene, kind)
        for seen in (False, True):
            monkeypatch.setattr(SetUp, "look", lambda _setup, _now_s, seen=seen: seen)
            assert setting_up.tick(1.0) is (setting_up if seen else None)
        hand.press("Next")


@pytest.fixture
def laying(hand: Hand) -> Hand:
    hand.press("New game", "Next", "Red", "Barracks", "War Room", "Shipyard", "Next")
    assert isinstance(hand.app.scene, LayoutScene)
    return hand


def marked(hand: Hand, mark: str) -> set[str]:
    return {area.name for area in hand.picture.areas if area.mark == mark}


def test_the_map_shows_where_every_piece_goes_and_a_thing_is_ticked_there_or_in_the_list(laying: Hand) -> None:
    assert marked(laying, "live") == {"d3", "d5", "e1", "e3", "e4"}
    assert laying.button("e4").note == "3 ships"
    laying.area("e4").press("d3")
    assert marked(laying, "chosen") == {"e4", "d3"}
    laying.area("d3").area("a1")
    assert marked(laying, "chosen") == {"e4"}, "unticked, and Black's units come later"
    laying.press("Done")
    assert marked(laying, "live") == {"a1", "a3", "a4", "b3", "b5"}
    laying.press("Done")
    assert laying.button("Moon · b1").note == "War Room"
    laying.press("Done")
    assert laying.button("Cards").note == "shuffle 24, face down"
    assert laying.button("Round marker").note == "on 1, Red side up"
    laying.press("Start playing")
    assert scene(laying).match.steps == ()


def test_each_player_lays_their_own_side(laying: Hand) -> None:
    layout = laying.app.scene
    assert isinstance(layout, LayoutScene)
    laying.app.stage.change(layout="two")
    mine = {seat: [button.label for button in buttons(layout.show_to(seat).blocks)] for seat in ("red", "black")}
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
