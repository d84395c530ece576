"""Winning Criteria: no card to draw, not enough for damage or upkeep, and cards that say so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.generals.game import apply, examine
from engine.generals.position import Position, Side
from engine.generals.steps import Agreed, Attack, End, Use
from tests.generals.case import at, objections, position, side


def poor(one: Side, resources: int) -> Side:
    """The side with so few resources left; the rest of its deck has been expended."""
    return replace(one, resources=resources, expended=one.expended + one.resources - resources)


def ended(where: Position) -> tuple[str | None, str]:
    return where.winner_name, where.reason


def test_1_no_resource_card_to_draw() -> None:
    where = position(side(), poor(side(), 0))
    assert ended(apply(where, End())) == ("red", "draw")
    assert ended(apply(position(side(), poor(side(), 1)), End())) == (None, "")


def test_1_an_effect_that_draws_too_much_loses_as_well() -> None:
    assert ended(apply(position(poor(side(), 1)), Use("rain", "red"))) == ("black", "draw")


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


def test_4_a_card_whose_words_the_players_judge() -> None:
    after = apply(position(side()), Agreed("red", winner="black", note="the Riddle was solved"))
    assert ended(after) == ("black", "agreed")


def test_nothing_is_played_once_it_is_over() -> None:
    over = position(side(), winner=0, reason="upkeep")
    (objection,) = examine(over, End()).objections
    assert objection.rule == "game.over"
    assert objection.message == "the game is over (there were not enough resource cards for the upkeep)"
    assert not objections(over, Agreed("red", note="a last word"))
