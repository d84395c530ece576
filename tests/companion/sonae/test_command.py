"""Generals, messengers, tokens, divisions, Closing Fire: each asked for, answered by touches."""

from __future__ import annotations

import pytest

from companion.games.chance import Thrown
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.command import chance_of_messenger
from companion.scenes.sonae.rolls import BattleRollPanel, OrdersDiePanel
from companion.scenes.sonae.score import BattleScore
from companion.ui.screen import Intent, Prompt, Text
from engine.sonae.steps import Activate, Agreed, Closing, Done, Roll, Settle, Token
from hardware.events import Thrown as DiceThrown
from hardware.events import Turned
from tests.companion.equip import equip
from tests.companion.gallery.gallery import Variant, drawn
from tests.companion.sonae.battle import (
    HONJIN,
    SHOCK,
    TEPPO,
    acting,
    begun,
    charged,
    field,
    near,
    played,
    position_at,
    rolled,
    settled,
    sixes,
    table_at,
)
from tests.companion.touching import Hand


def last(hand: Hand) -> object:
    return table_at(hand).match.steps[-1]


def prompt(hand: Hand) -> Prompt:
    first = hand.screen.blocks[0]
    assert isinstance(first, Prompt)
    return first


def test_a_general_mounts(hand: Hand) -> None:
    begun(hand)
    assert prompt(hand).faction == "red"
    assert hand.button("Encamped").look == "primary", "it is in its camp: a bright button changes nothing"
    hand.press("Mobile")
    assert last(hand) == Settle("maru", "mobile")
    assert prompt(hand).faction == "blue"


def test_a_messenger_is_sent_and_gets_through(hand: Hand) -> None:
    begun(hand)
    note = hand.button("Maru-ni").note
    assert note == chance_of_messenger(position_at(hand), Settle("maru", "encamped", "maru-ni")) == "60%"
    hand.press("Maru-ni")
    assert "4 standard, +1 Authority. At least one six: 60%." in hand.text()
    sixes(hand, 1)
    assert position_at(hand).messages == ("maru-ni",)


def test_what_a_general_does_is_one_touch_whatever_it_is(hand: Hand) -> None:
    begun(hand)
    assert [action.label for action in table_at(hand).panel.show().actions] == ["Undo", "The rule"]
    answers = [button.label for button in hand.all_buttons() if button.intent.verb in ("mode", "messenger")]
    assert answers == ["Encamped", "Mobile", "Maru-ichi", "Maru-ni", "Maru-san"]
    hand.press("Encamped")
    assert last(hand) == Settle("maru", "encamped")
    hand.press("Undo")
    assert not table_at(hand).match.steps


@pytest.mark.parametrize("language", ["en", "pt_BR"])
@pytest.mark.parametrize("layout", ["one", "two"])
def test_whom_a_messenger_may_go_to_is_seen_at_once(hand: Hand, layout: str, language: str) -> None:
    begun(hand)
    _picture, shown = drawn(hand, Variant((800, 480), layout, "dark", language))
    verbs = [[target.intent.verb for target in shown_pane.canvas.sheet.targets] for shown_pane in shown]
    assert [names.count("messenger") for names in verbs if "messenger" in names] == [3]


def test_a_messenger_that_is_opposed_says_so(hand: Hand) -> None:
    begun(hand)
    played(hand, Agreed({TEPPO: {"x": 9.4, "y": 5.0}}))
    assert hand.button("Maru-ni").note.endswith("% (opposed)")
    hand.press("Maru-ni")
    assert len(position_at(hand).due) == 3
    rolled(hand, 2)
    assert "Stop the messenger" in prompt(hand).text


def test_a_messenger_to_a_lost_division_is_not_possible_and_says_why(hand: Hand) -> None:
    begun(hand)
    played(hand, Agreed(dict.fromkeys(position_at(hand).scenario.divisions["maru-ni"].units)))
    assert hand.button("Maru-ni").look == "off"
    hand.press("Maru-ni")
    assert isinstance(hand.app.scene, RulingScene)


def test_a_token_is_told(hand: Hand) -> None:
    settled(hand)
    assert table_at(hand).waits_for == {"red", "blue"}
    assert hand.screen.blocks[0] == Text("Draw a token from the bag. Whose is it?", "title")
    hand.press("Shikaku")
    assert last(hand) == Token("shikaku")


def test_the_app_draws_a_token(hand: Hand) -> None:
    equip(hand.app.stage, chance=Thrown(1))
    settled(hand)
    hand.press("No bag? Let Gunbai draw")
    assert isinstance(last(hand), Token)


def test_a_side_without_tokens_cannot_be_drawn(hand: Hand) -> None:
    settled(hand)
    assert all(hand.button(name).look == "plain" for name in ("Maru", "Shikaku"))
    assert hand.button("Maru").note == "3 in the bag"


def test_a_division_is_named_by_its_button_or_by_a_unit_on_the_field(hand: Hand) -> None:
    settled(hand)
    played(hand, Token("maru"))
    assert "Authority +1" in hand.button("Maru-ichi").note
    hand.app.touch(Intent("unit", "maru-san-firing"))
    assert last(hand) == Activate("maru-san")


def test_a_division_that_has_acted_is_shown_as_such_and_refused(hand: Hand) -> None:
    acting(hand)
    played(hand, Done())
    while position_at(hand).due[0].kind != "activate" or position_at(hand).due[0].by != 0:
        due = position_at(hand).due[0]
        step = Token("maru") if due.kind == "token" else Roll((1,), "maru") if due.kind == "orders" else Done()
        played(hand, step)
    assert "acted" in hand.button("Maru-ichi").note
    hand.press("Maru-ichi")
    assert isinstance(hand.app.scene, RulingScene)


def test_the_die_for_orders_tells_what_each_face_brings(hand: Hand) -> None:
    settled(hand)
    played(hand, Token("maru"), Activate("maru-ichi"))
    assert hand.button("4").note == "5 orders"
    hand.press("4")
    assert position_at(hand).orders == 5
    assert prompt(hand).text == "Maru-ichi: 5 orders left"


def test_a_messenger_adds_the_generals_authority(hand: Hand) -> None:
    begun(hand)
    played(hand, Settle("maru", "encamped", "maru-ichi"))
    rolled(hand, 1)
    played(hand, Settle("shikaku", "encamped"), Token("maru"), Activate("maru-ichi"))
    assert hand.button("1").note == "3 orders"
    assert "Messenger from the general" in hand.text()


@pytest.mark.parametrize(("label", "fires"), [("Fire", True), ("Hold fire", False)])
def test_closing_fire_is_decided(hand: Hand, label: str, fires: bool) -> None:
    charged(hand)
    assert "Maru-ichi Shock Sonae 1 charges Shikaku-ichi Teppo Sonae 1." in hand.text()
    hand.press(label)
    assert last(hand) == Closing("shikaku", fires)


def test_opportunity_fire_where_the_table_plays_it(hand: Hand) -> None:
    begun(hand, "opportunity-fire")
    played(hand, Settle("maru", "encamped"), Settle("shikaku", "encamped"))
    places = {SHOCK: {"x": 6.0, "y": 5.0, "facing": 0.0}, TEPPO: {"x": 7.0, "y": 9.6, "facing": 180.0}}
    played(hand, Agreed(places), Token("maru"), Activate("maru-ichi"), Roll((4,), "maru"))
    hand.app.touch(Intent("unit", SHOCK))
    hand.press("Advance")
    assert "Opportunity Fire?" in prompt(hand).text
    hand.press("Fire")
    assert "Opportunity Fire" in prompt(hand).text


def test_dice_of_a_tray_are_put_into_the_roll(hand: Hand) -> None:
    begun(hand)
    played(hand, Settle("maru", "encamped", "maru-ni"))
    table = table_at(hand)
    assert not table.hear(Turned(1, 0.0))
    assert not table.hear(DiceThrown((6, 1), 0.0))
    assert table.hear(DiceThrown((6, 1, 6, 2, 3), 0.0))
    assert isinstance(table.panel, BattleRollPanel)
    assert table.panel.faces == [6, 1, 6, 2, 3]
    hand.press("2 sixes")
    settled(hand)
    played(hand, Token("maru"), Activate("maru-ichi"))
    assert not table_at(hand).hear(DiceThrown((3, 3), 0.0))
    assert table_at(hand).hear(DiceThrown((3,), 0.0))
    assert isinstance(table_at(hand).panel, OrdersDiePanel)
    hand.press("Confirm")
    assert position_at(hand).orders == 4


def test_a_tray_means_nothing_where_no_dice_are_owed(hand: Hand) -> None:
    near(hand)
    assert not table_at(hand).hear(DiceThrown((3,), 0.0))


def test_the_end_leads_to_the_figures(hand: Hand) -> None:
    near(hand)
    played(hand, Agreed({HONJIN: {"status": "brittle"}}, winner="shikaku"))
    assert "Shikaku wins" in prompt(hand).text
    hand.app.touch(Intent("unit", SHOCK))
    hand.press("How it ended", "Score")
    assert isinstance(hand.app.scene, BattleScore)
    assert field(hand).units


def test_the_status_tells_the_turn_the_bag_and_the_orders(hand: Hand) -> None:
    near(hand)
    status = hand.screen.status
    assert status is not None
    assert status.title == "Turn 1 of 10"
    one, other = status.sides
    assert (one.points, other.points) == (15, 14)
    assert [tell.text for tell in one.tells[0]] == ["2", "5"]
    assert one.to_move
    assert not other.to_move
    assert table_at(hand).rounds.most == 10


def test_a_touch_on_the_status_leads_to_how_it_stands(hand: Hand) -> None:
    table = near(hand)
    for verb in ("side", "round"):
        hand.app.scene = table
        hand.app.touch(Intent(verb, "red"))
        assert isinstance(hand.app.scene, BattleScore)
