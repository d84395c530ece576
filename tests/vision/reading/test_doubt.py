"""What keeps an area from being read or from being sure (a hand, an edge, lines, print that is off), and why."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.reading.read
from tests.vision.tables import LATER, cell_at, four_areas, nothing_found, pictures, there
from vision.geometry import Grid, Picture, rectify
from vision.plan import AreaPlan
from vision.reading.colours import Palette, log_colours
from vision.reading.count import SURE, CountBelief
from vision.reading.doubt import (
    CLEAR,
    DOUBTS,
    OF_AN_AREA,
    REASONS,
    add_light_reason,
    area_doubts,
    never_sure,
    reasons_below_certain,
    reasons_for,
)
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
from vision.reading.network import THING_SEEN, Detections, gains
from vision.reading.pieces import Piece, Places, log_odds, places_of
from vision.reading.read import Reading, read
from vision.reading.start import Start
from vision.registration.register import Anchors, Registration, register
from vision.simulation.table import Moment, PlacedPiece, Studio

TWO, THREE = (("red", "troop", 2),), (("red", "troop", 3),)
SURE_OF_TWO, UNSURE_OF_TWO = CountBelief(((TWO, 0.99), (THREE, 0.01))), CountBelief(((TWO, 0.7), (THREE, 0.3)))
LINE_MM = 40.0
SCALE = np.diag([0.5, 0.5, 1.0])  # mm from pixels
AREAS = {area.name for area in four_areas().areas}


@pytest.mark.parametrize(
    ("covered", "hidden"),
    [(SOME_SHARE, ()), ((SOME_SHARE + MOST_SHARE) / 2, ("b1",)), (MOST_SHARE + 0.01, ("a1", "b1"))],
)
def test_an_area_that_is_covered_a_little_is_read_where_the_rest_leaves_no_doubt(
    covered: float, hidden: tuple[str, ...]
) -> None:
    assert hidden_areas({"b1": covered, "a1": covered}, {"a1": SURE_OF_TWO, "b1": UNSURE_OF_TWO}) == hidden


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


def thing_found(places: Places, thing: float, at_mm: tuple[float, float]) -> Detections:
    found = nothing_found(places.grid)
    found.thing[cell_at(places.grid, at_mm)] = thing
    return found


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
    assert areas_at_a_line(nothing_found(places.grid), places, [piece]) == unsure


def test_so_may_a_thing_that_is_taken_for_no_piece_but_not_a_commander() -> None:
    places = side_by_side()
    finds = thing_found(places, 0.6, (LINE_MM, 30.0))
    assert areas_at_a_line(finds, places, []) == {"a1", "b1"}
    assert areas_at_a_line(finds, places, [troop(LINE_MM, kind="commander")]) == set()
    apart = places_of(four_areas(), Grid(four_areas().size_mm))
    assert areas_at_a_line(nothing_found(apart.grid), apart, [troop(42.0, 71.0)]) == {"a1", "a2"}, (
        "it stands between them"
    )


# ---- the picture's edge -----------------------------------------------------------------------------


def view(shift: float) -> View:
    """Return a view of one pixel a millimetre that begins `shift` mm right of the board's left edge."""
    return View(np.array([[1.0, 0, -shift], [0, 1, 0], [0, 0, 1]]), (200, 200))


def test_an_area_that_is_partly_outside_is_cut_off_and_a_piece_outside_is_none() -> None:
    plan = side_by_side().plan
    assert cut_off_areas(plan, view(5.5)) == set(), "by less than a piece would show"
    assert cut_off_areas(plan, view(10.0)) == {"a1", "sea"}
    assert cut_off_areas(plan, view(45.0)) == {"a1", "b1", "sea"}
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
        (replace(found_with((0.0, 0.0)), gaps=found_with((0.0, 0.0)).gaps[:3] + 9000), AREAS),
    ],
    ids=["where it should be", "beside it", "a camera that stood still", "no print agrees"],
)
def test_print_that_is_not_where_it_should_be_is_noticed(found: Registration, off: set[str]) -> None:
    assert misplaced_areas(four_areas(), SCALE, found) == off


def test_an_area_that_is_not_placed_exactly_is_never_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    def beside(anchors: Anchors, frame: Picture) -> Registration | None:
        found = there(register(anchors, frame))
        at = anchors.points_px
        return replace(found, gaps=np.hstack([at, np.broadcast_to((0.0, 3.0), at.shape)]))

    monkeypatch.setattr(vision.reading.read, "register", beside)
    reading = read(pictures().table, pictures().later.picture)
    assert max(reading.confidence.values()) < SURE
    assert all(reasons[0] == "place" for reasons in reading.why.values())


TABLE = pictures().table
PLACES = places_of(TABLE.plan, TABLE.grid)
AT = (42.0, 98.0)
STRANGER = Start(Palette({"red": np.array([9.0, 9, 9]), "black": np.array([9.0, 9, 9])}, np.ones(3)))
"""A start whose pieces' colours are like nothing on the board."""
MODEL = (0.0, 1.0, -0.2, -0.5, -2.0, -0.5, -3.0, -0.1, -1.0)
CERTAIN, DOUBTED = (CountBelief((((), chance),)) for chance in (0.9999, 0.6))


def empty() -> Picture:
    return rectify(TABLE.reference_bgr, TABLE.board_from_reference, TABLE.grid)


def doubts(board: Picture, start: Start = STRANGER, thing: float = 0.0, *pieces: Piece) -> dict[str, float]:
    found = area_doubts((board, empty()), PLACES, start, thing_found(PLACES, thing, AT), pieces)["a1"]
    return dict(zip(OF_AN_AREA, found, strict=True))


def test_an_empty_board_as_it_was_raises_none() -> None:
    calm = doubts(empty())
    assert calm["strange"] == pytest.approx(log_odds(THING_SEEN))
    assert calm["alike"] == calm["glare"] == 0
    assert calm["changed"] == pytest.approx(0, abs=1e-6)
    assert calm["start"] == Start().missed


def test_a_thing_is_strange_unless_a_piece_explains_it() -> None:
    piece = Piece("red", "troop", "a1", AT, 0.99)
    assert doubts(empty(), STRANGER, 0.9)["strange"] > 1
    assert doubts(empty(), STRANGER, 0.9, piece)["strange"] < -1.5
    assert doubts(empty(), STRANGER, 0.9, replace(piece, at_mm=(20.0, 98.0)))["strange"] > 1


def test_a_shadow_and_glare_are_measured_where_they_lie() -> None:
    x, y = (round(float(v)) for v in TABLE.grid.px([AT])[0])
    around = slice(y - 44, y + 44), slice(x - 44, x + 44)
    dark, bright = empty(), empty()
    dark[around] = dark[around] // 2
    bright[around] = 255
    assert doubts(dark)["changed"] > 0.4
    assert doubts(bright)["glare"] > 0.5
    other = area_doubts((dark, empty()), PLACES, STRANGER, nothing_found(TABLE.grid), ())["b2"]
    assert other[DOUBTS.index("changed")] < 0.1


def test_ground_that_looks_like_a_sides_pieces_hides_them() -> None:
    gain, _ = gains(empty(), empty())
    ground = np.median(log_colours(empty()[PLACES.masks["a1"]] * gain), axis=0)
    like = Start(Palette({"red": ground, "black": ground + 9}, np.array([0.3, 0.12, 0.12])))
    assert doubts(empty(), like)["alike"] > 0.5


def test_what_is_strange_odd_or_hardly_stands_out_is_never_sure() -> None:
    plain = dict.fromkeys(DOUBTS, 0.0) | {"strange": -2.0}
    measures = {"a1": tuple((plain | {"alike": 0.2}).values()), "b2": tuple((plain | {"alike": 0.01}).values())}
    assert never_sure(measures, Start(unseen={"black": 0.1}), ()) == {"a1": ("contrast",)}
    assert never_sure(measures, Start(unseen={"black": 0.01}), ()) == {}
    strange = dict.fromkeys(("a1", "b1", "a2", "b2"), (-2.0, 0.0, 0.0, 0.0, 0.0)) | {"a1": (2.0, 0.0, 0.0, 0.0, 0.0)}
    odd = Piece("red", "troop", "b1", AT, 0.9, unlike=3.0)
    found = never_sure(strange, Start(misread=frozenset({"a2", "b1"})), [odd])
    assert found == {"a1": ("unlike",), "b1": ("unlike", "start"), "a2": ("start",)}


def test_a_chip_of_a_colour_that_no_side_has_is_never_counted_for_sure() -> None:
    scene = pictures().studio.scene
    look = replace(scene.look, bgr=(("red", (60.0, 140.0, 50.0)), ("black", (30.0, 30.0, 30.0))))
    green = Studio(TABLE.plan, replace(scene, look=look))
    chip = green.shoot((PlacedPiece("troop", "red", "a1", AT),), Moment(seed=8)).picture
    assert read(TABLE, chip).confidence["a1"] < SURE


def measured(**measures: float) -> tuple[float, ...]:
    names = ("unlike", "contrast", "light", "glare", "start", "relit")
    return tuple(measures.get(name, clear) for name, clear in zip(names, CLEAR[2:], strict=True))


def test_what_costs_most_is_named_first() -> None:
    counts = {"a1": CERTAIN, "b1": CERTAIN, "a2": DOUBTED}
    found = reasons_for(counts, MODEL, {"a1": measured(contrast=0.9), "b1": measured(glare=0.6), "a2": measured()}, {})
    assert (found["a1"][0], found["b1"][0], found["a2"][0]) == ("contrast", "glare", "belief")
    capped = reasons_for({"a1": DOUBTED}, MODEL, {"a1": measured()}, {"a1": ("line",)})
    assert capped["a1"][:2] == ("line", "belief"), "what settles it by itself comes first"
    sure = {"a1": 0.5, "b1": 0.97, "a2": 0.995}
    assert reasons_below_certain({"a1": ("glare",)}, sure) == {"a1": ("glare",), "b1": ("belief",)}
    told = add_light_reason({"a1": ("belief",), "b1": ("light",), "a2": ("edge",)})
    assert told == {"a1": ("belief", "light"), "b1": ("light",), "a2": ("edge",)}


@pytest.mark.parametrize("shadow", [False, True])
def test_every_area_that_is_not_certain_says_why(shadow: bool) -> None:
    frame = pictures().later.picture.copy()
    if shadow:
        frame[:, frame.shape[1] // 2 :] //= 2
    reading = read(pictures().table, frame)
    assert reading.is_in_other_light is shadow
    assert shadow or (reading.cut_off, reading.at_a_line) == ((), ())
    assert shadow or any(sure >= SURE for sure in reading.confidence.values())
    for area, sure in reading.confidence.items():
        reasons = reading.why.get(area, ())
        assert (sure >= 0.99) is not bool(reasons)
        assert set(reasons) <= set(REASONS)
        assert not shadow or sure >= 0.99 or "light" in reasons or area in reading.unreadable
