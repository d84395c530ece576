"""Hexes: where they lie, what they border, their names and their outline together."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.tracing.hexes import (
    BoardGrid,
    Cell,
    NotOnePiece,
    area_name,
    box,
    hex_names,
    neighbours,
    outline,
    regular,
    touching,
)
from engine.orders.board import load_board

cells = st.tuples(st.integers(-20, 20), st.integers(-20, 20))
BOARD = load_board("sengoku-rivers")
RIVERS = regular((51.75, 68.66), 26.22)
"""Rivers' grid, from its own numbers."""


@pytest.mark.parametrize("flat", [True, False])
class TestGrid:
    @given(cell=cells)
    def test_a_hex_has_its_own_middle(self, flat: bool, cell: Cell) -> None:
        grid = BoardGrid(
            (12.0, -3.0), (39.0, 0.6) if flat else (45.1, 0.6), (-0.7, 45.4) if flat else (-0.7, 39.4), flat
        )
        assert grid.cell_at(grid.centre(cell)) == cell

    @given(cell=cells)
    def test_neighbours_are_the_six_hexes_that_share_a_side(self, flat: bool, cell: Cell) -> None:
        grid = regular((5.0, 7.0), 20.0, flat)
        near = neighbours(flat, cell)
        assert len(set(near)) == 6
        for other in near:
            assert math.dist(grid.centre(cell), grid.centre(other)) == pytest.approx(20 * math.sqrt(3))
            assert len(set(grid.knots(cell)) & set(grid.knots(other))) == 2
            assert cell in neighbours(flat, other)

    def test_sides_and_corners_are_regular(self, flat: bool) -> None:
        grid = regular((5.0, 7.0), 20.0, flat)
        corners = grid.corners((1, 2))
        assert grid.side_mm == pytest.approx(20)
        assert all(math.dist(a, b) == pytest.approx(20) for a, b in pairwise((*corners, corners[0])))
        assert _area(corners) == pytest.approx(1.5 * math.sqrt(3) * 400)

    def test_cells_are_those_whose_middle_is_on_the_board(self, flat: bool) -> None:
        grid = regular((10.0, 10.0), 10.0, flat)
        found = grid.cells((100.0, 80.0))
        around = [(c, r) for c in range(-10, 20) for r in range(-10, 20)]
        inside = [(x, y) for x, y in map(grid.centre, around) if 0 <= x <= 100 and 0 <= y <= 80]
        assert len(found) == len(set(found)) == len(inside)

    @given(walk=st.lists(st.integers(0, 5), min_size=1, max_size=12))
    def test_an_outline_encloses_all_its_hexes(self, flat: bool, walk: list[int]) -> None:
        grid = regular((0.0, 0.0), 10.0, flat)
        path = [(0, 0)]
        for step in walk:
            path.append(neighbours(flat, path[-1])[step])
        together = list(dict.fromkeys(path))
        try:
            ring = outline(grid, together)
        except NotOnePiece:
            return  # a ring of hexes; that is asked below
        assert _area(ring) == pytest.approx(len(together) * 1.5 * math.sqrt(3) * 100)
        assert len({(round(x, 3), round(y, 3)) for x, y in ring}) == len(ring)


def test_the_known_board_is_made_again_from_the_places_of_its_hexes() -> None:
    found = {area.name: [RIVERS.cell_at(centre) for centre in area.centres_mm] for area in BOARD.areas}
    for area in BOARD.areas:
        ring = outline(RIVERS, found[area.name])
        assert ring == pytest.approx([pytest.approx(corner, abs=0.06) for corner in area.polygon_mm])
    assert touching(True, found) == {area.name: tuple(sorted(area.adjacent)) for area in BOARD.areas}
    names = hex_names(cell for together in found.values() for cell in together)
    assert names[RIVERS.cell_at(BOARD.area("c4").centres_mm[0])] == "c4"
    named = {area_name(together, names) for together in found.values()}
    assert named ^ {area.name for area in BOARD.areas} == {"b6", "c6"}  # c6 is the one printed exception


@pytest.mark.parametrize(
    ("cells", "told"),
    [([], "hang together"), ([(0, 0), (5, 5)], "hang together"), (neighbours(True, (3, 3)), "hole")],
    ids=["none", "apart", "ring"],
)
def test_hexes_that_are_not_one_piece_have_no_outline(cells: list[Cell], told: str) -> None:
    with pytest.raises(NotOnePiece, match=told):
        outline(RIVERS, cells)
    assert box((10.0, 20.0), (4.0, 6.0)) == ((8.0, 17.0), (12.0, 17.0), (12.0, 23.0), (8.0, 23.0))


def _area(ring: tuple[tuple[float, float], ...]) -> float:
    """Positive where the corners go round clockwise as seen, y down."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(ring, (*ring[1:], ring[0]), strict=True)) / 2
