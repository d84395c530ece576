"""The brush of the simulated marked table: flat cells finely sampled, boxes and tubes as hulls, who owns a pixel.

And the surfaces it is laid on: wood, felt, paint, grass, paving, printed paper. All invented, seeded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.bases.markers import CELLS, CornerPaper, Points, marker_cells
from vision.geometry import NO_MAP
from vision.simulation.board_art import Colour, Image, add_grain
from vision.simulation.camera import SimulatedCamera, cells_px, upsample
from vision.simulation.draw import fill_hull
from vision.simulation.props import Cloth, draw_cloth
from vision.simulation.solids import regular_polygon

PAPER = 228
"""How bright white paper is."""
FINE = 5
"""How many samples a pixel of a flat thing has along a side."""
PX_PER_MM = 1.5
MARGIN_MM = 240.0
"""Of the drawing of a surface, and how far it goes on beyond the table."""
Floats = npt.NDArray[np.float64]
Field = npt.NDArray[np.float32]
Look = Callable[[Floats], Floats]
"""(N, 2) places on the table -> (N, 4) blue, green, red (0 to 255) and whether there is anything (0 or 1)."""


class Painter:
    """A picture being painted, and for each pixel the number of the marker that is seen there, -1 for none."""

    def __init__(self, camera: SimulatedCamera, size: tuple[float, float], base_mm: float) -> None:
        width, height = camera.size_px
        self.camera, self.size, self.base_mm = camera, size, base_mm
        self.image: Image = np.zeros((height, width, 3), np.uint8)
        self._owner = np.full((height, width), -1, np.int16)
        self._shown: dict[int, tuple[Points, int]] = {}

    @property
    def foot(self) -> Points:
        """The place (2,) on the table straight below the camera, in base widths."""
        x, y, _up = self.camera.centre_mm
        return np.array([x / self.base_mm, self.size[1] - y / self.base_mm])

    def mm(self, points: npt.ArrayLike, up: float = 0.0) -> Floats:
        """Return places (N, 2) on the table at height `up` as points (N, 3) of the camera's world."""
        flat = np.asarray(points, np.float64)
        raised = np.full(len(flat), up)
        return np.stack([flat[:, 0], self.size[1] - flat[:, 1], raised], axis=1) * self.base_mm

    def px(self, points: npt.ArrayLike, up: float = 0.0) -> Floats:
        """Return (N, 2) pixels of (N, 2) places on the table at height `up`."""
        return self.camera.px(self.mm(points, up))

    def table(self, pixels: npt.ArrayLike, up: float = 0.0) -> Floats:
        """Return (..., 2) places on the table at height `up` seen at (..., 2) pixels."""
        at = self.camera.board_mm(pixels, up * self.base_mm, rounds=12) / self.base_mm
        return np.stack([at[..., 0], self.size[1] - at[..., 1]], axis=-1)

    # ---- painting ---------------------------------------------------------------------------

    def everywhere(self, look: Callable[[Floats], Image]) -> None:
        """Paint the whole table; `look` returns colours (H, W, 3) for places (H, W, 2)."""
        self.image[:] = look(self.full(self.places()).astype(np.float64))

    def flat(self, outline: Points, up: float, look: Look) -> None:
        """Paint what lies within (4, 2) corners at a height, every pixel by many samples."""
        corners = self.px(outline, up)
        (left, top), (right, bottom) = np.floor(corners.min(axis=0)) - 2, np.ceil(corners.max(axis=0)) + 3
        width, height = self.camera.size_px
        x0, y0, x1, y1 = max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))
        if x1 <= x0 or y1 <= y0:
            return
        places = self.table(np.stack(np.meshgrid(np.arange(x0 - 1, x1 + 1), np.arange(y0 - 1, y1 + 1)), axis=-1), up)
        fine = cv2.resize(places, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR)[FINE:-FINE, FINE:-FINE]
        seen = look(np.asarray(fine, np.float64).reshape(-1, 2)).reshape(y1 - y0, FINE, x1 - x0, FINE, 4)
        share = seen[..., 3:].mean(axis=(1, 3))
        colour = (seen[..., :3] * seen[..., 3:]).mean(axis=(1, 3))
        part = self.image[y0:y1, x0:x1]
        part[:] = np.clip(part * (1 - share) + colour + 0.5, 0, 255).astype(np.uint8)

    def cells(self, outline: Points, up: float, cells: npt.NDArray[np.bool_], ink: tuple[int, int]) -> None:
        """Paint rows of cells over (4, 2) corners, front left first: True is dark."""
        self.flat(outline, up, _cells_look(outline, cells, ink))

    def box(self, corners: Points, height: float, bgr: Colour) -> None:
        """Paint a box that stands on (4, 2) corners."""
        low, high = self.px(corners), self.px(corners, height)
        self._hull(np.concatenate([low, high]), tuple(int(v * 0.55) for v in bgr))
        self._hull(high, bgr)

    def tube(self, balls: Sequence[tuple[float, float, float, float]], bgr: Colour) -> None:
        """Paint the hull of balls (x, y, height, radius), lighter down its middle."""
        for share, tone in ((1.0, 0.7), (0.6, 1.0)):
            rings = []
            for x, y, up, radius in balls:
                away = float(np.linalg.norm(self.camera.centre_mm - self.mm([(x, y)], up)[0]))
                scale = self.camera.focal * self.camera.size_px[0] * self.base_mm / away
                rings.append(regular_polygon(12, max(0.4, radius * share * scale)) + self.px([(x, y)], up)[0])
            self._hull(np.concatenate(rings), tuple(min(255, int(v * tone)) for v in bgr))

    def _hull(self, points_px: Floats, bgr: Sequence[int]) -> None:
        fill_hull(self.image, points_px, [float(v) for v in bgr], cv2.LINE_AA)
        fill_hull(self._owner, points_px, -1.0)

    def shade(self, outlines: Iterable[Points], dark: float) -> None:
        """Paint a soft shadow under (4, 2) corners on the table."""
        layer = np.zeros(self.image.shape[:2], np.uint8)
        for outline in outlines:
            fill_hull(layer, self.px(outline), 255)
        soft = cv2.GaussianBlur(layer, (0, 0), 3.0)[..., None] / np.float32(255)
        self.image[:] = (self.image * (1 - np.float32(dark * 3) * soft)).astype(np.uint8)

    def covered(self, mask: npt.NDArray[np.uint8]) -> None:
        """Mark all markers as hidden where the mask (H, W) is not 0."""
        self._owner[mask > 0] = -1

    # ---- who is seen where ------------------------------------------------------------------

    def own(self, number: int, outline: Points, up: float) -> None:
        """Mark the pixels within an outline (4, 2) at height `up` as showing this marker."""
        corners = self.px(outline, up)
        points = np.round(corners * 16).astype(np.int32)
        whole = np.zeros((self.image.shape[0] + 400, self.image.shape[1] + 400), np.uint8)
        cv2.fillConvexPoly(whole, points + 200 * 16, 255.0, cv2.LINE_8, 4)
        self._shown[number] = (corners, int(cv2.countNonZero(whole)))
        cv2.fillConvexPoly(self._owner, points, [float(number)], cv2.LINE_8, 4)

    def share_in_view(self, number: int) -> tuple[float, float]:
        """Return the share of a marker that is still visible, and its height or width in px, whichever is less."""
        if number not in self._shown:
            return 0.0, 0.0
        corners, whole = self._shown[number]
        return float((self._owner == number).sum()) / max(1, whole), thickness(corners)

    # ---- light ------------------------------------------------------------------------------

    def places(self) -> Floats:
        """Return (rows, columns, 2) places on the table seen at the middles of the picture's cells."""
        return self.table(cells_px(self.camera.size_px))

    def full(self, coarse: npt.NDArray[np.floating[Any]]) -> Field:
        """Enlarge a field at the cells of `places` to (H, W, C)."""
        return upsample(coarse, self.camera.size_px)

    def shadow_of(self, bodies: Sequence[Floats]) -> Field:
        """Return (rows, columns) of `places`: 0 to 1, where bodies of (V, 3) mm keep a high lamp's light off."""
        layer = np.zeros(self.image.shape[:2], np.uint8)
        for body in bodies:
            fallen = body[:, :2] + np.array([0.35, 0.2]) * body[:, 2:]
            flat = np.column_stack([fallen, np.zeros(len(fallen))])
            fill_hull(layer, self.camera.px(flat), 255)
        soft = cv2.GaussianBlur(layer, (0, 0), 9.0).astype(np.float32) / 255
        rows, columns = self.places().shape[:2]
        size = ((columns - 2), (rows - 2))
        return np.asarray(np.pad(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), 1, mode="edge"), np.float32)


def paint_corner(painter: Painter, number: int, laid: CornerPaper, ink: int) -> None:
    """Paint a corner's paper as it is printed, flat on the table."""
    painter.cells(laid.paper, 0.0, np.zeros((1, 1), bool), (ink, PAPER))
    painter.flat(laid.mark, 0.0, _triangle_look(laid.mark, ink))
    painter.cells(laid.marker, 0.0, np.array(marker_cells(number), bool), (ink, PAPER))
    painter.own(number, enlarge(laid.marker, 1 + 1 / CELLS), 0.0)


def _triangle_look(corners: Points, tone: int) -> Look:
    """Return a look of one tone within (3, 2) corners."""
    way = np.linalg.inv(corners[1:] - corners[0])

    def look(places: Floats) -> Floats:
        inner = (places - corners[0]) @ way
        inside = (inner >= 0).all(axis=1) & (inner.sum(axis=1) < 1)
        return np.column_stack([np.full((len(inner), 3), float(tone)), inside.astype(np.float64)])

    return look


def _cells_look(outline: Points, cells: npt.NDArray[np.bool_], ink: tuple[int, int]) -> Look:
    across, down = outline[1] - outline[0], outline[3] - outline[0]
    way = np.stack([across / (across @ across), down / (down @ down)], axis=1)
    rows, columns = cells.shape

    def look(places: Floats) -> Floats:
        inner = (places - outline[0]) @ way
        inside = ((inner >= 0) & (inner < 1)).all(axis=1)
        column = np.clip((inner[:, 0] * columns).astype(int), 0, columns - 1)
        row = np.clip((inner[:, 1] * rows).astype(int), 0, rows - 1)
        tone = np.where(cells[row, column], ink[0], ink[1]).astype(np.float64)
        return np.stack([tone, tone, tone, inside.astype(np.float64)], axis=1)

    return look


def enlarge(corners: Points, wider: float) -> Points:
    """Move (N, 2) corners away from their middle."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * wider, np.float64)


def thickness(corners_px: Points) -> float:
    """Return a quadrilateral's shorter extent: its area divided by its longer side."""
    sides = np.linalg.norm(np.roll(corners_px, -1, axis=0) - corners_px, axis=1)
    return float(cv2.contourArea(corners_px.astype(np.float32))) / max(1e-6, float(sides.max()))


# ---- surfaces ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Surface:
    """A table's surface. kind: wood, felt, weave, plain (as cloths), grass, paving, printed or snow.

    patches: outlines in base widths with their colours, such as a battlefield's ground.
    """

    kind: str = "felt"
    bgr: Colour = (70, 110, 80)
    seed: int = 0
    grain: float = 0.2
    patches: tuple[tuple[tuple[tuple[float, float], ...], Colour], ...] = ()


def draw_surface(painter: Painter, surface: Surface) -> None:
    """Cover the painter's picture with the surface."""
    art = _paint_ground(surface, painter.size, painter.base_mm)

    def look(places: Floats) -> Image:
        across = (places[..., 0] * painter.base_mm + MARGIN_MM) * PX_PER_MM
        down = ((painter.size[1] - places[..., 1]) * painter.base_mm + MARGIN_MM) * PX_PER_MM
        at = np.stack([across, down], axis=-1).astype(np.float32)
        return np.asarray(cv2.remap(art, at, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.uint8)

    painter.everywhere(look)


@lru_cache(maxsize=2)
def _paint_ground(surface: Surface, size: tuple[float, float], base_mm: float) -> Image:
    """Paint the whole surface from above, its patches on it; cached, as a table is often looked at again."""
    wide, deep = (round((side * base_mm + 2 * MARGIN_MM) * PX_PER_MM) for side in size)
    art = _art(surface, (deep, wide))
    for outline, bgr in surface.patches:
        flat = np.array(outline) * (1.0, -1.0) + (0.0, size[1])
        points = (flat * base_mm + MARGIN_MM) * PX_PER_MM
        cv2.fillPoly(art, [np.round(points * 16).astype(np.int32)], [float(v) for v in bgr], cv2.LINE_AA, 4)
    if surface.patches:
        art = add_grain(art, np.random.default_rng([surface.seed, 2]), surface.grain, 6 * PX_PER_MM)
    art.setflags(write=False)
    return art


def _art(surface: Surface, shape: tuple[int, int]) -> Image:
    rng = np.random.default_rng([surface.seed, 1])
    plain = np.full((*shape, 3), surface.bgr, np.uint8)
    if surface.kind == "grass":
        return add_grain(add_grain(plain, rng, 0.5, 1.5 * PX_PER_MM), rng, 0.5, 40 * PX_PER_MM)
    if surface.kind == "snow":
        return add_grain(add_grain(plain, rng, 0.06, 2 * PX_PER_MM), rng, 0.12, 70 * PX_PER_MM)
    if surface.kind == "paving":
        return _paving(plain, rng)
    if surface.kind == "printed":
        return _print_mat(plain, rng)
    return draw_cloth(Cloth(surface.seed, surface.kind, surface.bgr, surface.grain), shape, PX_PER_MM)


def _paving(plain: Image, rng: np.random.Generator) -> Image:
    """Draw stones in rows with dark joints: quadrilaterals everywhere."""
    rows, columns = plain.shape[:2]
    step = int(rng.integers(14, 34) * PX_PER_MM)
    out = plain.copy()
    for y in range(0, rows, step):
        shift = int(rng.integers(0, step))
        for x in range(-shift, columns, step):
            tone = float(rng.uniform(0.6, 1.3))
            colour = [float(min(255, v * tone)) for v in plain[0, 0]]
            cv2.rectangle(out, (x + 2, y + 2), (x + step - 2, y + step - 2), colour, -1)
    return add_grain(out, rng, 0.15, 2 * PX_PER_MM)


def _print_mat(plain: Image, rng: np.random.Generator) -> Image:
    """Draw a printed mat: pale, with lines, hatching and small black blocks like a map's lettering."""
    rows, columns = plain.shape[:2]
    out = plain.copy()
    for _ in range(60):
        x, y = int(rng.integers(columns)), int(rng.integers(rows))
        ink = float(rng.integers(20, 140))
        for n in range(int(rng.integers(3, 14))):
            size = int(rng.integers(2, 7) * PX_PER_MM)
            cv2.rectangle(out, (x + n * size * 2, y), (x + n * size * 2 + size, y + size), (ink, ink, ink), -1)
        cv2.line(out, (x, y + 20), (int(rng.integers(columns)), int(rng.integers(rows))), (ink, ink, ink), 2)
    return add_grain(out, rng, 0.1, 30 * PX_PER_MM)
