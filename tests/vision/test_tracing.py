"""Boards traced from a photograph: drawn hexes found as lines, cells, borders, spaces; drawings nudged onto print."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import numpy as np
import pytest

from tests.vision.tables import there
from vision.errors import CornersError
from vision.geometry import Matrix, Picture
from vision.plan import AreaPlan, BoardPlan, Point, SpacePlan
from vision.simulation.art_sheet import ArtStyle
from vision.simulation.board_art import draw_board
from vision.tracing.rim import edges_of, on_rim
from vision.tracing.search import search
from vision.tracing.sheet import Cell, HexGrid, Sheet, pair_of, regular_grid, terms_at
from vision.tracing.spaces import snap, spaces_of
from vision.tracing.trace import (
    FoundGrid,
    find_grid,
    find_spaces,
    grid_by_touches,
    nudge,
    open_sheet,
    propose,
    refit_grid,
)

SIZE_MM = (180.0, 190.0)
SIDE_MM = 22.0
JOINED: tuple[Cell, Cell] = ((1, 2), (1, 3))
OFF_MAP: frozenset[Cell] = frozenset({(0, 3), (3, 3)})
WATER_ROWS = (0, 1)
PX_PER_MM = 4.0


def true_grid() -> HexGrid:
    return regular_grid((40.0, 31.0), SIDE_MM)


def map_cells() -> list[Cell]:
    return [(c, r) for c in range(4) for r in range(4) if (c, r) not in OFF_MAP]


def joined_outline(grid: HexGrid, one: Cell, other: Cell) -> tuple[Point, ...]:
    first, second = grid.neighbours(one).index(other), grid.neighbours(other).index(one)
    mine = [grid.corners(one)[(first + k) % 6] for k in range(1, 7)]
    theirs = [grid.corners(other)[(second + k) % 6] for k in range(2, 6)]
    return tuple((float(x), float(y)) for x, y in mine + theirs)


def hex_plan() -> BoardPlan:
    grid = true_grid()
    areas, spaces = [], []
    for cell in map_cells():
        if cell == JOINED[1]:
            continue
        kind = "water" if cell[1] in WATER_ROWS else "land"
        name = f"{'abcd'[cell[0]]}{4 - cell[1]}"
        alone = tuple((float(x), float(y)) for x, y in grid.corners(cell))
        outline = joined_outline(grid, *JOINED) if cell == JOINED[0] else alone
        centres = tuple(grid.centre(c) for c in (JOINED if cell == JOINED[0] else (cell,)))
        areas.append(AreaPlan(name, kind, outline, centres))
        x, y = centres[0]
        spaces.append(SpacePlan(f"{'sail' if kind == 'water' else 'advance'}:{name}", name, (x - 7.5, y - 12.0)))
    units = (("land", ("troop",)), ("water", ("ship",)))
    return BoardPlan("test-hexes", SIZE_MM, tuple(areas), tuple(spaces), 5.6, ("red", "black"), units, ())


@dataclass(frozen=True)
class Photo:
    picture: Picture
    corners: Matrix


@lru_cache(maxsize=1)
def photo() -> Photo:
    """Return the board seen a little askew on a plain table, corners off by a millimetre as fingers are."""
    art = draw_board(hex_plan(), ArtStyle(3, decoration=2), px_per_mm=PX_PER_MM)
    high, wide = art.shape[:2]
    exact = np.array([[90, 70], [800, 95], [825, 850], [60, 830]], np.float32)
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    table = np.full((920, 900, 3), (120, 160, 170), np.uint8)
    change = cv2.getPerspectiveTransform(source, exact)
    cv2.warpPerspective(art, change, (900, 920), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    seen = cv2.GaussianBlur(table, (0, 0), 0.8)
    noise = np.random.default_rng(4).normal(0, 2.0, seen.shape)
    picture = np.clip(seen + noise, 0, 255).astype(np.uint8)
    return Photo(picture, exact.astype(np.float64) + np.array([[2, 1], [-2, 2], [1, -2], [2, 2]], np.float64))


def sheet() -> Sheet:
    return open_sheet(photo().picture, photo().corners, SIZE_MM)


@lru_cache(maxsize=1)
def found() -> FoundGrid:
    return there(find_grid(sheet()))


def seen_cell(grid: HexGrid, cell: Cell) -> Cell:
    return grid.cell_at(true_grid().centre(cell))


def worst_mm(grid: HexGrid) -> float:
    gaps = [np.subtract(grid.centre(seen_cell(grid, c)), true_grid().centre(c)) for c in map_cells()]
    return float(np.linalg.norm(gaps, axis=1).max())


def plain_sheet() -> Sheet:
    noise = np.random.default_rng(1).normal(128, 12, (600, 600, 3))
    picture = np.clip(cv2.GaussianBlur(noise, (0, 0), 3.0), 0, 255).astype(np.uint8)
    return open_sheet(picture, [[40, 40], [560, 40], [560, 560], [40, 560]], SIZE_MM)


@pytest.mark.long
def test_the_grid_is_found_by_itself() -> None:
    assert found().grid.flat
    assert found().grid.side_mm == pytest.approx(SIDE_MM, rel=0.01)
    assert worst_mm(found().grid) < 1.0
    assert found().confidence > 0.5


@pytest.mark.long
def test_cells_on_the_map_are_told_from_those_beside_it() -> None:
    grid = found().grid
    here = {cell for cell, chance in found().on_map.items() if chance > 0.5}
    assert here == {seen_cell(grid, cell) for cell in map_cells()}
    assert all(found().on_map.get(seen_cell(grid, cell), 0.0) < 0.5 for cell in OFF_MAP)


@pytest.mark.long
def test_where_no_grid_is_printed_none_is_surely_found() -> None:
    nothing = find_grid(plain_sheet())
    assert nothing is None or nothing.confidence < 0.5


@pytest.mark.long
def test_a_grid_moved_by_hand_settles_on_the_print() -> None:
    moved = regular_grid((42.2, 32.6), SIDE_MM * 1.008)
    assert worst_mm(refit_grid(sheet(), moved).grid) < 1.0


@pytest.mark.long
def test_two_touched_middles_are_enough_for_a_grid() -> None:
    middles = [true_grid().centre((1, 1)), true_grid().centre((2, 1))]
    by_hand = grid_by_touches(sheet(), [(x + 0.8, y - 0.5) for x, y in middles])
    assert grid_by_touches(sheet(), middles[:1]) is None, "one is no grid"
    assert by_hand is not None
    assert by_hand.grid.flat
    assert worst_mm(by_hand.grid) < 1.0


def test_borders_are_proposed_but_within_an_area() -> None:
    proposal = propose(found())
    grid = found().grid
    one, other = (seen_cell(grid, cell) for cell in JOINED)
    assert proposal.borders[pair_of(one, other)] < 0.5
    assert sum(chance < 0.5 for chance in proposal.borders.values()) == 1
    assert tuple(sorted((one, other))) in proposal.areas
    assert len(proposal.areas) == len(hex_plan().areas)


def test_the_bluer_ground_is_proposed_as_water() -> None:
    proposal, grid = propose(found()), found().grid
    for cell in map_cells():
        kinds = proposal.kinds[seen_cell(grid, cell)]
        assert (kinds["water"] > kinds["land"]) == (cell[1] in WATER_ROWS)
        assert sum(kinds.values()) == pytest.approx(1.0)


@pytest.mark.long
def test_spaces_are_found_where_they_are_printed() -> None:
    spaces = find_spaces(found())
    truth = np.array([space.at_mm for space in hex_plan().spaces])
    for space in spaces:
        assert np.linalg.norm(truth - np.array(space.at_mm), axis=1).min() < 1.5
    assert len(spaces) >= len(truth) - 1
    x, y = hex_plan().spaces[0].at_mm
    near = there(snap(find_spaces(found(), least=0.0), (x + 2.0, y + 2.0)))
    assert np.hypot(near.at_mm[0] - x, near.at_mm[1] - y) < 1.5
    empty = FoundGrid(found().sheet, found().grid, 0.9, {})
    assert find_spaces(empty) == ()
    assert propose(empty).areas == ()


def displaced(plan: BoardPlan) -> BoardPlan:
    def off(point: tuple[float, float]) -> tuple[float, float]:
        return point[0] * 1.01 + 0.9, point[1] * 1.008 - 1.6

    areas = tuple(
        replace(a, polygon_mm=tuple(map(off, a.polygon_mm)), centres_mm=tuple(map(off, a.centres_mm)))
        for a in plan.areas
    )
    return replace(plan, areas=areas, spaces=tuple(replace(s, at_mm=off(s.at_mm)) for s in plan.spaces))


@pytest.mark.long
def test_a_drawing_is_nudged_onto_a_print_that_differs() -> None:
    exact = np.array([[90, 70], [800, 95], [825, 850], [60, 830]], np.float64)
    moved = nudge(photo().picture, exact, displaced(hex_plan()))
    assert moved.taken
    assert moved.after > moved.before + 0.1
    assert 0.5 < moved.moved_mm < 5.0
    for space in hex_plan().spaces:
        assert np.hypot(*np.subtract(moved.spaces[space.name], space.at_mm)) < 0.8


def test_a_nudge_is_left_where_the_print_says_nothing() -> None:
    blank = plain_sheet()
    same = nudge(blank.picture_bgr, blank.corners_px, hex_plan())
    assert not same.taken or same.after > same.before
    assert same.confidence < 0.5
    if not same.taken:
        assert same.areas[hex_plan().areas[0].name] == tuple(
            (round(x, 3), round(y, 3)) for x, y in hex_plan().areas[0].polygon_mm
        )


def test_corners_that_make_no_sense_are_refused() -> None:
    with pytest.raises(CornersError):
        open_sheet(photo().picture, [[0, 0], [1, 1], [2, 2], [3, 3]], SIZE_MM)


@pytest.mark.parametrize("flat", [True, False])
def test_neighbours_share_the_side_between_them(flat: bool) -> None:
    grid = regular_grid((100.0, 100.0), 26.0, flat, 0.05)
    for cell in ((0, 0), (1, 2), (2, 1), (3, 3)):
        for other in grid.neighbours(cell):
            assert np.allclose(grid.side(cell, other), grid.side(other, cell)[::-1])
            assert pair_of(cell, other) == pair_of(other, cell)
        assert grid.cell_at(grid.centre(cell)) == cell
        assert grid.side_mm == pytest.approx(26.0)


def test_cells_of_a_board_reach_over_its_edge_but_whole_ones_do_not() -> None:
    grid = regular_grid((30.0, 30.0), 20.0)
    assert grid.inside((0, 0), (100.0, 100.0))
    assert not grid.inside((0, -1), (100.0, 100.0))
    assert {(0, 0), (0, -1)} <= set(grid.cells((100.0, 100.0)))


def test_a_bend_is_told_in_half_sides_from_the_boards_middle() -> None:
    terms = terms_at([(40.0, 30.0), (0.0, 0.0), (80.0, 45.0)], (80.0, 60.0))
    assert terms.tolist() == [
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, -1, -1, 1, 1, 1, -1, -1, -1, -1],
        [1, 1, 0.5, 1, 0.5, 0.25, 1, 0.5, 0.25, 0.125],
    ]


def test_places_and_pixels_are_each_others_inverse_with_a_bend() -> None:
    bend = np.random.default_rng(2).normal(0, 0.5, (10, 2))
    bent = replace(sheet(), bend=bend)
    places = np.array([[10.0, 20.0], [90.0, 95.0], [170.0, 15.0]])
    assert np.allclose(bent.mm(bent.px(places)), places, atol=0.01)
    assert sheet().flat(2.0).shape == (380, 360, 3)
    assert sheet().flat(2.0, 5.0).shape == (400, 380, 3)


def test_the_boards_edges_put_crooked_corners_right() -> None:
    wrong = sheet()
    grid = HexGrid((40.0, 31.0), (33.0, 0.0), (0.0, 38.1))
    better, _ = on_rim(wrong, grid)
    exact = np.array([[90, 70], [800, 95], [825, 850], [60, 830]], np.float64)
    own = np.array([[0.0, 0.0], [SIZE_MM[0], 0.0], list(SIZE_MM), [0.0, SIZE_MM[1]]])
    before = np.linalg.norm(wrong.px(own) - exact, axis=1).mean()
    assert np.linalg.norm(better.px(own) - exact, axis=1).mean() < before
    assert len(edges_of(better)) == 4
    assert photo().picture.shape == (920, 900, 3)


SHEET_MM = (72.0, 66.0)
SHEET_PX_PER_MM = 6
DRAWN_SIDE_MM, SPACE_MM = 13.0, 3.2
ORIGIN = (20.0, 18.0)
OFF_MIDDLE = (-4.0, -5.0)


def drawn(flat: bool, spaces: tuple[Point, ...] = ()) -> Sheet:
    """Return a grey sheet with the lines of a grid, and small hexes stood like it at these places."""
    wide, high = (round(side * SHEET_PX_PER_MM) for side in SHEET_MM)
    picture = np.full((high, wide, 3), 150, np.uint8)
    grid = regular_grid(ORIGIN, DRAWN_SIDE_MM, flat)
    outlines = [grid.corners(cell) for cell in grid.cells(SHEET_MM)]
    outlines += [regular_grid(at, SPACE_MM, flat).corners((0, 0)) for at in spaces]
    for outline in outlines:
        points = np.round(outline * SHEET_PX_PER_MM).astype(np.int32)
        cv2.polylines(picture, [points], True, (40, 50, 60), 3, cv2.LINE_AA)
    return open_sheet(picture, [[0, 0], [wide, 0], [wide, high], [0, high]], SHEET_MM)


@cache
def grid_of(flat: bool) -> HexGrid:
    return regular_grid(ORIGIN, DRAWN_SIDE_MM, flat)


@pytest.mark.parametrize("flat", [True, False])
def test_the_likeliest_grid_is_the_one_drawn(flat: bool) -> None:
    guesses = search(drawn(flat), most=3)
    assert [guess.score for guess in guesses] == sorted((guess.score for guess in guesses), reverse=True)
    best = guesses[0].grid
    assert best.flat is flat
    assert best.side_mm == pytest.approx(DRAWN_SIDE_MM, rel=0.03)
    middle = grid_of(flat).centre((1, 1))
    assert np.hypot(*np.subtract(best.centre(best.cell_at(middle)), middle)) < 1.5


@pytest.mark.parametrize("flat", [True, False])
def test_small_hexes_are_found_in_their_cells(flat: bool) -> None:
    grid = grid_of(flat)
    cells = [cell for cell in grid.cells(SHEET_MM) if grid.inside(cell, SHEET_MM)]
    places = tuple((x + OFF_MIDDLE[0], y + OFF_MIDDLE[1]) for x, y in map(grid.centre, cells))
    found = spaces_of(drawn(flat, places), grid, dict.fromkeys(cells, 1.0))
    assert len(cells) > 1
    for cell, place in zip(cells, places, strict=True):
        space = there(snap(found, place, 1.0))
        assert (space.cell, space.group) == (cell, found[0].group), "all look alike"
        assert space.confidence > 0.5
    assert len(found) == len(cells)
    assert snap(found, (SHEET_MM[0] + 20, 0.0)) is None
    assert snap((), places[0]) is None
