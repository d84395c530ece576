"""Our own drawing of a board, flat, from its plan alone: for the simulated table and for tests.

It is never the printed board: palettes, textures and symbols are invented here from a seed, and the title says "drawn".
Pictures are (height, width, 3) uint8, blue-green-red; positions are board mm, x to the right and y down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt

from vision.art_style import SHIP_SIDES, ArtStyle, BoardMarks, Colour, Point, random_style
from vision.plan import AreaPlan, BoardPlan, SpacePlan

__all__ = ["ArtStyle", "BoardMarks", "Colour", "Image", "draw_board", "random_style"]

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

SHIFT = 4


def draw_board(plan: BoardPlan, style: ArtStyle, marks: BoardMarks | None = None, px_per_mm: float = 4.0) -> Image:
    """The empty board, flat, (height, width, 3) uint8 blue-green-red at `px_per_mm`."""
    sheet = _Sheet(plan, style, px_per_mm)
    marks = marks or BoardMarks()
    for area in plan.areas:
        _draw_area(sheet, area)
    for area in plan.areas:
        _draw_border(sheet, area, marks.headquarters.get(area.name))
    _draw_ports(sheet, marks)
    _draw_marks(sheet, marks)
    for space in plan.spaces:
        _draw_space(sheet, space)
    for name, faction, unit, count in plan.start:
        _draw_start(sheet, sheet.areas[name], (faction, unit, count))
    _draw_frame(sheet)
    return sheet.image


class _Sheet:
    """A picture being drawn, addressed in board mm."""

    def __init__(self, plan: BoardPlan, style: ArtStyle, px_per_mm: float) -> None:
        self.plan, self.style, self.scale = plan, style, px_per_mm
        self.rng = np.random.default_rng(style.seed)
        self.areas = {area.name: area for area in plan.areas}
        width, height = (round(side * px_per_mm) for side in plan.size_mm)
        self.image: Image = np.full((height, width, 3), style.margin_bgr, np.uint8)
        self.image = grained(self.image, self.rng, style.grain * 0.5, style.grain_mm * px_per_mm)

    def points(self, points_mm: Sequence[Point] | Floats) -> npt.NDArray[np.int32]:
        scaled = (np.asarray(points_mm, float) * self.scale - 0.5) * (1 << SHIFT)
        return np.round(scaled).astype(np.int32)

    def fill(self, points_mm: Sequence[Point] | Floats, colour: Colour) -> None:
        cv2.fillPoly(self.image, [self.points(points_mm)], colour, cv2.LINE_AA, SHIFT)

    def line(self, points_mm: Sequence[Point] | Floats, colour: Colour, width_mm: float, closed: bool = False) -> None:
        width = max(1, round(width_mm * self.scale))
        cv2.polylines(self.image, [self.points(points_mm)], closed, colour, width, cv2.LINE_AA, SHIFT)

    def disc(self, at_mm: Point, radius_mm: float, colour: Colour, width_mm: float = 0.0) -> None:
        centre = self.points([at_mm])[0]
        width = max(1, round(width_mm * self.scale)) if width_mm else -1
        radius = round(radius_mm * self.scale * (1 << SHIFT))
        cv2.circle(self.image, (int(centre[0]), int(centre[1])), radius, colour, width, cv2.LINE_AA, SHIFT)

    def text(self, words: str, at_mm: Point, height_mm: float, colour: Colour) -> None:
        scale = height_mm * self.scale / 22.0
        at = (round(at_mm[0] * self.scale), round(at_mm[1] * self.scale))
        width = max(1, round(scale * 1.6))
        cv2.putText(self.image, words, at, cv2.FONT_HERSHEY_COMPLEX, scale, colour, width, cv2.LINE_AA)


def grained(image: Image, rng: np.random.Generator, amount: float, size_px: float) -> Image:
    """The picture with cloudy brightness of several sizes, `amount` the relative strength."""
    height, width = image.shape[:2]
    cloud = np.zeros((height, width), np.float32)
    for octave in range(4):
        cell = max(1.0, size_px / 2.2**octave)
        shape = (int(height / cell) + 2, int(width / cell) + 2)
        noise = rng.standard_normal(shape).astype(np.float32) / (1 + octave)
        cloud += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    gain = 1 + np.float32(amount) * cloud / 1.3
    return np.clip(image * gain[..., None], 0, 255).astype(np.uint8)


def _draw_area(sheet: _Sheet, area: AreaPlan) -> None:
    style, rng = sheet.style, sheet.rng
    colours = style.water_bgr if area.kind == "water" else style.land_bgr
    mask = np.zeros(sheet.image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [sheet.points(area.polygon_mm)], 255, cv2.LINE_AA, SHIFT)
    x, y, width, height = cv2.boundingRect(mask)
    patch = np.full((height, width, 3), colours[int(rng.integers(len(colours)))], np.uint8)
    patch = grained(patch, rng, style.grain, style.grain_mm * sheet.scale)
    blend = mask[y : y + height, x : x + width, None].astype(np.float32) / 255
    old = sheet.image[y : y + height, x : x + width]
    sheet.image[y : y + height, x : x + width] = (old * (1 - blend) + patch * blend).astype(np.uint8)
    _decorate(sheet, area)


def _decorate(sheet: _Sheet, area: AreaPlan) -> None:
    draw: Callable[[_Sheet, Point], None] = _hill
    for _ in range(sheet.style.decoration * len(area.centres_mm)):
        at = random_point(area, sheet.rng, 6.0)
        if area.kind == "water":
            draw = {"waves": _wave, "rings": _rings, "lines": _long_wave}.get(sheet.style.waves, _nothing)
        else:
            draw = (_hill, _trees, _hut)[int(sheet.rng.integers(3))]
        draw(sheet, at)


def random_point(area: AreaPlan, rng: np.random.Generator, inset_mm: float) -> Point:
    """A point of the area at least `inset_mm` from its border, uniformly among those tried; else a hex's centre."""
    polygon = np.asarray(area.polygon_mm, np.float32)
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    for _ in range(200):
        x, y = (float(v) for v in rng.uniform(low, high))
        if cv2.pointPolygonTest(polygon, (x, y), True) >= inset_mm:
            return x, y
    x, y = area.centres_mm[int(rng.integers(len(area.centres_mm)))]
    return float(x), float(y)


def _nothing(sheet: _Sheet, at: Point) -> None:
    """Plain water."""


def _hill(sheet: _Sheet, at: Point) -> None:
    size = float(sheet.rng.uniform(2, 4.5))
    points = [(at[0] - size, at[1] + size * 0.7), (at[0], at[1] - size * 0.6), (at[0] + size, at[1] + size * 0.7)]
    sheet.line(points, mixed(sheet.style.ink_bgr, sheet.style.land_bgr[0], 0.35), 0.3)


def _trees(sheet: _Sheet, at: Point) -> None:
    green = mixed((60, 110, 70), sheet.style.land_bgr[0], 0.3)
    for step in range(int(sheet.rng.integers(2, 5))):
        sheet.disc((at[0] + step * 1.6, at[1] + float(sheet.rng.uniform(-0.6, 0.6))), 1.1, green)


def _hut(sheet: _Sheet, at: Point) -> None:
    x, y = at
    sheet.fill([(x - 1.5, y), (x + 1.5, y), (x + 1.5, y + 1.6), (x - 1.5, y + 1.6)], sheet.style.paper_bgr)
    sheet.fill([(x - 2, y), (x, y - 1.5), (x + 2, y)], mixed((60, 80, 140), sheet.style.ink_bgr, 0.3))


def _wave(sheet: _Sheet, at: Point) -> None:
    turns = np.linspace(0, 4 * pi, 20)
    points = np.stack([at[0] + turns * 0.5, at[1] + 0.5 * np.sin(turns)], axis=1)
    sheet.line(points, mixed(sheet.style.ink_bgr, sheet.style.water_bgr[0], 0.6), 0.25)


def _long_wave(sheet: _Sheet, at: Point) -> None:
    sheet.line([(at[0] - 5, at[1]), (at[0] + 5, at[1])], mixed((255, 255, 255), sheet.style.water_bgr[0], 0.6), 0.3)


def _rings(sheet: _Sheet, at: Point) -> None:
    for radius in (1.2, 2.4, 3.4):
        sheet.disc(at, radius, mixed((255, 255, 255), sheet.style.water_bgr[0], 0.55), 0.25)


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """`first` with `share` of `second` mixed in."""
    blue, green, red = (round(a * (1 - share) + b * share) for a, b in zip(first, second, strict=True))
    return blue, green, red


def _draw_border(sheet: _Sheet, area: AreaPlan, headquarters: str | None) -> None:
    style = sheet.style
    colour = style.print_bgr.get(headquarters or "", style.ink_bgr)
    width = style.border_mm * (2.0 if headquarters else 1.0)
    sheet.line(area.polygon_mm, colour, width, closed=True)
    if style.border == "double":
        sheet.line(area.polygon_mm, style.paper_bgr, 0.25, closed=True)
    if style.border == "stitched":
        _stitches(sheet, np.asarray(area.polygon_mm, float), colour)


def _stitches(sheet: _Sheet, polygon: Floats, colour: Colour) -> None:
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
        across = np.array([-along[1], along[0]])
        for step in np.arange(1.0, float(np.linalg.norm(end - start)), 2.4):
            middle = start + along * step
            sheet.line(np.stack([middle - across, middle + across]), colour, 0.3)


def _draw_ports(sheet: _Sheet, marks: BoardMarks) -> None:
    for land, waters in marks.ports.items():
        for water in waters:
            if land in sheet.areas and water in sheet.areas:
                _pier(sheet, sheet.areas[land], sheet.areas[water])


def _pier(sheet: _Sheet, land: AreaPlan, water: AreaPlan) -> None:
    pairs = [(np.asarray(a, float), np.asarray(b, float)) for a in land.centres_mm for b in water.centres_mm]
    start, end = min(pairs, key=lambda pair: float(np.linalg.norm(pair[1] - pair[0])))
    along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
    across = np.array([-along[1], along[0]]) * 2.6
    middle = (start + end) / 2 + along * 3
    for step in np.linspace(-2.5, 2.5, 5):
        plank = middle + along * step
        sheet.line(np.stack([plank - across, plank + across]), mixed(sheet.style.ink_bgr, (60, 90, 130), 0.4), 0.7)


def _draw_marks(sheet: _Sheet, marks: BoardMarks) -> None:
    for name, points in marks.points.items():
        if points and name in sheet.areas:
            _draw_points(sheet, sheet.areas[name], points)
    for at in marks.slots.values():
        sheet.disc(at, 7.5, mixed(sheet.style.ink_bgr, sheet.style.land_bgr[0], 0.4), 0.35)
        sheet.disc((at[0] + 4.5, at[1]), 2.2, sheet.style.paper_bgr)


def _draw_points(sheet: _Sheet, area: AreaPlan, points: int) -> None:
    x, y = (float(v) for v in area.centres_mm[0])
    at = (x + 5.5, y + 15.5)
    for step in range(points):
        spot = (at[0] + (step - (points - 1) / 2) * 5.0, at[1])
        sheet.disc(spot, 4.0, sheet.style.ink_bgr)
        sheet.disc(spot, 4.0, sheet.style.paper_bgr, 0.35)
        sheet.fill(star(spot, 3.2), sheet.style.star_bgr)


def star(at: Point, radius_mm: float, tips: int = 5) -> list[Point]:
    """The corners of a star round `at`, board mm."""
    rays = [(radius_mm if i % 2 == 0 else radius_mm * 0.45, i * pi / tips) for i in range(2 * tips)]
    return [(at[0] + r * sin(a), at[1] - r * cos(a)) for r, a in rays]


def hexagon(at: Point, side_mm: float, turn_rad: float = 0.0) -> list[Point]:
    """The six corners of a hexagon lying on a flat side, board mm."""
    turns = [turn_rad + i * pi / 3 for i in range(6)]
    return [(at[0] + side_mm * cos(t), at[1] + side_mm * sin(t)) for t in turns]


def _draw_space(sheet: _Sheet, space: SpacePlan) -> None:
    style, side = sheet.style, sheet.plan.space_side_mm
    ground, ink = (style.ink_bgr, style.paper_bgr) if style.space_dark else (style.paper_bgr, style.ink_bgr)
    at = (float(space.at_mm[0]), float(space.at_mm[1]))
    sheet.fill(hexagon(at, side), ground)
    sheet.line(hexagon(at, side), ink, 0.3, closed=True)
    kind = space.name.partition(":")[0]
    for part in _pictogram(kind, style.pictogram):
        sheet.fill([(at[0] + x * side, at[1] + y * side) for x, y in part], ink)


def _pictogram(kind: str, variant: int) -> list[list[Point]]:
    """Convex or plain polygons about the origin for an action, in space sides; drawn our own way."""
    turn = (variant - 1) * 0.6
    if kind == "advance":
        arrow = [(-0.55, 0.15), (0.05, 0.15), (0.05, 0.4), (0.6, 0.0), (0.05, -0.4), (0.05, -0.15), (-0.55, -0.15)]
        return [[(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in arrow]]
    if kind == "sail":
        return [[(-0.55, 0.2), (-0.3, 0.5), (0.3, 0.5), (0.55, 0.2)], [(0.0, -0.55), (0.0, 0.1), (0.45, 0.1)]]
    if kind in ("shell", "siege", "barrage"):
        return [star((0, 0), 0.6, 8)]
    if kind == "bombard":
        rays = [
            [
                (0.62 * cos(a), 0.62 * sin(a)),
                (0.4 * cos(a + 0.15), 0.4 * sin(a + 0.15)),
                (0.4 * cos(a - 0.15), 0.4 * sin(a - 0.15)),
            ]
            for a in np.arange(8) * pi / 4
        ]
        return [hexagon((0, 0), 0.32), *rays]
    return [star((0, 0), 0.55, 4)]


def _draw_start(sheet: _Sheet, area: AreaPlan, units: tuple[str, str, int]) -> None:
    faction, unit, count = units
    places = start_places(area, count if sheet.style.symbols == "each" else 1, sheet.style.symbol_shift_mm)
    for at in places:
        _draw_symbol(sheet, at, unit, faction)
    x, y = places[-1]
    sheet.text(str(count), (x + 7.5, y + 5.0), 4.0, sheet.style.ink_bgr)


def start_places(area: AreaPlan, count: int, shift_mm: float) -> list[Point]:
    """Where the symbols of the starting units are printed, board mm."""
    centre = np.mean(np.asarray(area.centres_mm, float), axis=0)
    if cv2.pointPolygonTest(np.asarray(area.polygon_mm, np.float32), (float(centre[0]), float(centre[1])), True) < 8:
        centre = np.asarray(area.centres_mm[0], float)
    ring = 0.0 if count == 1 else 8.0
    turns = [2 * pi * i / count + 0.5 for i in range(count)]
    return [(float(centre[0] + ring * cos(t)), float(centre[1] + shift_mm - 3 + ring * sin(t))) for t in turns]


def _draw_symbol(sheet: _Sheet, at: Point, unit: str, faction: str) -> None:
    style = sheet.style
    colour = style.print_bgr.get(faction, style.ink_bgr)
    size = style.symbol_scale * (0.8 if style.symbols == "each" else 1.0)
    if unit != "ship":
        sheet.disc(at, 6.0 * size, colour)
        if style.symbol_ring_mm:
            sheet.disc(at, 6.0 * size, style.paper_bgr, style.symbol_ring_mm)
        return
    outline = [(at[0] + 16 * size * x, at[1] + 16 * size * y) for x, y in SHIP_SIDES[style.ship_side]]
    sheet.fill(outline, colour)
    if style.symbol_ring_mm:
        sheet.line(outline, style.paper_bgr, style.symbol_ring_mm * 0.7, closed=True)


def _draw_frame(sheet: _Sheet) -> None:
    style = sheet.style
    width, height = (float(v) for v in sheet.plan.size_mm)
    ink = style.paper_bgr if sum(style.margin_bgr) < 380 else style.ink_bgr
    inset = 2.5
    box = [(inset, inset), (width - inset, inset), (width - inset, height - inset), (inset, height - inset)]
    sheet.line(box, ink, 0.3, closed=True)
    left, right = (6.0, width - 40.0) if style.title_left else (width - 62.0, 8.0)
    sheet.text(style.title, (left, 13.0), 5.0, ink)
    for step in range(4):
        sheet.disc((right + 3 + 8.5 * step, 11.0), 3.6, ink, 0.3)
        sheet.text(str(step + 1), (right + 1.6 + 8.5 * step, 12.6), 3.0, ink)
    for step in range(style.folds):
        y = height * (step + 1) / (style.folds + 1)
        sheet.line([(0.0, y), (width, y)], mixed(style.ink_bgr, style.margin_bgr, 0.5), 0.3)
