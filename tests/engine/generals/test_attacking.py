"""Game Play 12 to 18 and the Winning Criteria: attacking, the end of a turn, and how a game ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.generals.cards import Deck, Effect, Feature
from engine.generals.game import apply, examine, fold
from engine.generals.position import Position, Side
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Step, Use
from tests.engine.generals.case import at, black, deck, objections, position, red, side

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
    assert not objections(replace(apart, readings=frozenset({"strike-zone"})), Use("plot", "red", "fox", "horse"))


def test_an_intelligence_attack_is_the_one_attack_of_the_general() -> None:
    plot = Use("plot", "red", "fox", "horse")
    where = position(side(at("fox", "siege")), side(at("horse", "outside")))
    after = apply(where, plot)
    assert objections(after, Attack("fox")) == ["act.once"]
    assert objections(after, Move("fox", "city")) == ["act.once"]
    for changes, rule in (({"fresh": True}, "act.fresh"), ({"acted": True}, "act.once")):
        spent = position(side(at("fox", "siege", **changes)), side(at("horse", "outside")))
        assert objections(spent, plot) == [rule]
        free = replace(spent, readings=frozenset({"strike-attack"}))
        assert red(apply(free, plot)).fighters == red(spent).fighters


def test_an_intelligence_attack_by_a_generals_own_effect_is_not() -> None:
    schemer = replace(deck().cards["fox"], effect=Effect("strike"))
    own = replace(deck(), cards={**deck().cards, "fox": schemer})
    where = position(replace(side(at("fox", "siege", acted=True)), deck=own), side(at("horse", "outside")))
    after = apply(where, Activate("fox", "fox", "horse"))
    assert black(after).defeated == ("horse",)


@pytest.mark.parametrize(
    ("attacker", "mine", "theirs"),
    [("fox", (), ("hawk",)), ("horse", ("horse",), ("hawk",)), ("boar", ("boar",), ())],
)
def test_an_intelligence_attack_that_fails_by_the_other_reading(
    attacker: str, mine: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    where = position(side(at(attacker, "siege")), side(at("hawk", "outside")), readings=frozenset({"strike-fails"}))
    after = apply(where, Use("plot", "red", attacker, "hawk"))
    assert (red(after).defeated, black(after).defeated) == (mine, theirs)


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


def test_16_nobody_has_to_move_or_attack() -> None:
    where = position(side(at("horse", "siege"), at("fox", "outside")), side(at("boar", "siege")))
    assert not objections(where, End())


def test_deploying_planning_and_attacking_go_in_any_order() -> None:
    where = position(side(at("horse", "siege"), hand=9))
    steps: list[Step] = [
        Attack("horse"),
        Deploy("boar"),
        Equip("sword", "boar"),
        Use("rain", "red"),
        Deploy("fox"),
        Activate("fox"),
    ]
    after = fold(where, steps)
    assert [fighter.label for fighter in red(after).fighters] == ["horse", "boar", "fox"]
    assert after.done == ("castle", "deploy", "equip", "event", "effect")


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


# ==== Winning Criteria =========================================================================


def poor(one: Side, resources: int) -> Side:
    """Return the side with only these resources left and the rest of its deck expended."""
    return replace(one, resources=resources, expended=one.expended + one.resources - resources)


def ended(where: Position) -> tuple[str | None, str]:
    return where.winner_name, where.reason


def test_1_no_resource_card_to_draw() -> None:
    where = position(side(), poor(side(), 0))
    assert ended(apply(where, End())) == ("red", "draw")
    assert ended(apply(position(side(), poor(side(), 1)), End())) == (None, "")


SHORT = frozenset({"cards-short"})


@pytest.mark.parametrize(("readings", "end"), [(frozenset(), (None, "")), (SHORT, ("black", "draw"))])
def test_1_an_effect_draws_what_there_is_unless_the_table_reads_it_otherwise(
    readings: frozenset[str], end: tuple[str | None, str]
) -> None:
    after = apply(position(poor(side(), 1), readings=readings), Use("rain", "red"))
    assert ended(after) == end
    assert (after.sides[0].resources, after.sides[0].hand) == (0, 4)


@pytest.mark.parametrize(("readings", "end"), [(frozenset(), (None, "")), (SHORT, ("red", "damage"))])
def test_2_a_cards_damage_takes_what_there_is_unless_the_table_reads_it_otherwise(
    readings: frozenset[str], end: tuple[str | None, str]
) -> None:
    after = apply(position(side(), poor(side(), 2), readings=readings), Use("fire", "red"))
    assert ended(after) == end
    assert after.sides[1].resources == 0


def test_2_damage_by_a_generals_effect_is_damage_by_a_general() -> None:
    burner = replace(deck().cards["fox"], effect=Effect("damage", 3))
    own = replace(side(at("fox")), deck=replace(deck(), cards={**deck().cards, "fox": burner}))
    assert ended(apply(position(own, poor(side(), 2)), Activate("fox"))) == ("red", "damage")
    assert ended(apply(position(own, poor(side(), 3)), Activate("fox"))) == (None, "")


def test_the_last_card_loses_only_by_the_other_reading() -> None:
    where = position(side(at("horse", "siege")), poor(side(), 3))
    assert ended(apply(where, Attack("horse"))) == (None, "")
    assert ended(apply(replace(where, readings=frozenset({"last-card"})), Attack("horse"))) == ("red", "damage")
    harmless = position(side(at("boar", "siege")), poor(side(), 0), readings=frozenset({"last-card"}))
    assert ended(apply(harmless, Attack("boar"))) == (None, "")


@pytest.mark.parametrize(("resources", "winner"), [(2, "red"), (3, None)])
def test_2_not_enough_for_the_damage(resources: int, winner: str | None) -> None:
    where = position(side(at("horse", "siege")), poor(side(), resources))
    after = apply(where, Attack("horse"))
    assert ended(after) == (winner, "damage" if winner else "")
    assert after.sides[1].resources == 0


@pytest.mark.parametrize(("resources", "winner"), [(1, "black"), (2, None)])
def test_3_not_enough_for_the_upkeep(resources: int, winner: str | None) -> None:
    where = position(poor(side(at("fox"), at("horse")), resources))
    assert ended(apply(where, End())) == (winner, "upkeep" if winner else "")


def test_4_a_card_says_so() -> None:
    after = apply(position(side()), Use("crown", "red"))
    assert ended(after) == ("red", "card")


def kingly(when: str, least: int = 1) -> Deck:
    """Return the deck with a general whose feature wins the game."""
    feature = Feature("win", when, least)
    return replace(deck(), cards={**deck().cards, "horse": replace(deck().cards["horse"], feature=feature)})


def test_4_a_feature_wins_as_soon_as_its_criterion_is_fulfilled() -> None:
    own = replace(side(at("horse"), at("fox", "siege")), deck=kingly("siege"))
    assert ended(apply(position(own), Move("fox", "city"))) == (None, "")
    assert ended(apply(position(own), Move("horse", "siege"))) == ("red", "card")
    where = position(side(at("fox")), own)
    assert ended(apply(where, End())) == (None, "")
    sieging = replace(side(at("horse", "siege")), deck=kingly("facing", 2))
    assert ended(apply(position(side(at("fox", "outside"), at("boar")), sieging), Move("boar", "outside"))) == (
        "black",
        "card",
    )


def test_4_a_card_whose_words_the_players_judge() -> None:
    after = apply(position(side()), Agreed("red", winner="black", note="the Riddle was solved"))
    assert ended(after) == ("black", "agreed")


def test_nothing_is_played_once_it_is_over() -> None:
    over = position(side(), winner=0, reason="upkeep")
    (objection,) = examine(over, End()).objections
    assert objection.rule == "game.over"
    assert objection.message == "the game is over (too few resource cards for the upkeep)"
    assert not objections(over, Agreed("red", note="a last word"))
