"""Command and rolls: each thing asked for, answered by touches; what sixes come to, and why there are so many dice."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from companion.games.chance import Thrown as Chance
from companion.scenes.base.rules import EntryScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.sonae.rolls import BattleRollPanel, OrdersDiePanel, ReasonsPanel, outcome_words
from companion.scenes.sonae.score import BattleScore
from companion.scenes.sonae.table import chance_of_messenger
from companion.text.sonae import chance_to_beat, roll_kind, roll_title
from companion.ui.screen import Dice, Intent, Odds, Slip, Text
from engine.sonae.pools import ROLLED, pool_of
from engine.sonae.position import Due, DueKind
from engine.sonae.steps import Activate, Agreed, Closing, Done, Fire, Roll, Settle, Token
from engine.sonae.steps import Closing as Closed
from hardware.events import Thrown as DiceThrown
from hardware.events import Turned
from tests.companion.equip import equip
from tests.companion.gallery.gallery import Variant, drawn
from tests.companion.sonae.battle import (
    HONJIN,
    SHOCK,
    TEPPO,
    acting,
    asked,
    begun,
    charged,
    field,
    fought,
    last,
    near,
    played,
    position_at,
    rolled,
    settled,
    sixes,
    table_at,
)
from tests.companion.touching import Hand


def test_what_a_general_does_is_one_touch_whatever_it_is(hand: Hand) -> None:
    begun(hand)
    assert asked(hand).faction == "red"
    assert [action.label for action in table_at(hand).panel.show().actions] == ["Undo", "The rule"]
    answers = [button.label for button in hand.all_buttons() if button.intent.verb in ("mode", "messenger")]
    assert answers == ["Encamped", "Mobile", "Maru-ichi", "Maru-ni", "Maru-san"]
    assert hand.button("Encamped").look == "primary", "it is in its camp: a bright button changes nothing"
    hand.press("Encamped")
    assert last(hand) == Settle("maru", "encamped")
    hand.press("Undo")
    assert not table_at(hand).match.steps
    hand.press("Mobile")
    assert last(hand) == Settle("maru", "mobile")
    assert asked(hand).faction == "blue"


def test_a_messenger_is_sent_and_gets_through(hand: Hand) -> None:
    begun(hand)
    note = hand.button("Maru-ni").note
    assert note == chance_of_messenger(position_at(hand), Settle("maru", "encamped", "maru-ni")) == "60%"
    hand.press("Maru-ni")
    assert "4 standard, +1 Authority. At least one six: 60%." in hand.text()
    sixes(hand, 1)
    assert position_at(hand).messages == ("maru-ni",)


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
    assert "Stop the messenger" in asked(hand).text


def test_a_messenger_to_a_lost_division_is_not_possible_and_says_why(hand: Hand) -> None:
    begun(hand)
    played(hand, Agreed(dict.fromkeys(position_at(hand).scenario.divisions["maru-ni"].units)))
    assert hand.button("Maru-ni").look == "off"
    hand.press("Maru-ni")
    assert isinstance(hand.app.scene, RulingScene)


def test_a_token_is_told_or_drawn_by_the_app(hand: Hand) -> None:
    equip(hand.app.stage, chance=Chance(1))
    settled(hand)
    assert table_at(hand).waits_for == {"red", "blue"}
    assert hand.screen.blocks[0] == Text("Draw a token from the bag. Whose is it?", "title")
    assert [(hand.button(name).look, hand.button(name).note) for name in ("Maru", "Shikaku")] == [
        ("plain", "3 in the bag")
    ] * 2
    hand.press("No bag? Let Gunbai draw")
    assert isinstance(last(hand), Token)
    settled(hand)
    hand.press("Shikaku")
    assert last(hand) == Token("shikaku")


def test_a_division_is_named_by_its_button_or_by_a_unit_and_its_die_tells_what_each_face_brings(hand: Hand) -> None:
    settled(hand)
    played(hand, Token("maru"))
    assert "Authority +1" in hand.button("Maru-ichi").note
    hand.app.touch(Intent("unit", "maru-san-firing"))
    assert last(hand) == Activate("maru-san")
    hand.press("Undo", "Maru-ichi")
    assert hand.button("4").note == "5 orders"
    hand.press("4")
    assert position_at(hand).orders == 5
    assert asked(hand).text == "Maru-ichi: 5 orders left"


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


def test_a_messenger_adds_the_generals_authority(hand: Hand) -> None:
    begun(hand)
    played(hand, Settle("maru", "encamped", "maru-ichi"))
    rolled(hand, 1)
    played(hand, Settle("shikaku", "encamped"), Token("maru"), Activate("maru-ichi"))
    assert hand.button("1").note == "3 orders"
    assert "Messenger from the general" in hand.text()


def test_closing_fire_is_decided(hand: Hand) -> None:
    charged(hand)
    assert "Maru-ichi Shock Sonae 1 charges Shikaku-ichi Teppo Sonae 1." in hand.text()
    hand.press("Hold fire")
    assert last(hand) == Closing("shikaku", False)
    hand.press("Undo", "Fire")
    assert last(hand) == Closing("shikaku", True)


def test_opportunity_fire_where_the_table_plays_it(hand: Hand) -> None:
    begun(hand, "opportunity-fire")
    played(hand, Settle("maru", "encamped"), Settle("shikaku", "encamped"))
    places = {SHOCK: {"x": 6.0, "y": 5.0, "facing": 0.0}, TEPPO: {"x": 7.0, "y": 9.6, "facing": 180.0}}
    played(hand, Agreed(places), Token("maru"), Activate("maru-ichi"), Roll((4,), "maru"))
    hand.app.touch(Intent("unit", SHOCK))
    hand.press("Advance")
    assert "Opportunity Fire?" in asked(hand).text
    hand.press("Fire")
    assert "Opportunity Fire" in asked(hand).text


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
    assert not table_at(hand).hear(DiceThrown((3,), 0.0)), "no dice are owed"


def test_the_end_leads_to_the_figures(hand: Hand) -> None:
    near(hand)
    played(hand, Agreed({HONJIN: {"status": "brittle"}}, winner="shikaku"))
    assert "Shikaku wins" in asked(hand).text
    hand.app.touch(Intent("unit", SHOCK))
    hand.press("How it ended", "Score")
    assert isinstance(hand.app.scene, BattleScore)
    assert field(hand).units


def test_the_status_tells_the_turn_the_bag_and_the_orders_and_leads_to_how_it_stands(hand: Hand) -> None:
    table = near(hand)
    status = hand.screen.status
    assert status is not None
    assert status.title == "Turn 1 of 10"
    one, other = status.sides
    assert (one.points, other.points) == (15, 14)
    assert [tell.text for tell in one.tells[0]] == ["2", "5"]
    assert (one.to_move, other.to_move, table.rounds.most) == (True, False, 10)
    for verb in ("side", "round"):
        hand.app.scene = table
        hand.app.touch(Intent(verb, "red"))
        assert isinstance(hand.app.scene, BattleScore)


def test_so_many_sixes_are_one_touch(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    assert hand.screen.blocks[1] == Dice((1, 1), sixes=True)
    assert "is hit and must test Morale" in hand.text()
    assert "is not hit" in hand.text()
    for n in (0, 3, -1):
        hand.app.touch(Intent("sixes", "", n))
    assert not isinstance(last(hand), Roll), "two dice show no more than two sixes"
    hand.app.touch(Intent("sixes", "", 1))
    assert last(hand) == Roll((6, 1), "maru")
    assert position_at(hand).due[0].kind == "reply"
    assert hand.button("No six").look == "primary"
    hand.press("No six")
    reply = last(hand)
    assert isinstance(reply, Roll)
    assert (set(reply.dice), reply.by) == ({1}, "shikaku")


def test_what_a_dice_tray_tells_is_looked_at_before_it_counts(hand: Hand) -> None:
    near(hand)
    played(hand, Fire(SHOCK, TEPPO))
    panel = table_at(hand).panel
    assert isinstance(panel, BattleRollPanel)
    assert panel.enter_dice((6, 3))
    assert hand.screen.blocks[1] == Dice((6, 3), sixes=True)
    assert "is not hit" not in hand.text()
    hand.press("1 six")
    assert last(hand) == Roll((6, 3), "maru")


def test_the_pool_is_told_part_by_part_with_its_sections(hand: Hand) -> None:
    charged(hand)
    played(hand, Closed("shikaku", True))
    rolled(hand, 0)
    played(hand, Done())
    hand.press("Why so many?")
    parts = [(slip.title, slip.cite) for slip in hand.blocks(Slip)]
    assert parts == [("4 standard", "Close Combat"), ("+1 charge", "Close Combat")]
    odds = hand.blocks(Odds)[0]
    assert sum(share.part for share in odds.shares) == pytest.approx(1)
    assert isinstance(table_at(hand).panel, ReasonsPanel)
    hand.app.touch(Intent("nothing"))
    hand.press("Back")
    assert isinstance(table_at(hand).panel, BattleRollPanel)
    sixes(hand, 1)
    assert "−1 this unit's melee, −1 Closing Fire" in hand.text()


def test_a_melee_says_who_answers_and_then_what_wins(hand: Hand) -> None:
    fought(hand)
    assert "More sixes win; with none at all both fall back" in hand.text()
    sixes(hand, 1)
    assert "1 against" in hand.text()


@pytest.mark.parametrize("kind", [kind for kind in get_args(DueKind) if kind in ROLLED])
def test_every_roll_has_a_name_and_outcomes_in_words(hand: Hand, kind: DueKind) -> None:
    position = near(hand).position
    against = ("maru-ni",) if kind in ("messenger", "intercept") else (TEPPO,)
    due = Due(kind, 0, (SHOCK,), against)
    assert roll_title(position, due)
    assert roll_kind(due)
    if kind != "orders":
        told = {outcome_words(position, due, n) for n in range(4)}
        assert all(text and "{" not in text for text in told)


def test_shock_has_its_grades_and_its_table_two_touches_away(hand: Hand) -> None:
    fought(hand)
    rolled(hand, 2, 0)
    position = position_at(hand)
    due = position.due[0]
    told = [outcome_words(position, due, n) for n in (1, 2, 3)]
    assert "destroyed, Maru-ichi Shock Sonae 1 is fatigued" in told[0]
    assert "Two sixes" in told[1]
    assert "you get a bonus order" in told[2]
    assert "drops one status" in outcome_words(replace(position, readings=frozenset({"shock-first"})), due, 1)
    hand.press("Why so many?", "The rule")
    assert isinstance(hand.app.scene, EntryScene)
    assert hand.screen.title == "Shock table"
    assert "the winner gets a bonus order at once" in hand.text()
    hand.press("All rules")
    assert hand.screen.title == "The rules"
    hand.press("Back")
    assert isinstance(table_at(hand).panel, ReasonsPanel)


def test_a_victor_may_decline_shock_in_half_the_room_too(hand: Hand) -> None:
    def ways() -> list[str]:
        panel = table_at(hand).panel
        assert isinstance(panel, BattleRollPanel)
        return [action.label for action in panel.show_to("red").actions]

    fought(hand)
    assert ways() == ["Undo", "Why so many?", "No six"]
    hand.app.touch(Intent("decline"))
    rolled(hand, 2, 0)
    assert ways() == ["Undo", "No shock", "No six"]
    hand.press("No shock")
    assert position_at(hand).unit(TEPPO) is not None


def test_the_chance_that_one_pool_beats_another_is_exact(hand: Hand) -> None:
    near(hand)
    pool = pool_of(played(hand, Fire(SHOCK, TEPPO)).position, position_at(hand).due[0])
    assert chance_to_beat(pool, pool) == (1 - sum(part * part for part in pool.odds.values())) / 2
