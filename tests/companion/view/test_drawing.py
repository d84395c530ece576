"""The drawing of a board: whole, our own, and in the right places."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.drawing import air_zones, board_svg, scenery
from companion.drawing.anchors import WORD_MM, plate_of
from companion.drawing.icons import ICONS
from companion.drawing.polygons import inside, offset, outer_edges, room, sides
from companion.drawing.stroke_font import lettering, wide
from companion.view.layers.map_areas import PIECE_MM
from engine.areas import members
from engine.orders.board import Board, load_board

BOARD = load_board("sengoku-rivers")
FORTRESS, ALPINE, ISLAND = (load_board(name) for name in ("sengoku-fortress", "wwii-alpine", "wwii-island"))
ALL = (BOARD, FORTRESS, ALPINE, ISLAND)


def test_without_scenery_the_drawing_goes_as_far_as_the_outlines() -> None:
    _, _, width, height = board_svg.extent(BOARD)
    assert (width, height) == pytest.approx((212.76, 298.15), abs=0.02)
    assert board_svg.extent(ALPINE) == (0.0, 0.0, *ALPINE.size_mm)


def test_every_area_and_every_linked_space_is_drawn() -> None:
    svg = board_svg.board_shapes(BOARD)
    assert all(board_svg.path(area.polygon_mm) in svg for area in BOARD.areas)
    outlines = [board_svg.path(board_svg.hexagon(s.at_mm, BOARD.space_side_mm)) for s in BOARD.spaces if s.at_mm]
    assert len(outlines) == 34
    assert all(outline in svg for outline in outlines)


def test_marks_stand_inside_their_area_and_clear_of_its_spaces() -> None:
    for board, area in ((game_board, area) for game_board in ALL for area in game_board.areas if area.kind != "air"):
        places, k = board_svg.area_marks(board, area), board_svg.scale(board)
        for place in (places.units_mm, places.name_mm, places.left_mm, places.right_mm, places.low_left_mm):
            assert inside(area.polygon_mm, place), (board.name, area.name)
        spaces = [space.at_mm for space in board.spaces if space.area == area.name and space.at_mm]
        near = min(math.dist(places.units_mm, at) for at in spaces)
        assert near > PIECE_MM * k + 0.8 * board.space_side_mm, (board.name, area.name)


def test_an_inset_keeps_its_distance_on_either_hand() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    for corners in (square, square[::-1]):
        found = board_svg.inset(corners, 2.0)
        assert sorted((round(x, 6), round(y, 6)) for x, y in found) == [(2, 2), (2, 8), (8, 2), (8, 8)]


def test_neighbours_share_a_side_and_others_do_not() -> None:
    for area in BOARD.areas:
        for other in BOARD.areas:
            touch = board_svg.shared_side(area.polygon_mm, other.polygon_mm) is not None
            assert touch == (other.name in area.adjacent or other is area), (area.name, other.name)


def test_marks_stand_upright_where_the_board_is_turned() -> None:
    assert "rotate" not in board_svg.mark_shapes(BOARD)
    turned = "".join(board_svg.area_mark_shapes(BOARD, turn=90).values())
    assert turned.count("rotate(-90 ") == len([area for area in BOARD.areas if area.slot]) + 2


def test_in_print_every_space_shows_its_action() -> None:
    svg = board_svg.action_shapes(BOARD)
    for action in ("advance", "shell", "sail", "bombard"):
        on_map = sum(space.action.name == action and space.at_mm is not None for space in BOARD.spaces)
        assert svg.count(ICONS[action].fill) == on_map > 0, action


# ---- other boards -----------------------------------------------------------------------------


@pytest.mark.parametrize("board", ALL, ids=lambda board: board.name)
def test_every_board_is_drawn_with_icons_for_all_that_stands_on_it(board: Board) -> None:
    assert "<text" not in board_svg.mark_shapes(board) + board_svg.text_shapes(board)
    assert len({ICONS[slot].fill for slot in board.slots}) == len(board.slots), "slots are told apart by their signs"
    names = {space.action.name for space in board.spaces} | {unit.name for unit in board.mode.units} - {"troop"}
    assert names | set(board.mode.bonuses) | set(board.slots) <= set(ICONS)


@pytest.mark.parametrize("board", ALL, ids=lambda board: board.name)
def test_only_a_practice_board_says_that_it_is_one(board: Board) -> None:
    plate = board_svg.practice_shape(board, board_svg.COLOURS["border"])
    assert (plate in board_svg.mark_shapes(board)) == (board.known == "practice")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("board", [FORTRESS, ALPINE, ISLAND], ids=lambda board: board.name)
def test_the_practice_plate_covers_no_area(board: Board, turn: int) -> None:
    (x, y), (w, h), high = plate_of(board, turn, "Tabuleiro de treino")
    left, top, width, height = board_svg.extent(board)
    assert left < x - w / 2 < x + w / 2 < left + width
    assert top < y - h / 2 < y + h / 2 < top + height
    assert high >= WORD_MM * 0.55
    corners = [(x + a * w / 2, y + b * h / 2) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    assert not any(inside(area.polygon_mm, corner) for area in board.areas for corner in corners)


def test_where_nothing_is_free_the_plate_is_small_and_at_the_top() -> None:
    square = replace(BOARD.areas[0], polygon_mm=((0, 0), (99, 0), (99, 99), (0, 99)), adjacent=(), ports=())
    full = replace(BOARD, areas=(square,), spaces=(), slots=())
    (x, y), (_, h), high = plate_of(full)
    assert [x, y, high] == pytest.approx([49.5, h / 2 + board_svg.extent(full)[1], WORD_MM * 0.55])


def test_every_air_zone_has_its_section_its_borders_and_its_letter_on_its_land() -> None:
    ground, over, k = board_svg.board_shapes(ISLAND), board_svg.mark_shapes(ISLAND), board_svg.scale(ISLAND)
    for index in members(ISLAND.air):
        zone = ISLAND.areas[index]
        word = zone.name.removeprefix("zone-")
        assert air_zones.section(zone, word) in ground
        assert f'stroke="{air_zones.zone_colour(zone.name)}"' in air_zones.zone_borders(ISLAND, 1.0)
        places = [
            (board_svg.area_marks(ISLAND, area).low_right_mm, k) for area in ISLAND.areas if area.zone == zone.name
        ]
        plates = [air_zones.tag(air_zones.zone_colour(zone.name), word[0], place) for place in places]
        assert all(plate in over for plate in plates)
        assert len(plates) == ISLAND.beneath[index].bit_count() > 0


def test_zones_may_be_called_in_another_language() -> None:
    zones = {"zone-green": "verde"}
    assert lettering("VERDE", (0.0, 0.0), 3.4, air_zones.PAPER).count("<path") == 5
    ground, over = board_svg.board_shapes(ISLAND, zones=zones), board_svg.mark_shapes(ISLAND, zones=zones)
    green = ISLAND.area("zone-green")
    assert air_zones.section(green, "verde") in ground
    assert air_zones.section(green, "green") not in ground
    assert over != board_svg.mark_shapes(ISLAND)


def test_the_border_of_a_zone_runs_around_all_its_land_and_inside_it() -> None:
    land = [area.polygon_mm for area in ISLAND.areas if area.zone == "zone-orange"]
    (ring,) = outer_edges(land)
    assert sum(math.dist(*side) for side in sides(ring)) < sum(
        math.dist(*s) for outline in land for s in sides(outline)
    )
    band = offset(ring, 3.0)
    assert all(any(inside(outline, corner) for outline in land) for corner in band)


def test_sections_lie_apart_on_the_board_with_room_for_five_aircraft() -> None:
    boxes = [ISLAND.areas[index].polygon_mm for index in members(ISLAND.air)]
    for box in boxes:
        xs, ys = zip(*box, strict=True)
        assert max(xs) - min(xs) >= 34
        assert max(ys) - min(ys) >= 44 + 18
        assert min(*xs, *ys) >= 4
        assert max(xs) <= ISLAND.size_mm[0] - 4
        assert max(ys) <= ISLAND.size_mm[1] - 4
        others = [area.polygon_mm for area in ISLAND.areas if area.polygon_mm != box]
        assert all(room(corner, others) >= 4 for corner in box)


def test_no_paradrop_and_a_printed_bonus_have_their_signs() -> None:
    over = board_svg.mark_shapes(ALPINE)
    assert over.count(f'd="{ICONS["forbidden"].line}"') == sum(area.no_drop for area in ALPINE.areas) == 3
    assert over.count(f'd="{ICONS["town_centre"].fill}"') == 1
    both = replace(ALPINE.area("c3"), slot="1")
    crowded = replace(ALPINE, areas=tuple(both if area.name == "c3" else area for area in ALPINE.areas))
    assert board_svg.mark_shapes(crowded).count(f'd="{ICONS["town_centre"].fill}"') == 1


def test_a_zone_of_a_strange_colour_is_drawn_all_the_same() -> None:
    assert air_zones.zone_colour("zone-mauve") == air_zones.UNKNOWN
    assert air_zones.zone_colour("zone-green") == air_zones.COLOURS["green"]
    assert {air_zones.letters_on(colour) for colour in ("#ffffff", "#00ff00", "#ff8000")} == {air_zones.INK}
    for dark in ("#101010", "#ff0000", "#00a000", "#0000ff"):
        assert air_zones.letters_on(dark) == air_zones.PAPER, dark
    assert air_zones.mix_colours("#000000", "#ffffff", 0.5) == "#808080"


def test_starting_units_are_printed_one_by_one() -> None:
    for board in ALL:
        units = sum(n for area in board.areas for _, _, n in area.start)
        assert board_svg.start_shapes(board).count("<circle") == units


def test_scenery_keeps_off_the_areas() -> None:
    outlines = tuple(area.polygon_mm for area in ALPINE.areas)
    found = scenery.places(outlines, board_svg.extent(ALPINE), 4.0, 0.6)
    assert len(found) > 20
    assert all(room(at, outlines) >= free >= 4.0 for at, free in found)


def test_scenery_that_nobody_knows_is_left_out() -> None:
    plain = replace(ALPINE, scenery="lava")
    assert scenery.around(plain, (), (0, 0, 9, 9), board_svg.COLOURS) == ""
    assert board_svg.COLOURS["rock"] not in board_svg.board_shapes(plain)


def test_letters_are_lines_as_wide_as_they_say() -> None:
    assert wide("AA", 6.0) == 4 + 1.5 + 4
    drawn = lettering("Prática 1", (10.0, 5.0), 6.0, "#111111")
    assert drawn.count("<path") == 9, "an accent is a line of its own"
    assert lettering("PRA\u0301TICA 1", (10.0, 5.0), 6.0, "#111111") == drawn
    assert wide("Prática 1", 6.0) == wide("PRATICA 1", 6.0)
    assert lettering("çã", (0.0, 0.0), 6.0, "#111111").count("<path") == 4
    assert lettering("?", (0, 0), 6.0, "#111111").count("<path") == 0


def test_outlines_that_do_not_close_are_given_as_far_as_they_go() -> None:
    torn = [((0.0, 0.0), (10.0, 0.0), (10.0, 10.0)), ((10.0, 0.0), (10.0, 10.0), (20.0, 0.0), (10.0, 0.0))]
    assert outer_edges([torn[0]]) == [torn[0]]
    assert outer_edges(torn)


def test_zones_whose_words_begin_alike_have_two_letters() -> None:
    words = {"zone-red": "Vermelho", "zone-green": "verde", "zone-purple": "roxo"}
    assert [air_zones.zone_letters(zone, words, words) for zone in words] == ["vm", "vd", "r"]
    assert air_zones.zone_letters("zone-red", ["zone-red", "zone-green"], None) == "r"
