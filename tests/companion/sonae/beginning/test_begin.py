"""A battle begins: which one, who plays, and how its ground is laid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.errors import MatchError
from companion.scenes.base.new_game import HouseRulesScene
from companion.scenes.base.typing import TypingScene
from companion.scenes.sonae.setup import LayingScene, known_words
from companion.scenes.sonae.table import BattleTable
from companion.ui.screen import Checklist, Intent, Slip
from companion.view.page.canvas import lay_out
from engine.sonae.scenario import load_scenario
from tests.companion.equip import equip
from tests.companion.sonae.battle import Seen, field, position_at, setting_up, table_at
from tests.companion.touching import Hand


def test_begun_at_once(hand: Hand) -> None:
    setting_up(hand)
    hand.press("Quick start")
    table = table_at(hand)
    assert table.position.scenario.name == "maru-shikaku"
    assert table.match.players == {}


def test_where_a_camera_may_measure_the_bases_are_described(hand: Hand) -> None:
    scene = setting_up(hand)
    assert "Miniature bases" not in {button.label for button in hand.all_buttons()}
    hand.app.touch(Intent("bases"))
    assert hand.app.scene is scene
    equip(hand.app.stage, field_eye=Seen())
    hand.app.touch(Intent("bases"))
    hand.press("At the rear edge", "0.1", "Back")
    assert hand.app.scene is scene
    assert (hand.app.stage.settings.base_marking, hand.app.stage.settings.base_height) == ("rear", 0.1)
    notes = {button.label: button.note for button in hand.all_buttons()}
    assert notes["Miniature bases"] == "At the rear edge · height 0.1"


def test_names_are_typed_and_chosen(hand: Hand) -> None:
    scene = setting_up(hand)
    hand.app.touch(Intent("type-name", "maru"))
    assert isinstance(hand.app.scene, TypingScene)
    for letter in "Ana":
        hand.app.touch(Intent("type", letter))
    hand.press("Done")
    assert scene.setup.players == {"maru": "Ana"}
    hand.app.touch(Intent("name", "shikaku/Ana"))
    assert scene.setup.players == {"shikaku": "Ana"}
    hand.app.touch(Intent("name", "shikaku/Ana"))
    assert scene.setup.players == {}
    hand.app.touch(Intent("name", "maru/Ana"))
    hand.press("Quick start")
    assert table_at(hand).match.players == {"maru": "Ana"}
    assert table_at(hand).people.name("red") == "Ana"


def test_another_battle_and_other_readings(hand: Hand) -> None:
    scene = setting_up(hand)
    hand.app.touch(Intent("scenarios"))
    slips = [block for block in hand.screen.blocks if isinstance(block, Slip)]
    assert "24 × 18 Movements" in slips[0].text
    hand.app.touch(slips[0].intent or Intent(""))
    hand.app.touch(Intent("page", "", 0))
    hand.press("Back", "House rules")
    assert isinstance(hand.app.scene, HouseRulesScene)
    hand.app.touch(Intent("answer", "opportunity-fire/other"))
    hand.press("Back")
    assert scene.setup.switched == {"opportunity-fire"}
    hand.press("Quick start")
    assert position_at(hand).readings == {"opportunity-fire"}


def test_other_games_are_one_touch_away(hand: Hand) -> None:
    setting_up(hand)
    hand.app.touch(Intent("games"))
    assert "Which game?" in hand.screen.title
    setting_up(hand)
    hand.app.touch(Intent("nothing"))
    hand.press("Back")
    assert hand.app.scene is hand.app.home


def test_a_battle_that_cannot_begin_says_so(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = setting_up(hand)

    def refuse(_request: object) -> None:
        raise MatchError("full")

    monkeypatch.setattr(hand.app.stage.services.games, "start", refuse)
    hand.press("Quick start")
    assert scene.show().banner


def test_a_scenario_says_where_it_comes_from() -> None:
    scenario = load_scenario("maru-shikaku")
    assert {known_words(replace(scenario, known=known)) for known in ("printed", "owner", "practice")} == {
        "as printed",
        "your own battle",
        "practice battle",
    }


def test_the_field_is_laid_group_by_group(hand: Hand) -> None:
    setting_up(hand)
    hand.press("Next")
    assert "24 × 18 Movements" in hand.text()
    hand.app.touch(Intent("did"))
    unit = hand.button("Shock Sonae 1")
    assert unit.note == "shock, facing the far side · marker 10"
    hand.press("Shock Sonae 1")
    assert hand.button("Shock Sonae 1").look == "chosen"
    assert field(hand).focus == (8.2, 3.6)
    assert "centre 8.2 Movements from the left edge and 3.6 from the near edge" in hand.text()
    hand.press("Shock Sonae 1")
    hand.app.touch(Intent("page", "", 1))
    hand.press("Back")
    assert "Maru hill" in hand.text()
    for _group in range(6):
        hand.press("Next")
    hand.press("Start the battle")
    assert isinstance(hand.app.scene, BattleTable)


def test_laying_is_skipped_or_given_up(hand: Hand) -> None:
    scene = setting_up(hand)
    hand.press("Next", "Skip to battle")
    path = table_at(hand).match.path
    assert path.exists()
    table_at(hand).match.close()
    hand.app.scene = scene
    hand.press("Next")
    assert isinstance(hand.app.scene, LayingScene)
    again = hand.app.scene.table.match.path
    hand.press("Back")
    assert hand.app.scene is scene
    assert not again.exists()


def test_one_goes_back_to_terrain_that_is_all_laid(hand: Hand) -> None:
    setting_up(hand)
    hand.press("Next", "Next", "Back")
    assert isinstance(hand.app.scene, LayingScene)
    lists = [block for block in hand.screen.blocks if isinstance(block, Checklist)]
    assert [line.done for line in lists[0].lines] == [True] * len(lists[0].lines)
    words = " ".join(label.text for label in lay_out(hand.screen, (800, 480)).sheet.labels)
    assert "Set up the terrain as shown" in words
