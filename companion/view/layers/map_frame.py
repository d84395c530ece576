"""Where a map lies on the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.drawing.board_svg import AreaMarks, Point, area_marks, extent, scale
from companion.view.kit.sheet import Rect
from engine.orders.board import Board


class MapFrame:
    """Where the board lies on the sheet, turned clockwise by `turn` degrees (0, 90, 180, 270): points from mm.

    `unit` is points from the mm in which signs and pieces are measured: those of Rivers' hexes.
    """

    def __init__(self, board: Board, place: Rect, turn: int = 0) -> None:
        left, top, width, height = extent(board)
        across, down = (height, width) if turn in (90, 270) else (width, height)
        self.board = board
        self.place = place
        self.turn = turn
        self.points_per_mm = min(place.w / across, place.h / down)
        self.scale = scale(board)
        self.unit = self.points_per_mm * self.scale
        self._cos, self._sin = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
        middle = left + width / 2, top + height / 2
        self.x = self.y = 0.0
        x, y = self.at(middle)
        self.x, self.y = place.centre[0] - x, place.centre[1] - y

    def at(self, point_mm: Point) -> Point:
        """Return where a place of the board is on the sheet."""
        (x, y), k = point_mm, self.points_per_mm
        return self.x + (x * self._cos - y * self._sin) * k, self.y + (x * self._sin + y * self._cos) * k

    def marks(self, name: str) -> AreaMarks:
        """Return the places of an area's marks, in mm of the board."""
        return _marks(self.board, name, self.turn)

    def turned(self, by: Point) -> Point:
        """Turn a way in points, given as it runs on a board that is not turned, with the board."""
        x, y = by
        return x * self._cos - y * self._sin, x * self._sin + y * self._cos

    def place_shapes(self, shapes_mm: str) -> str:
        """Return shapes given in mm at their place on the sheet."""
        cos, sin = self._cos * self.points_per_mm, self._sin * self.points_per_mm
        matrix = f"matrix({cos:.5f} {sin:.5f} {-sin:.5f} {cos:.5f} {self.x:.3f} {self.y:.3f})"
        return f'<g transform="{matrix}">{shapes_mm}</g>'

    def outline(self, polygon_mm: Sequence[Point]) -> tuple[Point, ...]:
        """Return where an outline of the board is on the sheet."""
        return tuple(self.at(point) for point in polygon_mm)


@lru_cache(maxsize=8)
def map_frame(board: Board, place: Rect, turn: int = 0) -> MapFrame:
    """Return the frame of a board in that place: the same one each time."""
    return MapFrame(board, place, turn)


@lru_cache(maxsize=400)
def _marks(board: Board, name: str, turn: int) -> AreaMarks:
    return area_marks(board, board.area(name), turn)
