"""A board's data as a drawing, in SVG: polygons, paths and circles only, in the board's millimetres.

It is our own drawing, made from the areas' outlines: nothing of the printed board's art is in it. The screen lays it
under the pieces, print can use it as it is. Letters are drawn as lines (`companion.drawing.stroke_font`), so that
nobody who shows it needs a typeface; `area_marks` says where names and points go, so that the drawing and what is
laid over it agree.

Its layers, for whoever puts other things between them: `board_shapes` (the ground), `action_shapes` (the icons of the
action spaces), `mark_shapes` (what lies over the areas), `start_shapes` (the starting units) and `text_shapes` (names
and points).

Frame: origin at the board's top left corner, x to the right, y down, in mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from companion.drawing import air_zones, scenery
from companion.drawing.anchors import (
    PRACTICE,
    AreaMarks,
    area_marks,
    drawn_outline,
    extent,
    practice_plate,
    practice_shape,
    scale,
)
from companion.drawing.icons import ICONS, icon_shape
from companion.drawing.polygons import (
    Point,
    hexagon,
    inset,
    is_shared_by,
    outer_sides,
    outward_normal,
    path,
    shared_side,
)
from companion.drawing.stroke_font import lettering
from engine.orders.board import Area, Board

__all__ = [
    "COLOURS", "PRACTICE", "AreaMarks", "Point", "action_shapes", "area_mark_shapes", "area_marks", "board_shapes",
    "extent", "hexagon", "inset", "mark_shapes", "path", "practice_shape", "scale", "shared_side",
    "start_shapes", "text_shapes", "unit_sign",
]  # fmt: skip

COLOURS: Mapping[str, str] = {
    "land": "#c9bd98",
    "water": "#6b9bb5",
    "border": "#2b2f33",
    "land_line": "#9c8c60",
    "water_line": "#5f8aa0",
    "shore": "#e3eef0",
    "beach": "#f0e2b4",
    "rock": "#9aa09c",
    "peak": "#bcc1ba",
    "peak_shade": "#757d7c",
    "snow": "#fbfcfc",
    "woods": "#a9b48c",
    "fir": "#6f8460",
    "fir_line": "#4d6045",
    "land_detail": "#b3a57c",
    "water_detail": "#84b0c7",
    "pier": "#5a4630",
    "points": "#f3c54b",
    "paper": "#efe7d0",
    "ink": "#3a3a36",
    "forbidden": "#a52219",
    "red": "#c8381f",
    "black": "#15171a",
    "blue": "#1d4f9e",
    "yellow": "#8a6a00",
    "red_fill": "#c8381f",
    "black_fill": "#15171a",
    "blue_fill": "#2257ab",
    "yellow_fill": "#f8d51c",
}

Ink = Mapping[str, str]


# ---- the drawing ------------------------------------------------------------------------------


def board_shapes(
    board: Board, zones: Mapping[str, str] | None = None, ink: Ink = COLOURS, *, is_painted: bool = False
) -> str:
    """Draw areas, borders, walls, air zones, piers and action spaces in mm, without a document around them.

    zones: what the air zones are called, by name; else the word in the name. ink: colours by the names of COLOURS.
    is_painted: they lie on a picture of the ground, which has the areas, their borders and the piers already.
    """
    k = scale(board)
    ground = [area for area in board.areas if area.kind != "air"]
    outlines = [drawn_outline(area) for area in board.areas]
    if board.known == "practice":
        (x, y), (w, h), _ = practice_plate(board)
        w, h = w / 2, h / 2
        outlines.append(((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)))
    parts = [] if is_painted else _plain_ground(board, ground, tuple(outlines), ink)
    parts += [air_zones.zone_borders(board, k)]
    if not is_painted:
        parts += [_coast(ground, ink)]
    parts += [scenery.wall(area, k) for area in ground if area.fort]
    parts += [
        air_zones.section(area, air_zones.zone_word(area.name, zones)) for area in board.areas if area.kind == "air"
    ]
    if not is_painted:
        parts += [_pier(area, board.area(water), ink) for area in ground for water in area.ports]
    for space in board.spaces:  # a small hex of paper, or of its faction's colour where only that one may use it
        if space.at_mm is not None:
            data = path(hexagon(space.at_mm, board.space_side_mm))
            fill = ink[f"{space.faction}_fill"] if space.faction else ink["paper"]
            parts.append(f'<path d="{data}" fill="{fill}" stroke="{ink["border"]}" stroke-width="0.7"/>')
    return "\n".join(part for part in parts if part)


def _plain_ground(board: Board, ground: Sequence[Area], taken: scenery.Outlines, ink: Ink) -> list[str]:
    """Return the ground as flat shapes: what lies around the areas, their fills, details, shores and borders."""
    k = scale(board)
    parts = [scenery.around(board, taken, extent(board), ink)]
    parts += [f'<path d="{path(area.polygon_mm)}" fill="{ink[area.kind]}"/>' for area in ground]
    parts += [scenery.details(board, area, ink, k) for area in ground]
    parts += [scenery.shore(board, area, ink) for area in ground if area.kind == "water"]
    parts += [
        f'<path d="{path(area.polygon_mm)}" fill="none" stroke="{ink[area.kind + "_line"]}" stroke-width="0.6" '
        f'stroke-linejoin="round"/>'
        for area in ground
    ]
    return parts


def action_shapes(board: Board) -> str:
    """Draw the icon of its action in every space that is on the map, in mm."""
    half = board.space_side_mm * 0.62
    return "\n".join(
        icon_shape(
            space.action.name,
            space.at_mm,
            half,
            air_zones.letters_on(COLOURS[f"{space.faction}_fill"]) if space.faction else COLOURS["ink"],
        )
        for space in board.spaces
        if space.at_mm
    )


def mark_shapes(board: Board, words: str = PRACTICE, zones: Mapping[str, str] | None = None) -> str:
    """Draw the marks that lie over the areas, in mm, and on a practice board the `words` that say so.

    They are discs under the points, headquarters and bonus slots, printed bonuses on square plates, signs that no
    Paradrop may land, and the letters of the air zones. zones: as for `board_shapes`.
    """
    marks = filter(None, area_mark_shapes(board, zones).values())
    practice = [practice_shape(board, COLOURS["border"], words=words)] if board.known == "practice" else []
    return "\n".join([*marks, *practice])


def area_mark_shapes(
    board: Board, zones: Mapping[str, str] | None = None, ink: Ink = COLOURS, turn: int = 0
) -> dict[str, str]:
    """Draw the marks of `mark_shapes` area by area: {area: its marks}.

    They stand upright where the drawing is shown turned clockwise by `turn` degrees.
    """
    return {
        area.name: _marks_shape(board, area, ink, turn) + (_zone_tag(board, area, turn, zones) if area.zone else "")
        for area in board.areas
        if area.kind != "air"
    }


def _zone_tag(board: Board, area: Area, turn: int, zones: Mapping[str, str] | None) -> str:
    zone = area.zone or ""
    placed = (area_marks(board, area).low_right_mm, scale(board))
    letters = air_zones.zone_letters(zone, [air_area.name for air_area in board.areas if air_area.kind == "air"], zones)
    return air_zones.tag(air_zones.zone_colour(zone), letters, placed, turn)


def start_shapes(board: Board) -> str:
    """Draw a sign for each unit that starts on an area, in mm."""
    return "\n".join(shape for area in board.areas for shape in _starting(board, area))


def text_shapes(board: Board) -> str:
    """Draw the names of the areas and the numbers of points, in mm."""
    k, shapes = scale(board), []
    for area in board.areas:
        places = area_marks(board, area)
        if area.kind != "air":
            shapes.append(lettering(area.name, places.name_mm, 3.0 * k, COLOURS["ink"]))
        if area.vp:
            shapes.append(lettering(str(area.vp), places.left_mm, 5.8 * k, COLOURS["ink"], 1.1))
    return "\n".join(shapes)


# ---- its parts --------------------------------------------------------------------------------


def _coast(ground: Sequence[Area], ink: Ink) -> str:
    """Draw the coast and the map's own edge, the lines that count most, to lie over the other borders."""
    land = [area.polygon_mm for area in ground if area.kind == "land"]
    water = [area.polygon_mm for area in ground if area.kind == "water"]
    edges = outer_sides(land) + [side for side in outer_sides(water) if not is_shared_by(side, land)]
    data = "".join(path(side, closed=False) for side in edges)
    return f'<path d="{data}" fill="none" stroke="{ink["border"]}" stroke-width="1.1" stroke-linecap="round"/>'


def _pier(port: Area, water: Area, ink: Ink) -> str:
    """Draw a pier: two planks from the middle of the shared side out into the water."""
    side = shared_side(port.polygon_mm, water.polygon_mm)
    if side is None:
        return ""
    (x0, y0), (x1, y1) = side
    length = math.dist(*side)
    out_x, out_y = outward_normal(port.polygon_mm, side)
    planks = ""
    for shift in (-2.4, 2.4):
        x, y = (x0 + x1) / 2 + (x1 - x0) / length * shift, (y0 + y1) / 2 + (y1 - y0) / length * shift
        planks += path([(x - out_x * 1.6, y - out_y * 1.6), (x + out_x * 4.2, y + out_y * 4.2)], closed=False)
    return f'<path d="{planks}" fill="none" stroke="{ink["pier"]}" stroke-width="1.7" stroke-linecap="round"/>'


# ---- marks ------------------------------------------------------------------------------------


def _marks_shape(board: Board, area: Area, ink: Ink, turn: int) -> str:
    places, k = area_marks(board, area), scale(board)
    parts = []
    if area.vp:
        parts.append(_disc(places.left_mm, 5.6 * k, ink["points"], ink["border"]))
    if area.hq:
        parts.append(_disc(places.left_mm, 6.8 * k, ink["paper"], ink[area.hq]))
        own = f"{board.mode.rulebook}_hq"
        parts.append(_upright(own if own in ICONS else "castle", (places.left_mm, 5.2 * k), ink[area.hq], turn))
    if area.slot:
        parts.append(_disc(places.right_mm, 6.2 * k, ink["paper"], ink["border"]))
        sign = area.slot if area.slot in ICONS else "flower"
        parts.append(_upright(sign, (places.right_mm, 3.8 * k), ink["ink"], turn))
    if area.printed:
        x, y = places.right_mm
        at = (x, y + 12.6 * k) if area.slot else (x, y)  # below the slot, where there is one
        parts.append(_plate(at, 6.0 * k, ink))
        parts.append(_upright(area.printed, (at, 4.6 * k), ink["ink"], turn))
    if area.no_drop:
        parts.append(_no_drop(places.low_left_mm, 4.6 * k, ink, turn))
    return "\n".join(parts)


def _plate(centre: Point, half: float, ink: Ink) -> str:
    """Draw the ground of a printed bonus: square, so that nobody looks for a token on it."""
    x, y = centre
    return (
        f'<rect x="{x - half:.2f}" y="{y - half:.2f}" width="{2 * half:.2f}" height="{2 * half:.2f}" '
        f'rx="{half * 0.3:.2f}" fill="{ink["paper"]}" stroke="{ink["border"]}" stroke-width="0.8"/>'
    )


def _no_drop(centre: Point, half: float, ink: Ink, turn: int) -> str:
    """Draw a parachute struck out: no Paradrop may land here."""
    return (
        _disc(centre, half, ink["paper"], ink["forbidden"])
        + _upright("paradrop", (centre, half * 0.62), ink["ink"], turn)
        + _upright("forbidden", (centre, half), ink["forbidden"], turn)
    )


def _upright(name: str, placed: tuple[Point, float], colour: str, turn: int) -> str:
    """Draw an icon that stands upright when the board is shown turned clockwise by `turn` degrees."""
    (x, y), half = placed
    shape = icon_shape(name, (x, y), half, colour)
    return f'<g transform="rotate({-turn} {x:.2f} {y:.2f})">{shape}</g>' if turn else shape


def _disc(centre: Point, radius: float, fill: str, line: str) -> str:
    x, y = centre
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.3g}" fill="{fill}" stroke="{line}" stroke-width="0.6"/>'


# ---- starting units ---------------------------------------------------------------------------


def _starting(board: Board, area: Area) -> Iterator[str]:
    """Yield the signs of the units that start on an area, in rows of three around its middle."""
    units = [(faction, unit) for faction, unit, n in area.start for _n in range(n)]
    (x, y), k = area_marks(board, area).units_mm, scale(board)
    rows = [units[i : i + 3] for i in range(0, len(units), 3)]
    for row, signs in enumerate(rows):
        for at, (faction, unit) in enumerate(signs):
            across, down = (at - (len(signs) - 1) / 2) * 7.4 * k, (row - (len(rows) - 1) / 2) * 7.4 * k
            yield unit_sign(unit, ((x + across, y + down), 3.4 * k), COLOURS[f"{faction}_fill"])


def unit_sign(unit: str, placed: tuple[Point, float], colour: str) -> str:
    """Draw a unit as it is printed: a disc of its faction's colour, with the icon of its kind where it has one."""
    centre, half = placed
    return _disc(centre, half, colour, "#1d2126") + icon_shape(unit, centre, half * 0.72, air_zones.letters_on(colour))
