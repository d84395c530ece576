"""Readings held against the truth: what counts as right, silent, missed and invented; what is no truth."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vision.tables import four_areas
from vision.reading.read import Reading
from vision.scoring import Tally, Truth, figures, score_frame, truth_of

PLAN = four_areas()
TWO = {"a1": {"red": {"troop": 2}}}
THREE = {"a1": {"red": {"troop": 3}}}


def reading(units: dict[str, Any], sure: float = 0.99, unreadable: tuple[str, ...] = (), **leaders: str) -> Reading:
    confidence = {area.name: 0.99 for area in PLAN.areas} | {"a1": sure}
    return Reading(units, {f"advance:{area}": who for area, who in leaders.items()}, confidence, unreadable, 10.0)


@pytest.mark.parametrize(
    ("read", "covered", "expected"),
    [
        (reading(TWO), [], {"right": 4, "silent": 0, "clear_right": 4, "clear_sure": 4, "frames_right": 1}),
        (reading(THREE), [], {"right": 3, "silent": 1, "clear_silent": 1, "clear_sure": 4, "frames_right": 0}),
        (reading(THREE, 0.7), [], {"right": 3, "silent": 0, "clear_right": 3, "clear_sure": 3}),
        (reading({}, 0.0, ("a1",)), [], {"right": 3, "silent": 0, "clear_refused": 1, "frames_right": 0}),
        (reading({}, 0.0, ("a1",)), ["a1"], {"right": 4, "covered": 1, "covered_refused": 1, "frames_right": 1}),
        (reading(THREE), ["a1"], {"right": 3, "silent": 1, "clear": 3, "clear_silent": 0, "frames_right": 1}),
    ],
)
def test_areas_are_judged(read: Reading, covered: list[str], expected: dict[str, int]) -> None:
    tally = score_frame(read, Truth(TWO, None, frozenset(covered)), PLAN, "f")
    assert {name: getattr(tally, name) for name in expected} == expected
    assert len(tally.answers) == 4 - len(read.unreadable)
    assert [miss.place for miss in tally.wrong] == ["a1"] * (4 - tally.right)


def test_pieces_are_counted_by_faction_and_kind_where_the_board_is_clear() -> None:
    truth = Truth({"a1": {"red": {"troop": 2}}, "b1": {"black": {"troop": 1}}, "a2": {"red": {"ship": 1}}})
    read = reading({"a1": {"red": {"troop": 1}}, "b1": {"red": {"troop": 1}, "black": {"troop": 3}}}, 0.5)
    pieces = figures(score_frame(read, truth, PLAN, "f"))["pieces"]
    assert [tuple(kind.values()) for kind in pieces] == [
        ("black", "troop", 1, 0, 2),
        ("red", "ship", 1, 1, 0),
        ("red", "troop", 2, 1, 1),
    ]
    covered = Truth(truth.units, None, frozenset(area.name for area in PLAN.areas))
    assert figures(score_frame(read, covered, PLAN, "f"))["pieces"] == []


def test_commanders_count_by_space_outside_covered_areas() -> None:
    stood = frozenset({("advance:a1", "red"), ("advance:b1", "black")})
    read = reading({}, a1="red", b1="red")
    told = figures(score_frame(read, Truth({}, stood), PLAN, "f"))
    assert (told["commanders"], told["commander_precision"], told["commander_recall"]) == (2, 0.5, 0.5)
    told = figures(score_frame(read, Truth({}, stood, frozenset({"b1"})), PLAN, "f"))
    assert (told["commanders"], told["commander_precision"], told["commander_recall"]) == (1, 1.0, 1.0)
    unknown = score_frame(read, Truth({}), PLAN, "f")
    assert (unknown.leaders_read, unknown.wrong) == (0, []), "nobody said who led"


def test_what_was_wrong_is_listed_with_what_was_wanted() -> None:
    tally = score_frame(reading(THREE, a1="red"), Truth(TWO, frozenset()), PLAN, "frame-01")
    assert [(miss.frame, miss.place, miss.want, miss.got, miss.confidence) for miss in tally.wrong] == [
        ("frame-01", "a1", {"red": {"troop": 2}}, {"red": {"troop": 3}}, 0.99),
        ("frame-01", "advance:a1", {}, {"red": {"commander": 1}}, 0.0),
    ]


def test_tallies_add_up_and_an_empty_one_has_no_shares() -> None:
    total = Tally()
    assert figures(total)["share_right"] is figures(total)["share_sure"] is figures(total)["median_ms"] is None
    for units in (TWO, THREE):
        total.add(score_frame(reading(units), Truth(TWO), PLAN, "f"))
    told = figures(total)
    assert (told["frames"], told["frames_right"], told["areas"], told["right"], told["silent"]) == (2, 1, 8, 7, 1)
    assert (total.there, total.invented) == ({("red", "troop"): 4}, {("red", "troop"): 1})


def test_a_truth_is_taken_as_it_is_written() -> None:
    corners = [[0, 0], [9, 0], [9, 9], [0, 9.5]]
    value = {"units": TWO, "commanders": {"advance:a1": ["red", "black"], "sail:a2": "red"}, "occluded": ["b2"]}
    truth = truth_of({**value, "corners_px": corners, "source": "mine"}, PLAN)
    assert truth.units == TWO
    assert truth.commanders == frozenset({("advance:a1", "red"), ("advance:a1", "black"), ("sail:a2", "red")})
    assert truth.covered == {"b2"}
    assert truth.corners_px is not None
    assert truth.corners_px.tolist() == corners
    assert truth_of({"units": {}}, PLAN) == Truth({})


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([], "an object"),
        ({}, "an object"),
        ({"units": {"q9": {}}}, "'q9': expected an area of test-four"),
        ({"units": {"a1": []}}, "'a1': expected an area"),
        ({"units": {"a1": {"blue": {}}}}, "a1: expected factions"),
        ({"units": {"a1": {"red": {"troop": -1}}}}, "a1: expected factions"),
        ({"units": {"a1": {"red": {"troop": 100}}}}, "a1: expected factions"),
        ({"units": {"a1": {"red": {"troop": True}}}}, "a1: expected factions"),
        ({"units": {"a1": {"red": {"elephant": 1}}}}, "a1: expected factions"),
        ({"units": {}, "commanders": []}, "commanders"),
        ({"units": {}, "commanders": {"plan:1": "red"}}, "commanders: expected action spaces of test-four's map"),
        ({"units": {}, "commanders": {"advance:a1": "blue"}}, "commanders"),
        ({"units": {}, "commanders": {"advance:a1": ["red"] * 9}}, "a list of at most"),
        ({"units": {}, "commanders": {"advance:a1": 3}}, "a name"),
        ({"units": {}, "occluded": ["q9"]}, "occluded"),
        ({"units": {}, "occluded": ["a1"] * 9}, "a list of at most"),
        ({"units": {}, "corners_px": [[0, 0]] * 3}, "four corners"),
        ({"units": {}, "corners_px": [[0, float("inf")]] * 4}, "a number"),
    ],
)
def test_what_is_no_truth_is_refused(value: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        truth_of(value, PLAN)
