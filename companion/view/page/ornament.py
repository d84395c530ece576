"""What adorns a page and means nothing: the cloth that it is made of, and the crest that fills one of few words.

The cloth lies under everything else: lacquer with waves, paper with fibres, tin with a grid, so faint that every text
keeps its contrast. A crest is a war fan between clouds, or a compass rose between a map's contours; it is never
touched. A theme and a size or place in points come in and SVG goes out, the same for the same page: it is drawn once
and kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random

from companion.drawing.icons import burst
from companion.drawing.polygons import Point, path
from companion.view.kit.kept import draw_kept
from companion.view.kit.sheet import Rect, Sheet
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


# ---- the crest -----------------------------------------------------------------------------------

HALF = 12.0  # of the square that a crest is drawn in
STROKE, HAIR = 0.32, 0.16
FAN = (
    "M0 -11C2.6 -11 3.4 -9.8 5.8 -9.6C9.8 -9.2 11 -5.6 9.8 -2.8C9.1 -1.3 8 -1 8 0.2C8 1.6 9.2 2.4 8.4 4.6"
    "C7.4 7.2 3.8 7.4 0 6.2C-3.8 7.4 -7.4 7.2 -8.4 4.6C-9.2 2.4 -8 1.6 -8 0.2C-8 -1 -9.1 -1.3 -9.8 -2.8"
    "C-11 -5.6 -9.8 -9.2 -5.8 -9.6C-3.4 -9.8 -2.6 -11 0 -11Z"
)
RIM = 0.9  # the fan's inner rim, as a part of its size
SUN = "M-7.3 -4.6a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0Z"
MOON = "M5.6 -7A2.7 2.7 0 1 0 5.6 -2.2A3.4 3.4 0 0 1 5.6 -7Z"
HANDLE = "M-0.7 -10.2H0.7V9.6H-0.7ZM-1.1 9.6H1.1V10.5H-1.1Z"
TASSEL = "M0 10.5C2.4 10.7 3 11.3 4.4 11.1M0 10.5C-2.4 10.7 -3 11.3 -4.4 11.1"
TICKS = 36
MOST_PT = 260.0
GAP_PT = 14.0
LEAST_FLANK_PT = 56.0  # less room at a side of it stays free
FLANK_PART = 1.1  # of half the device: how high what is beside it is
FLANK_STRENGTH = 0.6
BANKS = ((0.3, 0.86, 0.0), (0.0, 0.6, 0.26), (0.36, 1.0, 0.5), (0.1, 0.72, 0.74))
"""Each bank of a cloud: where it begins and ends across, and its top, as parts of the whole."""
BANK_PART = 0.25  # of the cloud's height
CONTOURS = (1.0, 0.82, 0.64, 0.46, 0.28)


def draw_crest(sheet: Sheet, place: Rect) -> None:
    """Draw the emblem of the look's era in the middle of the place, with ornaments at both sides if they have room."""
    draw_kept(sheet, (draw_crest, place), lambda part: _draw(part, place))


def _draw(sheet: Sheet, place: Rect) -> None:
    half = min(place.w, place.h, MOST_PT) / 2
    x, y = place.centre
    device, beside = CRESTS[sheet.look.material.numerals]
    look = sheet.look
    line, ground = look.edge if look.material.cut_pt else look.nobody, look.panel  # it never outshines the words
    sheet.raw(f'<g transform="translate({x:.2f} {y:.2f}) scale({half / HALF:.4f})">{device(line, ground)}</g>')
    sheet.close_group(Rect.around((x, y), half))
    wide, high = min(place.w / 2 - half - GAP_PT, 2 * place.h), half * FLANK_PART
    if wide < LEAST_FLANK_PT:
        return
    for side in (-1, 1):
        flank = Rect(x + side * (half + GAP_PT + wide / 2) - wide / 2, y - high / 2, wide, high)
        sheet.raw(f'<g stroke-opacity="{FLANK_STRENGTH}">{beside(flank, side, (line, ground))}</g>')
        sheet.close_group(flank)


def _fan(line: str, ground: str) -> str:
    """Return a gunbai, the fan that generals lead with: sun and moon to both sides of its handle."""
    return (
        f'<g stroke="{line}" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{FAN}" fill="{ground}" stroke-width="{STROKE}"/>'
        f'<g transform="translate(0 -0.2) scale({RIM})"><path d="{FAN}" fill="none" stroke-width="{HAIR}"/></g>'
        f'<path d="{HANDLE}" fill="{ground}" stroke-width="{STROKE}"/>'
        f'<path d="{TASSEL}" fill="none" stroke-width="{2 * STROKE}"/></g>'
        f'<path d="{SUN}{MOON}" fill="{line}"/>'
    )


def _rose(line: str, ground: str) -> str:
    """Return a compass rose: a ring of degrees and a star of eight points, each half of it dark."""
    ring = f'<circle cx="0" cy="0" r="9.6" fill="{ground}" stroke="{line}" stroke-width="{STROKE}"/>'
    turns = [(2 * math.pi * n / TICKS, 7.9 if n % 9 == 0 else 8.7) for n in range(TICKS)]
    ticks = "".join(path([_at(turn, 9.6), _at(turn, inner)], closed=False) for turn, inner in turns)
    diagonals, points = burst((0, 0), 6.4, 4, 0.3), burst((0, 0), 10.8, 4, 0.2)
    turned = f'<g transform="rotate(45)">{_half_dark(diagonals, line, ground)}</g>'
    return (
        f'{ring}<path d="{ticks}" stroke="{line}" stroke-width="{HAIR}" fill="none"/>'
        f"{turned}{_half_dark(points, line, ground)}"
    )


def _half_dark(corners: tuple[Point, ...], line: str, ground: str) -> str:
    """Return a star of which every point is dark on its right and has only its outline on its left."""
    outline = f'<path d="{path(corners)}" fill="{ground}" stroke="{line}" stroke-width="{HAIR}"/>'
    dark = "".join(path([(0.0, 0.0), corners[n], corners[n + 1]]) for n in range(0, len(corners), 2))
    return f'{outline}<path d="{dark}" fill="{line}"/>'


def _clouds(place: Rect, side: int, colours: tuple[str, str]) -> str:
    """Return a cloud of long banks over one another, as gold leaf has them; the right one mirrors the left."""
    line, ground = colours
    high, banks = place.h * BANK_PART, ""
    for start, end, top in BANKS:
        left = start if side < 0 else 1 - end
        banks += (
            f'<rect x="{place.x + left * place.w:.1f}" y="{place.y + top * place.h:.1f}" '
            f'width="{(end - start) * place.w:.1f}" height="{high:.1f}" rx="{high / 2:.1f}"/>'
        )
    return f'<g fill="{ground}" stroke="{line}" stroke-width="1.4">{banks}</g>'


def _contours(place: Rect, side: int, colours: tuple[str, str]) -> str:
    """Return the contours of a hill, as a map has them."""
    x, y = place.centre
    rings = ""
    for part in CONTOURS:
        reach = [_wave(2 * math.pi * n / 48, side) * part for n in range(48)]
        points = [
            (x + place.w / 2 * far * math.sin(2 * math.pi * n / 48), y - place.h / 2 * far * math.cos(math.pi * n / 24))
            for n, far in enumerate(reach)
        ]
        rings += path(points)
    return f'<path d="{rings}" fill="none" stroke="{colours[0]}" stroke-width="1.1"/>'


def _wave(turn: float, side: int) -> float:
    """Return how far a contour reaches in a direction (radians), 0 to 1."""
    return 0.84 + 0.1 * math.sin(3 * turn + side) + 0.06 * math.sin(5 * turn + 2)


def _at(turn: float, reach: float) -> Point:
    return reach * math.sin(turn), -reach * math.cos(turn)


Beside = Callable[[Rect, int, tuple[str, str]], str]
CRESTS: Mapping[str, tuple[Callable[[str, str], str], Beside]] = {"brush": (_fan, _clouds), "tally": (_rose, _contours)}
"""The device, and what is beside it, for each way in which a material numbers rounds."""
