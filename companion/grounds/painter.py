"""Paint a ground: `python -m companion.grounds.painter OUT.jpg`, with the job as JSON on standard input.

A process of its own, as it takes seconds and memory: nothing of the app imports this module.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.storage import atomic_write
from companion.grounds.store import NOT_KEPT, STYLES, Colour, GroundJob, GroundStyle, job_from_text

Picture = npt.NDArray[np.float32]
Mask = npt.NDArray[np.float32]
Chance = np.random.Generator
Point = tuple[float, float]
Size = tuple[int, int]
"""Rows, columns."""

FINE = 8  # OpenCV's fixed point: eighths of a pixel
FINE_BITS = 3


def fixed_point(points: Sequence[Point]) -> npt.NDArray[np.int32]:
    """Return points in eighths of a pixel, as OpenCV's antialiased drawing takes them."""
    return np.round(np.asarray(points, np.float64) * FINE).astype(np.int32)


def fill_mask(outlines: Iterable[Sequence[Point]], size: Size) -> Mask:
    """Return the mask of what the outlines cover in a picture of that size (rows, columns)."""
    mask = np.zeros(size, np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [fixed_point(outline)], 255, cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def line_mask(lines: Iterable[Sequence[Point]], size: Size, width: float, *, closed: bool) -> Mask:
    """Return the mask of lines of this width in pixels, in a picture of that size (rows, columns)."""
    mask = np.zeros(size, np.uint8)
    for line in lines:
        cv2.polylines(mask, [fixed_point(line)], closed, 255, max(1, round(width)), cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def as_mask(levels: npt.NDArray[np.uint8]) -> Mask:
    """Return levels of 0 to 255 as a mask of 0 to 1."""
    return np.asarray(levels, np.float32) / np.float32(255)


def mix(picture: Picture, colour: Colour | Picture, strength: npt.NDArray[np.floating[Any]] | float) -> None:
    """Lay a colour, or another picture, over a picture in place, as strongly as the mask says."""
    part = np.clip(np.asarray(strength, np.float32), 0, 1)
    if part.ndim:
        part = part[..., None]
    picture += (np.asarray(colour, np.float32) - picture) * part


def noise(size: Size, chance: Chance, *layers: tuple[float, float]) -> Mask:
    """Return smooth noise around 0: layers of (pixels between its bumps, how strong)."""
    total = np.zeros(size, np.float32)
    for apart, strength in layers:
        rows, columns = (max(2, int(side / apart) + 2) for side in size)
        small = chance.standard_normal((rows, columns)).astype(np.float32)
        total += strength * cv2.resize(small, size[::-1], interpolation=cv2.INTER_CUBIC)
    return total


def distance_within(mask: Mask) -> Mask:
    """Return how far in pixels each place of a mask is from its edge, 0 outside it."""
    return np.asarray(cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 5), np.float32)


def paper(size: Size, colour: Colour, grain: float, chance: Chance) -> Picture:
    """Return hand-made paper of a colour: clouds, grain, and fibres."""
    picture = np.empty((*size, 3), np.float32)
    picture[:] = colour
    picture += noise(size, chance, (220, 3.2), (40, 1.6), (2, grain))[..., None]
    fibres = np.zeros(size, np.uint8)
    for _ in range(size[0] * size[1] // 3200):
        turn = chance.uniform(0, 2 * np.pi) + np.cumsum(chance.normal(0, 0.35, 6))
        step = chance.uniform(2, 9)
        start = chance.uniform(0, 1, 2) * size[::-1]
        line = start + np.cumsum(np.stack([np.cos(turn), np.sin(turn)], axis=1) * step, axis=0)
        cv2.polylines(
            fibres, [fixed_point(line.tolist())], False, int(chance.uniform(50, 150)), 1, cv2.LINE_AA, FINE_BITS
        )
    lighter = 255.0 if sum(colour) > 300 else 120.0
    mix(picture, (int(lighter), int(lighter * 0.97), int(lighter * 0.9)), as_mask(fibres) * 0.4)
    return picture


def gold_leaf(size: Size, colour: Colour, leaf_px: int, chance: Chance) -> Picture:
    """Return gold leaf of a colour in squares that overlap a little at their seams."""
    picture = np.empty((*size, 3), np.float32)
    picture[:] = colour
    warm = np.array([1, 0.9, 0.55], np.float32)
    picture += noise(size, chance, (150, 9), (14, 3.5), (2, 4))[..., None] * warm
    for top in range(0, size[0], leaf_px):
        for left in range(0, size[1], leaf_px):
            picture[top : top + leaf_px, left : left + leaf_px] += chance.normal(0, 4)
            picture[top : top + leaf_px, left : left + 2] += 12
            picture[top : top + 2, left : left + leaf_px] += 12
    return picture


def wave_scales(size: Size, radius: float) -> Mask:
    """Return the lines of seigaiha, overlapping scales of waves."""
    mask = np.zeros(size, np.uint8)
    for row in range(int(2 * size[0] / radius) + 4):
        for column in range(int(size[1] / (2 * radius)) + 3):
            middle = fixed_point([((2 * column - 1 + row % 2) * radius, (row - 1) * radius / 2)])[0]
            at = int(middle[0]), int(middle[1])
            cv2.circle(mask, at, round(radius * FINE), 0, -1, cv2.LINE_AA, FINE_BITS)
            for ring in (0.97, 0.66, 0.36):
                cv2.circle(mask, at, round(radius * ring * FINE), 255, 1, cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def ink_hill(
    picture: Picture, place: tuple[Point, Point], ink: tuple[Colour, float], clip: Mask, chance: Chance
) -> None:
    """Draw a hill in ink, in place: a ridge that fades downwards.

    place: the middle of its foot; its half width and its height. All in pixels.
    """
    ((x, y), (wide, high)), (colour, strength) = place, ink
    rows, columns = picture.shape[:2]
    top, left = max(0, int(y - 1.3 * high)), max(0, int(x - wide))
    bottom, right = min(rows, int(y + 3)), min(columns, int(x + wide))
    if bottom <= top or right <= left:
        return
    along = np.linspace(-1, 1, 40)
    heights = high * (1 - np.abs(along) ** 1.5) * (1 + 0.13 * np.sin(along * 5 + x)) + chance.normal(0, high * 0.02, 40)
    ridge = np.interp(np.arange(left, right), x + along * wide, y - heights)
    depth = (np.arange(top, bottom)[:, None] - ridge[None]) / high
    wash = np.where(depth > 0, np.exp(-np.maximum(depth, 0) * 2.6) * np.clip(1.05 - depth, 0, 1), 0) * strength
    part, seen = picture[top:bottom, left:right], clip[top:bottom, left:right]
    mix(part, colour, (wash * seen).astype(np.float32))
    points = np.stack([x + along * wide - left, y - heights - top], axis=1)[3:-3]
    line = line_mask([points.tolist()], (bottom - top, right - left), max(1.0, high / 14), closed=False)
    mix(part, colour, line * seen * min(1.0, strength * 1.6))


def pine_mask(places: Iterable[tuple[Point, float]], size: Size) -> Mask:
    """Return the mask of pines at these places: (foot, height in pixels) each."""
    mask = np.zeros(size, np.uint8)
    for (x, y), high in places:
        trunk = [(x, y), (x + high * 0.12, y - high * 0.5), (x - high * 0.06, y - high)]
        cv2.polylines(mask, [fixed_point(trunk)], False, 255, max(1, round(high / 9)), cv2.LINE_AA, FINE_BITS)
        for up, wide in ((0.98, 0.34), (0.74, 0.5), (0.5, 0.62)):
            at = fixed_point([(x + (up - 0.7) * high * 0.4, y - up * high)])[0]
            axes = round(wide * high * FINE), round(0.13 * high * FINE)
            cv2.ellipse(mask, (int(at[0]), int(at[1])), axes, 0, 0, 360, 255, -1, cv2.LINE_AA, FINE_BITS)
    return as_mask(mask)


def contour_lines(height: Mask, levels: float, width: float) -> Mask:
    """Return the contour lines of a height field, `levels` to each unit of height, of this width in pixels."""
    level = height * levels
    down, across = np.gradient(level)
    slope = np.maximum(np.hypot(down, across), 1e-4)
    away = np.abs(level - np.round(level)) / slope
    return np.asarray(np.clip(width / 2 + 0.5 - away, 0, 1), np.float32)


# ---- the picture ---------------------------------------------------------------------------------


SEED = 1570
NICE = 10  # the game comes first
QUALITY = 93  # of the JPEG: fine lines keep their edges
HILLS_MM = ((-14.0, 17.0, 11.0, 11.0, 0.34), (12.0, 18.0, 13.0, 15.0, 0.42), (0.0, 20.0, 17.0, 8.0, 0.25))
"""Of each hex of land: where a hill's foot is, half its width, its height, how strong its ink is."""
PINES_MM = ((-15.5, 12.0, 6.5), (15.5, 11.0, 7.5))
SHADOW: Colour = (16, 10, 4)
FOAM: Colour = (240, 246, 240)
WOOD, WOOD_LINE = (126, 84, 46), (52, 30, 14)
WOODLAND: Colour = (96, 116, 66)


def paint(job: GroundJob) -> Picture:
    """Return the picture of a job, (rows, columns, 3) RGB, 0 to 255."""
    wide, high = job.size_px
    size, style, chance = (high, wide), STYLES[job.style], np.random.default_rng(SEED)
    land, water = fill_mask(job.land, size), fill_mask(job.water, size)
    water = np.clip(water - land, 0, 1)
    board = np.maximum(land, water)
    picture = _paint_around(job, style, 1 - board, chance)
    if job.scenery != "sea":
        shadow = cv2.GaussianBlur(board, (0, 0), max(2.0, 3.4 * job.unit))
        mix(picture, SHADOW, np.clip(shadow * 1.2, 0, 0.6) * (1 - board))
    ground, sea = _paint_land(job, style, land, chance), _paint_water(job, style, land, chance)
    if job.scenery == "sea":
        mix(picture, sea, 1 - land)
    mix(picture, sea, water)
    mix(picture, ground, land)
    _draw_lines(picture, job, style, land, chance)
    _draw_bridges(picture, job)
    return np.clip(picture, 0, 255)


# ---- around the map ---------------------------------------------------------------------------


def _paint_around(job: GroundJob, style: GroundStyle, free: Mask, chance: Chance) -> Picture:
    """Return what the map lies on: gold leaf with clouds, or paper; often with hills or contour lines on it."""
    size = free.shape[0], free.shape[1]
    if style.around == "gold":
        picture = gold_leaf(size, style.around_colour, max(24, round(size[0] / 12)), chance)
        mix(picture, SHADOW, np.linspace(0.08, 0.42, size[0], dtype=np.float32)[:, None] * free)
        _draw_clouds(picture, free)
    else:
        picture = paper(size, style.around_colour, style.grain, chance)
    if style.relief == "contours":
        height = noise(size, chance, (34 * job.unit, 0.5), (15 * job.unit, 0.25))
        levels = 11 if job.scenery == "mountains" else 5
        mix(picture, style.ink, contour_lines(height, levels, max(0.8, 0.26 * job.unit)) * 0.5 * free)
        return picture
    if style.around == "paper" or job.scenery in ("woods", "mountains"):
        _draw_far_hills(picture, job, style, free, chance)
    return picture


def _draw_clouds(picture: Picture, free: Mask) -> None:
    """Draw the scalloped clouds of a folding screen from the corners, in place."""
    rows, columns = free.shape
    k = rows / 720
    for down, from_left, count in ((0.09, True, 3), (0.05, False, 3), (0.93, True, 4), (0.96, False, 4)):
        cloud = np.zeros((rows, columns), np.uint8)
        for number in range(count):
            across = number * 38 * k if from_left else columns - number * 38 * k
            middle = round(across), round(down * rows + 5 * k * (number % 2))
            cv2.ellipse(cloud, middle, (round(30 * k), round((17 - number) * k)), 0, 0, 360, 255, -1, cv2.LINE_AA)
        rim = np.asarray(cv2.morphologyEx(cloud, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.uint8)
        mix(picture, (206, 166, 86), as_mask(cloud) * 0.8 * free)
        mix(picture, (250, 226, 156), as_mask(rim) * free)


def _draw_far_hills(picture: Picture, job: GroundJob, style: GroundStyle, free: Mask, chance: Chance) -> None:
    """Draw hills around the map, in place: more and steeper ones among mountains, with pines among woods."""
    rows, columns = free.shape
    steep, count = (1.7, 34) if job.scenery == "mountains" else (1.0, 16)
    feet = sorted(chance.uniform(0.05, 1.05, count).tolist())
    for down in feet:
        half = chance.uniform(10, 24) * job.unit, chance.uniform(7, 16) * job.unit * steep
        ink_hill(picture, ((chance.uniform(0, columns), down * rows), half), (style.ink, 0.34), free, chance)
    if job.scenery == "woods":
        places = [
            ((chance.uniform(0, columns), chance.uniform(0, rows)), chance.uniform(6, 9) * job.unit) for _ in range(90)
        ]
        mix(picture, (58, 72, 50), pine_mask(places, (rows, columns)) * 0.5 * free)


# ---- on the map -------------------------------------------------------------------------------


def _paint_land(job: GroundJob, style: GroundStyle, land: Mask, chance: Chance) -> Picture:
    """Return the land: paper with hills and pines in ink, or a staff map's contours, woods and grid."""
    size = land.shape[0], land.shape[1]
    picture = paper(size, _rgb(job.land_colour), style.grain, chance)
    clip = np.asarray(cv2.erode(land, np.ones((5, 5), np.uint8)), np.float32)
    if style.relief == "hills":
        for x, y in job.hills:
            for across, down, wide, high, strength in HILLS_MM:
                foot = x + across * job.unit, y + down * job.unit
                half = wide * job.unit, high * job.unit
                ink_hill(picture, (foot, half), (style.ink, strength), clip, chance)
        pines = [
            ((x + across * job.unit, y + down * job.unit), high * job.unit)
            for x, y in job.hills
            for across, down, high in PINES_MM
        ]
        mix(picture, (58, 72, 54), pine_mask(pines, size) * 0.42 * clip)
        return picture
    height = noise(size, chance, (34 * job.unit, 0.5), (15 * job.unit, 0.22))
    woods = np.asarray(np.clip((noise(size, chance, (26 * job.unit, 1.0)) - 0.75) * 3, 0, 1), np.float32)
    rows, columns = np.indices(size)
    stipple = ((rows + (columns // 3 % 2) * 2) % 4 < 2) & (columns % 3 < 2)
    mix(picture, WOODLAND, woods * (np.float32(0.14) + np.float32(0.3) * stipple.astype(np.float32)))
    mix(picture, style.ink, contour_lines(height, 5, max(0.8, 0.24 * job.unit)) * 0.34)
    mix(picture, style.ink, contour_lines(height, 1.25, max(1.2, 0.45 * job.unit)) * 0.42)
    light = np.gradient(cv2.GaussianBlur(height, (0, 0), 2 * job.unit))
    mix(picture, SHADOW, np.clip((light[0] + light[1]) * job.unit * 2.6, 0, 0.2).astype(np.float32))
    mix(picture, style.ink, _grid(size, 22 * job.unit) * 0.26)
    return picture


def _paint_water(job: GroundJob, style: GroundStyle, land: Mask, chance: Chance) -> Picture:
    """Return the water: lightest at the shore, with scales of waves, or with an old chart's lines along the shore."""
    size = land.shape[0], land.shape[1]
    picture = paper(size, _rgb(job.water_colour), style.grain * 0.8, chance)
    offshore = distance_within(1 - land) / job.unit  # in mm
    red, green, blue = (round(part * (1 - style.deep)) for part in _rgb(job.water_colour))
    mix(picture, (red, green, min(255, round(blue * 1.08))), np.clip(offshore / 22, 0, 1) * 0.9)
    if style.waves == "scales":
        mix(picture, (226, 238, 238), wave_scales(size, max(7.0, 8.6 * job.unit)) * 0.3)
        mix(picture, FOAM, np.exp(-(((offshore - 2.8) / 0.8) ** 2)) * 0.8)
        mix(picture, FOAM, np.exp(-(((offshore - 5.6) / 0.6) ** 2)) * 0.5)
        return picture
    for number, away in enumerate((1.6, 3.4, 5.6, 8.2, 11.2)):
        line = np.exp(-(((offshore - away) / 0.32) ** 2))
        mix(picture, (58, 92, 116), line * (0.55 - 0.09 * number))
    mix(picture, style.ink, _grid(size, 22 * job.unit) * 0.2)
    return picture


def _grid(size: tuple[int, int], apart: float) -> Mask:
    """Return the lines of a map's grid."""
    rows, columns = size
    across = [[(0.0, y), (columns, y)] for y in np.arange(apart, rows, apart).tolist()]
    down = [[(x, 0.0), (x, rows)] for x in np.arange(apart, columns, apart).tolist()]
    return line_mask([*across, *down], size, 1, closed=False)


def _draw_lines(picture: Picture, job: GroundJob, style: GroundStyle, land: Mask, chance: Chance) -> None:
    """Draw the borders of all areas and the coast, in place; a little uneven, as by a brush, if hills are inked."""
    size = land.shape[0], land.shape[1]
    uneven = noise(size, chance, (9, 0.5), (3, 0.35)) if style.relief == "hills" else np.zeros(size, np.float32)
    dark: Colour = (44, 38, 30)
    borders = line_mask([*job.land, *job.water], size, max(1.0, 0.55 * job.unit), closed=True)
    mix(picture, dark, borders * np.clip(0.62 + 0.3 * uneven, 0.25, 1))
    coast = cv2.morphologyEx((land > 0.5).astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    soft = cv2.GaussianBlur(coast.astype(np.float32), (0, 0), max(0.8, 0.45 * job.unit)) * 2.2
    mix(picture, (26, 22, 18), np.clip(soft * (1 + 0.4 * uneven), 0, 0.95))


def _draw_bridges(picture: Picture, job: GroundJob) -> None:
    """Draw a wooden bridge or pier across each side at which a port meets its water, in place."""
    size = picture.shape[0], picture.shape[1]
    for start, end in job.bridges:
        along = np.subtract(end, start) / max(float(np.hypot(*np.subtract(end, start))), 1e-6)
        out, middle = np.array([-along[1], along[0]]), np.add(start, end) / 2
        half, reach = along * 3.5 * job.unit, out * 4.0 * job.unit
        body = [middle - half - reach, middle + half - reach, middle + half + reach, middle - half + reach]
        outline = [(float(x), float(y)) for x, y in body]
        mix(picture, WOOD, fill_mask([outline], size))
        planks = [
            [tuple((middle - half + reach * step).tolist()), tuple((middle + half + reach * step).tolist())]
            for step in (-1.0, -0.5, 0.0, 0.5, 1.0)
        ]
        mix(picture, WOOD_LINE, line_mask(planks, size, max(1.0, 0.4 * job.unit), closed=False))


def _rgb(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def main() -> int:
    """Read a job, paint it and write its picture whole; return NOT_KEPT if the disk doesn't take it."""
    with suppress(AttributeError):  # Windows knows no such thing
        os.nice(NICE)
    cv2.setNumThreads(1)
    job = job_from_text(sys.stdin.read())
    picture = cv2.cvtColor(np.round(paint(job)).astype(np.uint8), cv2.COLOR_RGB2BGR)
    _done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    try:
        atomic_write(Path(sys.argv[1]), data.tobytes(), "some time")
    except OSError:
        return NOT_KEPT  # the caller goes on without the picture
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
