"""Pictures of the board as the eye has it: the whole board image and single areas, as JPEGs for the screen."""

from __future__ import annotations

from dataclasses import dataclass

from companion.adapters import plan_of
from engine.orders.board import Board
from vision.crops import Cropper
from vision.geometry import Grid, Picture, rectify
from vision.packing import jpeg_of
from vision.preview import preview_of
from vision.table import Table

WHOLE_PX = 720
QUALITY = 85
Shown = tuple[bytes, tuple[int, int]]
"""A JPEG and its (width, height) in pixels."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where places of the board lie in its board image, as parts of its width and height."""

    size_mm: tuple[float, float]
    margin_mm: float

    def place(self, at_mm: tuple[float, float]) -> tuple[float, float]:
        """A place in mm, as parts of the picture's width and height."""
        wide, high = (side + 2 * self.margin_mm for side in self.size_mm)
        return (at_mm[0] + self.margin_mm) / wide, (at_mm[1] + self.margin_mm) / high

    def part(self, length_mm: float) -> float:
        """A length in mm, as a part of the picture's width."""
        return length_mm / (self.size_mm[0] + 2 * self.margin_mm)


def frame_of(board: Board) -> Frame:
    """How board images of a board lie."""
    return Frame(board.size_mm, Grid(board.size_mm).margin_mm)


def whole(board_bgr: Picture) -> Shown:
    """A board image (H, W, 3) BGR to be shown."""
    shown = preview_of(board_bgr, WHOLE_PX)
    return shown.jpeg, shown.size_px


class Crops:
    """Single areas cut out of board images of one board."""

    def __init__(self, board: Board) -> None:
        self._cropper = Cropper(plan_of(board))

    def area(self, board_bgr: Picture, area: str) -> Shown:
        """An area of a board image (H, W, 3) BGR."""
        cut = self._cropper.crop(board_bgr, area)
        return jpeg_of(cut, QUALITY), (cut.shape[1], cut.shape[0])


class EmptyBoard:
    """The empty board of a table, area by area."""

    def __init__(self, table: Table, board: Board) -> None:
        self._board_bgr = rectify(table.reference_bgr, table.board_from_reference, table.grid)
        self._crops = Crops(board)

    def __call__(self, area: str) -> Shown:
        """An area of the empty board; KeyError for an unknown one."""
        return self._crops.area(self._board_bgr, area)
