"""The drawing of a board: whole, our own, and in the right places."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest

from companion import drawing
from companion.icons import ICONS
from companion.view.map_areas import PIECE_MM
from engine.orders.board import load_board

BOARD = load_board("sengoku-rivers")
SVG = "{http://www.w3.org/2000/svg}"


def shapes() -> list[ET.Element]:
    return [one for one in ET.fromstring(drawing.board_svg(BOARD, 640)).iter() if one.tag != f"{SVG}svg"]


def test_it_is_shapes_only_and_says_whose_it_is() -> None:
    assert {one.tag for one in shapes()} == {f"{SVG}desc", f"{SVG}path", f"{SVG}circle", f"{SVG}g"}
    assert "Our own drawing" in (shapes()[0].text or "")


def test_its_size_follows_the_outlines() -> None:
    root = ET.fromstring(drawing.board_svg(BOARD, 640))
    _, _, width, height = drawing.extent(BOARD)
    assert root.get("width") == "640"
    assert root.get("height") == str(round(640 * height / width))
    assert (width, height) == pytest.approx((212.76, 298.15), abs=0.02)


def test_every_area_and_every_linked_space_is_drawn() -> None:
    svg = drawing.board_svg(BOARD, 640)
    assert all(drawing.path(area.polygon_mm) in svg for area in BOARD.areas)
    outlines = [drawing.path(drawing.hexagon(s.at_mm, BOARD.space_side_mm)) for s in BOARD.spaces if s.at_mm]
    assert len(outlines) == 34
    assert all(outline in svg for outline in outlines)


def test_every_pier_has_its_planks() -> None:
    piers = [one for one in shapes() if one.get("stroke") == drawing.COLOURS["pier"]]
    assert len(piers) == sum(len(area.ports) for area in BOARD.areas) == 11


def test_colours_can_be_replaced_by_name() -> None:
    svg = drawing.board_svg(BOARD, 640, {"water": "#123456"})
    assert "#123456" in svg
    assert drawing.COLOURS["water"] not in svg
    assert "#123456" in drawing.mark_shapes(BOARD, {"points": "#123456"})


def test_marks_stand_inside_their_area_and_clear_of_its_spaces() -> None:
    for area in BOARD.areas:
        places = drawing.marks(BOARD, area)
        for place in (places.units_mm, places.name_mm, places.left_mm, places.right_mm):
            assert inside(area.polygon_mm, place), area.name
        spaces = [space.at_mm for space in BOARD.spaces if space.area == area.name and space.at_mm]
        assert min(math.dist(places.units_mm, at) for at in spaces) > PIECE_MM + 0.8 * BOARD.space_side_mm


def inside(polygon: tuple[drawing.Point, ...], place: drawing.Point) -> bool:
    (x, y), crossed = place, False
    for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            crossed = not crossed
    return crossed


def test_an_inset_keeps_its_distance_on_either_hand() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    for corners in (square, square[::-1]):
        found = drawing.inset(corners, 2.0)
        assert sorted((round(x, 6), round(y, 6)) for x, y in found) == [(2, 2), (2, 8), (8, 2), (8, 8)]


def test_an_inset_of_every_area_stays_inside() -> None:
    for area in BOARD.areas:
        assert all(inside(area.polygon_mm, corner) for corner in drawing.inset(area.polygon_mm, 2.0))


def test_neighbours_share_a_side_and_others_do_not() -> None:
    for area in BOARD.areas:
        for other in BOARD.areas:
            touch = drawing.shared_side(area.polygon_mm, other.polygon_mm) is not None
            assert touch == (other.name in area.adjacent or other is area), (area.name, other.name)


def test_slots_are_told_apart_by_their_signs() -> None:
    marks = drawing.mark_shapes(BOARD)
    assert {area.slot for area in BOARD.areas if area.slot} == {"sun", "moon", "star"}
    assert all(marks.count(f'd="{ICONS[slot].fill}"') == 1 for slot in ("sun", "moon", "star"))
    assert len({ICONS[slot].fill for slot in ("sun", "moon", "star", "flower")}) == 4


def test_marks_stand_upright_where_the_board_is_turned() -> None:
    assert "rotate" not in drawing.mark_shapes(BOARD)
    turned = drawing.mark_shapes(BOARD, turn=90)
    assert turned.count("rotate(-90 ") == len([area for area in BOARD.areas if area.slot]) + 2


def test_in_print_every_space_shows_its_action() -> None:
    svg = drawing.board_svg(BOARD, 640)
    for action in ("advance", "shell", "sail", "bombard"):
        on_map = sum(space.action.name == action and space.at_mm is not None for space in BOARD.spaces)
        assert svg.count(ICONS[action].fill) == on_map > 0, action


def test_water_has_a_shore_where_it_meets_land() -> None:
    shores = [one for one in shapes() if one.get("stroke") == drawing.COLOURS["shore"]]
    assert len(shores) == 2 * sum(area.kind == "water" for area in BOARD.areas)
    c4, c3 = BOARD.area("c4").polygon_mm, BOARD.area("c3").polygon_mm
    assert drawing.shared_side(c4, c3) is not None
    assert all(one.get("d") for one in shores)
