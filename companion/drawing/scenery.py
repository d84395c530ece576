"""What is drawn on and around a map's areas for the look of it: waves, hills, peaks, palms, walls. All in mm.

Nothing here means anything in the game but a fort's wall; it is all quiet enough to play on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from companion.drawing.polygons import Point, clearance, inset, is_shared_by, path, sides
from engine.orders.board import Area, Board

Box = tuple[float, float, float, float]
Ink = Mapping[str, str]
Outlines = tuple[tuple[Point, ...], ...]

LATTICE_MM = 4.5  # between the places that may hold something of the scenery
MOST_MM = 13.0  # no more room than this is used


# ---- on the areas ------------------------------------------------------------------------------


def details(board: Board, area: Area, ink: Ink, scale: float) -> str:
    """Draw a few quiet strokes in each hex, so that water and land can be distinguished without colour."""
    if area.kind == "air":
        return ""
    strokes, draw = _patterns(board)[area.kind]
    data = "".join(draw(x + dx * scale, y + dy * scale, scale) for x, y in area.centres_mm for dx, dy in strokes)
    colour = ink[area.kind + "_detail"]
    return f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="0.9" stroke-linecap="round"/>'


Pattern = tuple[Sequence[Point], Callable[[float, float, float], str]]


def _patterns(board: Board) -> Mapping[str, Pattern]:
    low = [(-9.0, 15.0), (9.5, 14.0)]
    land: Mapping[str, Pattern] = {
        "mountains": ([(-10.5, 13.5), (11.0, 12.5), (0.0, -17.5)], _firs),
        "sea": ([(-10.0, 14.5), (10.5, 13.5)], _palm),
    }
    return {
        "land": land.get(board.scenery, (low, _hill)),
        "water": ([(-8.0, 14.5), (8.0, 14.5), (0.0, -10.5)], _wave),
    }


def _wave(x: float, y: float, k: float) -> str:
    return f"M{x - 5 * k:.2f} {y:.2f}" + f"q{1.25 * k:.2f} {-1.8 * k:.2f} {2.5 * k:.2f} 0" + f"t{2.5 * k:.2f} 0" * 3


def _hill(x: float, y: float, k: float) -> str:
    base = y + 1.5 * k
    return (
        f"M{x - 4 * k:.2f} {base:.2f}q{2.2 * k:.2f} {-4.6 * k:.2f} {4.4 * k:.2f} 0"
        f"M{x + 0.2 * k:.2f} {base:.2f}q{1.7 * k:.2f} {-3.2 * k:.2f} {3.6 * k:.2f} 0"
    )


def _firs(x: float, y: float, k: float) -> str:
    return _fir(x - 2.0 * k, y, 1.0 * k) + _fir(x + 2.2 * k, y + 0.8 * k, 0.75 * k)


def _fir(x: float, y: float, k: float) -> str:
    return (
        f"M{x - 1.9 * k:.2f} {y + 1.8 * k:.2f}L{x:.2f} {y - 3.6 * k:.2f}L{x + 1.9 * k:.2f} {y + 1.8 * k:.2f}Z"
        f"M{x:.2f} {y + 1.8 * k:.2f}V{y + 3.2 * k:.2f}"
    )


def _palm(x: float, y: float, k: float) -> str:
    top = (x + 1.0 * k, y - 2.6 * k)
    leaves = [(-3.2, 1.0), (-2.4, -1.6), (0.6, -2.4), (3.0, -0.8), (3.0, 1.6)]
    return f"M{x - 0.6 * k:.2f} {y + 3 * k:.2f}Q{x - 0.4 * k:.2f} {y:.2f} {top[0]:.2f} {top[1]:.2f}" + "".join(
        f"M{top[0]:.2f} {top[1]:.2f}q{dx * 0.5 * k:.2f} {(dy * 0.5 - 1.0) * k:.2f} {dx * k:.2f} {dy * k:.2f}"
        for dx, dy in leaves
    )


def wall(area: Area, scale: float) -> str:
    """Draw a fort's wall: blocks of stone inside its border, with a tower at each corner."""
    ring = inset(area.polygon_mm, 3.5 * scale)
    data, k = path(ring), scale
    stones = f'stroke-dasharray="{2.9 * k:.2f} {0.7 * k:.2f}"'
    towers = "".join(
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{2.5 * k:.2f}" fill="#d8d2c4" stroke="#3b3833" '
        f'stroke-width="{0.8 * k:.2f}"/>'
        for x, y in ring
    )
    return (
        f'<path d="{data}" fill="none" stroke="#3b3833" stroke-width="{3.4 * k:.2f}" stroke-linejoin="round"/>'
        f'<path d="{data}" fill="none" stroke="#d8d2c4" stroke-width="{2.0 * k:.2f}" {stones}/>{towers}'
    )


def shore(board: Board, area: Area, ink: Ink) -> str:
    """Draw two pale lines in the water along its land, as on old charts."""
    land = [land_area.polygon_mm for land_area in board.areas if land_area.kind == "land"]
    shape = ""
    for by, width in ((1.3, 1.6), (3.0, 0.7)):
        pairs = zip(sides(area.polygon_mm), sides(inset(area.polygon_mm, by)), strict=True)
        data = "".join(path(new, closed=False) for old, new in pairs if is_shared_by(old, land))
        shape += f'<path d="{data}" fill="none" stroke="{ink["shore"]}" stroke-width="{width}" stroke-linecap="round"/>'
    return shape


# ---- around them -------------------------------------------------------------------------------


def around(board: Board, taken: Outlines, box: Box, ink: Ink) -> str:
    """Draw the ground below all areas where a board has scenery: sea with islets, rock with peaks, woods with firs.

    Nothing stands on the outlines that are `taken`.
    """
    draw = {"sea": _sea, "mountains": _mountains, "woods": _woods}.get(board.scenery)
    return draw(board, taken, box, ink) if draw else ""


def _ground(box: Box, colour: str) -> str:
    left, top, width, height = box
    return f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{colour}"/>'


def _sea(board: Board, taken: Outlines, box: Box, ink: Ink) -> str:
    """Draw the sea: shallows and a beach around the land, waves and a few islets farther out."""
    land = "".join(path(area.polygon_mm) for area in board.areas if area.kind == "land")
    rings = ((15.0, ink["shore"], 0.25), (10.0, ink["shore"], 0.5), (5.2, ink["beach"], 1.0))
    coast = "".join(
        f'<path d="{land}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-opacity="{opacity:g}" '
        f'stroke-linejoin="round"/>'
        for width, colour, opacity in rings
    )
    free = places(taken, box, 7.0, 0.75)
    islets = [place for place in free if place[1] > 11.0][:3]
    waves = "".join(_wave(x, y, 0.8) for (x, y), _ in free if all(math.dist((x, y), o) > 12 for o, _ in islets))
    lines = f'<path d="{waves}" fill="none" stroke="{ink["water_detail"]}" stroke-width="0.9" stroke-linecap="round"/>'
    return _ground(box, ink["water"]) + lines + coast + "".join(_islet(at, ink) for at, _ in islets)


def _islet(at: Point, ink: Ink) -> str:
    x, y = at
    shape = f"M{x - 7:.2f} {y + 1:.2f}q2 -5 7 -4.4t6.6 3.4q-1.4 4.4 -6.6 4.2t-7 -3.2Z"
    return (
        f'<path d="{shape}" fill="{ink["land"]}" stroke="{ink["beach"]}" stroke-width="1.8" stroke-linejoin="round"/>'
        f'<path d="{_palm(x, y - 1, 0.8)}" fill="none" stroke="{ink["land_line"]}" stroke-width="0.8" '
        f'stroke-linecap="round"/>'
    )


def _mountains(board: Board, taken: Outlines, box: Box, ink: Ink) -> str:
    """Draw rock with snowy peaks, the larger the more room there is."""
    peaks = sorted(places(taken, box, 3.2, 0.58), key=lambda place: place[0][1])
    return _ground(box, ink["rock"]) + "".join(_peak(at, min(size, MOST_MM), ink) for at, size in peaks)


def _woods(board: Board, taken: Outlines, box: Box, ink: Ink) -> str:
    """Draw woods: firs behind firs."""
    trees = sorted(places(taken, box, 3.4, 0.5, 3.8), key=lambda place: place[0][1])
    data = "".join(_fir(x, y, 1.15 if i % 3 else 0.9) for i, ((x, y), _) in enumerate(trees))
    return (
        _ground(box, ink["woods"]) + f'<path d="{data}" fill="{ink["fir"]}" stroke="{ink["fir_line"]}" '
        f'stroke-width="0.6" stroke-linejoin="round"/>'
    )


def _peak(at: Point, r: float, ink: Ink) -> str:
    """Draw a mountain peak as high as the radius `r` leaves room for, lit from the left, its top white."""
    x, y = at
    base, top, tip = y + 0.62 * r, y - 0.86 * r, x - 0.08 * r
    snow = y - 0.34 * r
    left, right = x - 0.95 * r, x + 0.95 * r
    cut = (snow - top) / (base - top)
    edge_l, edge_r = tip + (left - tip) * cut, tip + (right - tip) * cut
    lit = [(left, base), (tip, top), (x + 0.1 * r, base)]
    shade = [(tip, top), (right, base), (x + 0.1 * r, base)]
    cap = [(edge_l, snow), (tip, top), (edge_r, snow), (x + 0.2 * r, snow - 0.1 * r), (tip, snow + 0.16 * r)]
    return (
        f'<path d="{path(lit)}" fill="{ink["peak"]}"/><path d="{path(shade)}" fill="{ink["peak_shade"]}"/>'
        f'<path d="{path(cap)}" fill="{ink["snow"]}"/>'
    )


@lru_cache(maxsize=8)
def places(
    taken: Outlines, box: Box, least: float, apart: float, most: float = MOST_MM
) -> tuple[tuple[Point, float], ...]:
    """Find places off the outlines that do not crowd each other, each with its room to all sides; roomiest first.

    least: the room that each has; apart: how far two keep from each other, as a part of their rooms together, which
    count as `most` where they are larger.
    """
    left, top, width, height = box
    found = []
    for row in range(int(height / LATTICE_MM) + 1):
        for column in range(int(width / LATTICE_MM) + 1):
            x, y = left + (column + 0.5 * (row % 2)) * LATTICE_MM, top + row * LATTICE_MM
            to_edge = min(x - left, left + width - x, y - top, top + height - y)
            free = clearance((x, y), taken, min(to_edge, most)) if to_edge >= least else 0.0
            if free >= least:
                found.append(((x, y), free))
    chosen: list[tuple[Point, float]] = []
    for at, free in sorted(found, key=lambda place: -place[1]):
        if all(math.dist(at, other) > apart * (free + size) for other, size in chosen):
            chosen.append((at, free))
    return tuple(chosen)
