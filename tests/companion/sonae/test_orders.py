"""Orders: a unit chosen, its move led by finger or by arrows, charges, fire and rallies; objections in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.demo.sonae_player import SonaePlayer
from companion.scenes.base.panels import Offer
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.moving import MovePanel
from companion.scenes.sonae.orders import OrdersPanel, ready_units
from companion.scenes.sonae.unit import UnitPanel
from companion.ui.battlefield_picture import field_intent
from companion.ui.screen import Intent, Prompt, Text
from engine.sonae.options import options
from engine.sonae.steps import (
    Activate,
    Advance,
    Agreed,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Token,
    Wheel,
)
from tests.companion.other_games import begun as begun_game
from tests.companion.sonae.battle import (
    HONJIN,
    SHOCK,
    TEPPO,
    WHOLE,
    acting,
    begun,
    charged,
    field,
    finger,
    near,
    played,
    position_at,
    rolled,
    row,
    settled,
    table_at,
)
from tests.companion.touching import Hand


def moving(hand: Hand) -> MovePanel:
    panel = table_at(hand).panel
    assert isinstance(panel, MovePanel)
    return panel


def hint(hand: Hand) -> str:
    first = hand.screen.blocks[0]
    assert isinstance(first, Prompt)
    return first.hint


def last(hand: Hand) -> object:
    return table_at(hand).match.steps[-1]


def chosen(hand: Hand, name: str = SHOCK) -> None:
    hand.app.touch(Intent("unit", name))
    assert isinstance(table_at(hand).panel, UnitPanel)


def test_the_units_that_may_act_are_live_on_the_field(hand: Hand) -> None:
    near(hand)
    marks = {unit.name: unit.mark for unit in field(hand).units}
    assert marks[SHOCK] == "live"
    assert marks["maru-ichi-general"] == "spent"
    assert marks[TEPPO] == ""
    assert field(hand).drags
    assert field(hand).touch


def test_in_half_the_room_the_orders_come_without_the_ruler(hand: Hand) -> None:
    panel = near(hand).panel
    assert isinstance(panel, OrdersPanel)
    assert [action.label for action in panel.show().actions] == ["Undo", "Ruler", "No more orders"]
    assert [action.label for action in panel.show_to("red").actions] == ["Undo", "No more orders"]


def test_a_unit_that_looks_dead_still_says_why(hand: Hand) -> None:
    near(hand)
    hand.press("General")
    advance = hand.button("Advance")
    assert (advance.look, advance.note) == ("off", "why not?")
    hand.press("Advance")
    assert isinstance(hand.app.scene, RulingScene)
    assert "encamped" in str(hand.screen.blocks)


def test_an_enemy_is_looked_at_and_has_no_orders(hand: Hand) -> None:
    near(hand)
    chosen(hand, TEPPO)
    assert "Shikaku-ichi Teppo Sonae 1" in hand.text()
    assert not field(hand).drags
    hand.app.touch(Intent("unit", "nobody"))
    hand.app.touch(Intent("field", "0 0 24 18"))
    hand.press("Back")
    assert isinstance(table_at(hand).panel, OrdersPanel)


def led(hand: Hand) -> None:
    """Choose the unit and send it straight ahead by a touch on the field: the form is open."""
    chosen(hand)
    finger(hand, (8.2, 5.6))


def test_a_move_straight_ahead_in_two_touches(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    assert hand.button("Advance").note == "2.0 straight ahead"
    hand.press("Advance")
    assert last(hand) == Advance(SHOCK, 8.2, 5.6)


def test_a_unit_stays_chosen_while_it_may_be_ordered(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    hand.press("Advance")
    panel = table_at(hand).panel
    assert isinstance(panel, UnitPanel)
    assert (panel.name, hand.button("Advance").look) == (SHOCK, "plain")
    hand.press("Undo")
    assert isinstance(table_at(hand).panel, OrdersPanel)
    chosen(hand)
    hand.press("Advance", "Back")
    assert isinstance(table_at(hand).panel, OrdersPanel)


def test_a_unit_is_led_without_being_chosen_before(hand: Hand) -> None:
    acting(hand)
    finger(hand, (8.2, 3.6), (8.2, 4.4), (8.2, 4.8))
    hand.press("Confirm")
    assert last(hand) == Advance(SHOCK, 8.2, 4.8)
    finger(hand, (9.4, 3.6), (9.4, 4.4), (9.4, 4.6))
    assert moving(hand).name == "maru-ichi-shock-2", "another unit, while the first one is chosen still"


def test_a_unit_that_is_led_onto_an_enemy_means_that_enemy(hand: Hand) -> None:
    near(hand)
    finger(hand, (6.0, 6.4), (6.0, 7.0), (6.0, 8.8))
    assert {button.intent.what for button in hand.all_buttons() if button.intent.verb == "order"} == {"fire", "charge"}
    hand.press("Fire at Teppo Sonae 1")
    assert last(hand) == Fire(SHOCK, TEPPO)


def test_on_a_grid_a_unit_goes_where_it_is_led_at_once(hand: Hand) -> None:
    acting(hand)
    position = replace(position_at(hand), scenario=replace(position_at(hand).scenario, grid="square"))
    behind = OrdersPanel(position).panel_of(SHOCK)
    panel = MovePanel.towards(position, SHOCK, (8.5, 4.5), behind, led=True)
    reply = panel.touch(replace(field_intent(WHOLE), n=2, at=(8.5 / 24, 1 - 4.5 / 18)))
    assert reply == Offer(Advance(SHOCK, 8.5, 4.5))


def test_the_likeliest_order_is_one_touch(hand: Hand) -> None:
    near(hand)
    first = next(button for button in hand.all_buttons() if button.intent.verb == "likely")
    assert (first.label, first.note) == ("Fire at Honjin", "Shock Sonae 1 · 42%")
    hand.app.touch(first.intent)
    assert last(hand) == Fire(SHOCK, HONJIN)


def test_all_units_go_straight_ahead_by_one_touch_and_come_back_by_one(hand: Hand) -> None:
    acting(hand, face=5)
    before = position_at(hand)
    assert hand.button("All straight ahead").note == "5 orders"
    hand.press("All straight ahead")
    after = position_at(hand)
    assert isinstance(table_at(hand).panel, OrdersPanel)
    moved = [unit for unit in after.units if unit.place != before.here(unit.name).place]
    assert len(moved) == 5
    assert after.orders == before.orders - 5
    hand.press("Undo")
    assert position_at(hand) == before


def test_one_undo_takes_one_order_back_where_others_followed(hand: Hand) -> None:
    acting(hand, face=5)
    hand.press("All straight ahead")
    together = len(table_at(hand).match.steps)
    chosen(hand)
    hand.press("Advance", "Undo")
    assert len(table_at(hand).match.steps) == together


def test_orders_to_all_end_where_one_brings_a_roll(hand: Hand) -> None:
    begun(hand, "opportunity-fire")
    places = {SHOCK: row(6.0, 5.8, 0.0), TEPPO: row(6.0, 9.0, 180.0), "shikaku-ichi-melee": row(1.0, 11.0, 0.0)}
    played(hand, Settle("maru", "encamped"), Settle("shikaku", "encamped"), Agreed(places, note="so"))
    played(hand, Token("maru"), Activate("maru-ichi"), Roll((4,), "maru"))
    panel = table_at(hand).panel
    assert isinstance(panel, OrdersPanel)
    assert [step.unit for step in panel.straight_orders] == [SHOCK]


def test_arrows_lead_in_fine_steps(hand: Hand) -> None:
    acting(hand)
    led(hand)
    for way in ("down", "down", "left", "right", "up"):
        hand.app.touch(Intent("key", way))
    assert moving(hand).step() == Advance(SHOCK, 8.2, 5.5)
    hand.app.touch(Intent("key", "sideways"))
    assert moving(hand).step() == Advance(SHOCK, 8.2, 5.5)


def test_a_finger_leads_the_ghost(hand: Hand) -> None:
    acting(hand)
    led(hand)
    finger(hand, (8.3, 5.5), (8.5, 5.2), (8.7, 5.0))
    step = moving(hand).step()
    assert isinstance(step, Advance)
    assert (step.x, step.y) == pytest.approx((8.6, 5.1), abs=0.02)
    ghosts = [unit for unit in field(hand).units if unit.mark == "ghost"]
    assert ghosts[0].place == (step.x, step.y)


def test_a_finger_on_the_unit_itself_takes_it_along(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    finger(hand, (8.2, 3.6), (8.2, 3.8), (8.2, 4.4), (8.2, 4.8))
    step = moving(hand).step()
    assert isinstance(step, Advance)
    assert (step.x, step.y) == pytest.approx((8.2, 4.8), abs=0.02)


def test_a_touch_goes_no_farther_than_the_order_reaches(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    finger(hand, (8.2, 9.6))
    step = moving(hand).step()
    assert isinstance(step, Advance)
    assert step.y == pytest.approx(5.6, abs=0.02)
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
    step = moving(hand).step()
    assert isinstance(step, kind)
    assert moving(hand).end().facing_deg == facing


def test_a_touch_on_the_unit_means_nothing_and_one_on_another_opens_that(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    finger(hand, (8.2, 3.7))
    assert isinstance(table_at(hand).panel, UnitPanel)
    finger(hand, (9.4, 3.6))
    assert isinstance(table_at(hand).panel, UnitPanel)
    assert "Shock Sonae 2" in hand.text()


def test_an_enemy_with_one_way_only_is_taken_at_once(hand: Hand) -> None:
    acting(
        hand,
        maru_ichi_shock_1=(6.0, 6.4, 90.0),
        shikaku_ichi_firing_1=(6.0, 9.0, 180.0),
        shikaku_ichi_melee=(5.8, 11.0, 0.0),
    )
    chosen(hand)
    finger(hand, (6.0, 9.0))
    assert last(hand) == Fire(SHOCK, TEPPO)
    near(hand)
    chosen(hand)
    finger(hand, (6.0, 9.0))
    orders = [button.label for button in hand.all_buttons() if button.intent.verb == "order"]
    assert orders == ["Fire at Teppo Sonae 1", "Charge Teppo Sonae 1"]
    hand.press("Back")
    assert isinstance(table_at(hand).panel, OrdersPanel)


def test_turning_by_quarter_then_finely_then_to_a_place(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    hand.press("Other move")
    hand.press("Advance", "Left")
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
    assert "Movement" in hint(hand)
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


def test_falling_back(hand: Hand) -> None:
    acting(hand, maru_ichi_general=(2.0, 1.0, 0.0))
    chosen(hand)
    assert hand.button("Fall back").note == "1.0 straight back"
    hand.press("Fall back")
    assert isinstance(last(hand), FallBack)


def test_the_kinds_of_a_move_begin_anew(hand: Hand) -> None:
    acting(hand, maru_ichi_general=(2.0, 1.0, 0.0))
    chosen(hand)
    hand.press("Other move", "Fall back")
    assert isinstance(moving(hand).step(), FallBack)
    hand.press("Advance")
    assert moving(hand).step() == Advance(SHOCK, 8.2, 4.6)
    hand.press("Back")
    assert isinstance(table_at(hand).panel, UnitPanel)


def test_a_charge_says_what_follows(hand: Hand) -> None:
    near(hand)
    chosen(hand)
    assert hand.button("Charge Teppo Sonae 1").note == "Closing Fire possible"
    assert {unit.mark for unit in field(hand).units if unit.name == TEPPO} == {"target"}
    hand.press("Charge Teppo Sonae 1")
    assert position_at(hand).due[0].kind == "closing"


def test_a_charge_to_a_place_of_one_s_own_says_what_follows(hand: Hand) -> None:
    near(hand)
    finger(hand, (6.0, 6.4), (6.0, 7.2), (6.0, 8.0))
    assert "The enemy can use Closing Fire." in hint(hand)
    assert {unit.mark for unit in field(hand).units if unit.name == TEPPO} == {"target"}


def test_a_wavering_unit_tests_its_morale_before_it_charges(hand: Hand) -> None:
    near(hand)
    played(hand, Agreed({SHOCK: {"status": "wavering"}}))
    chosen(hand)
    assert hand.button("Charge Teppo Sonae 1").note == "tests Morale first"


def test_a_charge_from_behind_says_so(hand: Hand) -> None:
    near(hand)
    played(hand, Agreed({TEPPO: {"facing": 0.0}}))
    chosen(hand)
    assert hand.button("Charge Teppo Sonae 1").note == "no Closing Fire: flank or rear"


def test_fire_says_its_chance_and_then_why_it_has_so_many_dice(hand: Hand) -> None:
    near(hand)
    chosen(hand)
    assert hand.button("Fire at Teppo Sonae 1").note == "31% to hit"
    hand.press("Fire at Teppo Sonae 1")
    assert last(hand) == Fire(SHOCK, TEPPO)
    assert "4 standard, −1 this unit's firing, −1 uphill" in hand.text()
    hand.press("Undo")
    assert not position_at(hand).due, "nothing was rolled yet: one touch takes it back"


def test_a_rally(hand: Hand) -> None:
    acting(hand)
    played(hand, Agreed({SHOCK: {"status": "wavering"}}))
    chosen(hand)
    assert hand.button("Rally").note.endswith("%")
    hand.press("Rally")
    assert last(hand) == Rally(SHOCK)


def test_a_locked_unit_may_only_fall_back(hand: Hand) -> None:
    charged(hand)
    played(hand, Closing("shikaku", False))
    chosen(hand)
    assert hand.button("Other move").look == "off"
    hand.press("Other move")
    assert hand.button("Confirm").look == "off"
    assert "locked" in hint(hand)


def test_no_more_orders(hand: Hand) -> None:
    near(hand)
    hand.press("No more orders")
    assert last(hand) == Done()


def test_notes_of_units_tell_how_they_are(hand: Hand) -> None:
    near(hand)
    far = {"x": 20.0, "y": 10.0}
    played(hand, Agreed({SHOCK: {"status": "brittle", "fatigue": 1}, "maru-ichi-normal": far}))
    assert hand.button("Shock Sonae 1").note == "brittle, fatigued"
    assert hand.button("Sonae").note == "out of command"
    chosen(hand, "maru-ichi-normal")
    assert "out of command: one order only" in hint(hand).lower()


def test_a_bonus_order_may_be_let_go(hand: Hand) -> None:
    charged(hand)
    played(hand, Closing("shikaku", False), Done())
    rolled(hand, 2, 0, 3)
    assert position_at(hand).bonus == (SHOCK,)
    assert "Bonus order from Shock" in hand.text()
    more = OrdersPanel(replace(position_at(hand), spare=2)).show().blocks[0]
    assert isinstance(more, Prompt)
    assert more.hint.endswith("2 more after this.")
    hand.press("Skip it")
    assert position_at(hand).bonus == ()


def test_a_melee_to_come_is_told(hand: Hand) -> None:
    charged(hand)
    played(hand, Closing("shikaku", False))
    assert "1 melee to fight at the end." in hint(hand)


def test_other_touches_mean_nothing(hand: Hand) -> None:
    settled(hand)
    played(hand, Token("maru"), Activate("maru-ichi"), Roll((4,), "maru"))
    before = hand.screen
    hand.app.touch(Intent("nothing"))
    assert hand.screen == before
    chosen(hand)
    hand.app.touch(Intent("nothing"))
    hand.press("Other move")
    hand.app.touch(Intent("nothing"))
    assert isinstance(table_at(hand).panel, MovePanel)


def test_the_units_that_may_be_ordered_are_those_of_the_full_list(tmp_path: Path) -> None:
    match, player, asked = begun_game(tmp_path / "game.jsonl", "sonae", steps=0), SonaePlayer(5), 0
    for _step in range(150):
        step = player.step(match.position)
        assert step is not None
        match.offer(step)
        full = options(match.position).units
        ready = ready_units(match.position)
        assert [(unit.unit, unit.may) for unit in ready] == [(unit.unit, bool(unit.may)) for unit in full]
        for brief, whole in zip(ready, full, strict=True):
            assert brief.quick == tuple(option for option in whole.may if option.kind in ("charge", "fire", "rally"))
        asked += len(full)
    assert asked > 150
