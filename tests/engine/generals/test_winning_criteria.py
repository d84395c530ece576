"""Winning Criteria: no card to draw, not enough for damage or upkeep, and cards that say so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.generals.cards import Deck, Effect, Feature
from engine.generals.game import apply, examine
from engine.generals.position import Position, Side
from engine.generals.steps import Activate, Agreed, Attack, End, Move, Use
from tests.engine.generals.case import at, deck, objections, position, side


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
