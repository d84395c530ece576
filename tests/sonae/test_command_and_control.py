"""Command and Control: generals, messengers, tokens, activations, orders, radius, fatigue, and commanders lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import BadPosition
from engine.sonae.field import Place
from engine.sonae.game import apply, fold, new_game, owed
from engine.sonae.losses import lost
from engine.sonae.position import FATIGUED, RESTING, Due, Position
from engine.sonae.steps import Activate, Advance, Agreed, Done, Fire, Rally, Roll, Settle, Token, Wheel
from tests.sonae.case import at, battle, field, messages, names, objections, owing, roll, rolls, wants, without


def settled(*steps: Settle) -> Position:
    return fold(new_game(field()), steps or (Settle("ito", "encamped"), Settle("oda", "encamped")))


# --- the general and the messenger --------------------------------------------------------


def test_each_turn_begins_with_both_generals() -> None:
    start = new_game(field())
    assert wants(start) == [("settle", "ito"), ("settle", "oda")]
    assert objections(start, Settle("oda", "mobile")) == ["turn.who"]
    assert objections(start, Settle("ito", "asleep")) == ["general.mode"]
    assert apply(start, Settle("ito", "mobile")).modes == ("mobile", "encamped")
    assert objections(start, Done()) == ["turn.owed"]


def test_a_general_that_is_lost_settles_no_more() -> None:
    gone = without(battle(acting="", orders=0, acted=("ito-one", "ito-two", "oda-one", "oda-two")), "ito-general")
    assert wants(fold(owing(gone, Due("token", -1)), [])) == [("token", "")]
    after = apply(replace(gone, acting="oda-two", acted=("ito-one", "ito-two", "oda-one")), Done())
    assert (after.turn, wants(after)) == (2, [("settle", "oda")])


def test_a_messenger_out_of_range_needs_one_six() -> None:
    start = apply(new_game(field()), Settle("ito", "encamped", "ito-two"))
    found = owed(start)
    assert found is not None
    assert found.pool is not None
    assert found.pool.told() == "4 standard, +1 Authority"
    assert float(found.pool.chance) == pytest.approx(1 - (5 / 6) ** 5)
    assert roll(start, 0).messages == ()
    assert roll(start, 1).messages == ("ito-two",)


def test_a_messenger_in_the_enemys_range_is_opposed() -> None:
    near = replace(new_game(field()), units=battle(at("oda-gun", 26, 8.5, 180)).units)
    start = apply(near, Settle("ito", "encamped", "ito-two"))
    assert wants(start)[:2] == [("messenger", "ito"), ("intercept", "oda")]
    assert rolls(start, 2, 1).messages == ("ito-two",)
    assert rolls(start, 1, 1).messages == ()


def test_only_an_encamped_general_sends_one_to_its_own() -> None:
    start = new_game(field())
    assert objections(start, Settle("ito", "mobile", "ito-two")) == ["messenger.encamped"]
    assert objections(start, Settle("ito", "encamped", "oda-two")) == ["messenger.commander"]
    assert objections(start, Settle("ito", "encamped", "nobody")) == ["messenger.commander"]


# --- tokens and activations ---------------------------------------------------------------


def test_tokens_alternate_as_they_are_drawn() -> None:
    start = settled()
    assert (start.tokens, wants(start)) == ((2, 2), [("token", "")])
    assert objections(start, Token("uesugi")) == ["token.left"]
    after = apply(start, Token("oda"))
    assert wants(after) == [("activate", "oda")]
    assert objections(after, Activate("ito-one")) == ["activate.once"]
    after = apply(after, Activate("oda-two"))
    assert (after.acting, wants(after)) == ("oda-two", [("orders", "oda")])


def test_the_last_token_and_the_last_division_come_by_themselves() -> None:
    start = battle(acting="", orders=0, acted=("ito-one", "oda-one", "oda-two"), due=(Due("token", -1),), tokens=(1, 0))
    after = apply(replace(start, due=(Due("settle", 0), *start.due)), Settle("ito", "encamped"))
    assert (after.acting, wants(after)) == ("ito-two", [("orders", "ito")])


def test_orders_are_the_die_and_the_authority() -> None:
    start = owing(battle(orders=0), Due("orders", 0))
    assert apply(start, Roll((3,), "ito")).orders == 4
    assert apply(replace(start, messages=("ito-one",)), Roll((3,), "ito")).orders == 5
    second = replace(start, acting="ito-two")
    assert apply(second, Roll((4,), "ito")).orders == 3
    none = apply(second, Roll((1,), "ito"))
    assert (none.acting, none.acted) == ("", ("ito-two",))


def test_rolls_are_told_whole_and_by_their_side() -> None:
    start = owing(battle(orders=0), Due("orders", 0))
    assert objections(start, Roll((3,), "oda")) == ["turn.who"]
    assert objections(start, Roll((3, 3), "ito")) == ["roll.dice"]
    assert objections(start, Roll((7,), "ito")) == ["roll.faces"]


def test_a_player_may_be_done_before_the_orders_are() -> None:
    after = apply(battle(), Done())
    assert after.acting == ""
    assert after.acted == ("ito-one",)


def test_a_turn_ends_when_all_have_acted() -> None:
    last = battle(acting="oda-two", acted=("ito-one", "ito-two", "oda-one"), turn=1)
    after = apply(last, Done())
    assert (after.turn, after.acted, wants(after)) == (2, (), [("settle", "ito"), ("settle", "oda")])


# --- orders -------------------------------------------------------------------------------


def test_orders_go_to_the_units_of_the_division() -> None:
    start = battle()
    assert objections(start, Advance("ito-gun", 28, 7)) == ["order.unit"]
    assert objections(start, Advance("nobody", 28, 7)) == ["order.unit"]
    assert objections(start, Token("ito")) == ["turn.order"]
    after = apply(start, Advance("ito-a", 9, 8))
    assert (after.orders, after.here("ito-a").orders, after.here("ito-a").place) == (8, 1, Place(9, 8, 0))


def test_the_last_order_ends_the_activation() -> None:
    assert apply(battle(orders=1), Advance("ito-a", 9, 8)).acting == ""


def test_without_orders_there_is_none() -> None:
    assert objections(battle(orders=0), Advance("ito-a", 9, 8)) == ["order.left"]


def test_outside_the_command_radius_one_order() -> None:
    far = battle(at("ito-b", 13, 6))
    after = apply(far, Advance("ito-b", 13, 8))
    assert objections(after, Advance("ito-b", 13, 9)) == ["order.outside"]
    assert not objections(after, Advance("ito-a", 9, 8))
    edge = battle(at("ito-b", 12, 6, orders=1))
    assert not objections(edge, Wheel("ito-b", 90, 12, 6))


def test_a_large_number_of_orders_brings_a_test() -> None:
    start = battle(at("ito-a", 9, 6, orders=2))
    after = apply(start, Advance("ito-a", 9, 8))
    assert wants(after) == [("strain", "ito")]
    assert roll(after, 1).here("ito-a").fatigue == 0
    tired = roll(after, 0)
    assert tired.here("ito-a").fatigue == FATIGUED
    more = apply(tired, Advance("ito-a", 9, 9))
    assert more.due == ()


def test_fatigue_lasts_for_the_following_activation() -> None:
    start = battle(at("ito-a", 9, 6, fatigue=FATIGUED), acting="", orders=0, due=(Due("activate", 0),), tokens=(2, 2))
    acting = rolls(apply(start, Activate("ito-one")), 1)
    assert acting.here("ito-a").fatigue == RESTING
    assert objections(acting, Advance("ito-a", 9, 7)) == ["order.fatigued"]
    assert apply(acting, Done()).here("ito-a").fatigue == 0


# --- commanders and generals lost ---------------------------------------------------------


def test_a_division_follows_its_commander_but_for_the_general() -> None:
    after = lost(battle(), "oda-lead")
    assert names(after.units)[6:] == ["oda-general", "oda-second", "oda-gun"]
    assert after.winner is None


def test_by_the_other_reading_it_fights_on_out_of_command() -> None:
    after = lost(replace(battle(acting="oda-one"), readings=frozenset({"commander-lost"})), "oda-lead")
    assert "oda-a" in names(after.units)
    assert objections(after, Rally("oda-a")) == ["rally.command", "rally.status"]


def test_the_battle_follows_the_army_general() -> None:
    after = lost(battle(), "oda-general")
    assert (after.winner_name, after.reason) == ("ito", "general")
    assert objections(after, Done()) == ["game.over"]
    assert messages(after, Done()) == ["the battle is over (the Army General was lost)"]


def test_and_the_last_unit() -> None:
    few = without(battle(), "oda-general", "oda-lead", "oda-a", "oda-b", "oda-second")
    after = lost(few, "oda-gun")
    assert (after.winner_name, after.reason) == ("ito", "army")


def test_the_objective_decides_at_the_end() -> None:
    last = battle(at("oda-gun", 15, 15), acting="oda-two", acted=("ito-one", "ito-two", "oda-one"), turn=3)
    after = apply(last, Done())
    assert (after.winner_name, after.reason) == ("oda", "objective")
    even = apply(replace(last, units=battle().units), Done())
    assert (even.winner_name, even.turn) == (None, 4)


def test_readings_are_known_and_have_another_answer() -> None:
    assert new_game(field(), ["commander-lost"]).readings == {"commander-lost"}
    for name in ("half", "nonsense"):
        with pytest.raises(BadPosition, match=name):
            new_game(field(), [name])


# --- what the players agree on ------------------------------------------------------------


def test_agreed() -> None:
    start = battle(at("ito-a", 9, 8), at("oda-a", 9, 9, 180), due=(Due("morale", 1, ("oda-b",)),))
    rows = {"ito-a": {"x": 1, "status": "brittle"}, "oda-b": None}
    after = apply(start, Agreed(rows, orders=2))
    assert (after.here("ito-a").place.x, after.here("ito-a").status, after.orders) == (1.0, "brittle", 2)
    assert after.unit("oda-b") is None
    assert after.due == ()
    back = apply(after, Agreed({"oda-b": {"fatigue": 1}}))
    assert back.here("oda-b") == replace(start.here("oda-b"), fatigue=1)
    assert apply(start, Agreed(winner="oda")).reason == "agreed"


def test_agreed_within_the_armies_and_the_table() -> None:
    assert messages(battle(), Agreed({"nobody": {}, "ito-a": {"x": 99}})) == [
        "nobody: no unit of either army",
        "ito-a: off the table",
    ]
    assert objections(battle(), Agreed({"nobody": None})) == ["agreed.unit"]
    assert objections(battle(), Agreed(winner="uesugi")) == ["agreed.winner"]


def test_fire_needs_a_target_in_the_battle() -> None:
    assert objections(battle(), Fire("ito-a", "ito-b")) == ["fire.target"]
