"""The practice boards: whole, fair by their shape where they are symmetric, every rule of the mode on them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from benchmarks import fairness
from companion.drawing.polygons import Point, inside, room, sides
from engine.areas import members
from engine.orders.board import Area, Board, board_names, load_board

FORTRESS, ALPINE, ISLAND, ISLAND_2 = PRACTICE = ("sengoku-fortress", "wwii-alpine", "wwii-island", "wwii-island-2")
GAMES = 30
RARE = {"rule recall", "card ship_strike", "card siege_strike", "bonus town_centre", "rule out of supply"}
"""What comes up in fewer than one of five random games."""
every_board = pytest.mark.parametrize("name", PRACTICE)


def middle(area: Area) -> Point:
    """Return the middle of an area's outline."""
    xs, ys = zip(*area.polygon_mm, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def mirrored(board: Board, at: Point) -> Point:
    """Return a place mirrored from left to right on the board."""
    return board.size_mm[0] - at[0], at[1]


def turned(board: Board, at: Point) -> Point:
    """Return a place after half a turn of the board."""
    return board.size_mm[0] - at[0], board.size_mm[1] - at[1]


SYMMETRIC = [(FORTRESS, mirrored), (ALPINE, turned)]


def twin(board: Board, name: str, way: Callable[[Board, Point], Point]) -> Area:
    """Return the area onto which the symmetry maps an area."""
    at = way(board, middle(board.area(name)))
    return next(area for area in board.areas if math.dist(middle(area), at) < 0.1)


# --- what they are ----------------------------------------------------------------------


@every_board
def test_it_says_that_it_is_for_practice(name: str) -> None:
    board = load_board(name)
    assert board.known == "practice"
    assert board.mode.known == "practice"
    assert load_board("sengoku-rivers").known != "practice"
    assert set(PRACTICE) <= set(board_names())


def test_the_second_edition_of_island_differs_in_a_few_starts_and_points_alone() -> None:
    first, second = load_board(ISLAND), load_board(ISLAND_2)
    assert (first.spaces, first.mode, first.size_mm, first.slots) == (
        second.spaces,
        second.mode,
        second.size_mm,
        second.slots,
    )
    changed = {
        area.name: (area.vp, area.start)
        for area, before in zip(second.areas, first.areas, strict=True)
        if area != before
    }
    assert changed == {
        "a4": (1, (("yellow", "troop", 3),)),
        "c5": (0, (("yellow", "troop", 5),)),
        "e1": (1, ()),
        "e3": (2, ()),
    }
    assert [replace(area, vp=0, start=()) for area in second.areas] == [
        replace(area, vp=0, start=()) for area in first.areas
    ]


@every_board
def test_it_is_about_as_large_as_rivers(name: str) -> None:
    board, rivers = load_board(name), load_board("sengoku-rivers")
    assert 20 <= len(board.areas) <= 26
    assert 12 <= sum(board.vps) <= 15
    assert len(board.slots) == 4
    assert sum(board.vps) % 2 == 1, "a draw on points is rare"
    assert 200 <= max(board.size_mm) <= max(rivers.size_mm) + 5


@every_board
def test_neighbours_share_a_side_of_their_outlines(name: str) -> None:
    board = load_board(name)
    ground = [area for area in board.areas if area.kind != "air"]
    for area in ground:
        for other in ground:
            touch = area is not other and _touch(area, other)
            assert touch == (other.name in area.adjacent), (area.name, other.name)


def _touch(area: Area, other: Area) -> bool:
    ends = [((x0 + x1) / 2, (y0 + y1) / 2) for (x0, y0), (x1, y1) in sides(other.polygon_mm)]
    middles = [((x0 + x1) / 2, (y0 + y1) / 2) for (x0, y0), (x1, y1) in sides(area.polygon_mm)]
    return any(math.dist(a, b) < 0.1 for a in middles for b in ends)


@every_board
def test_areas_do_not_overlap_and_lie_on_the_board(name: str) -> None:
    board = load_board(name)
    for area in board.areas:
        assert all(0 <= x <= board.size_mm[0] and 0 <= y <= board.size_mm[1] for x, y in area.polygon_mm)
        others = [neighbour.polygon_mm for neighbour in board.areas if neighbour is not area]
        assert all(room(centre, others) > 5 for centre in area.centres_mm), area.name


@every_board
def test_every_action_space_lies_in_its_area_apart_from_the_others(name: str) -> None:
    board = load_board(name)
    printed = [(space, space.at_mm) for space in board.spaces if space.at_mm and space.area]
    for space, at in printed:
        assert inside(board.area(space.area or "").polygon_mm, at), space.name
        others = [place for other, place in printed if other is not space]
        assert min(math.dist(at, place) for place in others) > 2 * board.space_side_mm, space.name


@every_board
def test_every_area_can_be_reached_from_both_headquarters(name: str) -> None:
    board = load_board(name)
    for home in board.homes:
        assert board.adjacency.flood(home, (1 << len(board.areas)) - 1) == (1 << len(board.areas)) - 1


@every_board
def test_every_action_of_the_mode_has_its_spaces(name: str) -> None:
    board = load_board(name)
    assert {space.action.name for space in board.spaces} == set(board.mode.actions)
    places = {"land": "advance", "water": "sail", "air": "fly"}
    spaces = {space.name for space in board.spaces}
    assert all(f"{places[area.kind]}:{area.name}" in spaces for area in board.areas if area.kind in places)


def test_all_water_of_fortress_hangs_together_so_that_every_one_can_be_sailed_to() -> None:
    board = load_board(FORTRESS)
    first = board.water & -board.water
    assert board.adjacency.flood(first, board.water) == board.water


def test_fortress_has_what_its_mode_is_about() -> None:
    board = load_board(FORTRESS)
    assert board.slots == ("sun", "moon", "star", "flower")
    assert board.forts.bit_count() >= 3
    assert {area.name for area in board.areas for _, unit, _ in area.start if unit == "siege"}
    sieges = [board.area(space.area or "") for space in board.spaces if space.action.name == "siege"]
    assert any(board.area(near).fort for area in sieges for near in area.adjacent)
    assert board.harbours


def test_alpine_has_what_its_mode_is_about() -> None:
    board = load_board(ALPINE)
    assert board.no_drop & ~board.hq[0]
    assert [bonus for _, bonus in board.printed] == ["town_centre"]
    for action in ("paradrop", "barrage"):
        own = [space.faction for space in board.spaces if space.action.name == action]
        assert own.count("blue") == own.count("yellow") >= 3
        assert None not in own


def test_island_has_what_its_mode_is_about() -> None:
    board = load_board(ISLAND)
    assert 5 <= board.air.bit_count() <= 6
    assert all(board.zones[area] >= 0 for area in members(board.land))
    beneath = [board.beneath[zone] for zone in members(board.air)]
    assert min(land.bit_count() for land in beneath) >= 1
    assert max(land.bit_count() for land in beneath) >= 3
    assert all(board.adjacency.flood(land & -land, land) == land for land in beneath), "a zone hangs together"
    assert [bonus for _, bonus in board.printed] == ["town_centre"]
    assert {area.start[0][0] for area in board.areas if area.kind == "air" and area.start} == {"blue", "yellow"}


def test_air_zones_border_each_other_where_their_land_does() -> None:
    board = load_board(ISLAND)
    for zone in (board.areas[index] for index in members(board.air)):
        near = {board.area(other).zone for area in board.areas if area.zone == zone.name for other in area.adjacent}
        assert near - {zone.name} == set(zone.adjacent)


# --- fair by their shape ----------------------------------------------------------------


@pytest.mark.parametrize(("name", "way"), SYMMETRIC)
def test_the_halves_of_a_symmetric_board_are_alike(name: str, way: Callable[[Board, Point], Point]) -> None:
    board = load_board(name)
    first, second = board.factions
    other = {first: second, second: first, None: None}
    for area in board.areas:
        two = twin(board, area.name, way)
        here = (area.kind, area.vp, other[area.hq], area.fort, area.no_drop, area.printed, bool(area.slot))
        assert here == (two.kind, two.vp, two.hq, two.fort, two.no_drop, two.printed, bool(two.slot)), area.name
        assert {(other[faction], unit, n) for faction, unit, n in area.start} == set(two.start), area.name
        assert {twin(board, near, way).name for near in area.adjacent} == set(two.adjacent), area.name
        assert {twin(board, port, way).name for port in area.ports} == set(two.ports), area.name


@pytest.mark.parametrize(("name", "way"), SYMMETRIC)
def test_the_action_spaces_of_a_symmetric_board_are_alike(name: str, way: Callable[[Board, Point], Point]) -> None:
    board = load_board(name)
    first, second = board.factions
    other = {first: second, second: first, None: None}
    linked = {(space.action.name, space.area, space.faction) for space in board.spaces if space.area}
    assert {(action, twin(board, area, way).name, other[own]) for action, area, own in linked if area} == linked


def test_the_factions_of_island_differ_in_their_halves_but_not_in_their_pieces() -> None:
    board = load_board(ISLAND)
    start = {faction: _pieces(board, faction) for faction in board.factions}
    assert start["blue"] == start["yellow"]
    assert {len(board.areas[hq].adjacent) for hq in board.hq} == {3, 4}


def _pieces(board: Board, faction: str) -> dict[str, int]:
    return {
        unit.name: sum(
            n for area in board.areas for owner, kind, n in area.start if (owner, kind) == (faction, unit.name)
        )
        for unit in board.mode.units
    }


# --- every rule comes up ----------------------------------------------------------------


@cache
def games_on(name: str) -> list[fairness.Counted]:
    return [fairness.play_game(load_board(name), "random", seed) for seed in range(GAMES)]


@every_board
def test_what_the_mode_has_comes_up_in_random_games(name: str) -> None:
    seen = fairness.events(games_on(name))
    assert sorted(thing for thing in fairness.expected_events(load_board(name)) - RARE if not seen[thing]) == []
