"""What boards of the other modes print: sections in their zones' colours, zones' borders, signs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import four_areas
from vision.plan import AreaPlan, BoardPlan
from vision.simulation.board_art import COLOURS_BGR, ArtStyle, BoardMarks, draw_board, outer_edges

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
