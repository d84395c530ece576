"""The camera looks whether the bases stand where they begin."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from companion.demo.field_eye import SimulatedFieldEye
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.measure import MeasureScene
from companion.scenes.sonae.questions import RulerScene
from companion.scenes.sonae.setup import LayingScene
from companion.ui.screen import Intent, Photo, Slip
from engine.sonae.field import Place
from engine.sonae.steps import Advance
from tests.companion.equip import equip
from tests.companion.sonae.battle import SHOCK, TEPPO, Seen, acting, position_at, setting_up, table_at
from tests.companion.touching import Hand
from tests.patience import PATIENCE_S
from vision.bases.bases import MisplacedCorner


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


def test_a_legal_move_that_was_seen_is_taken_by_one_touch(hand: Hand) -> None:
    acting(hand)
    measuring(hand, Seen(maru_ichi_shock_1=Place(8.2, 5.1, 0.0)))
    (slip,) = [block for block in hand.screen.blocks if isinstance(block, Slip)]
    assert slip.mark == "yes"
    assert slip.intent is not None
    hand.app.touch(slip.intent)
    assert table_at(hand).match.steps[-1] == Advance(SHOCK, 8.2, 5.1)


def test_two_orders_that_were_seen_are_taken_by_one_touch(hand: Hand) -> None:
    acting(hand)
    start = table_at(hand).position.here("maru-ichi-melee").place
    measuring(hand, Seen(maru_ichi_melee=replace(start, y=start.y + 3.0)))
    (slip,) = [block for block in hand.screen.blocks if isinstance(block, Slip)]
    assert (slip.mark, slip.title.count("1.5 Movements")) == ("yes", 2)
    hand.app.touch(slip.intent or Intent(""))
    assert [type(step) for step in table_at(hand).match.steps[-2:]] == [Advance, Advance]
    assert table_at(hand).position.here("maru-ichi-melee").place.y == pytest.approx(start.y + 3.0)


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
    (slip,) = [block for block in hand.screen.blocks if isinstance(block, Slip)]
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


def test_while_the_field_is_laid_a_base_elsewhere_is_to_be_put_right(hand: Hand) -> None:
    equip(hand.app.stage, field_eye=Seen(maru_ichi_shock_1=Place(8.2, 5.6, 90.0)))
    setting_up(hand)
    hand.press("Next", "Next", "Measure")
    scene = hand.app.scene
    assert isinstance(scene, MeasureScene)
    looked(hand, scene)
    (slip,) = [block for block in hand.screen.blocks if isinstance(block, Slip)]
    assert slip.title == "Maru-ichi Shock Sonae 1 is 2.0 Movements off its place and turned 90°."
    assert slip.intent is None
    hand.app.touch(Intent("take", "", 0))
    assert hand.app.scene is scene
    hand.press("Back")
    assert isinstance(hand.app.scene, LayingScene)


@pytest.mark.long
def test_a_simulated_table_is_measured_while_it_is_laid(hand: Hand) -> None:
    equip(hand.app.stage, field_eye=SimulatedFieldEye(3))
    setting_up(hand)
    hand.press("Next", "Next", "Measure")
    scene = hand.app.scene
    assert isinstance(scene, MeasureScene)
    looked(hand, scene)
    assert scene.seen is not None
    assert not scene.seen.moved
