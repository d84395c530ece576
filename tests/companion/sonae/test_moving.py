"""A unit's move led by finger or by arrows, and the kinds of a move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.scenes.base.panels import Offer
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.moving import MovePanel
from companion.scenes.sonae.orders import OrdersPanel
from companion.scenes.sonae.unit import UnitPanel
from companion.ui.battlefield_picture import field_intent
from companion.ui.screen import Intent, Text
from engine.sonae.steps import Advance, FallBack, Wheel
from tests.companion.sonae.battle import (
    SHOCK,
    TEPPO,
    WHOLE,
    acting,
    asked,
    chosen,
    field,
    finger,
    last,
    near,
    position_at,
    table_at,
)
from tests.companion.touching import Hand


def moving(hand: Hand) -> MovePanel:
    panel = table_at(hand).panel
    assert isinstance(panel, MovePanel)
    return panel


def is_led_to(hand: Hand, x: float, y: float) -> None:
    """Check that the form is about to send the unit straight there."""
    step = moving(hand).step()
    assert isinstance(step, Advance)
    assert (step.x, step.y) == pytest.approx((x, y), abs=0.02)


def test_a_unit_is_led_without_being_chosen_before(hand: Hand) -> None:
    acting(hand)
    finger(hand, (8.2, 3.6), (8.2, 4.4), (8.2, 4.8))
    hand.press("Confirm")
    assert last(hand) == Advance(SHOCK, 8.2, 4.8)
    finger(hand, (9.4, 3.6), (9.4, 4.4), (9.4, 4.6))
    assert moving(hand).name == "maru-ichi-shock-2", "another unit, while the first one is chosen still"


def test_on_a_grid_a_unit_goes_where_it_is_led_at_once(hand: Hand) -> None:
    acting(hand)
    position = replace(position_at(hand), scenario=replace(position_at(hand).scenario, grid="square"))
    behind = OrdersPanel(position).panel_of(SHOCK)
    panel = MovePanel.towards(position, SHOCK, (8.5, 4.5), behind, led=True)
    reply = panel.touch(replace(field_intent(WHOLE), n=2, at=(8.5 / 24, 1 - 4.5 / 18)))
    assert reply == Offer(Advance(SHOCK, 8.5, 4.5))


def test_fingers_and_arrows_lead_the_ghost(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    finger(hand, (8.2, 5.6))
    finger(hand, (8.3, 5.5), (8.5, 5.2), (8.7, 5.0))
    is_led_to(hand, 8.6, 5.1)
    ghosts = [unit for unit in field(hand).units if unit.mark == "ghost"]
    assert ghosts[0].place == moving(hand).end().at
    for way in ("down", "down", "left", "right", "up", "sideways"):
        hand.app.touch(Intent("key", way))
    is_led_to(hand, 8.6, 5.0)


def test_a_finger_on_the_unit_itself_takes_it_along(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    finger(hand, (8.2, 3.6), (8.2, 3.8), (8.2, 4.4), (8.2, 4.8))
    is_led_to(hand, 8.2, 4.8)


def test_a_touch_goes_no_farther_than_the_order_reaches(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    finger(hand, (8.2, 9.6))
    is_led_to(hand, 8.2, 5.6)
    assert moving(hand).ruling().legal


@pytest.mark.parametrize(
    ("at", "kind", "facing"), [((8.2, 2.9), FallBack, 0.0), ((7.0, 3.6), Wheel, 270.0), ((8.4, 4.6), Advance, 0.0)]
)
def test_a_touch_beside_or_behind_turns_or_falls_back(
    hand: Hand, at: tuple[float, float], kind: type, facing: float
) -> None:
    acting(hand, maru_ichi_shock_2=(20.0, 9.0, 0.0), maru_ichi_general=(2.0, 1.0, 0.0))
    chosen(hand)
    finger(hand, at)
    assert isinstance(moving(hand).step(), kind)
    assert moving(hand).end().facing_deg == facing


def test_a_touch_on_the_unit_means_nothing_and_one_on_another_opens_that(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    finger(hand, (8.2, 3.7))
    assert isinstance(table_at(hand).panel, UnitPanel)
    finger(hand, (9.4, 3.6))
    assert isinstance(table_at(hand).panel, UnitPanel)
    assert "Shock Sonae 2" in hand.text()


def test_turning_by_quarter_then_finely_then_to_a_place(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    hand.press("Other move", "Advance", "Left")
    assert moving(hand).end().facing_deg == 270.0
    hand.press("Right")
    assert moving(hand).end().facing_deg == 285.0
    finger(hand, (13.2, 3.6))
    assert moving(hand).end().facing_deg == pytest.approx(90.0, abs=0.5)
    hand.press("Confirm")
    assert isinstance(last(hand), Wheel)


def test_a_turn_that_is_too_small_is_refused_in_words(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    hand.press("Other move", "Right", "Left", "Left", "Left", "Left", "Left", "Left")
    assert hand.button("Confirm").look == "off"
    assert "Movement" in asked(hand).hint
    ghosts = [unit for unit in field(hand).units if unit.mark == "bad"]
    assert len(ghosts) == 1
    hand.press("Confirm")
    assert isinstance(hand.app.scene, RulingScene)


def test_in_half_the_room_an_objection_comes_first(hand: Hand) -> None:
    near(hand)
    chosen(hand)
    finger(hand, (6.0, 7.6))
    assert len(moving(hand).show_to("red").blocks) == 3
    for _n in range(20):
        hand.app.touch(Intent("key", "right"))
    told = moving(hand).show_to("red").blocks[1]
    assert isinstance(told, Text)
    assert (told.tone, "front quarter" in told.text) == ("bad", True)
    for _n in range(20):
        hand.app.touch(Intent("key", "left"))
    for _n in range(4):
        hand.app.touch(Intent("key", "up"))
    told = moving(hand).show_to("red").blocks[1]
    assert isinstance(told, Text)
    assert told.tone == "warn"


def test_on_a_grid_arrows_lead_cell_by_cell(hand: Hand) -> None:
    acting(hand)
    position = replace(position_at(hand), scenario=replace(position_at(hand).scenario, grid="square"))
    panel = MovePanel(position, SHOCK, Advance(SHOCK, 8.5, 5.5), OrdersPanel(position).panel_of(SHOCK))
    panel.touch(Intent("key", "down"))
    assert panel.step() == Advance(SHOCK, 8.5, 4.5)
    panel.touch(Intent("turn", "", 1))
    panel.touch(Intent("turn", "", 1))
    assert panel.end().facing_deg == 180.0
    hexes = replace(position, scenario=replace(position.scenario, grid="hex"))
    panel = MovePanel(hexes, SHOCK, Advance(SHOCK, 8.5, 5.5), OrdersPanel(hexes).panel_of(SHOCK))
    before = panel.end().at
    panel.touch(Intent("key", "left"))
    assert hexes.measure.distance(before, panel.end().at) == 1.0


def test_falling_back_and_the_kinds_of_a_move_begin_anew(hand: Hand) -> None:
    acting(hand, maru_ichi_general=(2.0, 1.0, 0.0))
    chosen(hand)
    assert hand.button("Fall back").note == "1.0 straight back"
    hand.press("Fall back")
    assert isinstance(last(hand), FallBack)
    hand.press("Undo")
    chosen(hand)
    hand.press("Other move", "Fall back")
    assert isinstance(moving(hand).step(), FallBack)
    hand.press("Advance")
    assert moving(hand).step() == Advance(SHOCK, 8.2, 4.6)
    hand.press("Back")
    assert isinstance(table_at(hand).panel, UnitPanel)


def test_a_charge_to_a_place_of_one_s_own_says_what_follows(hand: Hand) -> None:
    near(hand)
    finger(hand, (6.0, 6.4), (6.0, 7.2), (6.0, 8.0))
    assert "The enemy can use Closing Fire." in asked(hand).hint
    assert {unit.mark for unit in field(hand).units if unit.name == TEPPO} == {"target"}
