"""A few hexes drawn as plain lines on a small sheet: what is searched for on photographs of boards is found there."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from vision.tracing.hexes import HexGrid, Point, regular
from vision.tracing.search import search
from vision.tracing.sheet import Sheet
from vision.tracing.spaces import snap, spaces_of
from vision.tracing.trace import open_sheet

SIZE_MM = (72.0, 66.0)
PX_PER_MM = 6
SIDE_MM, SPACE_MM = 13.0, 3.2
ORIGIN = (20.0, 18.0)
OFF_MIDDLE = (-4.0, -5.0)


def drawn(flat: bool, spaces: tuple[Point, ...] = ()) -> Sheet:
    """Return a grey sheet with the lines of a grid, and small hexes stood like it at these places."""
    wide, high = (round(side * PX_PER_MM) for side in SIZE_MM)
    picture = np.full((high, wide, 3), 150, np.uint8)
    grid = regular(ORIGIN, SIDE_MM, flat)
    outlines = [grid.corners(cell) for cell in grid.cells(SIZE_MM)]
    outlines += [regular(at, SPACE_MM, flat).corners((0, 0)) for at in spaces]
    for outline in outlines:
        points = np.round(outline * PX_PER_MM).astype(np.int32)
        cv2.polylines(picture, [points], True, (40, 50, 60), 3, cv2.LINE_AA)
    return open_sheet(picture, [[0, 0], [wide, 0], [wide, high], [0, high]], SIZE_MM)


@cache
def grid_of(flat: bool) -> HexGrid:
    return regular(ORIGIN, SIDE_MM, flat)


@pytest.mark.parametrize("flat", [True, False])
def test_the_likeliest_grid_is_the_one_drawn(flat: bool) -> None:
    guesses = search(drawn(flat), most=3)
    assert [guess.score for guess in guesses] == sorted((guess.score for guess in guesses), reverse=True)
    best = guesses[0].grid
    assert best.flat is flat
    assert best.side_mm == pytest.approx(SIDE_MM, rel=0.03)
    middle = grid_of(flat).centre((1, 1))
    assert np.hypot(*np.subtract(best.centre(best.cell_at(middle)), middle)) < 1.5


@pytest.mark.parametrize("flat", [True, False])
def test_small_hexes_are_found_in_their_cells(flat: bool) -> None:
    grid = grid_of(flat)
    cells = [cell for cell in grid.cells(SIZE_MM) if grid.inside(cell, SIZE_MM)]
    places = tuple((x + OFF_MIDDLE[0], y + OFF_MIDDLE[1]) for x, y in map(grid.centre, cells))
    found = spaces_of(drawn(flat, places), grid, dict.fromkeys(cells, 1.0))
    assert len(cells) > 1
    for cell, place in zip(cells, places, strict=True):
        space = snap(found, place, 1.0)
        assert space is not None
        assert (space.cell, space.group) == (cell, found[0].group), "all look alike"
        assert space.confidence > 0.5
    assert len(found) == len(cells)
    assert snap(found, (SIZE_MM[0] + 20, 0.0)) is None
    assert snap((), places[0]) is None
