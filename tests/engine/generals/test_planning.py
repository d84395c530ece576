"""Game Play 11: equipment, events, special effects of generals, moving; special cards; and all in any order."""

from __future__ import annotations

from dataclasses import replace

from engine.generals.cards import TRIGGERS, Effect
from engine.generals.game import apply, fold, legal, owed, specials
from engine.generals.position import Position
from engine.generals.steps import Activate, Attack, Deploy, End, Equip, Move, Use
from engine.generals.tally import points_of
from tests.engine.generals.case import at, black, deck, objections, points, position, red, side

# --- 11a: equipment ----------------------------------------------------------------------


def test_equipment_adds_its_points_and_is_paid_for() -> None:
    after = apply(position(side(at("fox", fresh=True))), Equip("sword", "fox"))
    assert points(after, 0, "military") == 3
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
    assert points(after, 0, "intelligence") == 6
    after = apply(after, End())
    assert points(after, 0, "intelligence") == 2


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


def test_equipment_taken_away() -> None:
    where = position(side(), side(at("fox", item="sword", troop="band"), at("horse", item="sword")))
    after = apply(where, Use("thieves", "red", target="fox"))
    assert (black(after).fighters, black(after).seen) == ((at("fox"), at("horse", item="sword")), ("sword", "band"))
    assert black(after).expended == 2


def test_fewer_points_until_the_end_of_the_turn() -> None:
    where = position(side(), side(at("horse"), at("fox")))
    after = apply(where, Use("fever", "red", target="horse"))
    assert points_of(after, 1, black(after).fighters[0], "military").total == 1
    after = apply(after, Use("fever", "red", target="fox"))
    assert points_of(after, 1, black(after).fighters[1], "military").total == 0
    after = apply(after, End())
    assert points_of(after, 1, black(after).fighters[0], "military").total == 3


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
    assert points(after, 1, "military") == 3


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


# --- special cards -----------------------------------------------------------------------


def test_a_special_answers_what_the_opponent_just_did() -> None:
    where = position(side(at("fox")))
    assert objections(where, Use("trap", "black")) == ["special.after"]
    moved = apply(where, Move("fox", "outside"))
    assert objections(moved, Use("trap", "red")) == ["special.turn"]
    after = apply(moved, Use("trap", "black"))
    assert (red(after).resources, black(after).seen, after.last) == (44, ("trap",), "move")


def test_several_specials_answer_one_event_unless_the_table_reads_it_otherwise() -> None:
    moved = replace(apply(position(side(at("fox"))), Move("fox", "outside")), readings=frozenset())
    once = apply(moved, Use("trap", "black"))
    assert not objections(once, Use("trap", "black"))
    strict = apply(replace(moved, readings=frozenset({"specials"})), Use("trap", "black"))
    assert objections(strict, Use("trap", "black")) == ["special.one"]
    assert specials(strict) == ()
    assert objections(apply(strict, Deploy("boar")), Use("trap", "black")) == ["special.after"]


def test_a_special_later_in_the_turn_only_by_the_other_reading() -> None:
    where = fold(position(side(at("fox"))), [Move("fox", "outside"), Deploy("boar")])
    assert objections(where, Use("trap", "black")) == ["special.after"]
    late = replace(where, readings=frozenset({"special-window"}))
    assert not objections(late, Use("trap", "black"))
    assert objections(apply(late, End()), Use("trap", "black")) == ["special.turn"]
    assert objections(fold(late, [End(), End()]), Use("trap", "black")) == ["special.after"]


def test_an_intelligence_attack_is_answered_as_an_attack_and_as_what_made_it() -> None:
    brave = {f"brave_{after}": replace(deck().cards["trap"], name=f"brave_{after}", after=after) for after in TRIGGERS}
    own = replace(deck(), cards={**deck().cards, "fox": replace(deck().cards["fox"], effect=Effect("strike"))})
    where = position(
        replace(side(at("fox", "siege"), at("hawk")), deck=own),
        replace(
            side(at("horse", "outside"), at("boar", "outside")), deck=replace(deck(), cards={**deck().cards, **brave})
        ),
    )

    def fitting(after: Position) -> set[str]:
        return {name for name in specials(after) if name.startswith("brave")}

    struck = apply(where, Use("plot", "red", "fox", "horse"))
    assert fitting(struck) == {"brave_event", "brave_attack"}
    schemed = apply(where, Activate("fox", "fox", "horse"))
    assert fitting(schemed) == {"brave_effect", "brave_attack"}
    assert struck.done == ("event", "attack")


def test_the_draw_of_a_turn_may_be_answered() -> None:
    after = apply(position(side()), End())
    assert (after.last, after.done) == ("draw", ("draw",))


def test_an_intelligence_attack_on_the_opponents_turn() -> None:
    moved = apply(position(side(at("horse")), side(at("fox", "outside"))), Move("horse", "siege"))
    assert red(apply(moved, Use("snare", "black", "fox", "horse"))).defeated == ("horse",)


def test_what_may_be_answered_is_owed_and_nobody_has_to() -> None:
    where = position(side(at("fox")))
    assert owed(where) is None
    moved = apply(where, Move("fox", "outside"))
    due = owed(moved)
    assert due is not None
    assert (due.wants, due.by, due.cards) == ("special", 1, ("trap",))
    assert due.text == "Black may answer with a special card"
    assert legal(moved).specials == ("trap",)
    assert owed(replace(moved, sides=(red(moved), side(hand=1)))) is None
    assert owed(apply(moved, End())) is None
