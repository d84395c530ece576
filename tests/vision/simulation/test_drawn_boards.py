"""What drawn boards print (sections in their zones' colours, borders, signs, figures); the support board beside one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.tables import four_areas
from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.simulation.board_art import COLOURS_BGR, ArtStyle, BoardMarks, draw_board, outer_edges
from vision.simulation.solids import Outline, aircraft_outlines, siege_profile
from vision.simulation.support_board import SupportBoard

BOX = ((60.0, 5.0), (104.0, 5.0), (104.0, 35.0), (60.0, 35.0))
SECTION = AreaPlan("zone-orange", "air", BOX, ((82.0, 20.0),))
STYLE = ArtStyle(3, grain=0.0, pictogram=2)
PX_PER_MM = 2.0


def with_section(**changes: object) -> BoardPlan:
    plan = four_areas()
    start = (("zone-orange", "yellow", "aircraft", 2), ("a1", "blue", "troop", 1), ("b1", "black", "siege", 1))
    units = (("air", ("aircraft",)), *plan.units)
    return replace(plan, areas=(*plan.areas, SECTION), units=units, start=start, **changes)  # type: ignore[arg-type]


def test_a_section_is_a_box_in_its_zones_colour() -> None:
    image = draw_board(with_section(), STYLE, BoardMarks(), PX_PER_MM)
    inside = image[round(29 * PX_PER_MM), round(66 * PX_PER_MM)].astype(int)
    assert np.abs(inside - COLOURS_BGR["orange"]).max() < 40


def test_strange_zones_get_a_colour_of_ours() -> None:
    plan = with_section()
    named = replace(plan, areas=(*plan.areas[:-1], replace(SECTION, name="sky")), start=())
    assert draw_board(named, STYLE, BoardMarks(), PX_PER_MM).shape[2] == 3


@pytest.mark.parametrize(
    "marks",
    [
        BoardMarks(forts=("a1",)),
        BoardMarks(no_drop=("a1",)),
        BoardMarks(printed={"a1": "town_centre"}),
        BoardMarks(zones={"a1": "zone-orange"}),
    ],
)
def test_each_mark_shows_on_its_area_and_nowhere_else(marks: BoardMarks) -> None:
    plain, marked = (draw_board(with_section(), STYLE, m, PX_PER_MM) for m in (BoardMarks(), marks))
    changed = np.abs(marked.astype(int) - plain).max(axis=2) > 12
    rows, columns = np.nonzero(changed)
    assert len(rows) > 60
    assert (columns.max() / PX_PER_MM, rows.min() / PX_PER_MM) <= (72.0, 140.0)
    assert rows.min() / PX_PER_MM > 70


def test_marks_of_areas_that_are_not_there_are_left_out() -> None:
    marks = BoardMarks(forts=("z9",), zones={"z9": "zone-red"})
    assert np.array_equal(
        draw_board(four_areas(), STYLE, marks, PX_PER_MM), draw_board(four_areas(), STYLE, BoardMarks(), PX_PER_MM)
    )


def test_the_border_of_a_zone_runs_round_all_its_areas() -> None:
    one = AreaPlan("a1", "land", ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)), ((5.0, 5.0),))
    two = AreaPlan("b1", "land", ((10.0, 0.0), (20.0, 0.0), (20.0, 10.0), (10.0, 10.0)), ((15.0, 5.0),))
    assert len(outer_edges([one])) == 4
    edges = outer_edges([one, two])
    assert len(edges) == 6
    assert all(0 < x < 20 or 0 < y < 10 for edge in edges for x, y in edge)


# ---- figures: convex, counter-clockwise, within their length, and different from number to number ----

SHAPES = range(60)


def turns(outline: Outline) -> npt.NDArray[np.float64]:
    """Return the cross products at the corners, which are above 0 where the outline turns left."""
    sides = np.roll(np.array(outline), -1, axis=0) - np.array(outline)
    after = np.roll(sides, -1, axis=0)
    return np.asarray(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0])


@pytest.mark.parametrize("shape", SHAPES)
def test_parts_are_convex_and_counter_clockwise(shape: int) -> None:
    for outline in (*aircraft_outlines(shape), *(part for part, _ in siege_profile(shape))):
        assert (turns(outline) > -1e-9).all()
        assert turns(outline).sum() > 0


@pytest.mark.parametrize("shape", SHAPES)
def test_siege_weapons_stand_on_their_feet(shape: int) -> None:
    points = np.concatenate([np.array(part) for part, _ in siege_profile(shape)])
    assert points[:, 1].min() == pytest.approx(0, abs=0.02)
    assert 0.35 < points[:, 1].max() < 1.1
    assert np.abs(points[:, 0]).max() < 0.75
    assert all(0 < share <= 1 for _, share in siege_profile(shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_aircraft_are_the_same_on_both_sides(shape: int) -> None:
    points = np.concatenate([np.array(part) for part in aircraft_outlines(shape)])
    assert points[:, 1].max() == pytest.approx(-points[:, 1].min())
    assert (points[:, 0].min(), points[:, 0].max()) == pytest.approx((-0.5, 0.5), abs=0.1)


def test_numbers_give_different_forms() -> None:
    assert len({aircraft_outlines(shape) for shape in SHAPES}) == len(SHAPES)
    assert len({siege_profile(shape) for shape in SHAPES}) == len(SHAPES)


# ---- the support board: its place, its spaces, and the map's plan with them ----------------------

SUPPORT = SupportBoard((10.0, 20.0), (30.0, 40.0), (("plan:1", (15.0, 25.0)), ("plan:2", (20.0, 30.0))))
OWN = SpacePlan("advance:a1", "a1", (1.0, 1.0))
PLAN = BoardPlan("map", (200.0, 200.0), (), (OWN,), 5.6, ("red", "black"), (), ())


def test_its_spaces_come_after_the_map_s_own_and_belong_to_no_area() -> None:
    joined = SUPPORT.joined_to(PLAN)
    assert joined.spaces == (OWN, SpacePlan("plan:1", "", (15.0, 25.0)), SpacePlan("plan:2", "", (20.0, 30.0)))


@pytest.mark.parametrize(
    ("at_mm", "near"),
    [((25, 40), True), ((6, 40), True), ((5, 40), False), ((44, 40), True), ((45, 40), False), ((25, 64), True),
     ((25, 65), False), ((25, 15), False)],
)  # fmt: skip
def test_what_is_within_a_hand_s_room_of_it_is_near(at_mm: tuple[float, float], near: bool) -> None:
    assert SUPPORT.has_near(at_mm, 5.0) is near


def test_pushed_about_its_spaces_stay_where_they_are_on_it() -> None:
    moved = SUPPORT.moved((2.0, -3.0))
    assert (moved.at_mm, moved.size_mm) == ((12.0, 17.0), SUPPORT.size_mm)
    assert moved.spaces == (("plan:1", (17.0, 22.0)), ("plan:2", (22.0, 27.0)))
