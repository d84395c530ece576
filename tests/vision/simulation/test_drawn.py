"""What simulations draw: boards and their signs, single strokes, figures, and dice that show what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.tables import four_areas
from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.simulation import board_art
from vision.simulation.art_sheet import ArtSheet, ArtStyle, Point
from vision.simulation.board_art import COLOURS_BGR, BoardMarks, Image, draw_board, outer_edges
from vision.simulation.camera import SimulatedCamera
from vision.simulation.dice import Body, Lamps, add_bodies
from vision.simulation.draw import Light
from vision.simulation.marked.draw import Painter
from vision.simulation.solids import SHIP_PROFILES, Outline, PieceLook, aircraft_outlines, piece_parts, siege_profile
from vision.simulation.support_board import SupportBoard
from vision.simulation.throws import GROUPS, Group, ThrowStudio, die_of, off_map, random_group, random_make

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
    plan = with_section()
    strange = replace(plan, areas=(*plan.areas[:-1], replace(SECTION, name="sky")), start=())
    assert draw_board(strange, STYLE, BoardMarks(), PX_PER_MM).shape[2] == 3, "it gets a colour of ours"


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
    elsewhere = BoardMarks(forts=("z9",), zones={"z9": "zone-red"})
    assert np.array_equal(draw_board(with_section(), STYLE, elsewhere, PX_PER_MM), plain), "there is no such area"


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
def test_parts_are_convex_weapons_stand_on_their_feet_and_aircraft_are_alike_on_both_sides(shape: int) -> None:
    siege, aircraft = siege_profile(shape), aircraft_outlines(shape)
    for outline in (*aircraft, *(part for part, _ in siege)):
        assert (turns(outline) > -1e-9).all(), "counter-clockwise"
        assert turns(outline).sum() > 0
    points = np.concatenate([np.array(part) for part, _ in siege])
    assert points[:, 1].min() == pytest.approx(0, abs=0.02)
    assert 0.35 < points[:, 1].max() < 1.1
    assert np.abs(points[:, 0]).max() < 0.75
    assert all(0 < share <= 1 for _, share in siege)
    points = np.concatenate([np.array(part) for part in aircraft])
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
    moved = SUPPORT.moved((2.0, -3.0))
    assert (moved.at_mm, moved.size_mm) == ((12.0, 17.0), SUPPORT.size_mm)
    assert moved.spaces == (("plan:1", (17.0, 22.0)), ("plan:2", (22.0, 27.0)))


@pytest.mark.parametrize(
    ("at_mm", "near"),
    [((25, 40), True), ((6, 40), True), ((5, 40), False), ((44, 40), True), ((45, 40), False), ((25, 64), True),
     ((25, 65), False), ((25, 15), False)],
)  # fmt: skip
def test_what_is_within_a_hand_s_room_of_it_is_near(at_mm: tuple[float, float], near: bool) -> None:
    assert SUPPORT.has_near(at_mm, 5.0) is near


FINE_PX_PER_MM = 8.0
BARE_STYLE = ArtStyle(1, grain=0.0)
MIDDLE = (30.0, 30.0)
SQUARE = ((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0))
SEA = BoardPlan(
    board="test-sea",
    size_mm=(60.0, 60.0),
    areas=(AreaPlan("a1", "water", SQUARE, (MIDDLE,)),),
    spaces=(),
    space_side_mm=6.5,
    factions=("red", "black"),
    units=(("water", ("ship",)),),
    start=(),
)


@pytest.mark.parametrize(
    ("draw", "half_mm"),
    [(board_art._long_wave, (5.0, 0.0)), (board_art._rings, (3.4, 3.4))],
)
def test_waves_reach_as_far_to_either_side(
    draw: Callable[[ArtSheet, Point], None], half_mm: tuple[float, float]
) -> None:
    sheet = ArtSheet(SEA, BARE_STYLE, FINE_PX_PER_MM)
    bare = sheet.image.copy()
    draw(sheet, MIDDLE)
    rows, columns = np.nonzero((sheet.image != bare).any(axis=2))
    for pixels, half in zip((columns, rows), half_mm, strict=True):
        reach = np.array([pixels.min(), pixels.max() + 1]) / FINE_PX_PER_MM
        assert reach - MIDDLE[0] == pytest.approx([-half, half], abs=0.5)


@pytest.mark.parametrize(("unit", "rim_mm"), [("troop", 6.0), ("ship", 0.32 * 16.0)])
def test_a_printed_symbol_has_a_rim_of_paper_where_the_style_has_one(unit: str, rim_mm: float) -> None:
    seen = {}
    for ring_mm in (0.0, 1.2):
        sheet = ArtSheet(SEA, replace(BARE_STYLE, symbol_ring_mm=ring_mm), FINE_PX_PER_MM)
        board_art._draw_symbol(sheet, MIDDLE, unit, "red")
        within, on_rim = (round((MIDDLE[1] + down_mm) * FINE_PX_PER_MM) for down_mm in (1.0, rim_mm))
        seen[ring_mm] = sheet.image[on_rim - 1, round(MIDDLE[0] * FINE_PX_PER_MM)].tolist()
        assert sheet.image[within, round(MIDDLE[0] * FINE_PX_PER_MM)].tolist() == list(BARE_STYLE.print_bgr["red"])
    assert seen[1.2] == list(BARE_STYLE.paper_bgr) != seen[0.0]


@pytest.mark.parametrize("shape", range(len(SHIP_PROFILES)))
def test_the_upper_edge_of_a_lying_ship_is_only_broken(shape: int) -> None:
    look = PieceLook(ship_shape=shape, ships_stand=False)
    for part in piece_parts("ship", look):
        heights = part.vertices[:, 2]
        low, high = (part.vertices[heights == height, :2] for height in (heights.min(), heights.max()))
        assert 0 < np.linalg.norm(low - high, axis=1).max() < look.bevel_mm


def test_the_foot_is_the_place_that_is_plumb_below_the_camera() -> None:
    """What stands there hides nothing but itself: its top is seen where its foot is."""
    painter = Painter(SimulatedCamera(target_mm=(60.0, 80.0), tilt_deg=20.0, size_px=(320, 240)), (8.0, 6.0), 20.0)
    assert painter.px([painter.foot], 2.0) == pytest.approx(painter.px([painter.foot]), abs=1e-6)
    assert painter.px([painter.foot + 1.0], 2.0) != pytest.approx(painter.px([painter.foot + 1.0]), abs=1.0)


ABOVE = SimulatedCamera(target_mm=(0.0, 0.0), distance_mm=250.0, tilt_deg=0.0, focal=1.2, size_px=(320, 240))
LAMPS = Lamps((Light((-200.0, -150.0, 700.0), 80.0, (0.6, 0.6, 0.6)),), (0.4, 0.4, 0.4))


def a_die(*faces: int, turn: float = 0.3) -> Body:
    return Body(
        (0.0, 0.0, 8.0), (16.0, 16.0, 16.0), (40.0, 38.0, 36.0), faces=faces, turn_rad=turn, pip=0.09, gloss=0.0
    )


def picture_of(*bodies: Body) -> Image:
    picture = np.full((240, 320, 3), 120, np.uint8)
    add_bodies(picture, ABOVE, bodies, LAMPS, 0.0)
    return picture


@pytest.mark.parametrize("top", range(7))
def test_the_first_face_is_on_top(top: int) -> None:
    white = (picture_of(a_die(top, *[0] * 5)).min(axis=2) > 170).astype(np.uint8)
    assert cv2.connectedComponents(white)[0] - 1 == top


def test_a_die_covers_the_table_and_throws_a_shadow_away_from_the_lamp() -> None:
    far = Body((900.0, 0.0, 8.0), (16.0, 16.0, 16.0), (0.0, 0.0, 0.0))
    assert (picture_of(far) == 120).all(), "it is outside the picture"
    picture = picture_of(a_die(0, 1, 1, 1, 1, 2)).astype(int)
    middle = ABOVE.px(np.array([0.0, 0.0, 16.0])).astype(int)
    assert picture[middle[1], middle[0]].max() < 80
    away, toward = (ABOVE.px(np.array([12.0 * s, 9.0 * s, 0.0])).astype(int) for s in (1, -1))
    assert picture[away[1], away[0]].mean() < 0.9 * picture[toward[1], toward[0]].mean()


def test_a_disc_is_round() -> None:
    coin = Body((0.0, 0.0, 1.0), (20.0, 20.0, 2.0), (200.0, 200.0, 200.0), edge_mm=0.3, round=True)
    points = np.array([[10.0, 0.0, 1.0], [7.2, 7.2, 1.0], [0.0, 12.0, 1.0]])
    assert coin.gap(points) == pytest.approx([0.0, 0.18, 2.0], abs=0.02)
    assert Body((50.0, 60.0, 8.0), (3.0, 4.0, 12.0), (0.0, 0.0, 0.0)).reach_mm == 6.5


@pytest.mark.parametrize("kind", GROUPS)
def test_groups_tell_what_may_be_read_of_them(kind: str) -> None:
    rng = np.random.default_rng(4)
    groups = [random_group(rng, (-30.0, 40.0), -2.0, kind) for _ in range(12)]
    told = [[a_die.pips for a_die in group.lying] for group in groups]
    if kind == "thing":
        assert not any(told)
    if kind == "other":
        assert all(pips == [None] for pips in told)
    if kind in ("cocked", "stacked"):
        assert all(None in pips for pips in told)
    if kind in ("one", "few"):
        assert {pip for pips in told for pip in pips} == {0, 1, 2}
    assert all(_bottom(group) == pytest.approx(-2.0, abs=0.9) for group in groups)


def _bottom(group: Group) -> float:
    """How deep a group's bodies reach, by probing below their middles."""
    heights = np.arange(-4.0, 6.0, 0.05)
    lows = []
    for body in group.bodies[:1]:
        x, y, z = body.middle_mm
        spots = [(x + r * np.cos(a), y + r * np.sin(a)) for r in (0, 3, 6, 9) for a in np.arange(0, 2 * pi, 0.2)]
        inside = [h for h in heights if (body.gap(np.array([(*spot, h) for spot in spots])) < 0).any()]
        lows.append(min(inside, default=z))
    return min(lows)


def test_dice_of_one_throw_do_not_run_into_each_other() -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        group = random_group(rng, (0.0, 0.0), 0.0, "few")
        for body in group.bodies:
            others = [other for other in group.bodies if other is not body]
            assert all(other.gap(np.array([body.middle_mm]))[0] > 0.45 * body.sides_mm[0] for other in others)


def test_a_die_of_a_set_stands_on_the_ground_with_its_first_face_up() -> None:
    made = die_of(random_make(np.random.default_rng(2)), (5.0, 6.0), -2.0, (2, 1, 1, 1, 1, 0), 0.4)
    assert made.faces[0] == 2
    assert made.middle_mm[2] == pytest.approx(made.sides_mm[0] / 2 - 2.0)


def test_throws_lie_beside_the_map_apart_from_each_other() -> None:
    plan = four_areas()
    studio = ThrowStudio(3, plan)
    places = studio.places(np.random.default_rng(1), 8)
    assert len(places) >= 4
    for (x, y), ground in places:
        on_board = 0 < x < plan.size_mm[0] and 0 < y < plan.size_mm[1]
        assert ground == (0.0 if on_board else -2.0)
        assert off_map(plan, (x, y)) > 0
