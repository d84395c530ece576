"""Surfaces of simulated marked tables: wood, felt, paint, grass, paving, printed paper. All invented, seeded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.geometry import NO_MAP
from vision.simulation.board_art import Colour, Image, add_grain
from vision.simulation.marked.draw import Floats, Painter
from vision.simulation.props import Cloth, draw_cloth

PX_PER_MM = 1.5
MARGIN_MM = 240.0


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
