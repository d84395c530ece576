"""A battle begins: which one, who plays, and how its ground is laid, under a camera as well."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from companion.core.errors import MatchError
from companion.demo.field_eye import SimulatedFieldEye
from companion.scenes.base.new_game import HouseRulesScene
from companion.scenes.base.typing import TypingScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.questions import MeasureScene, RulerScene
from companion.scenes.sonae.setup import LayingScene, origin_words
from companion.scenes.sonae.table import BattleTable
from companion.ui.screen import Checklist, Intent, Photo, Slip
from companion.view.page.canvas import lay_out
from engine.sonae.field import Place
from engine.sonae.steps import Advance
from tests.companion.equip import equip
from tests.companion.sonae.battle import SHOCK, TEPPO, Seen, acting, field, position_at, setting_up, table_at
from tests.companion.touching import Hand
from tests.patience import PATIENCE_S
from vision.bases.bases import MisplacedCorner


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
    hand.write("Ana")
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
    origins = [
        origin_words(replace(scene.setup.chosen_scenario, known=known)) for known in ("printed", "owner", "practice")
    ]
    assert origins == ["as printed", "your own battle", "practice battle"]
    battle = hand.blocks(Slip)[0]
    assert "24 × 18 Movements" in battle.text
    hand.app.touch(battle.intent or Intent(""))
    hand.app.touch(Intent("page", "", 0))
    hand.press("Back", "House rules")
    assert isinstance(hand.app.scene, HouseRulesScene)
    hand.app.touch(Intent("answer", "opportunity-fire/other"))
    hand.press("Back")
    assert scene.setup.switched == {"opportunity-fire"}
    hand.press("Quick start")
    assert position_at(hand).readings == {"opportunity-fire"}
    assert (position_at(hand).scenario.name, table_at(hand).match.players) == ("maru-shikaku", {})


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
    lists = hand.blocks(Checklist)
    assert [line.done for line in lists[0].lines] == [True] * len(lists[0].lines)
    words = " ".join(label.text for label in lay_out(hand.screen, (800, 480)).sheet.labels)
    assert "Set up the terrain as shown" in words


def measuring(hand: Hand, eye: Seen) -> MeasureScene:
    equip(hand.app.stage, field_eye=eye)
    hand.press("Ask", "Ruler", "Measure")
    scene = hand.app.scene
    assert isinstance(scene, MeasureScene)
    looked(hand, scene)
    return scene


def looked(hand: Hand, scene: MeasureScene) -> None:
    """Wait until the look is done; the clock goes on as it does in the app."""
    scene._errand.wait()
    hand.app.tick(time.monotonic())


@pytest.mark.parametrize(("unit", "far", "orders"), [(SHOCK, 1.5, 1), ("maru-ichi-melee", 3.0, 2)])
def test_moves_that_were_seen_are_taken_by_one_touch(hand: Hand, unit: str, far: float, orders: int) -> None:
    table = acting(hand)
    start, before = table.position.here(unit).place, len(table.match.steps)
    eye = Seen()
    eye.places[unit] = replace(start, y=start.y + far)
    measuring(hand, eye)
    (slip,) = hand.blocks(Slip)
    assert (slip.mark, slip.title.count("1.5 Movements")) == ("yes", orders)
    hand.app.touch(slip.intent or Intent(""))
    assert [type(step) for step in table.match.steps[before:]] == [Advance] * orders
    assert table.position.here(unit).place.y == pytest.approx(start.y + far)


def test_the_table_leads_to_the_camera_or_without_one_to_the_ruler(hand: Hand) -> None:
    table = acting(hand)
    hand.press("Ruler")
    assert isinstance(hand.app.scene, RulerScene)
    hand.press("Back")
    hand.app.touch(Intent("measure"))
    assert table_at(hand) is table
    equip(hand.app.stage, field_eye=Seen(fault="none"))
    table.refresh()
    hand.press("Measure")
    assert isinstance(hand.app.scene, MeasureScene)


def test_an_illegal_move_is_named_with_its_section(hand: Hand) -> None:
    acting(hand)
    measuring(hand, Seen(maru_ichi_shock_1=Place(8.2, 9.6, 0.0)))
    (slip,) = hand.blocks(Slip)
    assert (slip.mark, slip.cite) == ("no", "Movement")
    hand.app.touch(Intent("take", "", 9))
    hand.app.touch(slip.intent or Intent(""))
    assert isinstance(hand.app.scene, RulingScene)


def test_what_was_not_seen_is_said(hand: Hand) -> None:
    acting(hand)
    eye = Seen()
    eye.more = {"unseen": (TEPPO,), "doubtful": (SHOCK,), "left": ("maru-ni-melee",), "strangers": (77,)}
    eye.more |= {"twice": (9,), "missing": (246,), "misplaced": {248: MisplacedCorner(0.4)}}
    measuring(hand, eye)
    told = hand.text()
    assert "Can't see: Shikaku-ichi Teppo Sonae 1." in told
    assert "Not sure of Maru-ichi Shock Sonae 1" in told
    assert "but still on the table" in told
    assert "Unknown markers: 77." in told
    assert "Markers seen twice, so ignored: 9." in told
    assert "Can't see corner markers: far left." in told
    assert "The “near right” marker is 0.4 Movements off its place." in told


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (MisplacedCorner(0.44), "The “near right” marker is 0.4 Movements off its place."),
        (MisplacedCorner(0.1, 89.6), "The “near right” marker is turned 90°."),
        (MisplacedCorner(21.0, 0.0, 249), "The “near right” marker is in the wrong corner: near left."),
    ],
)
def test_a_corner_that_lies_wrong_is_named_though_the_bases_stand_as_recorded(
    hand: Hand, how: MisplacedCorner, told: str
) -> None:
    acting(hand)
    eye = Seen(maru_ichi_shock_1=position_at(hand).here(SHOCK).place)
    eye.more = {"misplaced": {248: how}}
    measuring(hand, eye)
    assert "1 base is where the game has it." in hand.text()
    assert f"{told} Measured without it; fix it and look again." in hand.text()


def test_a_table_as_recorded_and_a_look_again(hand: Hand) -> None:
    acting(hand)
    scene = measuring(hand, Seen(maru_ichi_shock_1=position_at(hand).here(SHOCK).place))
    assert "1 base is where the game has it." in hand.text()
    hand.press("The picture")
    assert any(isinstance(block, Photo) for block in hand.screen.blocks)
    hand.press("The field", "Look again")
    looked(hand, scene)
    assert scene.tick(0.0) is None
    hand.app.touch(Intent("page", "", 1))
    hand.press("Back", "Back")


@pytest.mark.parametrize("fault", ["none", "no corner is seen"])
def test_nothing_measured_says_why(hand: Hand, fault: str) -> None:
    acting(hand)
    measuring(hand, Seen(fault=fault))
    assert "Couldn't measure" in hand.text()


def test_before_the_look_is_done_nothing_is_said(hand: Hand) -> None:
    table = acting(hand)
    scene = MeasureScene(table, Seen(fault="none"), table)
    scene._errand.forget()
    may_end = threading.Event()

    def look() -> None:
        may_end.wait(PATIENCE_S)

    scene._errand.begin(look)
    assert "Looking" in str(scene.show().blocks)
    assert scene.tick(0.0) is None
    may_end.set()
    scene._errand.wait()


def measured_while_laid(hand: Hand) -> MeasureScene:
    """Measure from the page on which the first division is laid."""
    setting_up(hand)
    hand.press("Next", "Next", "Measure")
    scene = hand.app.scene
    assert isinstance(scene, MeasureScene)
    looked(hand, scene)
    return scene


def test_while_the_field_is_laid_a_base_elsewhere_is_to_be_put_right(hand: Hand) -> None:
    equip(hand.app.stage, field_eye=Seen(maru_ichi_shock_1=Place(8.2, 5.6, 90.0)))
    scene = measured_while_laid(hand)
    (slip,) = hand.blocks(Slip)
    assert slip.title == "Maru-ichi Shock Sonae 1 is 2.0 Movements off its place and turned 90°."
    assert slip.intent is None
    hand.app.touch(Intent("take", "", 0))
    assert hand.app.scene is scene
    hand.press("Back")
    assert isinstance(hand.app.scene, LayingScene)


@pytest.mark.long
def test_a_simulated_table_is_measured_while_it_is_laid(hand: Hand) -> None:
    equip(hand.app.stage, field_eye=SimulatedFieldEye(3))
    scene = measured_while_laid(hand)
    assert scene.seen is not None
    assert not scene.seen.moved
