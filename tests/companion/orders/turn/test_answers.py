"""Inside a turn, by touches: dice, losses and cards, a half for each player, and the ways out."""

from __future__ import annotations

import pytest

from companion.core.errors import MatchError
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlanForm
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.table.map_table import SideScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.game import owed
from engine.orders.steps import Accept, Deploy, Play, Reroll, Roll, Step
from tests.companion.orders.turn.playing import PASS, TO_C4, changes, happened, last, listed, prompt, scene
from tests.companion.touching import Hand, steppers

REINFORCED = {"deploy": "reinforce:1", "place": {"e1": {"troop": 2}}}
ATTACK = (TO_C4, {"deploy": "advance:c4", "moves": {"b5": {"troop": 2}}, "cards": ["counterattack"]})


def conflict(table: Hand) -> None:
    """Black attacks red in c4; red has an Ambush, and one card more."""
    happened(
        table,
        {"deploy": "plan:2", "draw": ["ambush", "mobilise"]},
        {"deploy": "plan:1", "draw": ["counterattack"]},
        *ATTACK,
    )


def test_dice_are_entered_and_corrected_before_they_count(table: Hand) -> None:
    conflict(table)
    assert "Red rolls 1 die for c4" in table.text()
    assert "Nobody left: 17%" in table.text()
    assert "1 for defence" in table.text()
    table.dice(2, 2)
    assert "Total 2" in table.text()
    table.app.touch(Intent("undie", "", 0))
    table.app.touch(Intent("undie", "", 0))
    table.dice(1)
    assert "Total 1: Red loses 1 troop in c4; Black loses 2 troops in c4." in table.text()
    table.press("Confirm")
    assert scene(table).match.steps[-2:] == (Roll((1,), "red"), Accept()), "the card to roll again was asked about"


def test_a_roll_that_is_not_entered_is_explained(table: Hand) -> None:
    happened(table, *ATTACK[:1], {"pass": True}, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    table.press("Confirm")
    assert isinstance(table.app.scene, RulingScene)


def test_ambush_is_offered_before_the_roll_and_adds_dice(table: Hand) -> None:
    conflict(table)
    assert "Red may play Ambush first." in table.text()
    table.press("Play a card", "Cancel", "Play a card")
    assert table.button("Ambush").note == "Red"
    table.app.touch(Intent("anything"))
    table.press("Ambush")
    assert last(table) == Play("ambush", "red")
    assert "Red rolls 3 dice for c4" in table.text()
    assert "1 for defence + 2 from Ambush" in table.text()


def test_a_roll_may_be_rolled_again_for_a_card(table: Hand) -> None:
    conflict(table)
    table.dice(0).press("Reroll with a card")
    assert {button.label for button in table.all_buttons()} == {"Ambush", "Mobilise", "Cancel", "Ask"}
    table.app.touch(Intent("anything"))
    table.press("Cancel")
    assert isinstance(scene(table).panel, WindowPanel)
    assert scr.Dice((0,), entering=False) in table.screen.blocks
    table.press("Spend a card to reroll", "Mobilise")
    assert last(table) == Reroll("mobilise", "red")
    table.dice(1).press("Confirm")
    assert isinstance(scene(table).panel, TurnPanel)
    assert "Remove 2 black troops from c4" in listed(table)
    assert scene(table).match.position.units_in("c4") == {"red": {"troop": 1}}


def test_a_hidden_hand_may_hold_any_card(table: Hand) -> None:
    happened(table, {"deploy": "plan:2", "draw": 2}, {"pass": True})
    table.space("shell:d5").press("d4", "Deploy").dice(1, 1).press("Reroll with a card")
    assert len(table.all_buttons()) == 10
    table.press("Cancel", "No card")
    assert "Red may play a card" in table.text()
    table.press("Ship Strike")
    assert table.button("Play it").look == "off"
    assert table.button("c6").note == "no enemy there", "as where a shot is aimed the first time"
    table.press("c6").press("Play it")
    assert last(table) == Play("ship_strike", "red", target="c6")
    table.press("Undo", "Ship Strike").area("e4")
    assert table.button("Play it").look == "primary"


def test_ground_assault_asks_how_many_join(table: Hand) -> None:
    happened(table, {"deploy": "plan:2", "draw": ["ground_assault", "ambush"]}, {"pass": True})
    happened(table, {"deploy": "advance:c4", "moves": {"d5": {"troop": 1}}})
    table.press("Ground Assault")
    assert "Add up to 2 troops" in table.text()
    table.count("Units", -1).press("Play it")
    assert last(table) == Play("ground_assault", "red", units=1)


def test_mobilise_asks_where(table: Hand) -> None:
    happened(table, {"deploy": "plan:2", "draw": ["mobilise", "ambush"]}, {"pass": True})
    happened(table, REINFORCED)
    table.press("Mobilise")
    assert table.button("Play it").look == "off"
    table.area("a1", "d3").count("d3", 3)
    assert changes(table) == {"d3": 2}
    table.count("d3", -1).area("e1").press("Play it")
    assert last(table) == Play("mobilise", "red", place=(("d3", "troop", 1), ("e1", "troop", 1)))


def test_a_card_that_the_form_asked_about_is_not_asked_about_again(table: Hand) -> None:
    happened(table, {"deploy": "plan:2", "draw": ["mobilise", "ambush"]}, {"pass": True})
    table.press("Reinforce 1", "Deploy")
    assert last(table) == Accept()
    assert "Black to move" in table.text()
    assert "No card" not in table.text(), "what goes without saying is not in the log"


def windowed(hand: Hand) -> None:
    """Red, with two unknown cards, has reinforced: Mobilise may follow."""
    happened(hand, {"deploy": "plan:2", "draw": 2}, PASS, REINFORCED)


def test_a_window_is_passed_by_or_closed_by_going_on(table: Hand) -> None:
    windowed(table)
    assert isinstance(scene(table).panel, WindowPanel)
    assert "Or start the next turn to skip." in table.text()
    table.app.touch(Intent("anything"))
    table.press("No card")
    assert owed(scene(table).match.position) is None
    assert "Red to move" in table.press("Undo").text()
    happened(table, REINFORCED)
    table.area("b2")
    assert isinstance(scene(table).panel, MoveForm)
    table.press("Deploy")
    assert last(table) == Deploy("advance:b2", moves=(("a1", "troop", 1),)), "black's turn, without a word on cards"


def test_who_does_not_want_to_be_asked_is_not_but_may_play(table: Hand) -> None:
    table.app.stage.change(ask_cards=False)
    windowed(table)
    assert isinstance(scene(table).panel, TurnPanel)
    assert prompt(table.screen) == "Black to move"
    table.press("Play a card")
    assert isinstance(scene(table).panel, WindowPanel)
    table.press("Mobilise")
    table.area("e1").press("Play it")
    assert last(table) == Play("mobilise", "red", place=(("e1", "troop", 1),))


def test_before_a_roll_a_card_is_a_touch_away_without_a_question(table: Hand) -> None:
    table.app.stage.change(ask_cards=False)
    happened(table, TO_C4, {"deploy": "plan:2", "draw": 2}, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    assert "may first play" not in table.text()
    table.press("Play a card", "Ambush")
    assert last(table) == Play("ambush", "black")
    assert not any(button.look == "plain" and button.label == "Play a card" for button in table.all_buttons())


def test_nobody_is_asked_who_holds_no_card(table: Hand) -> None:
    happened(table, TO_C4, PASS, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    assert table.labels == ["Undo", "Ask", "Wrong number of dice?", "Confirm"]
    table.dice(0).press("Confirm")
    assert not isinstance(last(table), Accept)
    assert isinstance(scene(table).panel, TurnPanel)


def test_each_half_has_what_is_its_own(table: Hand) -> None:
    table.area("d5")
    assert prompt(scene(table).show_to("black")) == "Red to move"
    assert scene(table).show_to("red").blocks[0] == scr.Text("d5 · land", "title"), "an area needs no prompt in a half"
    table.area("c4")
    mine, theirs = scene(table).show_to("red"), scene(table).show_to("black")
    assert prompt(mine) == prompt(theirs) == "Red: Advance to c4"
    assert [action.label for action in theirs.actions] == ["Ask", "Cards"]
    assert "Deploy" in [action.label for action in mine.actions]
    table.app.touch(Intent("confirm", seat="black"))
    assert isinstance(scene(table).panel, MoveForm), "it is not black's to confirm"
    for verb in ("todo", "round", "otherwise", "window"):
        table.app.touch(Intent(verb, "d5", seat="black"))
        assert isinstance(scene(table).panel, MoveForm), "nor black's to put away"
    assert isinstance(scene(table).touch(Intent("side", "red", seat="black")), SideScene)
    table.app.touch(Intent("confirm", seat="red"))
    theirs = scene(table).show_to("red")
    assert [type(block) for block in theirs.blocks] == [scr.Prompt, scr.Checklist, scr.Log]
    mine = scene(table).show_to("black")
    assert mine.blocks[0] == scr.Text("Your turn", "strong")


def test_the_next_player_does_not_wait_for_a_card(table: Hand) -> None:
    windowed(table)
    assert prompt(scene(table).show_to("red")) == "Red may play a card"
    assert scene(table).show_to("black").blocks[0] == scr.Text("Your turn", "strong")
    table.app.touch(Intent("area", "b2", seat="black"))
    assert isinstance(scene(table).panel, MoveForm)
    assert prompt(scene(table).show_to("red")) == "Black: Advance to b2"


def test_both_may_act_before_a_roll(table: Hand) -> None:
    happened(table, TO_C4, {"deploy": "plan:2", "draw": 2}, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    assert scene(table).waits_for == {"black"}
    assert prompt(scene(table).show_to("red")) == "Black rolls 1 die for b5"
    assert scene(table).show_to("black").blocks[0] == scr.Text("Black rolls 1 die for b5", "strong")
    assert "1 for defence" in str(scene(table).show_to("black").blocks)
    table.app.touch(Intent("area", "c5", seat="black"))
    assert isinstance(scene(table).panel, RollPanel)


def test_a_plan_with_open_hands_is_named(table: Hand) -> None:
    table.press("Plan 1")
    assert isinstance(scene(table).panel, PlanForm)
    assert "Draw 1 card from the deck. Leave the round marker as it is." in table.text(), "Red begins"
    table.press("Cancel")
    happened(table, PASS)
    table.press("Plan 1")
    assert "Draw 1 card from the deck. Flip the round marker: you have the initiative." in table.text()
    assert not steppers(table.screen.blocks)


def test_a_window_that_cannot_be_closed_stays_open(table: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    happened(table, {"deploy": "plan:2", "draw": 2}, PASS)
    offer = scene(table).match.offer

    def full(step: Step) -> object:
        if isinstance(step, Accept):
            raise MatchError("no room")
        return offer(step)

    monkeypatch.setattr(scene(table).match, "offer", full)
    table.press("Reinforce 1", "Deploy")
    assert table.screen.banner == "no room"
    assert isinstance(scene(table).panel, WindowPanel)
