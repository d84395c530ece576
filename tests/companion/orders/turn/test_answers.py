"""The answers inside a turn, by touches: dice, losses, cards, and what passes by."""

from __future__ import annotations

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import WindowPanel
from companion.scenes.orders.turn import TurnPanel
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.game import owed
from engine.orders.steps import Accept, Play, Reroll, Roll
from tests.companion.orders.turn.playing import TO_C4, changes, happened, last, listed, scene
from tests.companion.touching import Hand

# ---- dice, losses, cards ----------------------------------------------------------------------


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
    happened(table, {"deploy": "reinforce:1", "place": {"e1": {"troop": 2}}})
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


def test_a_window_for_cards_is_passed_by(table: Hand) -> None:
    happened(table, {"deploy": "plan:2", "draw": ["mobilise", "ambush"]}, {"pass": True})
    happened(table, {"deploy": "reinforce:1", "place": {"e1": {"troop": 2}}})
    window = owed(scene(table).match.position)
    assert window is not None
    table.app.touch(Intent("anything"))
    table.press("No card")
    assert owed(scene(table).match.position) is None
    table.press("Undo")
    assert "Red to move" in table.text()
