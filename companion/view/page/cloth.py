"""What a page is made of, under everything else: lacquer with waves, paper with fibres, tin with a grid.

A size and a theme come in; SVG in points goes out, the same for the same page, so that it is drawn once and kept.
Nothing here means anything: it is faint enough that every text keeps its contrast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random

from companion.drawing.polygons import Point, path
from companion.view.kit.theme import Theme

Size = tuple[float, float]

SCALE_PT = 21.0  # the radius of a wave's scale
RINGS = (0.97, 0.66, 0.36)  # the circles of a scale, as parts of its radius
FIBRES = 150  # on a page of 800 by 480 points
GRID_PT = 40.0


@lru_cache(maxsize=16)
def page_cloth(look: Theme, size_pt: Size) -> str:
    """Return the page's ground as SVG: its colour from the top to the foot, and the material's pattern."""
    material = look.material
    if not material.page_low:
        return ""
    wide, high = size_pt
    shades = (
        f'<linearGradient id="page" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="{high:.0f}">'
        f'<stop offset="0" stop-color="{look.page}"/><stop offset="1" stop-color="{material.page_low}"/>'
        f"</linearGradient>"
    )
    ground = f'<rect x="0" y="0" width="{wide:.1f}" height="{high:.1f}" fill="url(#page)"/>'
    return shades + ground + PATTERNS[material.pattern](look, size_pt)


def _waves(look: Theme, size_pt: Size) -> str:
    """Return seigaiha, overlapping scales of waves, that come out towards the lower right."""
    wide, high = size_pt
    fade = (
        f'<linearGradient id="waves" gradientUnits="userSpaceOnUse" x1="{wide * 0.35:.0f}" y1="{high * 0.35:.0f}" '
        f'x2="{wide:.0f}" y2="{high:.0f}"><stop offset="0" stop-color="{look.edge}" stop-opacity="0"/>'
        f'<stop offset="1" stop-color="{look.edge}" stop-opacity="0.3"/></linearGradient>'
    )
    arcs = "".join(_scale_arcs(x, y) for x, y in _scale_places(size_pt))
    return fade + f'<path d="{arcs}" fill="none" stroke="url(#waves)" stroke-width="0.9"/>'


def _scale_places(size_pt: Size) -> Iterator[Point]:
    """Yield the middles of the scales in the page's lower right part, row by row, every other row shifted."""
    wide, high = size_pt
    for row in range(math.ceil(high / (SCALE_PT / 2)) + 2):
        y = row * SCALE_PT / 2
        for column in range(math.ceil(wide / (2 * SCALE_PT)) + 1):
            x = (2 * column + row % 2) * SCALE_PT
            if x / wide + y / high > 0.8:  # the fade leaves nothing of those further up
                yield x, y


@lru_cache(maxsize=1)
def _open_angles() -> tuple[float, ...]:
    """Return how far to either side of its top each ring is seen before the scales in front of it hide it."""
    in_front = ((-1.0, 0.5), (1.0, 0.5), (0.0, 1.0))
    angles = []
    for ring in RINGS:
        degree = 0
        while degree < 180:
            turn = math.radians(degree)
            at = ring * math.sin(turn), -ring * math.cos(turn)
            if any(math.dist(at, middle) < RINGS[0] for middle in in_front):
                break
            degree += 1
        angles.append(math.radians(degree))
    return tuple(angles)


def _scale_arcs(x: float, y: float) -> str:
    """Return the visible arcs of the scale around this point as path data."""
    data = ""
    for ring, turn in zip(RINGS, _open_angles(), strict=True):
        radius = ring * SCALE_PT
        across, up = radius * math.sin(turn), radius * math.cos(turn)
        data += f"M{x - across:.1f} {y - up:.1f}A{radius:.1f} {radius:.1f} 0 0 1 {x + across:.1f} {y - up:.1f}"
    return data


def _fibres(look: Theme, size_pt: Size) -> str:
    """Return the fibres of hand-made paper: fine curls, some darker than the paper, some lighter."""
    wide, high = size_pt
    chance, curls = Random(1570), {look.edge: "", look.raised: ""}
    for number in range(round(FIBRES * wide * high / (800 * 480))):
        x, y, turn = chance.uniform(0, wide), chance.uniform(0, high), chance.uniform(0, 2 * math.pi)
        points = [(x, y)]
        for _step in range(5):
            turn += chance.gauss(0, 0.4)
            x, y = x + math.cos(turn) * 5, y + math.sin(turn) * 5
            points.append((x, y))
        curls[look.edge if number % 3 == 0 else look.raised] += path(points, closed=False)
    return "".join(
        f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="0.7" stroke-opacity="{opacity}"/>'
        for (colour, data), opacity in zip(curls.items(), (0.22, 0.8), strict=True)
    )


def _grid(look: Theme, size_pt: Size) -> str:
    """Return the grid of a staff map."""
    wide, high = size_pt
    across = "".join(f"M0 {y * GRID_PT:.0f}H{wide:.0f}" for y in range(1, math.ceil(high / GRID_PT)))
    down = "".join(f"M{x * GRID_PT:.0f} 0V{high:.0f}" for x in range(1, math.ceil(wide / GRID_PT)))
    return f'<path d="{across}{down}" stroke="{look.edge}" stroke-width="0.6" stroke-opacity="0.16" fill="none"/>'


PATTERNS: Mapping[str, Callable[[Theme, Size], str]] = {"waves": _waves, "fibres": _fibres, "grid": _grid}
"""How each pattern of `companion.view.kit.theme.Material` is drawn."""
