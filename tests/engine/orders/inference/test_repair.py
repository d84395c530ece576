"""What no legal turn explains: where it is, the ruling that forbids it, and how to put it right."""

from typing import Any

import pytest

from engine.orders.inference.infer import Inference, infer
from tests.engine.orders.inference.seeing import START, changed, table
from tests.tables import after, deploy, rivers, rolled

WRONG: list[tuple[str, dict[str, int], dict[str, Any] | None, dict[str, str]]] = [
    (
        "added where nobody supplies",
        {"b2 red troop": 1},
        None,
        {
            "b2": "b2 has 1 red troop too many: take it off; Red has no legal turn that adds units there: "
            "Reinforce 1: Reinforce only places in land areas you supply: b2 is empty; "
            "Advance to b2: no units move into b2"
        },
    ),
    (
        "added among the enemy",
        {"b3 red troop": 1},
        None,
        {
            "b3": "b3 has 1 red troop too many: take it off; Red has no legal turn that adds units there: "
            "Reinforce 1: Reinforce only places in land areas you supply: Black controls b3"
        },
    ),
    (
        "added for the side that is not on turn",
        {"b2 black troop": 1},
        None,
        {"b2": "b2 has 1 black troop too many: take it off; it's Red's turn, so Black gets no units"},
    ),
    (
        "too many at once",
        {"e3 red troop": 2, "d3 red troop": 3, "e1 red troop": 3},
        None,
        {
            "d3": "d3 has 2 red troops too many: take them off; Red has no legal turn that adds units there: "
            "Reinforce 1: at most 6 units can be placed, not 8"
        },
    ),
    (
        "two turns at once",
        {"e3 red troop": 2, "e4 red ship": -1, "d4 red ship": 1},
        None,
        {
            "e3": "e3 has 2 red troops too many: take them off; "
            "that would be a second turn: Red reinforces with 2 troops in e3",
        },
    ),
    (
        "taken from the enemy out of reach",
        {"b3 black troop": -1},
        None,
        {
            "b3": "b3 has 1 black troop missing: add it; Red has no legal turn that takes units from there: "
            "Advance to b3: no units move into b3"
        },
    ),
    (
        "the last unit left",
        {"e1 red troop": -2, "d1 red troop": 2},
        None,
        {"e1": "e1 has only 2 units, and one must stay", "d1": "d1 has 1 red troop too many"},
    ),
    (
        "too far",
        {"e1 red troop": -1, "c4 red troop": 1},
        None,
        {"e1": "e1 is not next to", "c4": "c4 has 1 red troop too many"},
    ),
    (
        "another space",
        {"d5 red troop": -2, "c4 red troop": 2},
        {"plan:1": "red"},
        {
            "c4": "Red's commander is missing on “Advance to c4”: put it there; "
            "Red advances to c4 with 2 troops from d5",
            "plan:1": "Red has a new commander on “Plan 1”: take it off; "
            "the closest legal turn is different: Red advances to c4 with 2 troops from d5",
        },
    ),
    (
        "no commander placed",
        {"d5 red troop": -2, "c4 red troop": 2},
        {},
        {"c4": "Red's commander is missing on “Advance to c4”: put it there; Red advances to c4 with 2 troops from d5"},
    ),
    (
        "a unit that cannot stand there",
        {"c1 red troop": 1},
        None,
        {"c1": "c1 has 1 red troop too many: take it off; 1 troop can't be on water"},
    ),
    (
        "a unit that cannot stand there, of the other side",
        {"d3 black ship": 1},
        None,
        {"d3": "d3 has 1 black ship too many: take it off; 1 ship can't be on land"},
    ),
    (
        "too far, with its commander",
        {"e1 red troop": -1, "c4 red troop": 1},
        {"advance:c4": "red"},
        {
            "e1": "e1 has 1 red troop missing: add it; Red has no legal turn that takes units from there: "
            "Advance to c4: e1 is not next to c4",
            "c4": "c4 has 1 red troop too many: take it off; Red has no legal turn that adds units there: "
            "Advance to c4: e1 is not next to c4",
        },
    ),
    (
        "a unit beside another turn",
        {"d5 red troop": -2, "c4 red troop": 2, "d3 red troop": 1},
        None,
        {
            "d3": "d3 has 1 red troop too many: take it off; "
            "that would be a second turn: Red reinforces with 1 troop in d3"
        },
    ),
    (
        "lost beside a turn",
        {"d5 red troop": -2, "c4 red troop": 2, "a1 black troop": -1},
        {"advance:c4": "red"},
        {
            "a1": "a1 has 1 black troop missing: add it; "
            "Red has no legal turn that takes units from there: Red used “Advance to c4”"
        },
    ),
    (
        "units without a commander",
        {"b2 red troop": 1},
        {},
        {
            "b2": "b2 has 1 red troop too many: take it off; "
            "Red has no legal turn that adds units there: Red hasn't placed a commander"
        },
    ),
    (
        "a commander on a space of another action",
        {"d3 red troop": 3, "e1 red troop": 3},
        {"bombard:e4": "red"},
        {
            "reinforce:1": "Red's commander is missing on “Reinforce 1”: put it there; "
            "Red reinforces with 3 troops in d3 and 3 in e1",
            "e4": "Red has a new commander on “Bombard from e4”: take it off; the closest legal turn is different",
        },
    ),
    (
        "a commander of the wrong side",
        {},
        {"advance:c4": "black"},
        {"c4": "Black has a new commander on “Advance to c4”, but it's Red's turn: take it off"},
    ),
    (
        "two commanders",
        {},
        {"plan:1": "red", "plan:2": "red"},
        {"plan:2": "Red has a new commander on “Plan 2”: take it off; a turn places one commander, not 2"},
    ),
    (
        "a commander without units",
        {},
        {"advance:c4": "red"},
        {"c4": "Red has a new commander on “Advance to c4”: take it off; no units move into c4"},
    ),
    (
        "a commander without supply",
        {},
        {"bombard:c2": "red"},
        {"c2": "Red has a new commander on “Bombard from c2”: take it off; Bombard needs supply: c2 is empty"},
    ),
]


@pytest.mark.parametrize(
    ("changes", "commanders", "messages"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG]
)
def test_what_nothing_explains_is_refused_area_by_area(
    changes: dict[str, int], commanders: dict[str, Any] | None, messages: dict[str, str]
) -> None:
    result = infer(START, changed(START, changes), commanders)
    assert not result.explanations
    found = {refusal.area: refusal.message for refusal in result.illegal}
    assert found.keys() == messages.keys()
    for area, message in messages.items():
        assert message in found[area]


def test_a_commander_that_is_gone_or_on_a_space_too_many_is_refused() -> None:
    planned = rivers("e3:3 d3:2", commanders={"plan:1": "red"})
    (gone,) = infer(planned, table(planned)[0], {}).illegal
    assert (gone.area, gone.message) == (
        "plan:1",
        "Red's commander on “Plan 1” is gone, but the round isn't over: put it back",
    )
    (second,) = infer(planned, table(planned)[0], {"plan:1": "red", "plan:2": "red"}).illegal
    assert second.finding is not None
    assert second.finding.rule == "plan.one-per-round"
    moved = infer(planned, changed(planned, {"d3 red troop": 1, "e4 red ship": 1}), {"plan:1": "red", "plan:2": "red"})
    assert [refusal.area for refusal in moved.illegal] == ["plan:2", "d3", "e4"]


def test_a_new_commander_that_is_in_order_is_not_refused_for_the_units() -> None:
    result = infer(START, changed(START, {"e3 red troop": 9}), {"reinforce:1": "red"})
    assert [refusal.area for refusal in result.illegal] == ["e3"]
    assert "at most 6 units can be placed, not 9" in result.illegal[0].message


def test_where_every_space_that_could_is_taken_no_ruling_is_named() -> None:
    taken = rivers("e3:3 e4:3", "a3:3", commanders={"embark:1": "red", "embark:2": "black"})
    (more,) = infer(taken, changed(taken, {"e4 red ship": 1})).illegal
    assert more.message.endswith("Red has no legal turn that adds units there: no free action space does that")
    assert more.finding is None


def test_ships_that_are_missed_are_no_part_of_an_advance() -> None:
    seen = changed(START, {"e4 red ship": -1, "b3 black troop": -1})
    found = {refusal.area: refusal.message for refusal in infer(START, seen, {"advance:b3": "red"}).illegal}
    assert "cannot stand on land" not in found["b3"]
    assert "no units move into b3" in found["b3"]


def test_nothing_is_played_after_the_game() -> None:
    over = after(rivers("e3:3 b4:3 c3:1 d3:1", "a3:1"), deploy("bombard:b4", "a3"), rolled("red", 1, 1, 1))
    assert over.winner_name == "red"
    result = infer(over, changed(over, {"e3 red troop": 1}), {})
    assert not result.explanations
    assert {refusal.finding.rule for refusal in result.illegal if refusal.finding} == {"game.over"}
    assert infer(over, *table(over)) == Inference((), (), 1.0)
