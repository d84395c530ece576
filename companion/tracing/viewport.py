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
    """A part of a board: its upper left corner in mm, and how much of the board's width and height it is."""

    size_mm: Point
    left_mm: float = 0.0
    top_mm: float = 0.0
    part: float = 1.0

    @property
    def is_zoomed(self) -> bool:
        """Whether only a part is looked at."""
        return self.part < 1

    def place(self, at_mm: Point) -> Place:
        """Return a place on the board as parts of the picture's width and height."""
        wide, high = (side * self.part for side in self.size_mm)
        return (at_mm[0] - self.left_mm) / wide, (at_mm[1] - self.top_mm) / high

    def mm(self, place: Place) -> Point:
        """Return where on the board a place of the picture is."""
        wide, high = (side * self.part for side in self.size_mm)
        return self.left_mm + place[0] * wide, self.top_mm + place[1] * high

    def length(self, length_mm: float) -> float:
        """Return a length as a part of the picture's width."""
        return length_mm / (self.size_mm[0] * self.part)

    def zoom(self, about_mm: Point | None) -> Viewport:
        """Zoom in about a place (None: the middle), or out again if a part is being looked at."""
        if self.is_zoomed:
            return Viewport(self.size_mm)
        x, y = about_mm or (self.size_mm[0] / 2, self.size_mm[1] / 2)
        part = replace(self, part=ZOOMED)
        return part.moved_to((x - self.size_mm[0] * ZOOMED / 2, y - self.size_mm[1] * ZOOMED / 2))

    def moved_to(self, corner_mm: Point) -> Viewport:
        """Return the same part of the board with another upper left corner, kept within the board."""
        most = [side * (1 - self.part) for side in self.size_mm]
        left, top = (min(max(at, 0.0), edge) for at, edge in zip(corner_mm, most, strict=True))
        return replace(self, left_mm=left, top_mm=top)

    def drag(self, by: Place) -> Viewport:
        """Move the picture along with a finger, by parts of its width and height."""
        dx, dy = (step * side * self.part for step, side in zip(by, self.size_mm, strict=True))
        return self.moved_to((self.left_mm - dx, self.top_mm - dy))


class BoardImage:
    """The straight board of a sheet at the two scales it is looked at, each made when it is wanted."""

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
        """Return the window's part of the board as a JPEG with its (width, height)."""
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
        """Return an enlarged square about a place as a JPEG; grey beside the board."""
        board = self.flat(NEAR_PX_PER_MM)
        at = at_mm[0] * NEAR_PX_PER_MM / board.shape[1], at_mm[1] * NEAR_PX_PER_MM / board.shape[0]
        return detail_of(board, at, LOUPE_MM * NEAR_PX_PER_MM / 2, LOUPE_PX)
