"""Game Play 3 to 18: deploying, equipping, events and effects, moving, attacking, the end of a turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import BadPosition, Illegal
from engine.generals.cards import load_deck
from engine.generals.game import apply, fold, legal, new_game, replay
from engine.generals.position import Position, Side
from engine.generals.steps import Activate, Attack, Deploy, End, Equip, Move, Use
from tests.generals.case import at, deck, objections, position, side


def red(where: Position) -> Side:
    return where.sides[0]


def black(where: Position) -> Side:
    return where.sides[1]


# --- 1 to 5: the start, and drawing -----------------------------------------------------


def test_both_draw_five_and_the_first_player_draws_no_more() -> None:
    start = new_game({"red": deck(), "black": deck()}, "black")
    assert start.to_move_name == "black"
    assert [(one.hand, one.resources) for one in start.sides] == [(5, 46), (5, 46)]


def test_the_second_player_draws_at_the_start_of_its_turn() -> None:
    after = apply(new_game({"red": deck(), "black": deck()}, "black"), End())
    assert (red(after).hand, red(after).resources, after.to_move_name, after.turn) == (6, 45, "red", 2)


@pytest.mark.parametrize(("decks", "first"), [({"red": deck()}, "red"), ({"red": deck(), "black": deck()}, "blue")])
def test_a_game_has_two_sides(decks: dict[str, object], first: str) -> None:
    with pytest.raises(BadPosition, match="red and black"):
        new_game(decks, first)  # type: ignore[arg-type]


def test_a_deck_that_may_not_be_played_is_named() -> None:
    small = replace(deck(), cards={"fox": deck().cards["fox"]})
    with pytest.raises(BadPosition, match=r"decks.black: the deck has 3 cards, not 40 to 60 \(Game Play 1, p. 3\)"):
        new_game({"red": deck(), "black": small}, "red")


def test_only_readings_with_another_answer_are_switched() -> None:
    decks = {"red": deck(), "black": deck()}
    assert new_game(decks, "red", ["guards"]).readings == {"guards"}
    for name in ("payment", "nonsense"):
        with pytest.raises(BadPosition, match=name):
            new_game(decks, "red", [name])


# --- 6 to 9: deploying -------------------------------------------------------------------


def test_a_general_is_paid_with_other_cards_of_the_hand() -> None:
    after = apply(position(side()), Deploy("horse"))
    assert (red(after).hand, red(after).expended) == (1, 3)
    assert red(after).fighters == (at("horse", fresh=True),)
    assert after.last == "deploy"


def test_without_enough_cards_it_is_not_deployed() -> None:
    assert objections(position(side(hand=3)), Deploy("horse")) == ["pay.hand"]
    assert objections(position(side(hand=0)), Deploy("horse")) == ["card.hand"]


def test_generals_of_its_faction_make_it_cheaper() -> None:
    where = position(side(at("fox"), at("horse"), hand=2))
    after = apply(where, Deploy("horse"))
    assert (red(after).hand, red(after).expended) == (0, 1)
    assert [one.label for one in red(after).fighters] == ["fox", "horse", "horse-2"]


def test_a_cost_never_falls_below_nothing() -> None:
    after = apply(position(side(at("horse"), at("horse-2"), hand=1)), Deploy("fox"))
    assert red(after).hand == 0


def test_the_opponents_generals_count_only_by_the_other_reading() -> None:
    where = position(side(hand=3), side(at("horse")))
    assert objections(where, Deploy("horse")) == ["pay.hand"]
    assert not objections(replace(where, readings=frozenset({"discount"})), Deploy("horse"))


def test_a_general_arrives_inside_the_city_unless_its_card_says_otherwise() -> None:
    assert objections(position(side()), Deploy("horse", "outside")) == ["deploy.zone"]
    after = apply(position(side()), Deploy("hawk", "outside"))
    assert red(after).fighters == (at("hawk", "outside"),)


def test_a_fresh_general_neither_moves_nor_attacks_but_may_activate() -> None:
    where = position(side(at("fox", fresh=True), at("horse", "siege", fresh=True)))
    assert objections(where, Move("fox", "outside")) == ["act.fresh"]
    assert objections(where, Attack("horse")) == ["act.fresh"]
    assert not objections(where, Activate("fox"))


def test_next_turn_it_may() -> None:
    where = fold(position(side(at("fox", fresh=True))), [End(), End()])
    assert not objections(where, Move("fox", "outside"))


def test_a_card_of_another_deck_or_one_that_is_all_seen_is_not_played() -> None:
    assert objections(position(side()), Deploy("dragon")) == ["card.known"]
    where = position(side(at("horse"), at("horse-2"), defeated=("horse",)))
    assert objections(where, Deploy("horse")) == ["card.left"]


def test_a_card_is_played_as_its_kind_is() -> None:
    where = position(side(at("fox")))
    assert objections(where, Deploy("sword")) == ["card.kind"]
    assert objections(where, Equip("horse", "fox")) == ["card.kind"]
    assert objections(where, Use("sword", "red")) == ["card.kind"]


# --- 11a: equipment ----------------------------------------------------------------------


def test_equipment_adds_its_points_and_is_paid_for() -> None:
    after = apply(position(side(at("fox", fresh=True))), Equip("sword", "fox"))
    assert after.points(0, red(after).fighters[0], "military") == 3
    assert (red(after).hand, red(after).expended, after.last) == (3, 1, "equip")


def test_one_item_and_one_troop_each() -> None:
    where = position(side(at("fox", item="sword")))
    assert objections(where, Equip("sword", "fox")) == ["equip.place"]
    assert not objections(where, Equip("band", "fox"))
    assert objections(where, Equip("band", "horse")) == ["general.known"]
    assert objections(where, Equip("dragon", "fox")) == ["card.known"]


def test_equipment_of_a_general_that_leaves_is_expended() -> None:
    where = position(
        side(at("hawk", "siege")),
        side(at("fox", "outside", item="sword", troop="band"), at("boar", "outside", item="sword")),
    )
    after = apply(where, Attack("hawk", "boar"))
    assert (red(after).defeated, black(after).defeated, black(after).seen) == (("hawk",), ("boar",), ("sword",))
    assert black(after).expended == 1


# --- 11b: events -------------------------------------------------------------------------


def test_an_event_is_paid_for_and_expended_in_sight() -> None:
    after = apply(position(side()), Use("rain", "red"))
    assert (red(after).hand, red(after).expended, red(after).seen, after.last) == (5, 2, ("rain",), "event")


def test_events_are_for_ones_own_turn() -> None:
    assert objections(position(side()), Use("rain", "black")) == ["game.turn"]
    assert objections(position(side()), Use("rain", "blue")) == ["game.side"]


def test_damage_and_discards() -> None:
    after = apply(position(side()), Use("fire", "red"))
    assert (black(after).resources, black(after).expended) == (43, 3)
    after = apply(position(side(), side(hand=1)), Use("theft", "red"))
    assert (black(after).hand, black(after).expended) == (0, 1)


def test_what_only_the_players_resolve_changes_nothing_but_the_card() -> None:
    after = apply(position(side()), Use("riddle", "red"))
    assert (red(after).seen, black(after)) == (("riddle",), side())


def test_points_until_the_end_of_the_turn() -> None:
    after = apply(position(side(at("horse"))), Use("study", "red", "horse"))
    assert after.points(0, red(after).fighters[0], "intelligence") == 6
    after = apply(after, End())
    assert after.points(0, red(after).fighters[0], "intelligence") == 2


def test_a_general_made_ready_acts_again() -> None:
    where = position(side(at("horse", acted=True)))
    assert objections(where, Move("horse", "outside")) == ["act.once"]
    after = apply(where, Use("drum", "red", "horse"))
    assert not objections(after, Move("horse", "outside"))


def test_a_general_sent_back_or_defeated() -> None:
    where = position(side(), side(at("fox", item="sword")))
    after = apply(where, Use("recall", "red", target="fox"))
    assert (black(after).hand, black(after).fighters, black(after).seen) == (6, (), ("sword",))
    after = apply(where, Use("duel", "red", target="fox"))
    assert (black(after).defeated, black(after).expended) == (("fox",), 1)


def test_what_an_effect_is_about_is_named_and_there() -> None:
    where = position(side(at("horse")), side(at("fox")))
    assert objections(where, Use("drum", "red")) == ["effect.needs"]
    assert objections(where, Use("drum", "red", "fox")) == ["general.known"]
    assert objections(where, Use("duel", "red")) == ["effect.needs"]
    assert objections(where, Use("duel", "red", target="horse")) == ["attack.target"]
    assert objections(where, Use("rain", "red", "horse")) == ["effect.needs"]
    assert objections(where, Use("rain", "red", target="fox")) == ["effect.needs"]


# --- 11c: special effects of generals ----------------------------------------------------


def test_a_special_effect_once_a_turn_at_its_cost() -> None:
    after = apply(position(side(at("fox"))), Activate("fox"))
    assert (red(after).hand, red(after).expended, after.last) == (5, 1, "effect")
    assert objections(after, Activate("fox")) == ["effect.once"]
    assert not objections(fold(after, [End(), End()]), Activate("fox"))


def test_it_needs_an_effect_and_its_cost() -> None:
    where = position(side(at("fox"), at("horse"), hand=0))
    assert objections(where, Activate("fox")) == ["pay.hand"]
    assert objections(where, Activate("horse")) == ["effect.has"]
    assert objections(where, Activate("boar")) == ["general.known"]


def test_an_effect_about_another_general() -> None:
    after = apply(position(side(at("boar"), at("fox"))), Activate("boar", "fox"))
    assert after.points(0, red(after).fighters[1], "military") == 3


def test_it_goes_before_or_after_a_move() -> None:
    where = position(side(at("fox")))
    assert fold(where, [Activate("fox"), Move("fox", "outside")]).sides[0].fighters[0].zone == "outside"
    assert fold(where, [Move("fox", "outside"), Activate("fox")]).sides[0].fighters[0].used


# --- 11d: moving -------------------------------------------------------------------------


def test_a_general_goes_anywhere_but_into_the_opponents_city() -> None:
    where = position(side(at("fox"), at("horse", "siege")))
    assert apply(where, Move("fox", "siege")).sides[0].fighters[0] == at("fox", "siege", acted=True)
    assert not objections(where, Move("horse", "city"))
    assert objections(where, Move("fox", "opponent")) == ["move.zone"]
    assert objections(where, Move("fox", "city")) == ["move.elsewhere"]
    assert objections(where, Move("boar", "city")) == ["general.known"]


def test_opposing_generals_outside_the_city_are_blocked_one_to_one() -> None:
    enemies = side(at("fox", "siege"), at("horse", "siege"))
    one = position(side(at("boar", "outside"), at("hawk")), enemies)
    assert objections(one, Move("hawk", "siege")) == ["move.blocked"]
    two = position(side(at("boar", "outside"), at("fox", "outside"), at("hawk")), enemies)
    assert not objections(two, Move("hawk", "siege"))
    assert objections(two, Move("boar", "siege")) == ["move.blocked"]
    assert not objections(one, Move("hawk", "outside"))
    assert not objections(one, Move("boar", "city"))


def test_who_acted_blocks_unless_the_table_reads_it_otherwise() -> None:
    where = position(side(at("boar", "outside", acted=True), at("hawk")), side(at("fox", "siege")))
    assert not objections(where, Move("hawk", "siege"))
    strict = replace(where, readings=frozenset({"blockers"}))
    assert objections(strict, Move("hawk", "siege")) == ["move.blocked"]


def test_a_general_moves_or_attacks_once() -> None:
    where = apply(position(side(at("fox"))), Move("fox", "siege"))
    assert objections(where, Attack("fox")) == ["act.once"]
    assert objections(where, Move("fox", "city")) == ["act.once"]


# --- 12 to 15: attacking -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "mine", "theirs"),
    [("horse", (), ("hawk",)), ("hawk-2", ("hawk",), ("hawk",)), ("fox", ("fox",), ())],
)
def test_military_attack(attacker: str, mine: tuple[str, ...], theirs: tuple[str, ...]) -> None:
    where = position(side(at(attacker, "siege")), side(at("hawk", "outside")))
    after = apply(where, Attack(attacker, "hawk"))
    assert (red(after).defeated, black(after).defeated, after.last) == (mine, theirs, "attack")


def test_attacks_are_within_one_zone() -> None:
    where = position(side(at("horse", "siege"), at("fox")), side(at("hawk"), at("boar", "siege")))
    assert objections(where, Attack("horse", "hawk")) == ["attack.zone"]
    assert objections(where, Attack("fox", "hawk")) == ["attack.zone"]
    assert objections(where, Attack("horse", "fox")) == ["attack.target"]
    assert objections(where, Attack("boar", "hawk")) == ["general.known"]
    met = position(side(at("horse", "outside")), side(at("boar", "siege")))
    assert not objections(met, Attack("horse", "boar"))


def test_intelligence_attack_by_an_event() -> None:
    where = position(side(at("fox", "siege")), side(at("horse", "outside")))
    assert black(apply(where, Use("plot", "red", "fox", "horse"))).defeated == ("horse",)
    even = position(side(at("hawk", "siege")), side(at("horse", "outside")))
    after = apply(even, Use("plot", "red", "hawk", "horse"))
    assert (red(after).defeated, black(after).defeated) == ((), ())
    apart = position(side(at("fox")), side(at("horse", "outside")))
    assert objections(apart, Use("plot", "red", "fox", "horse")) == ["effect.strike-zone"]


def test_castle_resources_lose_as_many_cards_as_the_general_has_points() -> None:
    after = apply(position(side(at("horse", "siege", item="sword"))), Attack("horse"))
    assert (black(after).resources, black(after).expended, after.last) == (41, 5, "castle")


def test_one_general_outside_protects_the_castle() -> None:
    where = position(side(at("horse", "siege")), side(at("fox", "outside")))
    assert objections(where, Attack("horse")) == ["castle.guarded"]
    assert objections(position(side(at("horse", "outside"))), Attack("horse")) == ["castle.place"]


def test_one_inside_protects_it_only_by_the_other_reading() -> None:
    where = position(side(at("horse", "siege")), side(at("fox")))
    assert not objections(where, Attack("horse"))
    assert objections(replace(where, readings=frozenset({"guards"})), Attack("horse")) == ["castle.guarded"]


# --- 17 and 18: the end of a turn --------------------------------------------------------


def test_upkeep_is_a_resource_card_for_each_general() -> None:
    after = apply(position(side(at("fox"), at("horse", "siege"), defeated=("boar",))), End())
    assert (red(after).resources, red(after).expended) == (43 - 2, 2)


@pytest.mark.parametrize(("factions", "limit"), [(("Hill",), 10), (("Hill", "Lake"), 8), (("Hill", "Lake", "Sea"), 6)])
def test_cards_over_the_limit_of_the_hand_go(factions: tuple[str, ...], limit: int) -> None:
    generals = [card for card in deck().cards.values() if card.kind == "general"]
    told = {card.name: factions[number % len(factions)] for number, card in enumerate(generals)}
    cards = {**deck().cards, **{card.name: replace(card, faction=told[card.name]) for card in generals}}
    own = replace(deck(), cards=cards)
    assert own.hand_limit == limit
    where = position(replace(side(hand=12), deck=own))
    after = apply(where, End())
    assert (red(after).hand, red(after).expended) == (limit, 12 - limit)


# --- special cards -----------------------------------------------------------------------


def test_a_special_answers_what_the_opponent_just_did() -> None:
    where = position(side(at("fox")))
    assert objections(where, Use("trap", "black")) == ["special.after"]
    moved = apply(where, Move("fox", "outside"))
    assert objections(moved, Use("trap", "red")) == ["special.turn"]
    after = apply(moved, Use("trap", "black"))
    assert (red(after).resources, black(after).seen, after.last) == (44, ("trap",), "special")
    assert objections(after, Use("trap", "black")) == ["special.after"]


# --- what may be done --------------------------------------------------------------------


def test_what_may_be_done_is_listed() -> None:
    where = position(side(at("fox"), at("horse", "siege")), side(at("hawk", "outside")))
    found = legal(where)
    assert found.deploy == {"horse": 1, "fox": 0, "hawk": 2, "boar": 0}
    assert found.equip == {"sword": ("fox", "horse"), "band": ("fox", "horse")}
    assert set(found.use) == {"rain", "fire", "theft", "plot", "drum", "recall", "duel", "crown", "riddle", "study"}
    assert found.activate == ("fox",)
    assert found.move == {"fox": ("outside", "siege"), "horse": ("city", "outside")}
    assert found.attack == {"horse": ("hawk",)}
    assert legal(replace(where, winner=0, reason="agreed")).deploy == {}
    assert legal(position(side(at("horse", "siege")))).attack == {"horse": ("castle",)}


def test_illegal_steps_are_raised_and_end_a_replay() -> None:
    where = position(side(at("fox")))
    with pytest.raises(Illegal, match="fox already stands inside its city"):
        apply(where, Move("fox", "city"))
    told = replay(where, [Move("fox", "outside"), Move("fox", "siege")])
    assert told.done == 1
    assert told.failed is not None


def test_the_practice_decks_may_be_played() -> None:
    start = new_game({"red": load_deck("practice-cranes"), "black": load_deck("practice-wolves")}, "red")
    assert [one.deck.known for one in start.sides] == ["practice", "practice"]
