"""What may be ordered and why not, and what the ruler tells of units."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.referee import reply
from engine.sonae.game import Option, UnitOptions, apply, may_move, options, orderable_units, turn_in_place
from engine.sonae.position import Due, Position
from engine.sonae.ranges import Ruler, measure_unit
from engine.sonae.steps import Advance, Fire
from engine.sonae.wire import new_from_json, position_to_json
from tests.engine.sonae.case import at, battle, standing


def of(position: Position, name: str) -> UnitOptions:
    return next(unit for unit in options(position).units if unit.unit == name)


def kinds(unit: UnitOptions) -> set[str]:
    return {option.kind for option in unit.may}


def refused(unit: UnitOptions, kind: str) -> set[str]:
    return {objection.rule for option in unit.orders if option.kind == kind for objection in option.objections}


def charges(unit: UnitOptions) -> list[Option]:
    return [option for option in unit.may if option.kind == "charge"]


def test_nothing_is_ordered_while_something_is_owed_or_all_is_over() -> None:
    for none in (
        battle(due=(Due("token", -1),)),
        battle(winner=0, reason="agreed"),
        battle(acting="", orders=0),
    ):
        assert options(none).units == ()
        assert not options(none).done
        assert orderable_units(none) == []


def test_how_far_a_unit_may_go() -> None:
    found = of(battle(at("ito-b", 28, 12)), "ito-a")
    assert (found.ahead, found.back, found.aside) == (2.0, 1.0, 1.0)
    assert kinds(found) == {"advance", "fall_back", "turn"}
    assert refused(found, "rally") == {"rally.status"}
    road = of(battle(at("ito-a", 1, 3)), "ito-a")
    assert (road.ahead, road.back) == (3.0, 2.0)
    hindered = of(battle(at("ito-b", 9, 8.2), at("ito-lead", 9, 4.5)), "ito-a")
    assert hindered.ahead == pytest.approx(1.2, abs=0.08)
    assert hindered.back == pytest.approx(0.5, abs=0.08)
    shut = of(battle(at("ito-b", 9, 7)), "ito-a")
    assert (shut.ahead, refused(shut, "advance")) == (0.0, {"move.way"})


def test_a_camp_goes_nowhere_and_a_rider_far() -> None:
    camp = of(battle(), "ito-general")
    assert (camp.ahead, camp.back, camp.aside) == (0.0, 0.0, 0.0)
    assert refused(camp, "advance") == {"move.encamped"}
    assert of(battle(modes=("mobile", "encamped")), "ito-general").ahead == 3.0


def test_a_turn_may_stay_where_it_is() -> None:
    shut = of(battle(at("ito-lead", 8, 6), at("ito-b", 10, 6), at("ito-general", 9, 5)), "ito-a")
    assert shut.aside == 0.0
    assert "turn" in kinds(shut)


def test_the_least_turn_is_to_the_right_without_a_step() -> None:
    free, locked = battle(), battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180))
    assert turn_in_place(free, free.here("ito-a")).legal
    assert {objection.rule for objection in turn_in_place(locked, locked.here("ito-a")).objections} == refused(
        of(locked, "ito-a"), "turn"
    )


def test_a_unit_may_move_where_one_of_its_moves_is_legal() -> None:
    battles = (
        battle(),
        battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180)),
        battle(at("ito-lead", 8, 6), at("ito-b", 10, 6), at("ito-general", 9, 5)),
    )
    for position in battles:
        assert may_move(position, position.here("ito-a")) == bool(
            {"advance", "fall_back", "turn"} & kinds(of(position, "ito-a"))
        )
    assert not may_move(battle(), battle().here("oda-a")), "it is not their turn"


def test_targets_and_charges() -> None:
    found = of(battle(at("ito-a", 9, 10), at("oda-a", 9.3, 12.5, 180), at("oda-b", 11.2, 11, 180)), "ito-a")
    assert found.targets == ("oda-a", "oda-b")
    assert {option.step for option in found.may if option.kind == "fire"} == {
        Fire("ito-a", "oda-a"),
        Fire("ito-a", "oda-b"),
    }
    (charge,) = charges(found)
    assert charge.target == "oda-a"
    position = battle(at("ito-a", 9, 10), at("oda-a", 9.3, 12.5, 180), at("oda-b", 11.2, 11, 180))
    assert apply(position, charge.step).here("ito-a").charged
    far = of(battle(at("ito-a", 9, 10), at("oda-a", 9, 13.5, 180)), "ito-a")
    assert refused(far, "charge") == {"move.distance"}
    locked = of(battle(at("ito-a", 9, 11.5), at("oda-a", 9, 12.5, 180)), "ito-a")
    assert kinds(locked) == {"fall_back"}


def test_on_a_grid() -> None:
    start = standing("square", oda_a=(9.5, 9.5, 180), ito_b=(28.5, 12.5, 0))
    found = of(start, "ito-a")
    assert (found.ahead, found.back, found.aside) == (1.0, 1.0, 1.0)
    assert [option.step for option in charges(found)] == [Advance("ito-a", 9.5, 8.5)]
    aside = of(standing("square", oda_a=(11.5, 8.5, 0)), "ito-a")
    assert charges(aside) == []


def test_a_bonus_order_is_for_the_victors() -> None:
    start = battle(bonus=("ito-a",), fighting=True)
    assert [unit.unit for unit in options(start).units] == ["ito-a"]
    assert options(start).done


def test_the_referee_tells_them() -> None:
    start = replace(new_from_json({"scenario": "maru-shikaku"}), due=(), acting="maru-san", orders=4)
    answer = reply(json.dumps({"do": "legal", "position": position_to_json(start)}))
    unit = answer["units"]["maru-san-firing"]
    assert (unit["ahead"], unit["targets"], answer["done"], answer["pending"]) == (2.0, [], True, None)
    assert {"advance": "maru-san-firing", "x": 4.0, "y": 13.4} in unit["steps"]
    assert unit["why_not"] == {"rally": "maru-san-firing is already fresh"}
    owed = reply(json.dumps({"do": "legal", "position": position_to_json(replace(start, due=(Due("token", -1),)))}))
    assert (owed["units"], owed["pending"]["wants"]) == ({}, "token")


# ==== The ruler ================================================================================


def told(laid: Ruler) -> dict[str, tuple[bool, str, str]]:
    return {fact.name: (fact.holds, fact.text, str(fact.citation)) for fact in laid.facts}


def test_a_unit_alone() -> None:
    laid = measure_unit(battle(at("ito-a", 9, 6)), "ito-a")
    assert laid.apart is None
    assert laid.is_in_command
    assert list(told(laid)) == ["in_command", "general_near"]
    assert told(laid)["in_command"][2] == "Command and Control"


def test_a_general_is_not_near_itself() -> None:
    laid = measure_unit(battle(), "ito-general")
    assert list(told(laid)) == ["in_command"]
    assert not laid.is_general_near


def test_far_from_its_commander_and_the_general() -> None:
    laid = measure_unit(battle(at("ito-a", 29, 29)), "ito-a")
    assert (laid.is_in_command, laid.is_general_near) == (False, False)
    assert "one order only" in told(laid)["in_command"][1]
    assert "outside the Army General" in told(laid)["general_near"][1]


@pytest.mark.parametrize(
    ("x", "y", "quarter", "in_range"),
    [(9, 8.5, "front", True), (12.5, 6, "right", False), (9, 4, "rear", True), (6, 6, "left", True)],
)
def test_two_units(x: float, y: float, quarter: str, in_range: bool) -> None:
    laid = measure_unit(battle(at("ito-a", 9, 6), at("oda-a", x, y, 180)), "ito-a", "oda-a")
    assert laid.apart is not None
    assert (laid.apart.quarter, laid.apart.is_in_range, laid.apart.is_in_contact) == (quarter, in_range, False)
    facts = told(laid)
    assert facts["in_range"][2] == "Ranged Combat"
    assert facts["quarter"][2] == "Movement"
    assert facts["quarter"][0] == (quarter == "front")


def test_in_contact() -> None:
    laid = measure_unit(battle(at("ito-a", 9, 6), at("oda-a", 9, 7, 180)), "ito-a", "oda-a")
    assert laid.apart is not None
    assert laid.apart.is_in_contact
    assert told(laid)["in_contact"][1:] == ("ito-a and oda-a are in contact", "Close Combat")
