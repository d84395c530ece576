"""Our own drawing of a board, flat, from its plan alone: for the simulated table and for tests.

It is never the printed board: palettes, textures and symbols are invented here from a seed, and the title says "drawn".
Pictures are (height, width, 3) uint8, blue-green-red; positions are board mm, x to the right and y down.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import cv2
import numpy as np

from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.simulation.art_marks import draw_plane, draw_section, draw_siege, draw_war_marks
from vision.simulation.art_sheet import SHIFT, ArtSheet, Floats, Image, add_grain, hexagon, mix, star
from vision.simulation.art_style import SHIP_SIDES, ArtStyle, BoardMarks, Colour, Point, random_style
from vision.simulation.silhouettes import aircraft_outlines

__all__ = ["ArtStyle", "BoardMarks", "Colour", "Image", "add_grain", "draw_board", "hexagon", "random_style", "star"]


def draw_board(plan: BoardPlan, style: ArtStyle, marks: BoardMarks | None = None, px_per_mm: float = 4.0) -> Image:
    """Draw the empty board, flat, (height, width, 3) uint8 blue-green-red at `px_per_mm`."""
    sheet = ArtSheet(plan, style, px_per_mm)
    marks = marks or BoardMarks()
    for area in plan.areas:
        if area.kind == "air":
            draw_section(sheet, area)
        else:
            _draw_area(sheet, area)
    for area in plan.areas:
        if area.kind != "air":
            _draw_border(sheet, area, marks.headquarters.get(area.name))
    _draw_ports(sheet, marks)
    _draw_marks(sheet, marks)
    draw_war_marks(sheet, marks)
    for space in plan.spaces:
        draw_space(sheet, space)
    for name, faction, unit, count in plan.start:
        _draw_start(sheet, sheet.areas[name], (faction, unit, count))
    _draw_frame(sheet)
    return sheet.image


def _draw_area(sheet: ArtSheet, area: AreaPlan) -> None:
    style, rng = sheet.style, sheet.rng
    colours = style.water_bgr if area.kind == "water" else style.land_bgr
    mask = np.zeros(sheet.image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [sheet.points(area.polygon_mm)], 255, cv2.LINE_AA, SHIFT)
    x, y, width, height = cv2.boundingRect(mask)
    patch = np.full((height, width, 3), colours[int(rng.integers(len(colours)))], np.uint8)
    patch = add_grain(patch, rng, style.grain, style.grain_mm * sheet.scale)
    blend = mask[y : y + height, x : x + width, None].astype(np.float32) / 255
    old = sheet.image[y : y + height, x : x + width]
    sheet.image[y : y + height, x : x + width] = (old * (1 - blend) + patch * blend).astype(np.uint8)
    _decorate(sheet, area)


def _decorate(sheet: ArtSheet, area: AreaPlan) -> None:
    draw: Callable[[ArtSheet, Point], None] = _hill
    for _ in range(sheet.style.decoration * len(area.centres_mm)):
        at = random_point(area, sheet.rng, 6.0)
        if area.kind == "water":
            draw = {"waves": _wave, "rings": _rings, "lines": _long_wave}.get(sheet.style.waves, _draw_nothing)
        else:
            draw = (_hill, _trees, _hut)[int(sheet.rng.integers(3))]
        draw(sheet, at)


def random_point(area: AreaPlan, rng: np.random.Generator, inset_mm: float) -> Point:
    """Choose a point of the area at least `inset_mm` from its border, uniformly; a hex's centre if none is found."""
    polygon = np.asarray(area.polygon_mm, np.float32)
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    for _ in range(200):
        x, y = (float(v) for v in rng.uniform(low, high))
        if cv2.pointPolygonTest(polygon, (x, y), True) >= inset_mm:
            return x, y
    x, y = area.centres_mm[int(rng.integers(len(area.centres_mm)))]
    return float(x), float(y)


def _draw_nothing(sheet: ArtSheet, at: Point) -> None:
    """Draw nothing: plain water."""


def _hill(sheet: ArtSheet, at: Point) -> None:
    size = float(sheet.rng.uniform(2, 4.5))
    points = [(at[0] - size, at[1] + size * 0.7), (at[0], at[1] - size * 0.6), (at[0] + size, at[1] + size * 0.7)]
    sheet.line(points, mix(sheet.style.ink_bgr, sheet.style.land_bgr[0], 0.35), 0.3)


def _trees(sheet: ArtSheet, at: Point) -> None:
    green = mix((60, 110, 70), sheet.style.land_bgr[0], 0.3)
    for step in range(int(sheet.rng.integers(2, 5))):
        sheet.disc((at[0] + step * 1.6, at[1] + float(sheet.rng.uniform(-0.6, 0.6))), 1.1, green)


def _hut(sheet: ArtSheet, at: Point) -> None:
    x, y = at
    sheet.fill([(x - 1.5, y), (x + 1.5, y), (x + 1.5, y + 1.6), (x - 1.5, y + 1.6)], sheet.style.paper_bgr)
    sheet.fill([(x - 2, y), (x, y - 1.5), (x + 2, y)], mix((60, 80, 140), sheet.style.ink_bgr, 0.3))


def _wave(sheet: ArtSheet, at: Point) -> None:
    turns = np.linspace(0, 4 * pi, 20)
    points = np.stack([at[0] + turns * 0.5, at[1] + 0.5 * np.sin(turns)], axis=1)
    sheet.line(points, mix(sheet.style.ink_bgr, sheet.style.water_bgr[0], 0.6), 0.25)


def _long_wave(sheet: ArtSheet, at: Point) -> None:
    sheet.line([(at[0] - 5, at[1]), (at[0] + 5, at[1])], mix((255, 255, 255), sheet.style.water_bgr[0], 0.6), 0.3)


def _rings(sheet: ArtSheet, at: Point) -> None:
    for radius in (1.2, 2.4, 3.4):
        sheet.disc(at, radius, mix((255, 255, 255), sheet.style.water_bgr[0], 0.55), 0.25)


def _draw_border(sheet: ArtSheet, area: AreaPlan, headquarters: str | None) -> None:
    style = sheet.style
    colour = style.print_bgr.get(headquarters or "", style.ink_bgr)
    width = style.border_mm * (2.0 if headquarters else 1.0)
    sheet.line(area.polygon_mm, colour, width, closed=True)
    if style.border == "double":
        sheet.line(area.polygon_mm, style.paper_bgr, 0.25, closed=True)
    if style.border == "stitched":
        _stitches(sheet, np.asarray(area.polygon_mm, float), colour)


def _stitches(sheet: ArtSheet, polygon: Floats, colour: Colour) -> None:
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
        across = np.array([-along[1], along[0]])
        for step in np.arange(1.0, float(np.linalg.norm(end - start)), 2.4):
            middle = start + along * step
            sheet.line(np.stack([middle - across, middle + across]), colour, 0.3)


def _draw_ports(sheet: ArtSheet, marks: BoardMarks) -> None:
    for land, waters in marks.ports.items():
        for water in waters:
            if land in sheet.areas and water in sheet.areas:
                _pier(sheet, sheet.areas[land], sheet.areas[water])


def _pier(sheet: ArtSheet, land: AreaPlan, water: AreaPlan) -> None:
    pairs = [(np.asarray(a, float), np.asarray(b, float)) for a in land.centres_mm for b in water.centres_mm]
    start, end = min(pairs, key=lambda pair: float(np.linalg.norm(pair[1] - pair[0])))
    along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
    across = np.array([-along[1], along[0]]) * 2.6
    middle = (start + end) / 2 + along * 3
    for step in np.linspace(-2.5, 2.5, 5):
        plank = middle + along * step
        sheet.line(np.stack([plank - across, plank + across]), mix(sheet.style.ink_bgr, (60, 90, 130), 0.4), 0.7)


def _draw_marks(sheet: ArtSheet, marks: BoardMarks) -> None:
    for name, points in marks.points.items():
        if points and name in sheet.areas:
            _draw_points(sheet, sheet.areas[name], points)
    for at in marks.slots.values():
        sheet.disc(at, 7.5, mix(sheet.style.ink_bgr, sheet.style.land_bgr[0], 0.4), 0.35)
        sheet.disc((at[0] + 4.5, at[1]), 2.2, sheet.style.paper_bgr)


def _draw_points(sheet: ArtSheet, area: AreaPlan, points: int) -> None:
    x, y = (float(v) for v in area.centres_mm[0])
    at = (x + 5.5, y + 15.5)
    for step in range(points):
        spot = (at[0] + (step - (points - 1) / 2) * 5.0, at[1])
        sheet.disc(spot, 4.0, sheet.style.ink_bgr)
        sheet.disc(spot, 4.0, sheet.style.paper_bgr, 0.35)
        sheet.fill(star(spot, 3.2), sheet.style.star_bgr)


def draw_space(sheet: ArtSheet, space: SpacePlan) -> None:
    """Draw an action space: a hexagon with its action's sign."""
    style, side = sheet.style, sheet.plan.space_side_mm
    ground, ink = (style.ink_bgr, style.paper_bgr) if style.space_dark else (style.paper_bgr, style.ink_bgr)
    at = (float(space.at_mm[0]), float(space.at_mm[1]))
    sheet.fill(hexagon(at, side), ground)
    sheet.line(hexagon(at, side), ink, 0.3, closed=True)
    kind = space.name.partition(":")[0]
    for part in _pictogram(kind, style.pictogram):
        sheet.fill([(at[0] + x * side, at[1] + y * side) for x, y in part], ink)


def _pictogram(kind: str, variant: int) -> list[list[Point]]:
    """Return convex or plain polygons about the origin for an action, in space sides; drawn our own way."""
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
    if kind in ("fly", "bomb"):
        return [[(0.62 * y, -0.62 * x * 1.6) for x, y in part] for part in aircraft_outlines(variant + len(kind))]
    return [star((0, 0), 0.55, 4)]


def _draw_start(sheet: ArtSheet, area: AreaPlan, units: tuple[str, str, int]) -> None:
    faction, unit, count = units
    places = start_places(area, count if sheet.style.symbols == "each" else 1, sheet.style.symbol_shift_mm)
    for at in places:
        _draw_symbol(sheet, at, unit, faction)
    x, y = places[-1]
    sheet.text(str(count), (x + 7.5, y + 5.0), 4.0, sheet.style.ink_bgr)


def start_places(area: AreaPlan, count: int, shift_mm: float) -> list[Point]:
    """Return where the symbols of the starting units are printed, board mm."""
    centre = np.mean(np.asarray(area.centres_mm, float), axis=0)
    if cv2.pointPolygonTest(np.asarray(area.polygon_mm, np.float32), (float(centre[0]), float(centre[1])), True) < 8:
        centre = np.asarray(area.centres_mm[0], float)
    ring = 0.0 if count == 1 else 8.0
    turns = [2 * pi * i / count + 0.5 for i in range(count)]
    return [(float(centre[0] + ring * cos(t)), float(centre[1] + shift_mm - 3 + ring * sin(t))) for t in turns]


def _draw_symbol(sheet: ArtSheet, at: Point, unit: str, faction: str) -> None:
    style = sheet.style
    colour = style.print_bgr.get(faction, style.ink_bgr)
    size = style.symbol_scale * (0.8 if style.symbols == "each" else 1.0)
    if unit in ("siege", "aircraft"):
        (draw_siege if unit == "siege" else draw_plane)(sheet, at, 13.0 * size, colour)
    elif unit != "ship":
        sheet.disc(at, 6.0 * size, colour)
        if style.symbol_ring_mm:
            sheet.disc(at, 6.0 * size, style.paper_bgr, style.symbol_ring_mm)
    else:
        _draw_ship(sheet, at, 16.0 * size, colour)


def _draw_ship(sheet: ArtSheet, at: Point, length_mm: float, colour: Colour) -> None:
    style = sheet.style
    outline = [(at[0] + length_mm * x, at[1] + length_mm * y) for x, y in SHIP_SIDES[style.ship_side]]
    sheet.fill(outline, colour)
    if style.symbol_ring_mm:
        sheet.line(outline, style.paper_bgr, style.symbol_ring_mm * 0.7, closed=True)


def _draw_frame(sheet: ArtSheet) -> None:
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
        sheet.line([(0.0, y), (width, y)], mix(style.ink_bgr, style.margin_bgr, 0.5), 0.3)
