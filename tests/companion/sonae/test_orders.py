"""Orders: a unit chosen, sent straight ahead, charges, fire and rallies; objections in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.demo.sonae_player import SonaePlayer
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.moving import MovePanel
from companion.scenes.sonae.orders import OrdersPanel, ready_units
from companion.scenes.sonae.unit import UnitPanel
from companion.ui.screen import Intent, Prompt
from engine.sonae.game import options
from engine.sonae.steps import (
    Activate,
    Advance,
    Agreed,
    Closing,
    Done,
    Fire,
    Rally,
    Roll,
    Settle,
    Token,
)
from tests.companion.other_games import begun as begun_game
from tests.companion.sonae.battle import (
    HONJIN,
    SHOCK,
    TEPPO,
    acting,
    asked,
    begun,
    charged,
    chosen,
    field,
    finger,
    fought,
    last,
    near,
    played,
    position_at,
    rolled,
    row,
    settled,
    table_at,
)
from tests.companion.touching import Hand


def test_the_units_that_may_act_are_live_on_the_field(hand: Hand) -> None:
    panel = near(hand).panel
    marks = {unit.name: unit.mark for unit in field(hand).units}
    assert (marks[SHOCK], marks["maru-ichi-general"], marks[TEPPO]) == ("live", "spent", "")
    assert field(hand).drags
    assert field(hand).touch
    assert isinstance(panel, OrdersPanel)
    assert [action.label for action in panel.show().actions] == ["Undo", "Ruler", "No more orders"]
    half = panel.show_to("red").actions
    assert [action.label for action in half] == ["Undo", "No more orders"], "the ruler lies in arguments"


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


def test_a_move_straight_ahead_in_two_touches_and_the_unit_stays_chosen(hand: Hand) -> None:
    acting(hand)
    chosen(hand)
    assert hand.button("Advance").note == "2.0 straight ahead"
    hand.press("Advance")
    assert last(hand) == Advance(SHOCK, 8.2, 5.6)
    panel = table_at(hand).panel
    assert isinstance(panel, UnitPanel)
    assert (panel.name, hand.button("Advance").look) == (SHOCK, "plain")
    hand.press("Undo")
    assert isinstance(table_at(hand).panel, OrdersPanel)
    chosen(hand)
    hand.press("Advance", "Back")
    assert isinstance(table_at(hand).panel, OrdersPanel)
    hand.press("No more orders")
    assert last(hand) == Done()


def test_a_unit_that_is_led_onto_an_enemy_means_that_enemy(hand: Hand) -> None:
    near(hand)
    finger(hand, (6.0, 6.4), (6.0, 7.0), (6.0, 8.8))
    assert {button.intent.what for button in hand.all_buttons() if button.intent.verb == "order"} == {"fire", "charge"}
    hand.press("Fire at Teppo Sonae 1")
    assert last(hand) == Fire(SHOCK, TEPPO)


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
    together = len(table_at(hand).match.steps)
    chosen(hand)
    hand.press("Advance", "Undo")
    assert len(table_at(hand).match.steps) == together, "one order followed, and one comes back"
    hand.press("Undo")
    assert position_at(hand) == before


def test_orders_to_all_end_where_one_brings_a_roll(hand: Hand) -> None:
    begun(hand, "opportunity-fire")
    places = {SHOCK: row(6.0, 5.8, 0.0), TEPPO: row(6.0, 9.0, 180.0), "shikaku-ichi-melee": row(1.0, 11.0, 0.0)}
    played(hand, Settle("maru", "encamped"), Settle("shikaku", "encamped"), Agreed(places, note="so"))
    played(hand, Token("maru"), Activate("maru-ichi"), Roll((4,), "maru"))
    panel = table_at(hand).panel
    assert isinstance(panel, OrdersPanel)
    assert [step.unit for step in panel.straight_orders] == [SHOCK]


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


def test_a_charge_says_what_follows(hand: Hand) -> None:
    near(hand)
    for agreed, note in (
        (Agreed({SHOCK: {"status": "wavering"}}), "tests Morale first"),
        (Agreed({SHOCK: {"status": "fresh"}, TEPPO: {"facing": 0.0}}), "no Closing Fire: flank or rear"),
        (Agreed({TEPPO: {"facing": 180.0}}), "Closing Fire possible"),
    ):
        played(hand, agreed)
        chosen(hand)
        assert hand.button("Charge Teppo Sonae 1").note == note
    assert {unit.mark for unit in field(hand).units if unit.name == TEPPO} == {"target"}
    hand.press("Charge Teppo Sonae 1")
    assert position_at(hand).due[0].kind == "closing"


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


def test_a_locked_unit_may_only_fall_back_and_its_melee_to_come_is_told(hand: Hand) -> None:
    charged(hand)
    played(hand, Closing("shikaku", False))
    assert "1 melee to fight at the end." in asked(hand).hint
    chosen(hand)
    assert hand.button("Other move").look == "off"
    hand.press("Other move")
    assert hand.button("Confirm").look == "off"
    assert "locked" in asked(hand).hint


def test_notes_of_units_tell_how_they_are(hand: Hand) -> None:
    near(hand)
    far = {"x": 20.0, "y": 10.0}
    played(hand, Agreed({SHOCK: {"status": "brittle", "fatigue": 1}, "maru-ichi-normal": far}))
    assert hand.button("Shock Sonae 1").note == "brittle, fatigued"
    assert hand.button("Sonae").note == "out of command"
    chosen(hand, "maru-ichi-normal")
    assert "out of command: one order only" in asked(hand).hint.lower()


def test_a_bonus_order_may_be_let_go(hand: Hand) -> None:
    fought(hand)
    rolled(hand, 2, 0, 3)
    assert position_at(hand).bonus == (SHOCK,)
    assert "Bonus order from Shock" in hand.text()
    more = OrdersPanel(replace(position_at(hand), spare=2)).show().blocks[0]
    assert isinstance(more, Prompt)
    assert more.hint.endswith("2 more after this.")
    hand.press("Skip it")
    assert position_at(hand).bonus == ()


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
    match, player, counted = begun_game(tmp_path / "game.jsonl", "sonae", steps=0), SonaePlayer(5), 0
    for _step in range(150):
        step = player.step(match.position)
        assert step is not None
        match.offer(step)
        full = options(match.position).units
        ready = ready_units(match.position)
        assert [(unit.unit, unit.may) for unit in ready] == [(unit.unit, bool(unit.may)) for unit in full]
        for brief, whole in zip(ready, full, strict=True):
            assert brief.quick == tuple(option for option in whole.may if option.kind in ("charge", "fire", "rally"))
        counted += len(full)
    assert counted > 150
