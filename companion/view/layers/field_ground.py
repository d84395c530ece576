"""A part of a battlefield: where it lies on the sheet, and its ground as scenery.

Hills with their contours, woods, marshes, water, bridges, roads, flags: each kind is told by its shapes as well as by
its colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.drawing.board_svg import COLOURS, Point, path
from companion.drawing.polygons import clipped_to
from companion.ui.battlefield_picture import Window, field_intent
from companion.ui.intents import Intent
from companion.ui.small_map import GroundSight
from companion.view.kit.sheet import Rect, Sheet, bounds
from companion.view.kit.theme import Theme
from engine.sonae.field import in_polygon


@dataclass(frozen=True, slots=True)
class FieldFrame:
    """A window of the field, in Movements, and the place on the sheet that shows it; turned by 180 degrees or not."""

    rect: Rect
    window: Window
    turned: bool = False

    @property
    def scale(self) -> float:
        """Points from a Movement."""
        return self.rect.w / self.window[2]

    def at(self, point: Point) -> Point:
        """Return where a place of the field is on the sheet."""
        left, low, _wide, high = self.window
        across, down = (point[0] - left) * self.scale, (low + high - point[1]) * self.scale
        if self.turned:
            return self.rect.right - across, self.rect.bottom - down
        return self.rect.x + across, self.rect.y + down

    @property
    def intent(self) -> Intent:
        """What a finger on it means."""
        left, low, wide, high = self.window
        return field_intent((left + wide, low + high, -wide, -high) if self.turned else self.window)

    def outline(self, points: Sequence[Point]) -> list[Point]:
        """Return where an outline of the field is on the sheet."""
        return [self.at(point) for point in points]

    def shows(self, point: Point, margin: float = 0.0) -> bool:
        """Return whether a place lies in the window, or no farther beside it than the margin."""
        left, low, wide, high = self.window
        return left - margin <= point[0] <= left + wide + margin and low - margin <= point[1] <= low + high + margin

    def close_group(self, sheet: Sheet, points: Sequence[Point], beyond: float) -> None:
        """Close a group: what was drawn since the last one reaches so far beyond these points of the sheet at most."""
        sheet.close_group(bounds(points).shrunk(-beyond).cut_by(self.rect))

    def clipped(self, outline: Sequence[Point]) -> list[Point]:
        """Return the part of an outline inside the window; empty where none is."""
        left, low, wide, high = self.window
        return clipped_to(outline, (left, low, left + wide, low + high))


LATTICE = 0.62  # Movements between things that stand in a piece of ground
ROUNDED_PT = 9.0  # of a corner, at most

Outline = Sequence[Point]


@lru_cache(maxsize=8)
def ground_shapes(frame: FieldFrame, look: Theme, grounds: tuple[GroundSight, ...]) -> str:
    """Draw the paper and all pieces of ground as SVG, later ones over earlier."""
    ink = {**COLOURS, **look.board}
    rect = frame.rect
    paper = f'<rect x="{rect.x:.2f}" y="{rect.y:.2f}" width="{rect.w:.2f}" height="{rect.h:.2f}" fill="{ink["land"]}"/>'
    clipped = [(ground.look, frame.clipped(ground.outline)) for ground in grounds]
    pieces = [_DRAWN.get(look, _open)(frame, ink, outline) for look, outline in clipped if len(outline) >= 3]
    left, low, wide, high = frame.window
    whole = [(left, low), (left + wide, low), (left + wide, low + high), (left, low + high)]
    k = frame.scale * 0.1
    data = "".join(
        f"M{x - 1.4 * k:.1f} {y:.1f}l{0.5 * k:.1f} {-1.6 * k:.1f}M{x:.1f} {y:.1f}v{-2 * k:.1f}"
        f"M{x + 1.4 * k:.1f} {y:.1f}l{-0.5 * k:.1f} {-1.6 * k:.1f}"
        for x, y in _spots(frame, whole, 2.3)
    )
    return paper + _stroked_path(data, ink["land_detail"], max(0.8, 0.06 * frame.scale)) + "".join(pieces)


def _filled_path(
    points: Sequence[Point], fill: str, line: str = "none", width: float = 1.2, opacity: float = 1.0
) -> str:
    """Draw a closed shape with rounded corners, its points on the sheet."""
    return (
        f'<path d="{rounded_outline(points)}" fill="{fill}" fill-opacity="{opacity:g}" stroke="{line}" '
        f'stroke-width="{width:.2f}" stroke-linejoin="round"/>'
    )


def _stroked_path(data: str, colour: str, width: float, opacity: float = 1.0) -> str:
    return (
        f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{width:.2f}" stroke-opacity="{opacity:g}" '
        f'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def rounded_outline(points: Sequence[Point]) -> str:
    """Return path data of a closed outline with rounded corners."""
    data: list[str] = []
    for before, point, after in zip([points[-1], *points], points, [*points[1:], points[0]], strict=False):
        start, end = _towards(point, before, ROUNDED_PT), _towards(point, after, ROUNDED_PT)
        move = "L" if data else "M"
        data.append(f"{move}{start[0]:.1f} {start[1]:.1f}Q{point[0]:.1f} {point[1]:.1f} {end[0]:.1f} {end[1]:.1f}")
    return "".join(data) + "Z"


def _towards(point: Point, other: Point, most: float) -> Point:
    length = math.dist(point, other) or 1.0
    part = min(most, length / 2.2) / length
    return point[0] + (other[0] - point[0]) * part, point[1] + (other[1] - point[1]) * part


def _shrunk(points: Sequence[Point], part: float) -> list[Point]:
    """Return an outline drawn in towards its middle, to this part (0 to 1) of its size."""
    x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    return [(x + (px - x) * part, y + (py - y) * part) for px, py in points]


def _spots(frame: FieldFrame, outline: Outline, apart: float = LATTICE, room: float = 0.3) -> Iterator[Point]:
    """Yield places in an outline in loose rows, always the same ones, each with a little room to its border."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    rows = int((max(ys) - min(ys)) / apart) + 1
    for row in range(rows + 1):
        for column in range(int((max(xs) - min(xs)) / apart) + 2):
            shift = _scatter(row * 37 + column)
            x = min(xs) + (column + 0.5 * (row % 2) + 0.3 * shift) * apart
            y = max(ys) - (row + 0.2 * shift) * apart
            if all(in_polygon((x + dx, y + dy), outline) for dx, dy in ((room, 0), (-room, 0), (0, room), (0, -room))):
                yield frame.at((x, y))


def _scatter(seed: int) -> float:
    """Return a number from -1 to 1 that looks like chance and is none (the one-line hash of GLSL shaders)."""
    return math.sin(seed * 12.9898) * 43758.5453 % 2.0 - 1.0


# ---- one function a kind of ground --------------------------------------------------------------


def _hill(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw a hill: contours, each step a little darker, with short strokes down the slope."""
    points = frame.outline(outline)
    steps = "".join(
        _filled_path(_shrunk(points, part), ink["land_line"], ink["land_line"], max(0.8, 0.05 * frame.scale), 0.2)
        for part in (1.0, 0.76, 0.5)
    )
    outer = _places_along(points, frame.scale * 0.7)
    inner = [_towards(a, _shrunk(points, 0.0)[0], frame.scale * 0.3) for a in outer]
    data = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in zip(outer, inner, strict=True))
    return steps + _stroked_path(data, ink["land_line"], max(0.7, 0.05 * frame.scale), 0.8)


def _places_along(points: Sequence[Point], apart: float) -> list[Point]:
    """Return places along an outline, so far from one another."""
    found = []
    for start, end in zip(points, [*points[1:], points[0]], strict=True):
        many = max(1, int(math.dist(start, end) / apart))
        found += [
            (start[0] + (end[0] - start[0]) * i / many, start[1] + (end[1] - start[1]) * i / many) for i in range(many)
        ]
    return found


def _forest(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw a forest: firs behind firs."""
    k = frame.scale * 0.2
    trees = sorted(_spots(frame, outline, 0.72, 0.22), key=lambda at: at[1])
    data = "".join(
        f"M{x - 1.3 * k:.1f} {y + 1.1 * k:.1f}L{x:.1f} {y - 2 * k:.1f}L{x + 1.3 * k:.1f} {y + 1.1 * k:.1f}Z"
        for x, y in trees
    )
    firs = (
        f'<path d="{data}" fill="{ink["fir"]}" stroke="{ink["fir_line"]}" stroke-width="0.9" stroke-linejoin="round"/>'
    )
    return _filled_path(frame.outline(outline), ink["woods"], ink["fir_line"], 1.0) + firs


def _marsh(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw a marsh: reeds over puddles."""
    k = frame.scale * 0.16
    spots = list(_spots(frame, outline, 0.8, 0.25))
    reeds = "".join(
        f"M{x:.1f} {y:.1f}v{-2.2 * k:.1f}M{x - k:.1f} {y:.1f}l{-0.7 * k:.1f} {-1.7 * k:.1f}"
        f"M{x + k:.1f} {y:.1f}l{0.7 * k:.1f} {-1.7 * k:.1f}"
        for x, y in spots
    )
    puddles = "".join(f"M{x - 1.9 * k:.1f} {y + 0.8 * k:.1f}h{3.8 * k:.1f}" for x, y in spots)
    ground = _filled_path(frame.outline(outline), ink["water"], ink["water_line"], 1.0, 0.45)
    return ground + _stroked_path(puddles, ink["water_line"], 1.1) + _stroked_path(reeds, ink["fir_line"], 1.1)


def _water(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw water with a shore, and with waves where there is room for them."""
    points = frame.outline(outline)
    k = frame.scale * 0.16
    waves = "".join(
        f"M{x - 1.6 * k:.1f} {y:.1f}q{0.8 * k:.1f} {-k:.1f} {1.6 * k:.1f} 0t{1.6 * k:.1f} 0"
        for x, y in _spots(frame, outline, 0.9, 0.28)
    )
    body = _filled_path(points, ink["water"], ink["water_line"], max(1.2, 0.08 * frame.scale))
    return body + _stroked_path(waves, ink["water_line"], 1.1)


def _planks(frame: FieldFrame, outline: Outline) -> str:
    """Draw short strokes across the longer side of a piece of ground, as path data."""
    points = frame.outline(outline)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    step = max(2.5, frame.scale * 0.28)
    if wide >= high:
        places = [min(xs) + step * n for n in range(1, int(wide / step) + 1)]
        return "".join(f"M{x:.1f} {min(ys) + 1:.1f}V{max(ys) - 1:.1f}" for x in places)
    places = [min(ys) + step * n for n in range(1, int(high / step) + 1)]
    return "".join(f"M{min(xs) + 1:.1f} {y:.1f}H{max(xs) - 1:.1f}" for y in places)


def _bridge(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw a bridge: planks between two rails."""
    points = frame.outline(outline)
    deck = f'<path d="{path(points)}" fill="#c49a63" stroke="{ink["pier"]}" stroke-width="{0.11 * frame.scale:.2f}"/>'
    return deck + _stroked_path(_planks(frame, outline), ink["pier"], 0.8, 0.75)


def _road(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw a road: a paler way with dashed edges."""
    points = frame.outline(outline)
    dash = f"{0.3 * frame.scale:.1f} {0.18 * frame.scale:.1f}"
    return (
        f'<path d="{rounded_outline(points)}" fill="{ink["paper"]}" stroke="{ink["pier"]}" stroke-width="1.3" '
        f'stroke-dasharray="{dash}"/>'
    )


def _rough(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw rough ground: stones and tufts."""
    k = frame.scale * 0.12
    data = "".join(
        f"M{x - k:.1f} {y:.1f}q{k:.1f} {-1.6 * k:.1f} {2 * k:.1f} 0" for x, y in _spots(frame, outline, 0.55, 0.15)
    )
    return _filled_path(frame.outline(outline), ink["land_detail"], ink["land_line"], 1.0, 0.6) + _stroked_path(
        data, ink["pier"], 1.1
    )


def _rocks(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw rocks: peaks that none can pass."""
    k = frame.scale * 0.24
    peaks = list(_spots(frame, outline, 0.8, 0.3))
    lit = "".join(f"M{x - k:.1f} {y + k:.1f}L{x:.1f} {y - k:.1f}L{x + 0.2 * k:.1f} {y + k:.1f}Z" for x, y in peaks)
    shade = "".join(f"M{x:.1f} {y - k:.1f}L{x + k:.1f} {y + k:.1f}H{x + 0.2 * k:.1f}Z" for x, y in peaks)
    ground = _filled_path(frame.outline(outline), ink["rock"], ink["peak_shade"], 1.6)
    return ground + f'<path d="{lit}" fill="{ink["snow"]}"/><path d="{shade}" fill="{ink["peak_shade"]}"/>'


def _open(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Open ground within other ground: a ford, a clearing."""
    return _filled_path(frame.outline(outline), ink["land"], ink["land_line"], 1.0)


def _objective(frame: FieldFrame, ink: dict[str, str], outline: Outline) -> str:
    """Draw what the battle is about: a dashed border and a flag at its corner."""
    points = frame.outline(outline)
    dash = f"{0.4 * frame.scale:.1f} {0.22 * frame.scale:.1f}"
    x, y = min(p[0] for p in points), min(p[1] for p in points)
    k = max(frame.scale * 0.5, 9.0)
    flag = f"M{x:.1f} {y:.1f}V{y - 1.5 * k:.1f}L{x + 1.3 * k:.1f} {y - 1.05 * k:.1f}L{x:.1f} {y - 0.6 * k:.1f}"
    return (
        f'<path d="{path(points)}" fill="{ink["points"]}" fill-opacity="0.16" stroke="{ink["border"]}" '
        f'stroke-width="1.6" stroke-dasharray="{dash}"/>'
        f'<path d="{flag}" fill="{ink["points"]}" stroke="{ink["border"]}" stroke-width="1.4" stroke-linejoin="round"/>'
    )


_DRAWN: dict[str, Callable[[FieldFrame, dict[str, str], Outline], str]] = {
    "hill": _hill,
    "forest": _forest,
    "marsh": _marsh,
    "water": _water,
    "bridge": _bridge,
    "road": _road,
    "rough": _rough,
    "rocks": _rocks,
    "objective": _objective,
}
