"""Movement: "could be easily translated to a square or hex grid": cells, ways, ranges and contact counted in them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.sonae.field import COLUMN, Measure, Place, cells, middle
from engine.sonae.game import apply, new_game
from engine.sonae.position import Due, Position
from engine.sonae.ranges import enemies_in_contact, is_in_range
from engine.sonae.scenario import Scenario, read_scenario
from engine.sonae.steps import Advance, Agreed, Done, FallBack, Wheel
from tests.engine.sonae.case import battle, objections, roll, rolls, scenario_text, told, wants

SQUARE, HEX = Measure("square"), Measure("hex")


def gridded(grid: str) -> Scenario:
    """Return the field for tests on a grid."""
    return read_scenario("field", scenario_text().replace("turns = 3", f'turns = 3\ngrid = "{grid}"'), "field.toml")


def standing(grid: str, *readings: str, **places: tuple[float, float, float]) -> Position:
    """Return a position with these units (with _ for -) in these places and the others at home."""
    scenario = gridded(grid)
    start = replace(battle(readings=frozenset(readings)), scenario=scenario, units=new_game(scenario).units)
    for name, (x, y, facing_deg) in places.items():
        place = start.measure.snapped(Place(x, y, facing_deg))
        start = start.with_unit(name.replace("_", "-"), place=place)
    return start


# --- cells --------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_every_cell_is_found_by_its_middle_and_by_what_lies_near_it(grid: str) -> None:
    for cell in cells(grid, (6.0, 5.0)):
        x, y = middle(grid, cell)
        assert {Measure(grid).cell((x + dx, y + dy)) for dx in (-0.3, 0, 0.3) for dy in (-0.3, 0, 0.3)} == {cell}
    assert len(list(cells(grid, (6.0, 5.0)))) == {"square": 30, "hex": 32}[grid]


def test_places_snap_to_a_middle_and_a_side() -> None:
    assert SQUARE.snapped(Place(3.9, 2.1, 130)) == Place(3.5, 2.5, 90)
    assert HEX.snapped(Place(1.2, 1.1, 350)) == Place(0.5 + COLUMN, 1.0, 0)
    assert Measure().snapped(Place(3.9, 2.1, 130)) == Place(3.9, 2.1, 130)


def test_steps_between_cells() -> None:
    assert SQUARE.distance((0.5, 0.5), (3.5, 2.5)) == 3
    assert Measure("square", corners=False).distance((0.5, 0.5), (3.5, 2.5)) == 5
    around = [middle("hex", cell) for cell in ((2, 3), (2, 1), (1, 1), (3, 1), (1, 2), (3, 2))]
    assert {HEX.distance(middle("hex", (2, 2)), place) for place in around} == {1.0}
    assert HEX.distance(middle("hex", (0, 0)), middle("hex", (4, 0))) == 4
    assert HEX.distance(middle("hex", (0, 0)), middle("hex", (0, 3))) == 3


def test_scenarios_begin_in_cells() -> None:
    start = gridded("square").units["ito-a"].start
    assert (start.at, start.facing_deg) == ((9.5, 6.5), 0)


def test_two_cannot_begin_in_a_cell() -> None:
    with pytest.raises(Exception, match="ito-lead: begins on ito-general"):
        read_scenario("field", scenario_text().replace("turns = 3", 'grid = "hex"').replace("x = 7", "x = 5.2"), "f")


# --- the rules in cells -------------------------------------------------------------------


def test_moves_on_squares() -> None:
    start = standing("square")
    assert objections(start, Advance("ito-a", 9.2, 8.9)) == []
    assert apply(start, Advance("ito-a", 9.2, 8.9)).here("ito-a").place == Place(9.5, 8.5, 0)
    assert objections(start, Advance("ito-a", 10.5, 8.5)) == []
    assert objections(start, Advance("ito-a", 9.5, 9.5)) == ["move.distance"]
    assert objections(start, Advance("ito-a", 10.5, 6.5)) == ["move.front"]
    assert objections(start, FallBack("ito-a", 9.5, 5.5)) == []
    assert objections(start, FallBack("ito-a", 9.5, 4.5)) == ["move.distance"]
    assert apply(start, Wheel("ito-a", 100, 10.4, 6.5)).here("ito-a").place == Place(10.5, 6.5, 90)
    assert objections(start, Wheel("ito-a", 30, 9.5, 6.5)) == ["move.facing"]


def test_a_corner_may_count_two() -> None:
    start = standing("square", "grid-corner")
    assert objections(start, Advance("ito-a", 10.5, 8.5)) == ["move.distance"]
    assert objections(start, Advance("ito-a", 10.5, 7.5)) == []


def test_moves_on_hexes() -> None:
    start = standing("hex", ito_a=(0.5 + 10 * COLUMN, 6.5, 60))
    ahead = middle("hex", (11, 6))
    assert start.here("ito-a").place.facing_deg == 60
    assert objections(start, Advance("ito-a", *ahead)) == []
    assert apply(start, Advance("ito-a", *ahead)).here("ito-a").place.at == ahead
    assert objections(start, Advance("ito-a", *middle("hex", (10, 7)))) == ["move.front"]
    assert objections(start, FallBack("ito-a", *middle("hex", (9, 5)))) == []


def test_units_are_in_the_way_by_cells() -> None:
    assert objections(standing("square", ito_b=(9.5, 7.5, 0)), Advance("ito-a", 9.5, 8.5)) == ["move.way"]
    assert objections(standing("square", ito_b=(10.5, 7.5, 0)), Advance("ito-a", 9.5, 8.5)) == []


def test_range_counts_the_cells_between() -> None:
    near = standing("square", oda_a=(9.5, 9.5, 180))
    assert is_in_range(near, "ito-a", "oda-a")
    assert not is_in_range(standing("square", oda_a=(9.5, 10.5, 180)), "ito-a", "oda-a")
    assert told(near, Due("fire", 0, ("ito-a",), ("oda-a",))) == "4 standard"
    close = standing("square", oda_a=(9.5, 8.5, 180))
    assert told(close, Due("fire", 0, ("ito-a",), ("oda-a",))) == "4 standard, +1 close range"


def test_contact_is_by_a_side_that_one_of_them_faces() -> None:
    assert enemies_in_contact(standing("square", oda_a=(9.5, 7.5, 180)), "ito-a") == ("oda-a",)
    assert enemies_in_contact(standing("square", oda_a=(10.5, 6.5, 270)), "ito-a") == ("oda-a",)
    assert enemies_in_contact(standing("square", oda_a=(10.5, 6.5, 0)), "ito-a") == ()
    assert enemies_in_contact(standing("square", oda_a=(10.5, 7.5, 180)), "ito-a") == ()


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_a_charge_its_melee_and_falling_back(grid: str) -> None:
    x = 9.5 if grid == "square" else 0.5 + 10 * COLUMN
    start = standing(grid, ito_a=(x, 6.5, 0), oda_a=(x, 9.5, 180))
    after = apply(start, Advance("ito-a", x, 8.5))
    assert wants(after) == [("closing", "oda")]
    fought = replace(after, due=())
    assert rolls(apply(fought, Done()), 0, 0).here("ito-a").place.y == 7.5
    stopped = roll(replace(after, due=(Due("closing-morale", 0, ("ito-a",), ("oda-a",)),)), 0)
    assert stopped.here("ito-a").place.y == 7.5


def test_what_is_agreed_snaps_too() -> None:
    after = apply(standing("square"), Agreed({"ito-a": {"x": 3.1, "facing": 80}}))
    assert after.here("ito-a").place == Place(3.5, 6.5, 90)
