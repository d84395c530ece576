"""Who plays, and from where they sit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.app.app import App
from companion.scenes.base.typing import TypingScene
from companion.scenes.home.home import HomeScene
from companion.scenes.setup.setup import SetupScene
from companion.ui import screen as scr
from companion.ui.screen import Columns, Intent, Prompt
from tests.companion.scenes.home.places import labels, played, scene
from tests.companion.touching import Hand


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
    assert [button.label for button in hand.all_buttons()][:5] == ["Ana", "Bia", "Caio", "Duda", "Edu"]
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
    hand.press("Back")
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
    hand.press("Back", "Quick start")
    assert hand.position.readings == {"empty-target"}
    assert '"readings": {"empty-target": "other"}' in scene(hand).match.path.read_text()


def test_each_seat_says_who_plays_which_side(hand: Hand) -> None:
    hand.press("New game")
    assert seats(hand) == [("red", "Red", "a person plays"), ("black", "Black", "a person plays")]
    hand.app.touch(Intent("against", "black"))
    assert seats(hand)[1] == ("black", "Gunbai", "Black · Even")


def seats(hand: Hand) -> list[tuple[str, str, str]]:
    """Each seat's side, who sits there, and what is said below."""
    columns = next(block for block in hand.screen.blocks if isinstance(block, Columns))
    heads = (block for side in (columns.left, columns.right) for block in side if isinstance(block, Prompt))
    return [(head.faction, head.text, head.hint) for head in heads]
