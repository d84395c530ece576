"""Our own drawing of a board, flat, from its plan alone: for the simulated table and for tests.

It is never the printed board: palettes, textures and symbols are invented here from a seed, and the title says "drawn".
Pictures are (height, width, 3) uint8, blue-green-red; positions are board mm, x to the right and y down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import cos, pi, sin

import cv2
import numpy as np

from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.simulation.art_sheet import (
    SHIP_SIDES,
    ArtSheet,
    ArtStyle,
    BoardMarks,
    Colour,
    Floats,
    Image,
    Point,
    add_grain,
    hexagon,
    mix,
    random_style,
    star,
)
from vision.simulation.solids import aircraft_outlines, siege_profile

__all__ = ["ArtStyle", "BoardMarks", "Colour", "Image", "add_grain", "draw_board", "hexagon", "random_style", "star"]

COLOURS_BGR: Mapping[str, Colour] = {
    "red": (60, 60, 200),
    "green": (80, 150, 70),
    "blue": (190, 120, 50),
    "orange": (50, 130, 230),
    "purple": (150, 70, 130),
    "yellow": (70, 205, 235),
    "white": (235, 235, 235),
    "grey": (140, 140, 140),
    "brown": (60, 90, 130),
    "pink": (170, 140, 230),
    "teal": (150, 150, 60),
    "black": (50, 50, 50),
}
INSET_MM = 1.3


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
    for land, waters in marks.ports.items():
        for water in waters:
            if land in sheet.areas and water in sheet.areas:
                _draw_pier(sheet, sheet.areas[land], sheet.areas[water])
    _draw_marks(sheet, marks)
    draw_war_marks(sheet, marks)
    for space in plan.spaces:
        draw_space(sheet, space)
    for name, faction, unit, count in plan.start:
        _draw_start(sheet, sheet.areas[name], (faction, unit, count))
    _draw_frame(sheet)
    return sheet.image


def _draw_area(sheet: ArtSheet, area: AreaPlan) -> None:
    style = sheet.style
    colours = style.water_bgr if area.kind == "water" else style.land_bgr
    colour = colours[int(sheet.rng.integers(len(colours)))]
    sheet.fill_with_grain(area.polygon_mm, colour, style.grain, style.grain_mm * sheet.scale)
    waves = {"waves": _wave, "rings": _rings, "lines": _long_wave}.get(style.waves)  # None: plain water
    for _ in range(style.decoration * len(area.centres_mm)):
        at = random_point(area, sheet.rng, 6.0)
        draw = waves if area.kind == "water" else (_hill, _trees, _hut)[int(sheet.rng.integers(3))]
        if draw is not None:
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


def _draw_pier(sheet: ArtSheet, land: AreaPlan, water: AreaPlan) -> None:
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


# ---- what some boards print besides: air zones, forts, signs; and figures -----------------------


def zone_colour(sheet: ArtSheet, zone: str) -> Colour:
    """Return the colour of the air zone `zone-<colour>`, varied a little by printing; one of ours for other names."""
    word = zone.partition("-")[2] or zone
    names = list(COLOURS_BGR)
    plain = COLOURS_BGR.get(word, COLOURS_BGR[names[sum(map(ord, word)) % len(names)]])
    moved = np.random.default_rng([sheet.style.seed, 6]).integers(-22, 23, 3) + np.array(plain)
    blue, green, red = (int(v) for v in np.clip(moved, 0, 255))
    return blue, green, red


def draw_section(sheet: ArtSheet, area: AreaPlan) -> None:
    """Draw an aircraft section: a box in its zone's colour with a pale field, or a full one."""
    style, colour = sheet.style, zone_colour(sheet, area.name)
    field = mix(colour, style.paper_bgr, (0.7, 0.35, 0.0)[style.pictogram % 3])
    sheet.fill_with_grain(area.polygon_mm, field, style.grain * 0.6, 14 * sheet.scale)
    sheet.line(area.polygon_mm, mix(colour, style.ink_bgr, 0.25), 1.0 + style.border_mm, closed=True)
    corner = np.asarray(area.polygon_mm, float).min(axis=0) + 5.0
    draw_plane(sheet, (float(corner[0]), float(corner[1])), 5.0, mix(colour, style.ink_bgr, 0.5))


def draw_war_marks(sheet: ArtSheet, marks: BoardMarks) -> None:
    """Draw borders of air zones on the map, forts, printed bonuses and signs that forbid a Paradrop."""
    for zone in dict.fromkeys(marks.zones.values()):
        lands = [sheet.areas[name] for name, above in marks.zones.items() if above == zone and name in sheet.areas]
        for edge in outer_edges(lands):
            sheet.line(edge, zone_colour(sheet, zone), 1.4)
    for names, (right, down), draw in (
        (marks.forts, (-6.0, 14.0), _fort),
        (marks.printed, (-6.5, 15.0), _house),
        (marks.no_drop, (12.5, 8.0), _no_drop),
    ):
        for area in (sheet.areas[name] for name in names if name in sheet.areas):
            x, y = area.centres_mm[0]
            draw(sheet, (float(x) + right, float(y) + down))


def outer_edges(areas: Iterable[AreaPlan]) -> list[Floats]:
    """Return the edges (2, 2) that only one of the areas has, a little inwards: the outline of all together."""
    found: list[tuple[tuple[int, int], Floats]] = []
    for area in areas:
        corners = np.asarray(area.polygon_mm, float)
        middle = corners.mean(axis=0)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            x, y = np.round((start + end) / 2).astype(int)
            inwards = np.array([start[1] - end[1], end[0] - start[0]]) / max(1e-9, float(np.hypot(*(end - start))))
            inwards = inwards if (middle - start) @ inwards > 0 else -inwards
            found.append(((int(x), int(y)), np.stack([start, end]) + inwards * INSET_MM))
    count = Counter(key for key, _ in found)
    return [edge for key, edge in found if count[key] == 1]


def _fort(sheet: ArtSheet, at: Point) -> None:
    """Draw a tower with battlements."""
    x, y = at
    style, size = sheet.style, 4.2
    wall = mix((150, 150, 150), style.paper_bgr, 0.3)
    body = [(x - size, y + size), (x - size, y - size * 0.4), (x + size, y - size * 0.4), (x + size, y + size)]
    for step in (-1.0, 0.0, 1.0):
        left = x + step * size * 0.8 - size * 0.25
        sheet.fill([(left, y - size), (left + size * 0.5, y - size), (left + size * 0.5, y), (left, y)], wall)
    sheet.fill(body, wall)
    sheet.line(body, style.ink_bgr, 0.35, closed=True)
    sheet.disc((x, y + size * 0.35), size * 0.25, style.ink_bgr)


def _house(sheet: ArtSheet, at: Point) -> None:
    """Draw a town: two houses on a disc."""
    x, y = at
    style = sheet.style
    sheet.disc(at, 5.0, style.paper_bgr)
    sheet.disc(at, 5.0, style.ink_bgr, 0.35)
    for aside, tall in ((-1.6, 2.6), (1.4, 3.6)):
        left, low = x + aside - 1.3, y + 2.4
        eaves = low - tall
        sheet.fill([(left, low), (left, eaves), (left + 2.6, eaves), (left + 2.6, low)], style.ink_bgr)
        sheet.fill([(left - 0.4, eaves + 0.1), (left + 1.3, eaves - 1.4), (left + 3.0, eaves + 0.1)], style.star_bgr)


def _no_drop(sheet: ArtSheet, at: Point) -> None:
    """Draw a parachute, struck out."""
    x, y = at
    style = sheet.style
    dome = [(x + 2.6 * cos(t), y - 0.4 - 2.6 * sin(t)) for t in np.linspace(0, pi, 10)]
    sheet.disc(at, 4.2, style.paper_bgr)
    sheet.fill(dome, style.ink_bgr)
    for side in (-2.4, 2.4):
        sheet.line([(x + side, y - 0.4), (x, y + 2.8)], style.ink_bgr, 0.3)
    sheet.disc(at, 4.2, (60, 50, 200), 0.7)
    sheet.line([(x - 2.9, y + 2.9), (x + 2.9, y - 2.9)], (60, 50, 200), 0.7)


def draw_siege(sheet: ArtSheet, at: Point, length_mm: float, colour: Colour) -> None:
    """Draw a siege weapon from the side."""
    outlines = [outline for outline, _ in siege_profile(sheet.style.ship_side)]
    _figure(sheet, at, [[(x * length_mm, (0.35 - y) * length_mm) for x, y in part] for part in outlines], colour)


def draw_plane(sheet: ArtSheet, at: Point, length_mm: float, colour: Colour) -> None:
    """Draw an aircraft from above, its nose up."""
    outlines = aircraft_outlines(sheet.style.ship_side)
    _figure(sheet, at, [[(y * length_mm, -x * length_mm) for x, y in part] for part in outlines], colour)


def _figure(sheet: ArtSheet, at: Point, parts: list[list[Point]], colour: Colour) -> None:
    moved = [[(at[0] + x, at[1] + y) for x, y in part] for part in parts]
    if sheet.style.symbol_ring_mm:
        for part in moved:
            sheet.line(part, sheet.style.paper_bgr, sheet.style.symbol_ring_mm, closed=True)
    for part in moved:
        sheet.fill(part, colour)
