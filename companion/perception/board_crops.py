"""Pictures of the board as the eye has it: the whole board image, single areas, what is taken for pieces there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.perception.adapters import plan_of
from engine.orders.board import Board
from vision.frame import jpeg_of
from vision.geometry import Grid, Picture, rectify
from vision.live.preview import preview_of
from vision.reading.crops import Cropper, evidence_of, paint_evidence
from vision.table import Table

WHOLE_PX = 720
QUALITY = 85
Shown = tuple[bytes, tuple[int, int]]
"""A JPEG and its (width, height) in pixels."""


@dataclass(frozen=True, slots=True)
class BoardFrame:
    """Converts places and lengths in mm to fractions of a board image's width and height."""

    size_mm: tuple[float, float]
    margin_mm: float

    def place(self, at_mm: tuple[float, float]) -> tuple[float, float]:
        """Return a place in mm as fractions of the picture's width and height."""
        wide, high = (side + 2 * self.margin_mm for side in self.size_mm)
        return (at_mm[0] + self.margin_mm) / wide, (at_mm[1] + self.margin_mm) / high

    def part(self, length_mm: float) -> float:
        """Return a length in mm as a fraction of the picture's width."""
        return length_mm / (self.size_mm[0] + 2 * self.margin_mm)


def frame_of(board: Board) -> BoardFrame:
    """Return the size of a board and the margin around it in its board images, in mm."""
    return BoardFrame(board.size_mm, Grid(board.size_mm).margin_mm)


def whole_board(board_bgr: Picture) -> Shown:
    """Return a board image (H, W, 3) BGR as a JPEG for the screen, with its size."""
    shown = preview_of(board_bgr, WHOLE_PX)
    return shown.jpeg, shown.size_px


def area_strip(board: Board, pictures: Sequence[Picture | None], area: str) -> Shown:
    """Return an area of several board images (H, W, 3) BGR side by side, as a JPEG; dark for a missing image."""
    row = Cropper(plan_of(board)).row(pictures, area)
    return jpeg_of(row, QUALITY), (row.shape[1], row.shape[0])


class TableSight:
    """A table's empty board, and what the eye takes for pieces in its pictures."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.empty = rectify(table.reference_bgr, table.board_from_reference, table.grid)

    def evidence(self, board_bgr: Picture) -> Picture | None:
        """Return a board image (H, W, 3) BGR with what is taken for pieces painted in; None for another board's."""
        if board_bgr.shape != self.empty.shape:
            return None
        return paint_evidence(board_bgr, evidence_of(self._table, board_bgr))
