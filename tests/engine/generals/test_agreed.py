"""What the players agree on: any numbers and generals that the decks can hold."""

from __future__ import annotations

import pytest

from engine.generals.cards import add_deck, remove_deck
from engine.generals.game import apply, judge
from engine.generals.position import Position
from engine.generals.steps import Agreed
from engine.generals.wire import position_from_json, position_to_json
from tests.engine.generals.case import at, deck, objections, position, side


@pytest.fixture
def where() -> Position:
    return position(side(at("fox", "siege", item="sword"), at("horse"), hand=4, defeated=("boar",)))


def test_numbers_that_keep_the_decks_cards(where: Position) -> None:
    moved = Agreed("red", {"hand": 6, "resources": where.sides[0].resources - 2})
    assert apply(where, moved).sides[0].hand == 6
    assert objections(where, Agreed("red", {"hand": 6})) == ["agreed.cards"]


def test_generals_change_come_and_leave(where: Position) -> None:
    step = Agreed(
        "red",
        {"resources": where.sides[0].resources - 1, "expended": 1},
        {"fox": {"zone": "city"}, "horse": None, "hawk": {"zone": "outside", "troop": "band"}},
        defeated=("boar", "horse"),
    )
    side_after = apply(
        where, Agreed(step.side, {"resources": where.sides[0].resources - 2}, step.generals, step.defeated)
    ).sides[0]
    assert [fighter.label for fighter in side_after.fighters] == ["fox", "hawk"]
    assert side_after.fighters == (at("fox", item="sword"), at("hawk", "outside", troop="band"))
    assert side_after.defeated == ("boar", "horse")


@pytest.mark.parametrize(
    ("label", "row", "fault"),
    [
        ("sword", {}, "not a general in this deck"),
        ("dragon", {}, "not a general in this deck"),
        ("fox", {"zone": "sea"}, "sea is not a zone"),
        ("fox", {"item": "band"}, "the deck has no such item card: band"),
        ("fox", {"troop": "dragon"}, "the deck has no such troop card: dragon"),
    ],
)
def test_generals_are_of_the_deck(where: Position, label: str, row: dict[str, str], fault: str) -> None:
    (objection,) = judge(where, Agreed("red", {}, {label: row})).objections
    assert (objection.rule, objection.message) == ("agreed.general", f"{label}: {fault}")


def test_no_more_copies_than_the_deck_has(where: Position) -> None:
    more: dict[str, dict[str, str]] = {f"fox-{n}": {} for n in (2, 3, 4)}
    (objection,) = judge(where, Agreed("red", {}, more)).objections
    assert objection.message == "fox: more copies of fox than the deck has"


@pytest.mark.parametrize("defeated", [("dragon",), ("sword",), ("boar", "boar", "boar", "boar")])
def test_the_defeated_are_generals_of_the_deck(where: Position, defeated: tuple[str, ...]) -> None:
    assert objections(where, Agreed("red", defeated=defeated)) == ["agreed.general"]


def test_sides_and_winners_are_red_or_black(where: Position) -> None:
    assert objections(where, Agreed("blue")) == ["game.side"]
    assert objections(where, Agreed("red", winner="blue")) == ["game.side"]


def test_cards_that_lie_elsewhere_now_are_no_longer_seen_in_the_expended_zone() -> None:
    expended = position(side(at("fox"), hand=4, expended=3, seen=("sword", "sword", "sword")))
    back = apply(expended, Agreed("red", {"expended": 2}, {"fox": {"item": "sword"}})).sides[0]
    assert (back.seen, back.fighters) == (("sword", "sword"), (at("fox", item="sword"),))
    shuffled = Agreed("red", {"expended": 0, "resources": expended.sides[0].resources + 3})
    assert apply(expended, shuffled).sides[0].seen == ()


def test_what_is_agreed_can_be_written_and_read() -> None:
    where = position(side(at("fox"), hand=4, expended=3, seen=("sword", "rain", "sword")))
    after = apply(where, Agreed("red", {"expended": 1}, {"fox": {"item": "sword"}}, ("horse",)))
    add_deck(deck())
    try:
        assert position_from_json(position_to_json(after)) == after
    finally:
        remove_deck("hills")


def test_points_and_what_a_general_has_done_this_turn(where: Position) -> None:
    after = apply(where, Agreed("red", {}, {"horse": {"military": -2, "acted": True}})).sides[0]
    assert after.fighters[1] == at("horse", military=-2, acted=True)
