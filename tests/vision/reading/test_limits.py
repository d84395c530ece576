"""What keeps an area from being read, or from being sure: a hand, the picture's edge, lines, and print that is off."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.reading.read
from tests.vision.tables import LATER, four_areas, pictures
from vision.geometry import Grid, Picture
from vision.plan import AreaPlan
from vision.reading.count import SURE, CountBelief
from vision.reading.limits import (
    BORDER_MM,
    MOST_SHARE,
    SOME_SHARE,
    View,
    areas_at_a_line,
    cut_off_areas,
    hidden_areas,
    misplaced_areas,
    pieces_in_view,
)
from vision.reading.network import STRIDE, Detections
from vision.reading.pieces import Piece
from vision.reading.places import Places, places_of
from vision.reading.read import Reading, read
from vision.registration.register import Anchors, Registration, register

TWO, THREE = (("red", "troop", 2),), (("red", "troop", 3),)
CERTAIN, DOUBTED = CountBelief(((TWO, 0.99), (THREE, 0.01))), CountBelief(((TWO, 0.7), (THREE, 0.3)))
LINE_MM = 40.0
SCALE = np.diag([0.5, 0.5, 1.0])  # mm from pixels
AREAS = {area.name for area in four_areas().areas}


def test_an_area_in_clear_sight_is_read_however_unsure() -> None:
    assert hidden_areas({"a1": 0.0, "b1": SOME_SHARE}, {"a1": DOUBTED, "b1": DOUBTED}) == ()


def test_an_area_that_is_covered_a_little_is_read_only_where_the_rest_leaves_no_doubt() -> None:
    between = (SOME_SHARE + MOST_SHARE) / 2
    assert hidden_areas({"b1": between, "a1": between}, {"a1": CERTAIN, "b1": DOUBTED}) == ("b1",)


def test_an_area_that_is_covered_much_is_not_read() -> None:
    much = MOST_SHARE + 0.01
    assert hidden_areas({"b1": much, "a1": much}, {"a1": CERTAIN, "b1": DOUBTED}) == ("a1", "b1")


def side_by_side() -> Places:
    """Two areas that share the line x = 40, and one that holds no units below them."""
    boxes = {"a1": (5.0, LINE_MM, 5.0, 60.0), "b1": (LINE_MM, 75.0, 5.0, 60.0), "sea": (5.0, 75.0, 60.0, 90.0)}
    areas = tuple(
        AreaPlan(
            name, "rock" if name == "sea" else "land", ((x, y), (u, y), (u, v), (x, v)), (((x + u) / 2, (y + v) / 2),)
        )
        for name, (x, u, y, v) in boxes.items()
    )
    plan = replace(four_areas(), size_mm=(80.0, 95.0), areas=areas, spaces=(), start=())
    return places_of(plan, Grid(plan.size_mm))


def nothing_found(places: Places, thing: float = 0.0, at_mm: tuple[float, float] = (0.0, 0.0)) -> Detections:
    rows, columns = (side // STRIDE for side in places.grid.shape)
    empty = np.zeros((rows, columns), np.float32)
    things = empty.copy()
    x, y = places.grid.pixel(at_mm)
    things[y // STRIDE, x // STRIDE] = thing
    return Detections(np.zeros((6, rows, columns), np.float32), empty, empty, things, places.grid)


def troop(x: float, y: float = 30.0, score: float = 0.9, kind: str = "troop") -> Piece:
    return Piece("red", kind, "a1", (x, y), score)


@pytest.mark.parametrize(
    ("piece", "unsure"),
    [
        (troop(LINE_MM), {"a1", "b1"}),
        (troop(LINE_MM - 2), {"a1", "b1"}),
        (troop(LINE_MM + 2), {"a1", "b1"}),
        (troop(LINE_MM - BORDER_MM - 1), set()),
        (troop(20.0, 58.0), set()),
        (troop(LINE_MM, score=0.1), set()),
        (troop(LINE_MM, kind="commander"), set()),
    ],
    ids=["on it", "left", "right", "clear of it", "by a place without units", "hardly there", "a commander"],
)
def test_a_piece_on_a_line_may_belong_to_both_sides(piece: Piece, unsure: set[str]) -> None:
    places = side_by_side()
    assert areas_at_a_line(nothing_found(places), places, [piece]) == unsure


def test_so_may_a_thing_that_is_taken_for_no_piece_but_not_a_commander() -> None:
    places = side_by_side()
    finds = nothing_found(places, 0.6, (LINE_MM, 30.0))
    assert areas_at_a_line(finds, places, []) == {"a1", "b1"}
    assert areas_at_a_line(finds, places, [troop(LINE_MM, kind="commander")]) == set()


def test_what_stands_between_two_areas_may_belong_to_both() -> None:
    places = places_of(four_areas(), Grid(four_areas().size_mm))
    assert areas_at_a_line(nothing_found(places), places, [troop(42.0, 71.0)]) == {"a1", "a2"}


# ---- the picture's edge -----------------------------------------------------------------------------


def view(shift: float) -> View:
    """Return a view of one pixel a millimetre that begins `shift` mm right of the board's left edge."""
    return View(np.array([[1.0, 0, -shift], [0, 1, 0], [0, 0, 1]]), (200, 200))


def test_an_area_that_is_partly_outside_is_cut_off() -> None:
    plan = side_by_side().plan
    assert cut_off_areas(plan, view(5.5)) == set(), "by less than a piece would show"
    assert cut_off_areas(plan, view(10.0)) == {"a1", "sea"}
    assert cut_off_areas(plan, view(45.0)) == {"a1", "b1", "sea"}


def test_a_piece_outside_is_none() -> None:
    inside, outside = troop(30.0), troop(10.0)
    assert pieces_in_view([inside, outside], view(20.0)) == [inside]


def pushed(across: float) -> Reading:
    """Return the later position on a board pushed to the left, out of the picture."""
    picture = pictures().later.picture
    matrix = np.array([[1.0, 0, -across], [0, 1, 0]])
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 80, 110))
    return read(pictures().table, np.asarray(moved, np.uint8))


def test_areas_out_of_the_picture_are_refused_and_the_others_read() -> None:
    left = min(x for x, _ in pictures().table.corners_px)
    reading = pushed(left + 60)
    assert reading.registration is not None
    assert reading.cut_off == ("a1", "a2")
    assert set(reading.cut_off) <= set(reading.unreadable)
    assert {area: reading.confidence[area] for area in reading.cut_off} == {"a1": 0.0, "a2": 0.0}
    assert {area: force for area, force in LATER.items() if area not in reading.cut_off} == reading.units


def test_a_board_wholly_in_the_picture_has_nothing_cut_off() -> None:
    reading = read(pictures().table, pictures().later.picture)
    assert (reading.cut_off, reading.at_a_line) == ((), ())
    assert any(sure >= SURE for sure in reading.confidence.values())


def found_with(gap_mm: tuple[float, float]) -> Registration:
    """Return a registration whose points, a dozen round each area, are all off by so much."""
    middles = [np.mean(area.polygon_mm, axis=0) for area in four_areas().areas]
    turns = np.arange(12) * (2 * np.pi / 12)
    circle = 10 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    at_mm = np.concatenate([middle + circle for middle in middles])
    gaps = np.hstack([at_mm, np.broadcast_to(gap_mm, at_mm.shape)]) * 2
    return Registration(np.eye(3), 0.8, 0.9, 0.3, len(gaps), still=False, gaps=gaps)


@pytest.mark.parametrize(
    ("found", "off"),
    [
        (found_with((0.3, 0.2)), set()),
        (found_with((0.6, 0.7)), AREAS),
        (replace(found_with((0.6, 0.7)), gaps=np.zeros((0, 4))), set()),
    ],
    ids=["where it should be", "beside it", "a camera that stood still"],
)
def test_print_that_is_not_where_it_should_be_is_noticed(found: Registration, off: set[str]) -> None:
    assert misplaced_areas(four_areas(), SCALE, found) == off


def test_an_area_round_which_no_print_agrees_may_lie_anywhere() -> None:
    far = found_with((0.0, 0.0))
    assert misplaced_areas(four_areas(), SCALE, replace(far, gaps=far.gaps[:3] + 9000)) == AREAS


def test_an_area_that_is_not_placed_exactly_is_never_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    def beside(anchors: Anchors, frame: Picture) -> Registration | None:
        found = register(anchors, frame)
        assert found is not None
        at = anchors.points_px
        return replace(found, gaps=np.hstack([at, np.broadcast_to((0.0, 3.0), at.shape)]))

    monkeypatch.setattr(vision.reading.read, "register", beside)
    reading = read(pictures().table, pictures().later.picture)
    assert max(reading.confidence.values()) < SURE
    assert all(reasons[0] == "place" for reasons in reading.why.values())
