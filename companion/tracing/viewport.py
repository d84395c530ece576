"""Which part of the straight board is looked at, and its picture: all of it, or a part enlarged."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.tracing.hexes import Point
from vision.geometry import Picture
from vision.live.preview import Preview, detail_of, preview_of
from vision.tracing.sheet import Sheet

ZOOMED = 0.4
"""The part of the board's width and height that a closer look shows."""
WHOLE_PX_PER_MM, NEAR_PX_PER_MM = 3.0, 6.0
LOUPE_MM, LOUPE_PX = 17.0, 300
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of a board that is looked at: its upper left corner in mm, and its fraction of the board's sides."""

    size_mm: Point
    left_mm: float = 0.0
    top_mm: float = 0.0
    part: float = 1.0

    @property
    def is_zoomed(self) -> bool:
        """Whether only a part of the board is looked at."""
        return self.part < 1

    def place(self, at_mm: Point) -> Place:
        """Return a place on the board (mm) as fractions of the picture's width and height."""
        wide, high = (side * self.part for side in self.size_mm)
        return (at_mm[0] - self.left_mm) / wide, (at_mm[1] - self.top_mm) / high

    def board_mm(self, place: Place) -> Point:
        """Return where on the board (mm) a place in the picture is."""
        wide, high = (side * self.part for side in self.size_mm)
        return self.left_mm + place[0] * wide, self.top_mm + place[1] * high

    def length(self, length_mm: float) -> float:
        """Return a length in mm as a fraction of the picture's width."""
        return length_mm / (self.size_mm[0] * self.part)

    def zoom(self, about_mm: Point | None) -> Viewport:
        """Return the view zoomed in about a place (None: the middle) or, if it is zoomed, of the whole board."""
        if self.is_zoomed:
            return Viewport(self.size_mm)
        x, y = about_mm or (self.size_mm[0] / 2, self.size_mm[1] / 2)
        part = replace(self, part=ZOOMED)
        return part.moved_to((x - self.size_mm[0] * ZOOMED / 2, y - self.size_mm[1] * ZOOMED / 2))

    def moved_to(self, corner_mm: Point) -> Viewport:
        """Return the view with another upper left corner, kept within the board."""
        most = [side * (1 - self.part) for side in self.size_mm]
        left, top = (min(max(at, 0.0), edge) for at, edge in zip(corner_mm, most, strict=True))
        return replace(self, left_mm=left, top_mm=top)

    def drag(self, by: Place) -> Viewport:
        """Return the view after the picture was dragged by these fractions of its width and height."""
        dx, dy = (step * side * self.part for step, side in zip(by, self.size_mm, strict=True))
        return self.moved_to((self.left_mm - dx, self.top_mm - dy))


class BoardImage:
    """The straight board of a sheet, drawn at each of the two scales it is looked at in when first needed."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._flat: dict[float, Picture] = {}
        self._shown: tuple[Viewport | None, bytes, tuple[int, int]] = (None, b"", (1, 1))

    def flat(self, px_per_mm: float) -> Picture:
        """Return the whole board at a scale, (H, W, 3) BGR."""
        if px_per_mm not in self._flat:
            self._flat[px_per_mm] = self.sheet.flat(px_per_mm)
        return self._flat[px_per_mm]

    def jpeg(self, window: Viewport) -> tuple[bytes, tuple[int, int]]:
        """Return the part of the board in the window as a JPEG, with its (width, height) in px."""
        if self._shown[0] != window:
            picture = self._cut(window)
            self._shown = (window, picture.jpeg, picture.size_px)
        return self._shown[1], self._shown[2]

    def _cut(self, window: Viewport) -> Preview:
        scale = NEAR_PX_PER_MM if window.is_zoomed else WHOLE_PX_PER_MM
        left, top = round(window.left_mm * scale), round(window.top_mm * scale)
        wide, high = (max(1, round(side * window.part * scale)) for side in window.size_mm)
        return preview_of(self.flat(scale)[top : top + high, left : left + wide])

    def loupe(self, at_mm: Point) -> bytes:
        """Return an enlarged square about a place on the board as a JPEG; grey beyond the board."""
        board = self.flat(NEAR_PX_PER_MM)
        at = at_mm[0] * NEAR_PX_PER_MM / board.shape[1], at_mm[1] * NEAR_PX_PER_MM / board.shape[0]
        return detail_of(board, at, LOUPE_MM * NEAR_PX_PER_MM / 2, LOUPE_PX)
