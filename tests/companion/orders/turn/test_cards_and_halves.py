"""Cards in a turn, a half for each player, and the ways out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.cards import CardsScene
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlanForm
from companion.scenes.orders.turn import TurnPanel
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.table.side import SideScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Accept, Deploy, Pass, Play, Step
from tests.companion.orders.turn.playing import PASS, TO_C4, happened, last, prompt, scene
from tests.companion.touching import Hand, steppers
from tests.tables import after


def windowed(hand: Hand) -> None:
    """Red, with two unknown cards, has reinforced: Mobilise may follow."""
    happened(hand, {"deploy": "plan:2", "draw": 2}, PASS, {"deploy": "reinforce:1", "place": {"e1": {"troop": 2}}})


def test_a_window_is_closed_by_going_on(table: Hand) -> None:
    windowed(table)
    assert isinstance(scene(table).panel, WindowPanel)
    assert "Or start the next turn to skip." in table.text()
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
    assert [button.label for button in table.all_buttons()] == ["Undo", "Ask", "Wrong number of dice?", "Confirm"]
    table.dice(0).press("Confirm")
    assert not isinstance(last(table), Accept)
    assert isinstance(scene(table).panel, TurnPanel)


def test_each_half_has_what_is_its_own(table: Hand) -> None:
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


def test_an_area_in_a_half_is_shown_without_a_prompt(table: Hand) -> None:
    table.area("d5")
    assert prompt(scene(table).show_to("black")) == "Red to move"
    assert scene(table).show_to("red").blocks[0] == scr.Text("d5 · land", "title")


def test_the_table_leads_everywhere_in_one_touch(table: Hand) -> None:
    table.press("Pass")
    for verb, follows in {
        "dispute": DisputeScene,
        "cards": CardsScene,
        "log": LogScene,
        "undo-list": UndoScene,
    }.items():
        at_table = scene(table)
        table.app.touch(Intent(verb))
        assert isinstance(table.app.scene, follows)
        table.app.scene = at_table
    table.app.touch(Intent("did"))
    table.app.touch(Intent("window"))
    assert isinstance(scene(table).panel, TurnPanel)


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
            from companion.core.errors import MatchError

            raise MatchError("no room")
        return offer(step)

    monkeypatch.setattr(scene(table).match, "offer", full)
    table.press("Reinforce 1", "Deploy")
    assert table.screen.banner == "no room"
    assert isinstance(scene(table).panel, WindowPanel)
    assert replace(table.screen, banner="").banner == ""


def test_positions_are_followed_by_what_was_played(table: Hand) -> None:
    hands = scene(table).hands
    hands.follow(scene(table).match)
    assert hands.todo.tasks == ()
    assert after(scene(table).match.position, Pass()).to_move_name == "black"
