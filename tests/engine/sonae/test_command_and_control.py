"""Command and Control, and the Battle Report: generals, messengers, tokens, orders, loss, and how a battle ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.sonae.field import Place
from engine.sonae.game import apply, fold, new_game, owed
from engine.sonae.outcomes import lose_unit
from engine.sonae.position import FATIGUED, RESTING, Due, Position
from engine.sonae.steps import Activate, Advance, Agreed, Done, FallBack, Rally, Roll, Settle, Step, Token, Wheel
from tests.engine.sonae.case import (
    at,
    battle,
    field,
    messages,
    names,
    objections,
    owing,
    roll,
    rolls,
    told,
    wants,
    without,
)


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
    assert found.pool.reasons() == "4 standard, +1 Authority"
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


def test_a_token_that_was_drawn_is_out_of_the_bag() -> None:
    drawn = apply(settled(), Token("oda"))
    assert drawn.tokens == (2, 1)
    acting = apply(drawn, Activate("oda-two"))
    assert acting.tokens == (2, 1)
    assert fold(acting, [Roll((1,), "oda")]).tokens == (2, 1)


def test_every_turn_begins_with_a_full_bag() -> None:
    start = settled()
    assert new_game(field()).tokens == (2, 2)
    for side, division in (("ito", "ito-one"), ("ito", "ito-two"), ("oda", "oda-one")):
        steps: list[Step] = [Token(side)] if wants(start) == [("token", "")] else []
        steps += [] if start.acting or len(start.divisions_to_act(int(side == "oda"))) == 1 else [Activate(division)]
        start = apply(fold(start, [*steps, Roll((6,), side)]), Done())
    start = apply(apply(start, Roll((6,), "oda")), Done())
    assert (start.turn, wants(start), start.tokens) == (2, [("settle", "ito"), ("settle", "oda")], (2, 2))
    assert apply(start, Settle("ito", "mobile")).tokens == (2, 2)


def test_a_division_lost_or_back_takes_its_token_along() -> None:
    acting = fold(settled(), [Token("oda"), Activate("oda-two")])
    gone = lose_unit(replace(acting, due=()), "ito-second")
    assert gone.tokens == (1, 1)
    assert apply(gone, Agreed({"ito-second": {"x": 26, "y": 6}})).tokens == (2, 1)


def test_the_last_token_and_the_last_division_come_by_themselves() -> None:
    start = battle(acting="", orders=0, acted=("ito-one", "oda-one", "oda-two"), due=(Due("token", -1),))
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


def test_the_army_general_commands_itself() -> None:
    far = battle(at("ito-general", 20, 12, orders=1), modes=("mobile", "encamped"))
    assert objections(far, Advance("ito-general", 20, 14)) == []


def test_an_encamped_general_cannot_move() -> None:
    for step in (Advance("ito-general", 5, 7), FallBack("ito-general", 5, 5.5), Wheel("ito-general", 90, 5, 6)):
        assert objections(battle(), step) == ["move.encamped"]
        assert objections(battle(modes=("mobile", "encamped")), step) == []


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
    start = battle(at("ito-a", 9, 6, fatigue=FATIGUED), acting="", orders=0, due=(Due("activate", 0),))
    acting = rolls(apply(start, Activate("ito-one")), 1)
    assert acting.here("ito-a").fatigue == RESTING
    assert objections(acting, Advance("ito-a", 9, 7)) == ["order.fatigued"]
    assert apply(acting, Done()).here("ito-a").fatigue == 0


# --- commanders and generals lost ---------------------------------------------------------


def test_a_division_follows_its_commander_but_for_the_general() -> None:
    after = lose_unit(battle(), "oda-lead")
    assert names(after.units)[6:] == ["oda-general", "oda-second", "oda-gun"]
    assert after.winner is None


LOYAL = frozenset({"commander-lost"})
HEIRS = frozenset({"successor"})


def test_its_units_may_test_their_loyalty_instead() -> None:
    after = lose_unit(battle(acting="oda-one", readings=LOYAL), "oda-lead")
    assert wants(after) == [("loyalty", "oda"), ("loyalty", "oda")]
    left = rolls(after, 0, 1)
    assert (left.unit("oda-a"), left.here("oda-b").status) == (None, "fresh")
    assert told(after) == "4 standard, +1 Army General nearby"


def test_a_division_without_any_commander_is_out_of_command() -> None:
    after = rolls(lose_unit(battle(acting="oda-two", readings=LOYAL), "oda-second"), 1)
    assert objections(after, Rally("oda-gun")) == ["rally.command", "rally.status"]
    die = owing(replace(after, orders=0), Due("orders", 1))
    assert apply(die, Roll((3,), "oda")).orders == 3


def test_what_a_messenger_brought_dies_with_its_commander() -> None:
    leaderless = rolls(lose_unit(battle(acting="ito-one", readings=LOYAL), "ito-lead"), 1, 1)
    start = owing(replace(leaderless, orders=0, messages=("ito-one",)), Due("orders", 0))
    assert (apply(start, Roll((3,), "ito")).orders, leaderless.authority("ito-one")) == (4, 1)


def test_a_division_that_is_lost_in_its_own_activation_is_done() -> None:
    start = battle(at("ito-second", 26, 6, status="brittle"), acting="ito-two", orders=3, acted=("oda-one",))
    after = roll(owing(start, Due("morale", 0, ("ito-second",))), 0)
    assert (after.unit("ito-gun"), after.acting, after.orders) == (None, "", 0)
    assert (after.acted, after.tokens, wants(after)) == (("oda-one", "ito-two"), (1, 1), [("token", "")])


def test_the_general_leads_its_own_division_once_its_commander_is_lost() -> None:
    after = rolls(lose_unit(battle(at("oda-a", 5, 21), acting="oda-one", readings=LOYAL), "oda-lead"), 1, 1)
    assert objections(after, Rally("oda-a")) == ["rally.status"]
    assert after.authority("oda-one") == 0
    asked = owing(replace(after, acting="", orders=0), Due("settle", 1))
    assert objections(asked, Settle("oda", "encamped", "oda-one")) == ["messenger.commander"]


def test_a_worthy_successor_takes_over_the_division() -> None:
    start = lose_unit(battle(acting="oda-one", readings=HEIRS), "oda-lead")
    assert (wants(start), start.due[0].units) == ([("heir", "oda")], ("oda-a",))
    after = roll(start, 1)
    leader = after.leader("oda-one")
    assert leader is not None
    assert (leader.name, after.authority("oda-one")) == ("oda-a", 1)
    failed = roll(start, 0)
    assert names(failed.units)[6:] == ["oda-general", "oda-second", "oda-gun"]
    again = lose_unit(after, "oda-a")
    assert again.due[0].units == ("oda-b",)
    alone = lose_unit(roll(again, 1), "oda-b")
    assert alone.due == ()


def test_and_over_the_army() -> None:
    start = lose_unit(battle(acting="ito-one", readings=HEIRS), "oda-general")
    assert (wants(start), start.due[0].units) == ([("regent", "oda")], ("oda-lead",))
    assert roll(start, 0).reason == "general"
    after = roll(start, 1)
    assert after.winner is None
    general = after.general(1)
    assert general is not None
    assert general.name == "oda-lead"
    assert told(after, Due("morale", 1, ("oda-a",))) == "4 standard, +1 Army General nearby"
    turn = apply(replace(after, acted=("ito-two", "oda-one", "oda-two")), Done())
    assert wants(turn) == [("settle", "ito")]


def test_a_successor_lost_before_its_test_leaves_it_to_the_next() -> None:
    start = lose_unit(battle(acting="ito-one", readings=HEIRS), "oda-general")
    after = lose_unit(start, "oda-lead")
    assert [(due.kind, due.units) for due in after.due] == [("heir", ("oda-a",)), ("regent", ("oda-second",))]


def test_a_messenger_may_lose_dice_on_a_long_way() -> None:
    start = battle(at("ito-second", 14, 6), readings=frozenset({"messenger-range"}))
    messenger = Due("messenger", 0, against=("ito-two",))
    assert told(start, messenger) == "4 standard, +1 Authority, -2 messenger's distance"
    assert told(start, replace(messenger, against=("ito-one",))) == "4 standard, +1 Authority"
    assert told(without(start, "ito-second"), messenger) == "4 standard, +1 Authority"


def test_a_large_number_may_be_five() -> None:
    start = battle(at("ito-a", 9, 6, orders=3), readings=frozenset({"large-number"}))
    after = apply(start, Advance("ito-a", 9, 7))
    assert after.due == ()
    assert wants(apply(after, Advance("ito-a", 9, 8))) == [("strain", "ito")]


# ==== Battle Report: how a battle ends =========================================================


def test_the_battle_follows_the_army_general() -> None:
    after = lose_unit(battle(), "oda-general")
    assert (after.winner_name, after.reason) == ("ito", "general")
    assert objections(after, Done()) == ["game.over"]
    assert messages(after, Done()) == ["the battle is over (the enemy Army General fell)"]


def test_and_the_last_unit() -> None:
    few = without(battle(), "oda-general", "oda-lead", "oda-a", "oda-b", "oda-second")
    after = lose_unit(few, "oda-gun")
    assert (after.winner_name, after.reason) == ("ito", "army")


def test_the_objective_decides_at_the_end() -> None:
    last = battle(at("oda-gun", 15, 15), acting="oda-two", acted=("ito-one", "ito-two", "oda-one"), turn=3)
    after = apply(last, Done())
    assert (after.winner_name, after.reason) == ("oda", "objective")
    fewer = apply(without(replace(last, units=battle().units), "oda-gun"), Done())
    assert (fewer.winner_name, fewer.reason) == ("ito", "strength")
    even = apply(replace(last, units=battle().units), Done())
    assert (even.winner_name, even.turn) == (None, 4)
