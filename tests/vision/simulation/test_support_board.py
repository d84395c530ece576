"""The support board beside the map: its place, its spaces, and the map's plan with them."""

from __future__ import annotations

import pytest

from vision.plan import BoardPlan, SpacePlan
from vision.simulation.support_board import SupportBoard

BOARD = SupportBoard((10.0, 20.0), (30.0, 40.0), (("plan:1", (15.0, 25.0)), ("plan:2", (20.0, 30.0))))
OWN = SpacePlan("advance:a1", "a1", (1.0, 1.0))
PLAN = BoardPlan("map", (200.0, 200.0), (), (OWN,), 5.6, ("red", "black"), (), ())


def test_its_spaces_come_after_the_map_s_own_and_belong_to_no_area() -> None:
    joined = BOARD.joined_to(PLAN)
    assert joined.spaces == (OWN, SpacePlan("plan:1", "", (15.0, 25.0)), SpacePlan("plan:2", "", (20.0, 30.0)))


@pytest.mark.parametrize(
    ("at_mm", "near"),
    [((25, 40), True), ((6, 40), True), ((5, 40), False), ((44, 40), True), ((45, 40), False), ((25, 64), True),
     ((25, 65), False), ((25, 15), False)],
)  # fmt: skip
def test_what_is_within_a_hand_s_room_of_it_is_near(at_mm: tuple[float, float], near: bool) -> None:
    assert BOARD.has_near(at_mm, 5.0) is near


def test_pushed_about_its_spaces_stay_where_they_are_on_it() -> None:
    moved = BOARD.moved((2.0, -3.0))
    assert (moved.at_mm, moved.size_mm) == ((12.0, 17.0), BOARD.size_mm)
    assert moved.spaces == (("plan:1", (17.0, 22.0)), ("plan:2", (22.0, 27.0)))
