"""What boards print besides: aircraft sections, borders of air zones, forts, signs, figures. Drawn our way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import cos, pi, sin

import cv2
import numpy as np

from vision.plan import AreaPlan
from vision.simulation.art_sheet import ArtSheet, Floats, add_grain, mix
from vision.simulation.art_style import BoardMarks, Colour, Point
from vision.simulation.silhouettes import aircraft_outlines, siege_profile

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


def zone_colour(sheet: ArtSheet, zone: str) -> Colour:
    """Return the colour of an air zone named `zone-<colour>`, a little this printing's own.

    Any other name gets one of our colours.
    """
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
    mask = np.zeros(sheet.image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [sheet.points(area.polygon_mm)], 255, cv2.LINE_AA, 4)
    x, y, width, height = cv2.boundingRect(mask)
    patch = add_grain(np.full((height, width, 3), field, np.uint8), sheet.rng, style.grain * 0.6, 14 * sheet.scale)
    blend = mask[y : y + height, x : x + width, None].astype(np.float32) / 255
    old = sheet.image[y : y + height, x : x + width]
    sheet.image[y : y + height, x : x + width] = (old * (1 - blend) + patch * blend).astype(np.uint8)
    sheet.line(area.polygon_mm, mix(colour, style.ink_bgr, 0.25), 1.0 + style.border_mm, closed=True)
    corner = np.asarray(area.polygon_mm, float).min(axis=0) + 5.0
    draw_plane(sheet, (float(corner[0]), float(corner[1])), 5.0, mix(colour, style.ink_bgr, 0.5))


def draw_war_marks(sheet: ArtSheet, marks: BoardMarks) -> None:
    """Draw borders of air zones on the map, forts, printed bonuses and signs that forbid a Paradrop."""
    for zone in dict.fromkeys(marks.zones.values()):
        lands = [sheet.areas[name] for name, above in marks.zones.items() if above == zone and name in sheet.areas]
        for edge in outer_edges(lands):
            sheet.line(edge, zone_colour(sheet, zone), 1.4)
    for name in marks.forts:
        _on(sheet, name, (-6.0, 14.0), _fort)
    for name in marks.printed:
        _on(sheet, name, (-6.5, 15.0), _house)
    for name in marks.no_drop:
        _on(sheet, name, (12.5, 8.0), _no_drop)


def _on(sheet: ArtSheet, name: str, aside: Point, draw: Callable[[ArtSheet, Point], None]) -> None:
    if name in sheet.areas:
        x, y = sheet.areas[name].centres_mm[0]
        draw(sheet, (float(x) + aside[0], float(y) + aside[1]))


def outer_edges(areas: Iterable[AreaPlan]) -> list[Floats]:
    """Return the (2, 2) edges of one of the areas alone, moved a little into it: the border of them all."""
    found: list[tuple[tuple[int, int], Floats]] = []
    for area in areas:
        corners = np.asarray(area.polygon_mm, float)
        middle = corners.mean(axis=0)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            at = np.round((start + end) / 2).astype(int)
            inwards = _inwards(np.stack([start, end]), middle)
            found.append(((int(at[0]), int(at[1])), np.stack([start, end]) + inwards * INSET_MM))
    count = Counter(key for key, _ in found)
    return [edge for key, edge in found if count[key] == 1]


def _inwards(edge: Floats, middle: Floats) -> Floats:
    """Return the (2,) unit vector across an edge towards a point."""
    along = edge[1] - edge[0]
    across = np.array([-along[1], along[0]]) / max(1e-9, float(np.hypot(*along)))
    return np.asarray(across if (middle - edge[0]) @ across > 0 else -across, np.float64)


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
