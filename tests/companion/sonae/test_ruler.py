"""The ruler, what may be asked in an argument, and the record set right by hand."""

from __future__ import annotations

import pytest

from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.by_hand import ByHandScene
from companion.scenes.sonae.questions import DiceScene, MayScene, RulerScene
from companion.ui.screen import Intent, Slip
from engine.sonae.steps import Agreed, Fire
from tests.companion.sonae.battle import (
    HONJIN,
    SHOCK,
    TEPPO,
    WHOLE,
    acting,
    begun,
    field,
    finger,
    near,
    played,
    position_at,
    table_at,
)
from tests.companion.touching import Hand


def test_two_units_are_touched_and_measured(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = RulerScene(table, table)
    assert "Touch two units" in hand.text()
    hand.app.touch(Intent("unit", SHOCK))
    assert "Now touch the second unit." in hand.text()
    hand.app.touch(Intent("unit", TEPPO))
    told = hand.blocks(Slip)
    assert "1.6 Movements (range: 2)" in told[0].title
    assert (told[0].mark, told[0].cite) == ("yes", "Ranged Combat")
    assert "front quarter" in told[1].title
    assert any("It can charge: 1.6 Movements" in slip.title for slip in told)
    line = field(hand).lines[0]
    assert (line.text, line.start, line.end) == ("1.6 Movements", (6.0, 6.9), (6.0, 8.5)), "from edge to edge"
    hand.press("Swap direction")
    assert any("It can't charge now" in slip.title and slip.mark == "no" for slip in hand.blocks(Slip))
    hand.app.touch(Intent("page", "", 1))
    hand.app.touch(Intent("unit", HONJIN))
    assert "Now touch the second unit." in hand.text()
    hand.press("Back")
    assert table_at(hand) is table


def test_friends_are_not_charged_and_a_unit_that_has_left_is_measured_no_more(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = RulerScene(table, table, (SHOCK, "maru-ichi-melee"))
    assert not any("charge" in slip.title for slip in hand.blocks(Slip))
    hand.app.scene = RulerScene(table, table, (SHOCK, TEPPO))
    table.match.offer(Agreed({TEPPO: None}))
    assert "Now touch the second unit." in hand.text()


def test_what_a_unit_may_do_and_why_not(hand: Hand) -> None:
    table = near(hand)
    hand.app.scene = MayScene(table, table)
    assert "Touch a unit" in hand.text()
    hand.app.touch(Intent("unit", SHOCK))
    told = {slip.title: slip for slip in hand.blocks(Slip)}
    assert told["Fire at Shikaku-ichi Teppo Sonae 1?"].mark == "yes"
    rally = told["Rally?"]
    assert (rally.mark, rally.cite) == ("no", "Morale")
    hand.app.touch(Intent("page", "", 1))
    hand.app.touch(rally.intent or Intent(""))
    assert isinstance(hand.app.scene, RulingScene)
    hand.press("Back", "Back")
    assert table_at(hand) is table


def test_a_dispute_asks_for_the_ruler_a_unit_or_the_dice(hand: Hand) -> None:
    table = near(hand)
    assert [question.label for question in table.questions(table, "")] == ["Ruler", "Can this unit …?"]
    hand.app.scene = DiceScene(table, table)
    assert "No roll right now." in hand.text()
    hand.app.scene = table
    played(hand, Fire(SHOCK, TEPPO))
    asked = {question.label: question for question in table.questions(table, "red")}
    leads = [asked[label].lead() for label in ("Ruler", "Can this unit …?", "Why so many dice?")]
    assert [type(scene) for scene in leads] == [RulerScene, MayScene, DiceScene]
    hand.app.scene = leads[2]
    assert "4 standard" in hand.blocks(Slip)[0].title
    hand.app.touch(Intent("page", "", 1))
    hand.press("Back")
    assert table_at(hand) is table


# ---- by hand -------------------------------------------------------------------------------------


def by_hand(hand: Hand) -> ByHandScene:
    scene = hand.app.scene
    assert isinstance(scene, ByHandScene)
    return scene


def agreed(hand: Hand) -> Agreed:
    hand.press("Set by hand")
    assert isinstance(hand.app.scene, ConsentScene)
    hand.consent("red", "blue")
    step = table_at(hand).match.steps[-1]
    assert isinstance(step, Agreed)
    return step


def test_a_unit_is_set_right_and_both_agree(hand: Hand) -> None:
    table = acting(hand)
    hand.app.scene = table.straight(table)
    assert hand.button("Set by hand").look == "off"
    hand.app.touch(Intent("record"))
    hand.app.touch(Intent("unit", SHOCK))
    hand.press("wavering", "Fatigued")
    hand.app.touch(Intent("turn", "", 1))
    hand.app.touch(Intent("key", "up"))
    hand.app.touch(Intent("key", "sideways"))
    step = agreed(hand)
    assert step.units[SHOCK] == {"status": "wavering", "fatigue": 1, "facing": 15.0, "x": 8.2, "y": 3.7}
    unit = position_at(hand).here(SHOCK)
    assert (unit.status, unit.fatigue, unit.place.facing_deg) == ("wavering", 1, 15.0)


def test_a_finger_leads_a_base_and_chooses_another(hand: Hand) -> None:
    table = acting(hand)
    hand.app.scene = ByHandScene(table, table)
    finger(hand, (8.2, 3.6))
    assert by_hand(hand).name == SHOCK
    finger(hand, (8.2, 3.6), (8.0, 6.0))
    assert by_hand(hand).changes[SHOCK] == {"x": pytest.approx(8.0, abs=0.02), "y": pytest.approx(6.0, abs=0.02)}
    finger(hand, (23.0, 9.0))
    assert by_hand(hand).name == SHOCK
    assert agreed(hand).units
    assert position_at(hand).here(SHOCK).place.y == pytest.approx(6.0, abs=0.02)


def test_a_unit_leaves_and_comes_back_and_the_orders_left_are_set(hand: Hand) -> None:
    table = acting(hand)
    hand.app.scene = ByHandScene(table, table)
    hand.app.touch(Intent("unit", SHOCK))
    hand.press("Out of the battle")
    assert "has left the battle" in hand.text()
    hand.press("Put it back")
    assert by_hand(hand).changes == {}
    hand.press("Out of the battle")
    hand.app.touch(Intent("status", "brittle"))
    agreed(hand)
    assert position_at(hand).unit(SHOCK) is None
    hand.app.scene = ByHandScene(table, table)
    hand.press("Maru-ichi Shock Sonae 1")
    hand.press("Back")
    assert "Maru-ichi Shock Sonae 1 is back in the battle" in hand.text()
    agreed(hand)
    assert position_at(hand).unit(SHOCK) is not None
    hand.app.scene = ByHandScene(table, table)
    hand.app.touch(Intent("orders", "", 1))
    hand.app.touch(Intent("page", "", 0))
    step = agreed(hand)
    assert (step.orders, position_at(hand).orders) == (6, 6)
    hand.app.scene = ByHandScene(table, table)
    hand.press("Back")
    assert table_at(hand) is table


def test_what_is_off_the_table_is_refused(hand: Hand) -> None:
    table = begun(hand)
    hand.app.scene = ByHandScene(table, table)
    hand.app.touch(Intent("unit", SHOCK))
    finger(hand, (8.2, 3.6), (WHOLE[2] + 3.0, 4.0))
    assert "off the table" in hand.text()
    assert hand.button("Set by hand").look == "off"
    hand.press("Set by hand")
    assert isinstance(hand.app.scene, RulingScene)
