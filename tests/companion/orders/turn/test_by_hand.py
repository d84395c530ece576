"""What both agree on is set by hand."""

from __future__ import annotations

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.by_hand import SidePanel
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.turn import AreaPanel, TurnPanel
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.map_table import SideScene
from companion.ui.screen import Intent
from engine.orders.steps import Agreed, OtherCorrections
from tests.companion.orders.turn.playing import PASS, TO_C4, agreed, happened, last, prompt, scene
from tests.companion.touching import Hand


def marked(hand: Hand) -> dict[str, frozenset[str]]:
    assert hand.screen.status is not None
    return {side.faction: side.by_hand for side in hand.screen.status.sides}


def test_an_area_is_set_by_hand_when_both_agree(table: Hand) -> None:
    table.area("b5").press("Advance to b5")
    table.press("Back").area("b5", "b5").area("d5").press("Board is different")
    assert table.button("Set by hand").look == "off"
    table.press("Set by hand").count("Red troops", 1).press("Black on Shell from d5", "Set by hand")
    agreed(table)
    assert table.position.units_in("d5") == {"red": {"troop": 4}}
    assert table.position.commanders_on("shell:d5") == ("black",)
    assert [area.name for area in table.picture.areas if area.by_hand] == ["d5"]
    happened(table, {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}})
    assert not [area.name for area in table.picture.areas if area.by_hand], "play has changed it since"


def test_what_the_box_cannot_hold_is_told(table: Hand) -> None:
    table.area("d5").press("Board is different").count("Red troops", 40)
    assert "the box only has 25" in table.text()
    table.press("Set by hand")
    assert isinstance(table.app.scene, RulingScene)
    table.press("Back", "Cancel")
    assert isinstance(scene(table).panel, TurnPanel)


def test_a_side_is_set_by_hand(table: Hand) -> None:
    table.app.touch(Intent("side", "black"))
    assert isinstance(table.app.scene, SideScene)
    table.press("Correct").count("Commanders", -1).count("Standby", 1).count("Cards", 2).press(
        "Initiative", "Set by hand"
    )
    agreed(table)
    position = table.position
    assert (position.left("black"), position.standing_by("black"), position.hand("black")) == (4, 1, 2)
    assert position.initiative_name == "black"
    assert marked(table) == {"red": {"initiative"}, "black": {"left", "standby", "hand", "initiative"}}
    table.app.touch(Intent("side", "black"))
    assert isinstance(table.press("Cards", "Back").app.scene, SideScene)
    table.press("Back")
    happened(table, {"agreed": {}, "bonuses": {"sun": "hidden_base"}, "winner": "red"})
    assert "points" in marked(table)["red"], "and so are tokens"


def test_a_side_s_panel_says_what_its_figures_mean(table: Hand) -> None:
    table.app.touch(Intent("side", "red"))
    assert table.text().splitlines() == [
        "Red",
        "0 points if the game ended now.",
        "5 areas in supply; only those count.",
        "5 of 5 commanders left to deploy.",
        "0 cards in hand.",
        "In reserve: 15 troops and 7 ships.",
        "Has the initiative: starts the next round and wins a tie.",
    ]
    table.app.touch(Intent("side", "black"))
    assert table.text().startswith("Black\n")
    table.area("c4")
    assert isinstance(scene(table).panel, AreaPanel | MoveForm), "the map is the table's"
    table.app.touch(Intent("side", "black"))
    assert isinstance(table.press("Back").app.scene, BoardTable)


def test_a_half_that_waits_corrects_nothing(table: Hand) -> None:
    side = scene(table).touch(Intent("side", "black", seat="black"))
    assert isinstance(side, SideScene)
    assert [action.label for action in side.show_to("black").actions] == ["Back", "Cards"]
    assert [action.label for action in side.show_to("red").actions] == ["Back", "Cards", "Correct"]
    assert side.show_to("red").map is None
    assert side.touch(Intent("correct", seat="black")) is None
    assert side.touch(Intent("correct", seat="red")) is scene(table)
    assert isinstance(scene(table).panel, SidePanel)


def test_the_round_and_the_discard_pile_are_set_by_hand(table: Hand) -> None:
    table.app.touch(Intent("round"))
    table.count("Round", 2).count("Ambush", 1).press("Set by hand")
    agreed(table)
    assert (table.position.round, table.position.discard) == (3, ("ambush",))


def test_the_number_of_dice_is_set_by_hand_and_the_turn_goes_on(table: Hand) -> None:
    happened(table, TO_C4, PASS, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    table.press("Wrong number of dice?").count("Dice", 1).press("Set by hand")
    agreed(table)
    assert last(table) == Agreed(note="set by hand", other=OtherCorrections(dice=2))
    assert prompt(table.screen) == "Black rolls 2 dice for b5"
    assert "1 for defence + 1 set by hand" in table.text()


def test_what_one_declines_is_not_set(table: Hand) -> None:
    table.app.touch(Intent("side", "red"))
    table.press("Correct").count("Cards", 1).press("Set by hand", "Cancel")
    assert scene(table).match.steps == ()
